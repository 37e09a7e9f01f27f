import CloverAuth
import CloverHTTP

/// `auth receive`: exchanges a code, or a redirected address, that another program obtained, and stores the tokens here
/// (the payment SDK's partial flow).
package struct ReceivedSignIn: Sendable {
    package var choice: ConnectionChoice
    package var app: AppChoice
    /// A file with the verifier whose challenge was part of the request for the code.
    package var verifierFile: String?
    /// The required `state` of the address; nil accepts any.
    package var state: String?
    package var isInKeyring = false

    package init(choice: ConnectionChoice, app: AppChoice) {
        self.choice = choice
        self.app = app
    }

    package enum Outcome: Sendable, Equatable {
        case signedIn(SignedIn)
        /// The same code was received before; its tokens are kept.
        case alreadyReceived(SignedIn)
    }

    /// Maximum length of the input, in bytes.
    private static let maximumInput = 64 << 10

    /// Reads the code or address from standard input.
    package func run(in environment: CommandEnvironment) async throws -> Outcome {
        let line = try await InputLine.pasted(in: environment) {
            try await SecretInput.read("the code or the address", limit: Self.maximumInput, in: environment)
        }
        guard let line else { throw CoreError.noAddressOnInput }
        let authorization = try authorization(line)
        let target = try await SignInTarget.resolve(
            choiceCompleted(by: authorization), app: appCompleted(by: authorization), in: environment)
        let attempt = SignInAttempt(
            target: target, appID: target.appID ?? "", proof: try await proof(in: environment),
            certificateFile: try await choice.completed(in: environment).certificateFile, isInKeyring: isInKeyring,
            origin: .receive)
        attempt.hideSecrets(in: environment)
        switch authorization {
        case .legacyToken(let token):
            return .signedIn(try await attempt.keep(token, in: environment))
        case .code(let code):
            _ = try target.requiredAppID()
            return try await attempt.receive(code, in: environment)
        }
    }

    /// Parses the line as a bare code or as an address.
    private func authorization(_ line: Secret) throws -> AuthorizationResponse {
        guard line.exposed.contains("?") || line.exposed.contains("#") || line.exposed.contains("://") else {
            guard Credential.isUsable(line) else { throw SignInError.notARedirect }
            return .code(AuthorizationCode(code: line))
        }
        return try AuthorizationResponse.parse(
            redirectedURL: line.exposed, state: state.map { .expect($0) } ?? .ignore, appID: app.appID,
            merchantID: choice.merchantID)
    }

    private func choiceCompleted(by authorization: AuthorizationResponse) -> ConnectionChoice {
        var choice = choice
        choice.merchantID = choice.merchantID ?? authorization.merchantID
        return choice
    }

    private func appCompleted(by authorization: AuthorizationResponse) -> AppChoice {
        var app = app
        app.appID = app.appID ?? authorization.appID
        return app
    }

    private func proof(in environment: CommandEnvironment) async throws -> SignInProof {
        if let secret = try await app.secret(in: environment) { return .appSecret(secret) }
        guard let verifierFile else { return .none }
        guard
            let line = InputLine.first(
                of: try await SecretInput.firstLine(of: verifierFile, in: environment))
        else {
            throw CoreError.secretMissing(verifierFile)
        }
        return .verifier(try CodeVerifier(parsing: line.exposed))
    }
}

extension AuthorizationResponse {
    /// The merchant that the address names.
    fileprivate var merchantID: String? {
        switch self {
        case .code(let code): code.merchantID
        case .legacyToken(let token): token.merchantID
        }
    }

    /// The app that the address names.
    fileprivate var appID: String? {
        switch self {
        case .code(let code): code.clientID
        case .legacyToken(let token): token.clientID
        }
    }
}
