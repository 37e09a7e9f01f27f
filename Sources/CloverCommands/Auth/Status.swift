import ArgumentParser
import CloverCore
import FoundationEssentials

extension Auth {
    /// `clover auth status`.
    struct Status: CloverCommand {
        static let configuration = CommandConfiguration(
            abstract: "Say who is signed in",
            discussion: """
                Examples:
                  clover auth status
                  clover auth status --json | jq -r .merchant

                Ends with 0 when signed in and 77 when not. The service is not asked.
                """
        )

        @OptionGroup(title: "Connection")
        var connection: ConnectionOptions

        @OptionGroup(title: "Messages")
        var messages: MessageOptions

        func run(in environment: CommandEnvironment) async throws -> Int32 {
            let status = try await SignInStatus.current(connection.choice, in: environment)
            let text: String
            if messages.json || !environment.terminal.isOutputTerminal {
                let encoder = JSONEncoder()
                encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
                text = String(decoding: try encoder.encode(status), as: UTF8.self)
            } else if status.signedIn {
                text =
                    "signed in to merchant \(status.merchant ?? "") (\(status.environment ?? ""))"
                    + (status.source == "environment" ? ", by CLOVER_ACCESS_TOKEN" : "")
            } else {
                text = "not signed in"
            }
            try await StandardOutput.print(text + "\n", in: environment)
            return status.signedIn ? 0 : ExitStatus.notAuthorized.rawValue
        }
    }
}
