import CloverAPI
import CloverAuth
import CloverCore
import CloverHTTP

/// One sign-in, from the browser's redirect to the stored tokens.
struct SignInAttempt: Sendable {
    let target: SignInTarget
    let proof: Proof
    let certificateFile: String?
    let isInKeyring: Bool
    let origin: Credential.Origin
    /// Further names for the new sign-in, besides the target's.
    var inheritedNames: [String] = []
    /// Whether the codes are refresh tokens, which are renewed.
    var takesRefreshTokens = false
    /// Whether the sign-in becomes the current one.
    var isChosen = true

    private var occasion: CoreError.SignInOccasion {
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
        target.endpoints.authorizationURL(
            appID: target.appID ?? "", redirectURI: redirectURI, merchantID: target.merchantID,
            challenge: proof.challenge, state: state)
    }

    /// Parses the redirected address, and stores the tokens that it yields.
    func finish(
        _ redirectedURL: String, state: AuthorizationResponse.StateRule, in environment: CommandEnvironment
    ) async throws -> SignedIn {
        let authorization = try AuthorizationResponse.parse(
            redirectedURL: redirectedURL, state: state, appID: target.appID, merchantID: target.merchantID)
        return switch authorization.kind {
        case .code: try await receive(authorization, isNew: true, in: environment).signedIn
        case .legacyToken: try await keep(authorization, in: environment)
        }
    }

    /// Exchanges a code, once, because the attempt spends the code even if it fails. Everything else that could fail is
    /// done first: the key is made and locked, and space for the file is reserved.
    ///
    /// - Parameter isNew: whether the code is known to be unused. One that was obtained elsewhere may be passed again, even
    ///   by a concurrent process.
    /// - Returns: the sign-in, and whether the same code was received before; its tokens are then kept.
    func receive(
        _ code: AuthorizationResponse, isNew: Bool = false, in environment: CommandEnvironment
    ) async throws -> (signedIn: SignedIn, isRepeated: Bool) {
        let mask = environment.diagnostics.mask
        mask.hide(code.secret)
        // For a bare code obtained elsewhere, making the key below requires a merchant.
        guard !isNew || code.merchantID != nil || target.merchantID != nil else {
            throw CoreError.redirectWithoutMerchant
        }
        let key = try target.key(merchantID: code.merchantID)
        let lease = try await environment.leaseForSigningInOrOut(key)
        defer { lease.release() }
        if isInKeyring { try await environment.secretVault().probe() }
        // A file that cannot be read cannot be replaced, either.
        let before = try await Self.replaced(isInKeyring) { () async throws(CredentialError) in try await lease.load() }
        if !isNew, let before = before.credential, before.codeHash == SecretHash.hexadecimal(of: code.secret) {
            return (SignedIn(key: key, profile: target.profile), true)
        }
        try await lease.reserve()
        let client = environment.oauthClient(target.endpoints, certificateFile: certificateFile)
        environment.diagnostics.detail("exchanging the code for tokens at \(target.endpoints.apiBaseURL)")
        let issued: IssuedTokens
        do throws(OAuthError) {
            issued =
                takesRefreshTokens
                ? try await client.refresh(code.secret, appID: target.appID ?? "")
                : try await client.exchange(code.secret, appID: target.appID ?? "", proof: proof)
        } catch {
            throw CoreError.oauth(error, during: occasion)
        }
        mask.hide(issued.accessToken)
        if let token = issued.refreshToken { mask.hide(token) }
        let credential = Credential(
            key: key, issued: issued, origin: origin, code: code.secret, employeeID: code.employeeID,
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
        guard isChosen else { return (SignedIn(key: key, profile: target.profile), false) }
        return (try await target.choose(key, in: environment), false)
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
        let merchantID = credential.key.merchantID
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
        case .foreign(let other): throw CoreError.issuedForOtherMerchant(found: other, expected: merchantID)
        case .unknown:
            diagnostics.notice(
                "Clover accepts no request for merchant \(merchantID) with these tokens; they belong to the merchant who "
                    + "approved, so check --merchant")
        }
    }

    /// Stores a token of the legacy flow, which the address itself contains.
    func keep(_ token: AuthorizationResponse, in environment: CommandEnvironment) async throws -> SignedIn {
        environment.diagnostics.mask.hide(token.secret)
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
                key: key, legacy: token.secret, origin: origin, now: environment.clock.now,
                employeeID: token.employeeID, inKeyring: isInKeyring),
            in: environment)
    }
}

extension CommandEnvironment {
    /// Waits for another process that uses the same credential, for up to two minutes: longer than any refresh takes.
    func leaseForSigningInOrOut(_ key: CredentialKey) async throws -> any CredentialLease {
        let diagnostics = diagnostics
        return try await credentialStore().lease(key, patience: 120) {
            diagnostics.detail("another process is using these tokens; waiting for it")
        }
    }
}

extension SecretVault {
    /// Checks that the keyring can store a secret before a code is spent: stores a harmless one, reads it back, and removes
    /// it.
    func probe() async throws(SecretVaultError) {
        let attributes = ["application": "clover", "kind": "probe"]
        try await keep(Secret("probe"), for: attributes, label: "clover: is the keyring usable?")
        _ = try await remove(attributes)
    }
}
