import CloverAPI
import CloverAuth
import CloverHTTP
import CloverSystem
import FoundationEssentials

/// A merchant's sign-in to an app, in a browser: the merchant approves at `url`, and Clover sends the browser to the redirect URL
/// with a code, which `finish(redirectedTo:)` exchanges for tokens.
///
/// ```swift
/// let signIn = try SignIn(appID: "APP", redirectURL: "http://127.0.0.1:8085/callback")
/// print("Open", signIn.url)
/// // The address that the browser was sent to, from your listener, or pasted.
/// let shop = try await signIn.finish(redirectedTo: address)
/// print(shop.merchantID)
/// ```
///
/// If another program began the sign-in, pass its state, and the code verifier or the app's secret.
public struct SignIn: Sendable {
    /// The address at which the merchant approves. It has no secret.
    public let url: String
    private let appID: String
    private let merchantID: String?
    private let service: ServiceEnvironment
    private let proof: CloverAuth.Proof
    private let state: String
    private let options: Shop.Options

    /// Timeout in seconds for another process that uses the same tokens.
    private static let timeout: Double = 120

    /// How the exchange proves that it belongs to the sign-in.
    ///
    /// ```swift
    /// let proofs: [SignIn.Proof] = [.new, .verifier("the other program's code verifier"), .appSecret("the app's secret")]
    /// let signIn = try SignIn(appID: "APP", redirectURL: "http://127.0.0.1:8085/callback", proof: proofs[0])
    /// print(signIn.url)
    /// ```
    public enum Proof: Sendable, Hashable {
        /// PKCE with a new verifier, which needs no secret on this machine.
        case new
        /// PKCE with the verifier of a sign-in that another program began: 43 to 128 letters, digits and `-._~`.
        case verifier(String)
        /// The app's secret, for an app that can keep one.
        case appSecret(String)
    }

    /// A sign-in that nothing was sent for.
    ///
    /// - Parameters:
    ///   - appID: the app's id.
    ///   - redirectURL: the address to which Clover sends the browser; it must begin like the app's site URL.
    ///   - merchantID: the only merchant to accept; nil for the one that is chosen in the browser.
    ///   - environment: `us`, `eu`, `la`, `sandbox`, or the address of a service, such as that of `clover-emulator`.
    ///   - proof: how the exchange proves that it belongs to the sign-in.
    ///   - state: the text that Clover repeats in the redirect; nil for an unguessable one.
    ///   - options: what is the same for all requests of the shop.
    /// - Throws: `CloverError` of the kind `.request` if a parameter cannot be right, and of the kind `.state` if the tokens cannot
    ///   be stored: see `Shop.Options.stateDirectory`.
    public init(
        appID: String, redirectURL: String, merchantID: String? = nil, environment: String = "us", proof: Proof = .new,
        state: String? = nil, options: Shop.Options = Shop.Options()
    ) throws {
        (service, self.proof) = try Self.parts(environment, merchantID, appID, redirectURL, proof)
        do {
            _ = try Shop.state(options)
        } catch {
            throw CloverError.wrapping(error)
        }
        self.appID = appID
        self.merchantID = merchantID
        self.state = state ?? RandomText.state()
        self.options = options
        url = Self.endpoints(service).authorizationURL(
            appID: appID, redirectURI: redirectURL, merchantID: merchantID, challenge: self.proof.challenge,
            state: self.state)
    }

    /// Exchanges the code for tokens, once, stores them for all programs of this machine, and makes the sign-in the current
    /// one. If the same address is passed again, its tokens are kept.
    ///
    /// - Parameter address: the whole address that the browser was sent to.
    /// - Returns: the shop that was signed in to.
    /// - Throws: `CloverError`: of the kind `.request` for an address that is not the response to this sign-in, `.refused` if
    ///   Clover does not accept the code, and `.outcomeUnknown` if the code may be spent without tokens: then begin a new
    ///   sign-in. `CancellationError` before anything was sent.
    public func finish(redirectedTo address: String) async throws -> Shop {
        do {
            let response = try authorization(address)
            guard response.kind == .code, let merchant = response.merchantID else {
                throw CloverError.request(
                    "the sign-in was not finished: the address has no code, or does not name the merchant",
                    "pass the whole address")
            }
            return try await receive(response, merchant)
        } catch {
            throw CloverError.wrapping(error)
        }
    }

    /// Exchanges a code like `finish(redirectedTo:)`, where another program received the redirect and has checked its state.
    ///
    /// ```swift
    /// let signIn = try SignIn(
    ///     appID: "APP", redirectURL: "https://example.com/callback", proof: .appSecret("the app's secret"), state: "its state")
    /// let shop = try await signIn.finish(code: "the code", merchantID: "MERCHANT")
    /// print(shop.merchantID)
    /// ```
    ///
    /// - Parameters:
    ///   - code: the value of `code` in the redirect.
    ///   - merchantID: the value of `merchant_id` in the redirect. The tokens are stored for this merchant.
    /// - Returns: the shop that was signed in to.
    /// - Throws: what `finish(redirectedTo:)` throws.
    public func finish(code: String, merchantID: String) async throws -> Shop {
        do {
            let secret = Secret(code)
            guard self.merchantID == nil || self.merchantID == merchantID, Credential.isUsable(secret) else {
                throw CloverError.request(
                    "the sign-in was not finished: the code is not usable, or is for another merchant",
                    "pass the code and the merchant of the redirect")
            }
            return try await receive(AuthorizationResponse(.code, secret, merchantID: merchantID), merchantID)
        } catch {
            throw CloverError.wrapping(error)
        }
    }

