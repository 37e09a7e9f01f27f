import ArgumentParser
import CloverConfiguration
import CloverCore

extension Config {
    /// `clover config get`.
    struct Get: CloverCommand {
        static let configuration = CommandConfiguration(
            commandName: "get",
            abstract: "Print the value of one key",
            discussion: """
                Examples:
                  clover config get format
                  clover config get merchant --profile downtown
                  clover config get retry --json

                The value is the one that a run would use: from the variable, the file, the sign-in, or the default. \
                Exits with 66 if nothing is set.
                """
        )

        @Argument(help: "A key, such as format; to list all: clover config keys.", completion: .asked)
        var key: String

        @OptionGroup(title: "Connection")
        var connection: ConnectionOptions

        @OptionGroup(title: "Messages")
        var messages: MessageOptions

        func run(in environment: CommandEnvironment) async throws -> Int32 {
            let environment = messages.applied(to: environment)
            let key = try ConfigurationKey(naming: key)
            let report = try await ConfigurationReport.make(connection.choice, in: environment)
            let value = try report.value(of: key)
            let text = messages.json ? ConfigurationText.json(key, value) : value.text
            try await StandardOutput.print(text + "\n", in: environment)
            return 0
        }
    }
}
