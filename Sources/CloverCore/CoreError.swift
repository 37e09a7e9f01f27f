package import CloverAPI
package import CloverAuth
import CloverConfiguration

/// Errors of commands that no other module defines.
package enum CoreError: Error, Sendable, Equatable {
    /// The tokens of this sign-in cannot be renewed.
    case tokens(RefreshError, SignedIn)
    /// A request for tokens failed during this kind of sign-in.
    case oauth(OAuthError, during: SignInOccasion)
    /// A token of the legacy flow would replace tokens that can be renewed.
    case wouldReplaceRenewable(SignedIn)
    /// Migration needs the app that the legacy token was issued to.
    case appMissingForMigration
    /// The file with the app's secret cannot be read. Its name is not shown, because it may be the secret itself.
    case unreadableSecret(errno: Int32)
    case malformedSecret
    /// No credential matches the choice; nil leaves a part open.
    case notSignedIn(ConnectionChoice)
    /// No credential of a profile that was given by flag and therefore overrides `CLOVER_ACCESS_TOKEN`.
    case profileNotSignedIn(ConnectionChoice)
    case unknownProfile(String, known: [String])
    /// The profile is for another merchant or environment than the one given with it.
    case profileConflict(String, merchantID: String, environment: String, isByVariables: Bool = false)
    /// The sign-in to remove would be `CLOVER_ACCESS_TOKEN`, which is not stored, although others are.
    case variableNotForgotten
    /// There is no stored sign-in to remove; the token in use is that of `CLOVER_ACCESS_TOKEN`.
    case onlyVariableToken
    case malformedProfile(String)
    /// Several credentials match; each is described as `MERCHANT (environment)`.
    case severalCredentials([String])
    /// A code yielded tokens of another merchant than the user named. The code is spent, and the tokens were not stored.
    case issuedForOtherMerchant(found: String, expected: String)
    /// `CLOVER_ACCESS_TOKEN` is set, but no merchant is.
    case staticTokenWithoutMerchant
    case merchantMissing
    case appMissing
    /// This file, or standard input (`-`), contains no secret.
    case secretMissing(String)
    /// The browser's redirect did not arrive within this number of seconds.
    case noCallback(seconds: Double, isPasted: Bool)
    /// Within this number of seconds, the browser opened the callback address, but without a code or an error.
    case bareCallback(seconds: Double)
    /// Neither the redirect nor the user names a merchant.
    case redirectWithoutMerchant
    case noAddressOnInput
    /// The tokens of this credential can already be renewed.
    case nothingToMigrate(CredentialKey)
    /// Some stored credentials cannot be read; each was reported on standard error.
    case unreadableCredentials(Int)
    /// Some credentials could not be removed, or their tokens are still in the keyring; each was reported on standard error.
    case signOutIncomplete([CredentialKey], inKeyring: [CredentialKey], removed: Int)
    case noTokenOnInput
    case malformedToken
    /// A date needs the merchant's time zone, which the service does not return; `option` sets one.
    case timeZoneMissing(merchant: String, cause: String?, option: String)
    /// A date needs the merchant's time zone, which the token must not read; `option` sets one.
    case timeZoneRefused(merchant: String, option: String)
    /// The service returned a time zone for this merchant that does not exist.
    case noSuchTimeZone(String, merchant: String, option: String)
    /// Some records failed in the filter; each was reported on standard error. `isArray`: with `--slurp` they are one value.
    case recordsFailed(Int, isArray: Bool)
    /// All records were requested, but the service returns only those of the last `days` days and does not report what is
    /// missing; `records` were delivered.
    case historyLimited(path: String, days: Int, records: Int)
    /// Nothing shows that Clover filters the list by these fields; all records that it returned were delivered.
    case filtersUnproved([String], path: String)
    /// The service returned records that a filter excludes, so that it does not filter as asked.
    case filterContradicted(FilterContradiction, path: String)
    /// The service did not sort as asked, and other records than the first in that order were requested and delivered.
    case sortContradicted(SortContradiction, path: String)
    /// Some records could not be printed; each was reported on standard error.
    case recordsNotPrinted(Int)
    /// A record that may contain sensitive fields is not JSON from `offset` on. As its fields cannot be masked, it was not
    /// printed.
    case unmaskable(id: String?, offset: Int)
    case noModel(path: String)
    case incomplete(Shortfall)
    /// `--max-time` ran out after `records` were read. `obstacle` is what the run waited for, if known. `isWritten`:
    /// the records were all written, and only the pager was still open.
    case timeRanOut(seconds: Double, records: Int, obstacle: Obstacle?, isWritten: Bool = false)
    case malformedDuration(String)
    case unreadableFile(path: String, errno: Int32)
    case unwritableFile(path: String, errno: Int32)
    case cannotRun(errno: Int32)
    case demoFailed(command: String, status: Int32)
    case programMissing(String)
    /// A program that exists and cannot be run.
    case programUnusable(path: String, errno: Int32)
}

extension CoreError {
    /// The kind of sign-in during which tokens are requested. It decides which causes an error may have.
    package enum SignInOccasion: Sendable, Equatable {
        /// A sign-in with a browser, by PKCE or by the app's secret.
        case login(hasSecret: Bool)
        /// A code obtained elsewhere, with or without a secret and a verifier.
        case receive(hasSecret: Bool, hasVerifier: Bool)
        /// A legacy token in place of a code.
        case migration
    }
}

/// Parses a duration: `30`, `500ms`, `30s`, `1.5m`, `2h`.
package enum DurationExpression {
    /// The duration in seconds, greater than zero.
    package static func seconds(_ text: String) throws(CoreError) -> Double {
        guard let seconds = DurationText.seconds(text) else { throw .malformedDuration(text) }
        return seconds
    }
}
