import ArgumentParser
import CloverConfiguration
import CloverCore
import CloverJSON
import CloverSystem

struct Config: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "config",
        abstract: "Set defaults for every run, and show where each value comes from",
        discussion: """
            Examples:
              clover config set format csv
              clover config set requests-per-second 8 --profile downtown
              clover config list --explain

            Settings are stored in config.yml ('clover config path' prints where), which you can also edit by hand:

              profile: downtown
              retry: 8
              profiles:
                downtown:
                  merchant: 7ZK9QX4M2T1AB
                  environment: eu

            Flags override environment variables, which override the file; in the file, a profile's own value overrides \
            the top level. The file holds no secrets.

            Keys:
            \(KeyText.list)
            """,
        subcommands: [Get.self, Set.self, Unset.self, List.self, Keys.self, Path.self]
    )
}

extension Config {
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
            let key = try ConfigurationKey(naming: key)
            let report = try await ConfigurationReport.make(connection.choice, in: environment)
            let value = try report.value(of: key)
            let text = messages.json ? ConfigurationText.json(key, value) : value.text
            try await StandardOutput.print(text + "\n", in: environment)
            return 0
        }
    }

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
            let (name, value, profile) = (key, value, profile)
            return try await Config.change(profile, in: environment) { (file) throws(ConfigurationError) in
                try file.set(try ConfigurationKey(naming: name), to: value, profile: profile)
                return "\(name) is now \(value)"
            }
        }
    }

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
            let (name, profile) = (key, profile)
            return try await Config.change(profile, in: environment) { (file) throws(ConfigurationError) in
                try file.unset(name, profile: profile)
                return "\(name) is no longer set"
            }
        }
    }

    /// Changes the file, and prints what `change` returns.
    ///
    /// - Throws: `ConfigurationError`, `CoreError.malformedProfile`; then the file is unchanged.
    private static func change(
        _ profile: String?, in environment: CommandEnvironment,
        _ change: @escaping @Sendable (ConfigurationFile) throws(ConfigurationError) -> String
    ) async throws -> Int32 {
        if let profile, !ValueKind.profileName.accepts(profile) { throw CoreError.malformedProfile(profile) }
        let file = try environment.configurationFile()
        let text = try await DedicatedThread.run { () throws(ConfigurationError) in try change(file) }
        let owner = profile.map { " for profile \($0)" } ?? ""
        environment.diagnostics.notice("\(text)\(owner), in \(file.path)")
        return 0
    }

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
            let path = try environment.configurationFile().path
            let text = messages.json ? "{\"path\":\(JSONString.quoted(path))}" : path
            try await StandardOutput.print(text + "\n", in: environment)
            return 0
        }
    }
}
