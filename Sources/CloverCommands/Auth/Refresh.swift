import ArgumentParser
import CloverAuth
import CloverCore

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

                Every command renews tokens by itself when that is due, so this is \
                needed only to have it done at a time of your choosing. Of many \
                processes one does it, and the others use what it got. A merchant's \
                own token is never renewed.
                """
        )

        @OptionGroup(title: "Connection")
        var connection: ConnectionOptions

        @OptionGroup(title: "Messages")
        var messages: MessageOptions

        func run(in environment: CommandEnvironment) async throws -> Int32 {
            let environment = messages.applied(to: environment)
            let credential = try await TokenRequest(choice: connection.choice).refresh(in: environment)
            let until = credential.accessTokenExpires.map { ", good until \(InstantText.utc(seconds: $0))" } ?? ""
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
