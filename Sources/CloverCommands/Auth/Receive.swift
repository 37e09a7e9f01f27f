import ArgumentParser
import CloverAuth
import CloverCore
import CloverHTTP

extension Auth {
    /// `clover auth receive`.
    struct Receive: CloverCommand {
        static let configuration = CommandConfiguration(
            commandName: "receive",
            abstract: "Sign in with a code that was obtained elsewhere",
            discussion: """
                Examples:
                  clover auth receive --app-id APP --code-verifier-file proof <address.txt
                  clover auth receive --app-id APP --app-secret-file secret.txt <address.txt
                  clover auth receive --app-id APP --merchant MERCHANT <code.txt

                Standard input holds either the complete address that the browser was sent to, or only the code. A \
                code alone needs --merchant, and is refused if the service says that it belongs to another merchant. A \
                token in the address (#access_token=, the legacy flow) is stored unchanged. A code can be used once. \
                If you repeat the same code, nothing changes: its tokens stay, and the status is 0.
                """
        )

        @OptionGroup(title: "App")
        var app: AppOptions

        @Option(
            name: .customLong("code-verifier-file"),
            help: ArgumentHelp("PKCE verifier that belongs to the code.", valueName: "file"), completion: .file())
        var verifierFile: String?

        @Option(
            name: .long,
            help: ArgumentHelp("Refuse an address with another state (default: accept any).", valueName: "text"))
        var state: String?

        @OptionGroup(title: "Connection")
        var connection: ConnectionOptions

        @OptionGroup(title: "Messages")
        var messages: MessageOptions

        func validate() throws {
            if app.secretFile == "-" {
                throw ValidationError("standard input holds the code: read the secret from a file")
            }
            if verifierFile == "-" {
                throw ValidationError("standard input holds the code: read the verifier from a file")
            }
            if app.secretFile != nil, verifierFile != nil {
                throw ValidationError("--app-secret-file and --code-verifier-file exclude each other")
            }
        }

        /// Exchanges the code or address from standard input, which another program obtained (the payment SDK's partial
        /// flow).
        func run(in environment: CommandEnvironment) async throws -> Int32 {
            let line = try await InputLine.pasted(in: environment) {
                try await SecretInput.read("the code or the address", in: environment)
            }
            let authorization = try authorization(line)
            var choice = connection.choice
            choice.merchantID = choice.merchantID ?? authorization.merchantID
            let target = try await SignInTarget.resolve(
                choice, appID: app.appID ?? authorization.clientID, in: environment)
            let attempt = SignInAttempt(
                target: target, proof: try await proof(in: environment),
                certificateFile: try await connection.choice.completed(in: environment).certificateFile,
                isInKeyring: try app.isInKeyring(in: environment), origin: .receive)
            attempt.hideSecrets(in: environment)
            let signedIn: SignedIn
            switch authorization.kind {
            case .legacyToken: signedIn = try await attempt.keep(authorization, in: environment)
            case .code:
                try target.requireApp()
                let received = try await attempt.receive(authorization, in: environment)
                signedIn = received.signedIn
                if received.isRepeated {
                    environment.diagnostics.notice("this code was received before; its tokens are kept")
                }
            }
            try await SignedInReport.give(signedIn, isJSON: messages.json, in: environment)
            return 0
        }

        /// Parses the line as a bare code or as an address.
        private func authorization(_ line: Secret) throws -> AuthorizationResponse {
            guard line.exposed.contains("?") || line.exposed.contains("#") || line.exposed.contains("://") else {
                guard Credential.isUsable(line) else { throw SignInError.notARedirect }
                return AuthorizationResponse(.code, line)
            }
            return try AuthorizationResponse.parse(
                redirectedURL: line.exposed, state: state.map { .expect($0) } ?? .ignore, appID: app.appID,
                merchantID: connection.choice.merchantID)
        }

        private func proof(in environment: CommandEnvironment) async throws -> Proof {
            if let secret = try await app.secret(in: environment) { return .appSecret(secret) }
            guard let verifierFile else { return .none }
            let input = try await SecretInput.firstLine(of: verifierFile, in: environment)
            guard let line = InputLine.first(of: input) else { throw CoreError.secretMissing(verifierFile) }
            return .verifier(try CodeVerifier(parsing: line.exposed))
        }
    }
}
