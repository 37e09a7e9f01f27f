import ArgumentParser
import CloverAuth
import CloverCore

extension Auth {
    /// `clover auth login`.
    struct Login: CloverCommand {
        static let configuration = CommandConfiguration(
            abstract: "Keep an access token for later commands",
            discussion: """
                Examples:
                  clover auth login --with-token --merchant MERCHANT <token.txt
                  pass clover | clover auth login --with-token --merchant MERCHANT

                The token is the first line of standard input; it is never taken from a flag, where other users of \
                the machine could read it. It is kept in a file that only you can read. The service is not asked: \
                the first command shows whether it accepts the token.
                """
        )

        @Flag(name: .customLong("with-token"), help: "Read the token from standard input.")
        var withToken = false

        @OptionGroup(title: "Connection")
        var connection: ConnectionOptions

        @OptionGroup(title: "Messages")
        var messages: MessageOptions

        func validate() throws {
            if !withToken {
                throw ValidationError("say where the token comes from: --with-token reads it from standard input")
            }
        }

        func run(in environment: CommandEnvironment) async throws -> Int32 {
            let environment = messages.applied(to: environment)
            let key = try await SignIn(choice: connection.choice).run(in: environment)
            environment.diagnostics.notice("signed in to merchant \(key.merchantID) (\(key.environment))")
            return 0
        }
    }
}
