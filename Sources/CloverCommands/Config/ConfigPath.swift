import ArgumentParser
import CloverConfiguration
import CloverCore

extension Config {
    /// `clover config path`.
    struct Path: CloverCommand {
        static let configuration = CommandConfiguration(
            commandName: "path",
            abstract: "Print where the configuration file is, or would be",
            discussion: """
                Examples:
                  clover config path
                  clover config path --json | jq -r .path
                  $EDITOR "$(clover config path)"

                CLOVER_CONFIG_DIR, else $XDG_CONFIG_HOME/clover, else \
                ~/.config/clover. The file need not exist.
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
