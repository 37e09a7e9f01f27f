import ArgumentParser
import CloverConfiguration
import CloverCore

extension Config {
    /// `clover config path`.
    struct Path: CloverCommand {
        static let configuration = CommandConfiguration(
            commandName: "path",
            abstract: "Print the path of the configuration file, whether it exists or not",
            discussion: """
                Examples:
                  clover config path
                  clover config path --json | jq -r .path
                  $EDITOR "$(clover config path)"

                The file is in CLOVER_CONFIG_DIR if that is set, else in $XDG_CONFIG_HOME/clover, else in \
                ~/.config/clover.
                """
        )

        @OptionGroup(title: "Messages")
        var messages: MessageOptions

        func run(in environment: CommandEnvironment) async throws -> Int32 {
            let environment = messages.applied(to: environment)
            let path = try environment.configurationFile().path
            let text = messages.json ? "{\"path\":\(JSONText.string(path))}" : path
            try await StandardOutput.print(text + "\n", in: environment)
            return 0
        }
    }
}
