import ArgumentParser

/// The command named by the first words of a command line.
///
/// Parsing only this command saves ArgumentParser from inspecting all others, which would take longer than the rest of
/// a short run.
struct NamedCommand {
    private let command: any ParsableCommand.Type
    /// The words after the command's name.
    private let arguments: [String]

    /// Words that only the root command interprets, wherever they appear.
    private static let wordsOfRoot: Set<String> = ["--version", "--"]

    /// Returns nil if the words name no command, or a command that has subcommands.
    /// - Parameter arguments: without the program's name.
    init?(_ arguments: [String]) {
        guard !arguments.contains(where: Self.wordsOfRoot.contains) else { return nil }
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
    func parsed() -> (any CloverCommand)? {
        do {
            return try command.parseAsRoot(arguments) as? any CloverCommand
        } catch {
            return nil
        }
    }
}
