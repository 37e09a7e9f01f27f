import CloverAuth
import CloverHTTP

/// One sign-in from the answer of the browser to the tokens on this machine.
package struct SignInAttempt: Sendable {
    let target: SignInTarget
    let appID: String
    let proof: SignInProof
    let certificateFile: String?
    let isInKeyring: Bool
    let origin: Credential.Origin
    /// Names that are to stand for the new sign-in, besides the target's.
    var inheritedNames: [String] = []

    /// In the course of what the service is asked for tokens, which decides what may be wrong.
    package enum Occasion: Sendable, Equatable {
        /// A sign-in with a browser, by PKCE or by the app's secret.
        case login(hasSecret: Bool)
        /// A code from elsewhere, and what came with it.
        case receive(hasSecret: Bool, hasVerifier: Bool)
        /// A legacy token in place of a code.
        case migration
    }

    private var occasion: Occasion {
        let hasSecret = if case .appSecret = proof { true } else { false }
        return switch origin {
        case .receive: .receive(hasSecret: hasSecret, hasVerifier: proof.challenge != nil)
        case .migration: .migration
        case .login, .refresh, .token: .login(hasSecret: hasSecret)
        }
    }

    func hideSecrets(in environment: CommandEnvironment) {
        if let secret = proof.secret { environment.diagnostics.mask.hide(secret) }
    }

    /// Where the merchant approves.
    func address(redirectURI: String, state: String) -> String {
        AuthorizationRequest(
            endpoints: target.endpoints, appID: appID, redirectURI: redirectURI, merchantID: target.merchantID,
            challenge: proof.challenge, state: state
        ).url
    }

    /// Reads the address that the browser was sent to, and keeps what it is good for.
    func finish(
        _ redirectedURL: String, state: AuthorizationAnswer.StateRule, in environment: CommandEnvironment
    ) async throws -> SignedIn {
        let answer = try AuthorizationAnswer.parse(
            redirectedURL: redirectedURL, state: state, appID: appID, merchantID: target.merchantID)
        switch answer {
        case .code(let code): return try await exchange(code, in: environment)
        case .legacyToken(let token): return try await keep(token, in: environment)
        }
    }

    /// Exchanges a code, once: it is spent whatever comes of it. So whatever else could go wrong is tried before: the
    /// key is made, nobody else works on it, and there is room for what will be written.
    func exchange(_ code: AuthorizationCode, in environment: CommandEnvironment) async throws -> SignedIn {
        switch try await receive(code, isNew: true, in: environment) {
        case .signedIn(let signedIn), .alreadyReceived(let signedIn): signedIn
        }
    }

    /// The same for a code that was obtained elsewhere, and may be handed in again, by another process at this moment too.
    ///
    /// - Parameter isNew: whether the code is known to have never been handed in.
    func receive(
        _ code: AuthorizationCode, isNew: Bool = false, in environment: CommandEnvironment
    ) async throws -> ReceivedSignIn.Outcome {
        let mask = environment.diagnostics.mask
        mask.hide(code.code)
        // Who hands in a bare code has to say whose it is, which the key asks for.
        guard !isNew || code.merchantID != nil || target.merchantID != nil else {
            throw CoreError.answerWithoutMerchant
        }
        let key = try target.key(merchantID: code.merchantID)
        let lease = try await environment.credentialStore().lease(key, patience: Self.patience) {
            environment.diagnostics.detail("another process works on these tokens; waiting for it")
        }
        defer { lease.release() }
        if isInKeyring { try await environment.secretVault().probe() }
        // A file that cannot be read cannot be replaced either.
        let before = try await Self.replaced(isInKeyring) { () async throws(CredentialError) in try await lease.load() }
        if !isNew, let before = before.credential, before.codeHash == SecretHash.hexadecimal(of: code.code) {
            return .alreadyReceived(SignedIn(key: key, profile: target.profile))
        }
        try await lease.reserve()
        let client = environment.oauthClient(target.endpoints, certificateFile: certificateFile)
        environment.diagnostics.detail("exchanging the code for tokens at \(target.endpoints.apiBaseURL)")
        let issued: IssuedTokens
        do throws(OAuthError) {
            issued = try await client.exchange(code.code, appID: appID, proof: proof.proof)
        } catch {
            throw CoreError.oauth(error, during: occasion)
        }
        mask.hide(issued.accessToken)
        if let token = issued.refreshToken { mask.hide(token) }
        let credential = Credential(
            key: key, issued: issued, origin: origin, code: code.code, employeeID: code.employeeID,
            inKeyring: isInKeyring || before.isInKeyring)
        if code.merchantID == nil, origin != .migration { try await checkOwner(of: credential, in: environment) }
        try await target.name(key, isMigration: origin == .migration, in: environment)
        for name in inheritedNames { try await environment.profiles().set(name, key) }
        try await save(credential, under: lease, in: environment)
        environment.diagnostics.detail("the service issued tokens, and they are kept")
        if let words = TokenNoticeText.shortcoming(of: credential, profile: target.profile) {
            environment.diagnostics.notice(words)
        }
        // Choosing it takes locks of its own.
        lease.release()
        return .signedIn(try await target.choose(key, in: environment))
    }

    /// What a new sign-in takes the place of, and whether its tokens go into the keyring for that. Tokens that somebody took
    /// out of the keyring are in nobody's way; nor are those in a keyring that cannot be used, unless it is asked for.
    static func replaced(
        _ asksForKeyring: Bool, _ load: () async throws(CredentialError) -> Credential?
    ) async throws(CredentialError) -> (credential: Credential?, isInKeyring: Bool) {
        do {
            let credential = try await load()
            return (credential, credential?.isInKeyring == true)
        } catch .missingInKeyring {
            return (nil, true)
        } catch .keyring where !asksForKeyring {
            return (nil, false)
        }
    }

    /// Keeps the tokens, which are nowhere else: in a file when the keyring, which took a harmless secret before if it was asked
    /// for, does not take them.
    private func save(
        _ credential: Credential, under lease: any CredentialLease, in environment: CommandEnvironment
    ) async throws(CredentialError) {
        do {
            environment.noteLeftover(try await lease.save(credential))
        } catch .keyring(_, let error) where credential.isInKeyring {
            var outside = credential
            outside.isInKeyring = false
            let leftover = try await lease.save(outside)
            environment.diagnostics.notice(TokenNoticeText.keptInFile("the tokens", error, leftover: leftover))
        }
    }

    /// An answer without a merchant may be for another one than the user said, and the tokens do not tell: so the service
    /// is asked. Tokens of another merchant are not kept: they would take the place of his own.
    private func checkOwner(of credential: Credential, in environment: CommandEnvironment) async throws {
        let diagnostics = environment.diagnostics
        let key = credential.key
        let owner: TokenDiagnosis.Ownership
        do {
            let connection = try await Connection.trying(
                credential, certificateFile: certificateFile, in: environment)
            owner = try await TokenDiagnosis(connection, in: environment).ownership()
        } catch {
            diagnostics.detail("the merchant could not be checked: \(error)")
            return
        }
        switch owner {
        case .own: return
        case .foreign(let other):
            throw CoreError.issuedForOtherMerchant(found: other, expected: key.merchantID)
        case .unknown:
            diagnostics.notice(
                "Clover does not answer for merchant \(key.merchantID) with these tokens: a code is for the "
                    + "merchant who approved, so check --merchant")
        }
    }

    /// A token of the legacy flow comes whole, in the address.
    func keep(_ token: LegacyToken, in environment: CommandEnvironment) async throws -> SignedIn {
        environment.diagnostics.mask.hide(token.token)
        let key = try target.key(merchantID: token.merchantID)
        let store = try environment.credentialStore()
        if isInKeyring { try await environment.secretVault().probe() }
        let kept = try await Self.replaced(isInKeyring) { () async throws(CredentialError) in
            try await store.load(key)
        }
        if kept.credential?.kind == .oauth {
            throw CoreError.wouldReplaceRenewable(
                SignedIn(key: key, profile: try await environment.profiles().name(of: key)))
        }
        return try await target.keep(
            Credential(
                key: key, legacy: token.token, origin: origin,
                now: environment.clock.now, employeeID: token.employeeID, inKeyring: isInKeyring),
            in: environment)
    }

    /// How long another process that works on the same credential is waited for, in seconds.
    private static let patience: Double = 120
}
