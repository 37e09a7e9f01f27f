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