    private func authorization(_ address: String) throws(CloverError) -> AuthorizationResponse {
        do throws(SignInError) {
            return try AuthorizationResponse.parse(
                redirectedURL: address, state: .expectUnlessError(state), appID: appID, merchantID: merchantID)
        } catch {
            throw .request("the sign-in was not finished: \(error)", "begin a new sign-in")
        }
    }

    private func receive(_ response: AuthorizationResponse, _ merchant: String) async throws -> Shop {
        let key = try CredentialKey(environment: service.name, merchantID: merchant, appID: appID)
        try await store(response, key)
        return try await Shop(signedIn: merchant, environment: service.name, options: options)
    }

    private func store(_ response: AuthorizationResponse, _ key: CredentialKey) async throws {
        let store = FileCredentialStore(
            state: try Shop.state(options), vault: SecretServiceVault(variables: ProcessInfo.processInfo.environment))
        let lease = try await store.lease(key, patience: Self.timeout, onWait: {})
        defer { lease.release() }
        let before = try await Self.replaced(under: lease)
        guard before.codeHash != SecretHash.hexadecimal(of: response.secret) else { return }
        // The exchange spends the code even if it fails, so everything else that could fail is done first.
        try await lease.reserve()
        let credential = Credential(
            key: key, issued: try await exchange(response.secret), origin: .login, code: response.secret,
            employeeID: response.employeeID, inKeyring: before.isInKeyring)
        try await Self.save(credential, under: lease)
        // Choosing the sign-in takes further locks.
        lease.release()
        try await store.setCurrentChoice(SignedIn(key: key))
    }

    /// What the new tokens replace. A file that cannot be read cannot be replaced, either; an unusable keyring is no obstacle.
    private static func replaced(
        under lease: any CredentialLease
    ) async throws(CredentialError) -> (codeHash: String?, isInKeyring: Bool) {
        do {
            let credential = try await lease.load()
            return (credential?.codeHash, credential?.isInKeyring == true)
        } catch .missingInKeyring {
            return (nil, true)
        } catch .keyring {
            return (nil, false)
        }
    }

    /// Stores the tokens, of which there is no other copy: in a file if the keyring fails.
    private static func save(
        _ credential: Credential, under lease: any CredentialLease
    ) async throws(CredentialError) {
        do {
            try await lease.save(credential)
        } catch .keyring where credential.isInKeyring {
            var outside = credential
            outside.isInKeyring = false
            try await lease.save(outside)
        }
    }

    private func exchange(_ code: Secret) async throws -> IssuedTokens {
        let client = OAuthClient(
            endpoints: Self.endpoints(service), transport: Shop.transport(options), clock: .live,
            sleep: { try await Shop.sleep($0) })
        do throws(OAuthError) {
            return try await client.exchange(code, appID: appID, proof: proof)
        } catch {
            throw Self.explained(error)
        }
    }

    /// Checks the parameters before a browser is opened.
    private static func parts(
        _ environment: String, _ merchantID: String?, _ appID: String, _ redirectURL: String, _ proof: Proof
    ) throws(CloverError) -> (ServiceEnvironment, CloverAuth.Proof) {
        do {
            let service = try ServiceEnvironment(parsing: environment)
            _ = try CredentialKey(environment: service.name, merchantID: merchantID ?? "M", appID: appID)
            try RedirectAddress.check(redirectURL)
            let checked: CloverAuth.Proof =
                switch proof {
                case .new: .verifier(CodeVerifier())
                case .verifier(let text): .verifier(try CodeVerifier(parsing: text))
                case .appSecret(let text): .appSecret(Secret(text))
                }
            return (service, checked)
        } catch let error as QueryError {
            throw .request("the sign-in cannot begin: \(error.words)", error.nextStep)
        } catch {
            throw .request("the sign-in cannot begin: \(error)", "correct the parameter")
        }
    }

    private static func endpoints(_ service: ServiceEnvironment) -> OAuthEndpoints {
        OAuthEndpoints(webBaseURL: service.webBaseURL, apiBaseURL: service.apiBaseURL)
    }

    private static func explained(_ error: OAuthError) -> any Error {
        let message = "the code was not exchanged: \(error)"
        let again = "begin a new sign-in"
        return switch error {
        case .notSent(.cancelled): CancellationError()
        case .notSent(let cause):
            CloverError(cause.kind, message, nextStep: "\(cause.nextStep), and pass the address again")
        case .rateLimited(let wait):
            CloverError(
                kind: .rateLimited, status: 429, message: message, nextStep: "pass the address again in a moment",
                retryAfter: wait.map { .seconds($0) })
        case .outcomeUnknown:
            CloverError(kind: .outcomeUnknown, status: error.status, message: message, nextStep: again)
        case .refused, .refusedOtherwise, .redirected, .otherStatus:
            CloverError(kind: .refused, status: error.status, message: message, nextStep: again)
        }
    }
}
