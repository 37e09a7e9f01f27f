import ArgumentParser
import CloverAuth
import CloverCore

extension Auth {
    /// `clover auth logout`.
    struct Logout: CloverCommand {
        static let configuration = CommandConfiguration(
            abstract: "Forget a token on this machine",
            discussion: """
                Examples:
                  clover auth logout
                  clover auth logout --merchant MERCHANT --environment eu

                The token itself stays valid at Clover until it is withdrawn there.
                """
        )

        @OptionGroup(title: "Connection")
        var connection: ConnectionOptions

        @OptionGroup(title: "Messages")
        var messages: MessageOptions

        func run(in environment: CommandEnvironment) async throws -> Int32 {
            let environment = messages.applied(to: environment)
            let key = try await SignOut(choice: connection.choice).run(in: environment)
            environment.diagnostics.notice(
                "signed out of merchant \(key.merchantID) (\(key.environment)); the token stays valid at Clover until it is "
                    + "withdrawn there")
            return 0
        }
    }
}
