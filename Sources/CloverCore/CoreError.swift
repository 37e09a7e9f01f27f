package import CloverAuth

/// What can go wrong in a command besides its parts' own errors.
package enum CoreError: Error, Sendable, Equatable {
    /// The tokens of this sign-in cannot be renewed.
    case tokens(RefreshError, SignedIn)
    /// The service, asked for tokens in the course of this.
    case oauth(OAuthError, during: SignInAttempt.Occasion)
    /// A token of the legacy flow would take the place of tokens that can be renewed.
    case wouldReplaceRenewable(SignedIn)
    /// Migrating needs the app that the legacy token was issued to.
    case appMissingForMigration
    /// The file with the app's secret cannot be read; its name may be the secret itself, so it is not shown.
    case unreadableSecret(errno: Int32)
    /// The app's secret holds spaces or unusual characters.
    case malformedSecret
    /// No credential for what was asked; nil leaves that part open.
    case notSignedIn(ConnectionChoice)
    /// The same, of a profile that a flag names, so that it goes before the token of `CLOVER_ACCESS_TOKEN`.
    case profileNotSignedIn(ConnectionChoice)
    /// No sign-in goes by this name.
    case unknownProfile(String, known: [String])
    /// The profile is for another merchant or environment than was asked for too.
    case profileConflict(String, merchantID: String, environment: String, isByVariables: Bool = false)
    /// The sign-in to forget would be `CLOVER_ACCESS_TOKEN`, which is not kept, while others are.
    case variableNotForgotten
    /// Nothing is kept that could be forgotten; the token in use is that of `CLOVER_ACCESS_TOKEN`.
    case onlyVariableToken
    /// Not a name that a profile can have.
    case malformedProfile(String)
    /// More than one credential fits; each is described as `MERCHANT (environment)`.
    case severalCredentials([String])
    /// A code was spent for tokens of another merchant than the user said; they were not kept.
    case issuedForOtherMerchant(found: String, expected: String)
    /// `CLOVER_ACCESS_TOKEN` is set, but no merchant is.
    case staticTokenWithoutMerchant
    /// Signing in needs a merchant.
    case merchantMissing
    /// Signing in with a browser needs an app.
    case appMissing
    /// This file, or standard input (`-`), holds no secret.
    case secretMissing(String)
    /// The browser's answer did not come within so many seconds.
    case noCallback(seconds: Double, isPasted: Bool)
    /// Within so many seconds the browser came to the listener's address, but with nothing in it.
    case bareCallback(seconds: Double)
    /// The browser's answer names no merchant, and neither did the user.
    case answerWithoutMerchant
    /// Standard input held no address and no code.
    case noAddressOnInput
    /// The tokens of this credential can be renewed already.
    case nothingToMigrate(CredentialKey)
    /// Some kept credentials cannot be read; each was named on standard error.
    case unreadableCredentials(Int)
    /// Some of the credentials that were to be removed are still there, or their tokens in the keyring are; each was named on
    /// standard error.
    case signOutIncomplete([CredentialKey], inKeyring: [CredentialKey], removed: Int)
    /// Standard input held no token, or something that cannot be one.
    case noTokenOnInput
    case malformedToken
    /// A date needs the clocks of this merchant, and the service does not say which they are; `option` names others.
    case timeZoneMissing(merchant: String, cause: String?, option: String)
    /// The service names a zone for this merchant that does not exist.
    case noSuchTimeZone(String, merchant: String, option: String)
    /// Some records failed in the filter; each was named on standard error. `isArray`: with `--slurp` they are one.
    case recordsFailed(Int, isArray: Bool)
    /// Everything was asked for, but the service answers for the last `days` days only and does not say what is
    /// missing; `records` were delivered.
    case historyLimited(path: String, days: Int, records: Int)
    /// Some records could not be printed; each was named on standard error.
    case recordsNotPrinted(Int)
    /// A record that may hold sensitive fields is not JSON from `offset` on, so they cannot be masked; it was not
    /// printed.
    case unmaskable(id: String?, offset: Int)
    /// Nothing is known of the records of this path.
    case noModel(path: String)
    /// Something is missing in what was delivered, and what.
    case incomplete(Shortfall)
    /// `--max-time` ran out; `records` were read until then. `obstacle` says what was waited for, where that is known.
    case timeRanOut(seconds: Double, records: Int, obstacle: String?)
    case malformedDuration(String)
    /// A file that the user named cannot be read.
    case unreadableFile(path: String, errno: Int32)
    /// A file that the user named cannot be written.
    case unwritableFile(path: String, errno: Int32)
    /// A shell command of the user's cannot be started.
    case cannotRun(errno: Int32)
    /// A command of the guided tour did not end with 0.
    case demoFailed(command: String, status: Int32)
    /// A program that the user asked for is not installed.
    case programMissing(String)
}
