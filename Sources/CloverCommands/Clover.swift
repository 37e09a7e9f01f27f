package import ArgumentParser
import CloverAuth
package import CloverCore
import CloverJSON
import CloverOutput

/// The root command.
package struct Clover: EnvironmentCommand {
    package static let configuration = CommandConfiguration(
        commandName: "clover",
        abstract: "Read and change a Clover merchant's data as JSON lines",
        discussion: """
            Made for shell scripts, cron and pipes: data goes to standard output, one JSON object a line; everything \
            else goes to standard error. Status 0 means that every record asked for was delivered.

              clover get orders --all --jq '{id,total}'
              clover get items --filter 'price>=500' -r --jq .name
              clover export orders payments --to ~/exports
              clover post items --field name=Latte --field price=450
              clover auth login --app-id APP

            For topics other than commands, run 'clover help TOPIC': \(HelpTopic.names.joined(separator: ", ")).
            """,
        version: CloverVersion.text,
        subcommands: [
            Auth.self, Get.self, Post.self, Put.self, Delete.self, APICommand.self, Endpoints.self, Schema.self,
            Limits.self, Fleet.self, Export.self, Follow.self, Report.self, Reconcile.self,
            Charge.self, Checkout.self, Plan.self, Subscription.self, Webhook.self, Config.self, State.self,
            ReaderCommand.self,
            Emulator.self,
            DoctorCommand.self, WhoAmI.self, Open.self, Alias.self, Version.self, Completion.self, MCP.self,
        ]
    )

    package init() {}

    /// On a terminal, says what to do next. A script has forgotten the command, so it gets the overview and an error.
    package func run(in environment: CommandEnvironment) async throws -> Int32 {
        if environment.terminal.isOutputTerminal {
            try await StandardOutput.print(await NextSteps(environment: environment).text(), in: environment)
            return ExitStatus.done.rawValue
        }
        try await StandardOutput.print(FirstPage.text(), in: environment)
        throw ValidationError("no command was given")
    }
}

/// A command that gets everything it depends on from the environment passed to it.
///
/// Set `commandName` in the configuration: deriving it from the type name takes ArgumentParser longer than parsing.
package protocol EnvironmentCommand: ParsableCommand {
    /// Runs the command. The process exits with the returned status, or with the status of the thrown error.
    func run(in environment: CommandEnvironment) async throws -> Int32
}

/// A command with options about its messages, which `Program` applies to the environment before it runs the command.
protocol CloverCommand: EnvironmentCommand {
    var messages: MessageOptions { get }
}

/// The command named by the first words of a command line.
///
/// Parsing only this command saves ArgumentParser from inspecting all others, which would take longer than the rest of
/// a short run.
struct NamedCommand {
    private let command: any ParsableCommand.Type
    /// The words after the command's name.
    private let arguments: [String]

    /// Words that only the root command interprets, wherever they appear.
    private static let rootOptions: Set<String> = ["--version", "--"]

    /// Returns nil if the words name no command, or a command that has subcommands.
    /// - Parameter arguments: without the program's name.
    init?(_ arguments: [String]) {
        guard !arguments.contains(where: Self.rootOptions.contains) else { return nil }
        var command: any ParsableCommand.Type = Clover.self
        var rest = arguments[...]
        while let word = rest.first,
            let next = command.configuration.subcommands.first(where: { $0._commandName == word })
        {
            command = next
            rest = rest.dropFirst()
        }
        guard command.configuration.subcommands.isEmpty else { return nil }
        self.command = command
        self.arguments = Array(rest)
    }

    /// The parsed command, ready to run; nil if parsing fails. Parsing from the root then produces the error or the
    /// help page for the whole program.
    func parsed() -> (any EnvironmentCommand)? {
        do {
            return try command.parseAsRoot(arguments) as? any EnvironmentCommand
        } catch {
            return nil
        }
    }
}
