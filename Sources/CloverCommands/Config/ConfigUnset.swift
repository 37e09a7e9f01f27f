import ArgumentParser
import CloverConfiguration
import CloverCore

extension Config {
    /// `clover config unset`.
    struct Unset: CloverCommand {
        static let configuration = CommandConfiguration(
            commandName: "unset",
            abstract: "Remove a key from the configuration file",
            discussion: """
                Examples:
                  clover config unset format
                  clover config unset requests-per-second --profile downtown
                  clover config unset profile

                Accepts unknown keys too, so that you can remove a misspelled one from the file. Exits with 66 if the \
                key is not in the file.
                """
        )

        @Argument(help: "A key in the file.", completion: .asked)
        var key: String

        @Option(
            name: .long, help: ArgumentHelp("Remove it from this profile only.", valueName: "name"), completion: .asked)
        var profile: String?

        @OptionGroup(title: "Messages")
        var messages: MessageOptions

        func run(in environment: CommandEnvironment) async throws -> Int32 {
            let environment = messages.applied(to: environment)
            let file = try await ConfigurationChange(key, to: nil, profile: profile).run(in: environment)
            let owner = profile.map { " for profile \($0)" } ?? ""
            environment.diagnostics.notice("\(key) is no longer set\(owner), in \(file.path)")
            return 0
        }
    }
}
