import ArgumentParser
import CloverAuth
import CloverCore
import CloverHTTP

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
