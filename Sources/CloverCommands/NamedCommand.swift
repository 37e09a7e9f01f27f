import ArgumentParser

/// The command that the first words of a command line name.
///
/// It can be parsed without all the others: to look at each of them, as ArgumentParser does from the root, takes longer
/// than the rest of a short run.
struct NamedCommand {
    private let command: any ParsableCommand.Type
    /// What follows the command's name.
    private let arguments: [String]

    /// What the root has a say in, wherever it stands.
    private static let wordsOfRoot: Set<String> = ["--version", "--"]

    /// Nil when the words name no command, or one that only has others below it.
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

    /// The command with its options, ready to run; nil when it is not to run. Parsing from the root then tells why, or
    /// shows the help, in the words of the whole program.
    func parsed() -> (any CloverCommand)? {
        do {
            return try command.parseAsRoot(arguments) as? any CloverCommand
        } catch {
            return nil
        }
    }
}
