import ArgumentParser
import CloverConfiguration
import CloverCore

extension Config {
    /// `clover config set`.
    struct Set: CloverCommand {
        static let configuration = CommandConfiguration(
            commandName: "set",
            abstract: "Set a key in the configuration file",
            discussion: """
                Examples:
                  clover config set format csv
                  clover config set merchant 7ZK9QX4M2T1AB --profile downtown
                  clover config set profile downtown

                Comments and the order of the file are preserved. Secrets are refused: 'clover auth login' stores them.
                """
        )

        @Argument(help: "A key, such as format; to list all: clover config keys.", completion: .asked)
        var key: String

        @Argument(help: "The value of the key.", completion: .asked)
        var value: String

        @Option(name: .long, help: ArgumentHelp("Set it for this profile only.", valueName: "name"), completion: .asked)
        var profile: String?

        @OptionGroup(title: "Messages")
        var messages: MessageOptions

        func run(in environment: CommandEnvironment) async throws -> Int32 {
            let environment = messages.applied(to: environment)
            let file = try await ConfigurationChange(key, to: value, profile: profile).run(in: environment)
            let owner = profile.map { " for profile \($0)" } ?? ""
            environment.diagnostics.notice("\(key) is now \(value)\(owner), in \(file.path)")
            return 0
        }
    }
}
