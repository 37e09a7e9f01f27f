import ArgumentParser
import CloverAuth
import CloverCore
import CloverHTTP
import CloverJSON

/// `clover auth`.
struct Auth: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "auth",
        abstract: "Sign in, show sign-ins, and sign out",
        discussion: """
            Examples:
              clover auth login --app-id APP
              clover auth login --with-token --merchant MERCHANT <token.txt
              clover auth status

            You sign in once, with a browser; cron jobs can then run for as long as the service renews the tokens. \
            Every command renews them automatically when they are due. Instead of signing in, you can set both \
            CLOVER_ACCESS_TOKEN and CLOVER_MERCHANT_ID.
            """,
        subcommands: [
            Login.self, Receive.self, Status.self, Token.self, Refresh.self, Logout.self, List.self, Switch.self,
            Watch.self, Migrate.self,
        ]
    )
}

extension Auth {
    /// `clover auth token`.
    struct Token: CloverCommand {
        static let configuration = CommandConfiguration(
            commandName: "token",
            abstract: "Print a valid access token for another program",
            discussion: """
                Examples:
                  clover auth token --header | curl -H @- "$URL"
                  clover auth token --json | jq -r .expiresAt
                  clover auth token --profile downtown >token.txt

                Renews the token first if it is due. The output is a secret: do not put it into arguments, where other \
                users can read it.
                """
        )

        @Flag(name: .long, help: "Print a request header: Authorization: Bearer TOKEN.")
        var header = false

        @OptionGroup(title: "Connection")
        var connection: ConnectionOptions

        @OptionGroup(title: "Messages")
        var messages: MessageOptions

        func validate() throws {
            if header, messages.json { throw ValidationError("--header and --json exclude each other") }
        }

        func run(in environment: CommandEnvironment) async throws -> Int32 {
            let environment = messages.applied(to: environment)
            let credential = try await TokenRequest(choice: connection.choice).current(in: environment)
            let text: String
            if messages.json {
                var line = JSONLine()
                line.add("accessToken", credential.accessToken.exposed)
                line.add("expiresAt", credential.accessTokenExpires.map { InstantText.utc(seconds: $0) })
                line.add("environment", credential.key.environment)
                line.add("merchant", credential.key.merchantID)
                line.add("app", credential.key.appID)
                text = line.text
            } else {
                text = (header ? "Authorization: Bearer " : "") + credential.accessToken.exposed
            }
            try await StandardOutput.print(text + "\n", in: environment)
            return 0
        }
    }
}

extension Auth {
    /// `clover auth refresh`.
    struct Refresh: CloverCommand {
        static let configuration = CommandConfiguration(
            commandName: "refresh",
            abstract: "Renew the tokens now",
            discussion: """
                Examples:
                  clover auth refresh
                  clover auth refresh --profile downtown
                  clover auth refresh && clover auth status

                Every command renews tokens automatically when they are due; use this to renew them at a time of your \
                choosing. If several processes do so at once, one renews the tokens, and the others use the new ones. A \
                merchant's own token is never renewed.
                """
        )

        @OptionGroup(title: "Connection")
        var connection: ConnectionOptions

        @OptionGroup(title: "Messages")
        var messages: MessageOptions

        func run(in environment: CommandEnvironment) async throws -> Int32 {
            let environment = messages.applied(to: environment)
            let credential = try await TokenRequest(choice: connection.choice).refresh(in: environment)
            let until = credential.accessTokenExpires.map { ", valid until \(InstantText.utc(seconds: $0))" } ?? ""
            environment.diagnostics.notice(
                "renewed the tokens of merchant \(credential.key.merchantID) (\(credential.key.environment))\(until)")
            if messages.json {
                let status = try await SignInStatus.of(credential, in: environment)
                try await StandardOutput.print(StatusText.json(status).text + "\n", in: environment)
            }
            return 0
        }
    }
}

extension Auth {
    /// `clover auth switch`.
    struct Switch: CloverCommand {
        static let configuration = CommandConfiguration(
            commandName: "switch",
            abstract: "Choose the sign-in that commands use",
            discussion: """
                Examples:
                  clover auth switch downtown
                  clover auth switch MERCHANT --environment eu
                  clover auth switch MERCHANT --app-id APP

                NAME is a profile or a merchant ID from 'clover auth list'. If there are several sign-ins to one \
                merchant, choose one with --app-id. In cron jobs, use --profile instead, because 'auth switch' does not \
                affect it.
                """
        )

        @Argument(help: ArgumentHelp("A profile, or a merchant ID.", valueName: "name"), completion: .asked)
        var name: String?

        @OptionGroup(title: "Connection")
        var app: SignInAppOptions

        @OptionGroup(title: "Connection")
        var connection: ConnectionOptions

        @OptionGroup(title: "Messages")
        var messages: MessageOptions

        func validate() throws {
            if name == nil, app.appID == nil, connection.profile == nil, connection.merchant == nil,
                connection.environment == nil
            {
                throw ValidationError("name a profile or a merchant ID; to list them: clover auth list")
            }
            if name != nil, connection.profile != nil {
                throw ValidationError("give the profile once: as the argument, or with --profile")
            }
        }

        func run(in environment: CommandEnvironment) async throws -> Int32 {
            let environment = messages.applied(to: environment)
            let chosen = try await SignInSwitch(name: name, choice: app.completing(connection.choice))
                .run(in: environment)
            let name = chosen.profile.map { ", profile \($0)" } ?? (chosen.key.appID.map { ", app \($0)" } ?? "")
            environment.diagnostics.notice(
                "commands now use merchant \(chosen.key.merchantID) (\(chosen.key.environment))\(name)")
            return 0
        }
    }
}
