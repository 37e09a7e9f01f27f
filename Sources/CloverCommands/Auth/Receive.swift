import ArgumentParser
import CloverAuth
import CloverCore

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

        func run(in environment: CommandEnvironment) async throws -> Int32 {
            let environment = messages.applied(to: environment)
            var receive = ReceivedSignIn(choice: connection.choice, app: app.choice)
            receive.verifierFile = verifierFile
            receive.state = state
            receive.isInKeyring = app.keyring
            switch try await receive.run(in: environment) {
            case .signedIn(let signedIn):
                try await SignedInReport.give(signedIn, isJSON: messages.json, in: environment)
            case .alreadyReceived(let signedIn):
                environment.diagnostics.notice("this code was received before; its tokens are kept")
                try await SignedInReport.give(signedIn, isJSON: messages.json, in: environment)
            }
            return 0
        }
    }
}

extension Auth {
    /// `clover auth migrate`.
    struct Migrate: CloverCommand {
        static let configuration = CommandConfiguration(
            commandName: "migrate",
            abstract: "Exchange a legacy token for tokens that can be renewed",
            discussion: """
                Examples:
                  clover auth migrate --app-id APP
                  clover auth migrate --app-id APP --profile downtown
                  clover auth migrate --app-id APP --app-secret-file secret.txt

                Takes the stored token (or CLOVER_ACCESS_TOKEN), which must have been issued to the app in Clover's \
                legacy flow. The new tokens replace a stored one, and take over its name. If anything fails, the \
                legacy token is still there.
                """
        )

        @OptionGroup(title: "App")
        var app: AppOptions

        @OptionGroup(title: "Connection")
        var connection: ConnectionOptions

        @OptionGroup(title: "Messages")
        var messages: MessageOptions

        func run(in environment: CommandEnvironment) async throws -> Int32 {
            let environment = messages.applied(to: environment)
            var migration = TokenMigration(choice: connection.choice, app: app.choice)
            migration.isInKeyring = app.keyring
            let signedIn = try await migration.run(in: environment)
            try await SignedInReport.give(signedIn, isJSON: messages.json, in: environment)
            return 0
        }
    }
}
