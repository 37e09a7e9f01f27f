import CloverAuth
import CloverHTTP

/// One sign-in, from the browser's redirect to the stored tokens.
package struct SignInAttempt: Sendable {
    let target: SignInTarget
    let appID: String
    let proof: SignInProof
    let certificateFile: String?
    let isInKeyring: Bool
    let origin: Credential.Origin
    /// Further names for the new sign-in, besides the target's.
    var inheritedNames: [String] = []

    /// The kind of sign-in during which tokens are requested. It decides which causes an error may have.
    package enum Occasion: Sendable, Equatable {
        /// A sign-in with a browser, by PKCE or by the app's secret.
        case login(hasSecret: Bool)
        /// A code obtained elsewhere, with or without a secret and a verifier.
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

    /// The address at which the merchant approves.
    func address(redirectURI: String, state: String) -> String {
        AuthorizationRequest(
            endpoints: target.endpoints, appID: appID, redirectURI: redirectURI, merchantID: target.merchantID,
            challenge: proof.challenge, state: state
        ).url
    }

    /// Parses the redirected address, and stores the tokens that it yields.
    func finish(
        _ redirectedURL: String, state: AuthorizationResponse.StateRule, in environment: CommandEnvironment
    ) async throws -> SignedIn {
        let authorization = try AuthorizationResponse.parse(
            redirectedURL: redirectedURL, state: state, appID: appID, merchantID: target.merchantID)
        switch authorization {
        case .code(let code): return try await exchange(code, in: environment)
        case .legacyToken(let token): return try await keep(token, in: environment)
        }
    }

    /// Exchanges a code, once, because the attempt spends the code even if it fails. Everything else that could fail is
    /// done first: the key is made and locked, and space for the file is reserved.
    func exchange(_ code: AuthorizationCode, in environment: CommandEnvironment) async throws -> SignedIn {
        switch try await receive(code, isNew: true, in: environment) {
        case .signedIn(let signedIn), .alreadyReceived(let signedIn): signedIn
        }
    }

    /// Exchanges a code that was obtained elsewhere. The same code may be passed again, even by a concurrent process.
    ///
    /// - Parameter isNew: whether the code is known to be unused.
    func receive(
        _ code: AuthorizationCode, isNew: Bool = false, in environment: CommandEnvironment
    ) async throws -> ReceivedSignIn.Outcome {
        let mask = environment.diagnostics.mask
        mask.hide(code.code)
        // For a bare code obtained elsewhere, making the key below requires a merchant.
        guard !isNew || code.merchantID != nil || target.merchantID != nil else {
            throw CoreError.redirectWithoutMerchant
        }
        let key = try target.key(merchantID: code.merchantID)
        let lease = try await environment.credentialStore().lease(key, patience: Self.leaseTimeout) {
            environment.diagnostics.detail("another process is using these tokens; waiting for it")
        }
        defer { lease.release() }
        if isInKeyring { try await environment.secretVault().probe() }
        // A file that cannot be read cannot be replaced, either.
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
        environment.diagnostics.detail("stored the tokens that the service issued")
        if let text = TokenNoticeText.shortcoming(of: credential, profile: target.profile) {
            environment.diagnostics.notice(text)
        }
        // Choosing the credential takes further locks.
        lease.release()
        return .signedIn(try await target.choose(key, in: environment))
    }

    /// Loads the credential that a new sign-in replaces, and decides from it whether the new tokens go into the keyring.
    /// Tokens that were removed from the keyring are no obstacle; nor is an unusable keyring, unless it was requested.
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

    /// Stores the tokens, of which there is no other copy. Falls back to a file if the keyring fails now, even though the
    /// probe of a requested keyring succeeded.
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

    /// Asks the service whose tokens these are, if the redirect named no merchant: they may belong to another merchant than
    /// the user named. Tokens of another merchant are not stored, because they would replace the named merchant's.
    private func checkOwner(of credential: Credential, in environment: CommandEnvironment) async throws {
        let diagnostics = environment.diagnostics
        let key = credential.key
        let owner: TokenDiagnosis.Ownership
        do {
            let connection = try await Connection.trying(
                credential, certificateFile: certificateFile, in: environment)
            owner = try await TokenDiagnosis(connection, in: environment).ownership()
        } catch {
            diagnostics.detail("cannot check the merchant: \(error)")
            return
        }
        switch owner {
        case .own: return
        case .foreign(let other):
            throw CoreError.issuedForOtherMerchant(found: other, expected: key.merchantID)
        case .unknown:
            diagnostics.notice(
                "Clover accepts no request for merchant \(key.merchantID) with these tokens; they belong to the "
                    + "merchant who approved, so check --merchant")
        }
    }

    /// Stores a token of the legacy flow, which the address itself contains.
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

    /// Maximum wait for another process that uses the same credential, in seconds.
    private static let leaseTimeout: Double = 120
}

/// The proof that a code exchange comes from the client that requested the code.
enum SignInProof: Sendable {
    /// Proof key for code exchange (RFC 7636): the default, which needs no secret on this machine.
    case verifier(CodeVerifier)
    /// The app's secret, for its developer's machine.
    case appSecret(Secret)
    /// No proof, for a code requested without a challenge by an app without a secret.
    case none

    init(secret: Secret?) {
        self = secret.map { .appSecret($0) } ?? .verifier(CodeVerifier())
    }

    var challenge: String? {
        if case .verifier(let verifier) = self { return verifier.challenge }
        return nil
    }

    /// The proof in the form that the exchange takes.
    var proof: Proof {
        switch self {
        case .verifier(let verifier): .verifier(verifier.secret)
        case .appSecret(let secret): .appSecret(secret)
        case .none: .none
        }
    }

    /// The secret to hide from all messages.
    var secret: Secret? {
        switch self {
        case .verifier(let verifier): verifier.secret
        case .appSecret(let secret): secret
        case .none: nil
        }
    }
}

extension KeyringStore {
    /// Checks that the keyring can store a secret before a code is spent: stores a harmless one, reads it back, and removes
    /// it.
    func probe() async throws(SecretVaultError) {
        let attributes = ["application": "clover", "kind": "probe"]
        try await keep(Secret("probe"), for: attributes, label: "clover: is the keyring usable?")
        _ = try await remove(attributes)
    }
}
