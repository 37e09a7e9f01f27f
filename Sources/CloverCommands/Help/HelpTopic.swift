import ArgumentParser
import CloverAPI
import CloverCore

/// What `clover help` is asked about, and words in the place of commands that are none. ArgumentParser shows the overview
/// for a command that does not exist, and calls it an unexpected argument.
enum HelpTopic {
    /// The topics that are no commands, in the order in which they are named.
    static let pages = [HelpPage.exitCodes, .filters, .jq, .cron]

    static let names = ["exit-codes", "environment", "filters", "jq", "cron"]

    /// The page of a topic that is no command; nil for other command lines.
    /// - Parameter arguments: without the program's name.
    static func text(_ arguments: [String]) -> String? {
        guard arguments.first == "help", arguments.count == 2 else { return nil }
        if arguments[1] == "environment" { return VariableText.page }
        return pages.first { $0.name == arguments[1] }?.text
    }

    /// What to say of a word where only a command can stand, and that is none; nil when there is no such word.
    /// - Parameter arguments: without the program's name.
    static func refusal(_ arguments: [String]) -> ErrorReport? {
        let isHelp = arguments.first == "help"
        if let word = Emulator.unknownWord(arguments) {
            return report(word, after: [Emulator._commandName], Emulator.words, isHelp: isHelp)
        }
        var command: any ParsableCommand.Type = Clover.self
        var path: [String] = []
        for word in isHelp ? arguments.dropFirst() : arguments[...] {
            if word.hasPrefix("-") {
                if isHelp { continue }
                return nil
            }
            let subcommands = command.configuration.subcommands
            // What follows a command that has none are its own arguments, except where help is asked for.
            if subcommands.isEmpty, !isHelp { return nil }
            guard let next = subcommands.first(where: { $0._commandName == word }) else {
                if word == "help", path.isEmpty || !isHelp { return nil }
                // The names of what is to be exported stand in the place of a command.
                if !isHelp, command == Export.self { return nil }
                return report(word, after: path, subcommands.map { $0._commandName }.sorted(), isHelp: isHelp)
            }
            command = next
            path.append(word)
        }
        return nil
    }

    /// The verb of a command without the command, and what other programs call the version.
    private static func meant(by word: String, isHelp: Bool) -> [String] {
        if !isHelp, word == "version" { return ["--version"] }
        return Clover.configuration.subcommands.filter { command in
            command.configuration.subcommands.contains { $0._commandName == word }
        }.map { "\($0._commandName) \(word)" }
    }

    private static func report(
        _ word: String, after path: [String], _ names: [String], isHelp: Bool
    ) -> ErrorReport {
        let owner = path.joined(separator: " ")
        let others = path.isEmpty ? (isHelp ? Self.names : ["help"]) : []
        let near = NearestNames.of(word, among: names + others)
        // What resembles no command may be a token that was typed in the wrong place.
        let shown = near.isEmpty && path.first == "auth" && word.utf8.count >= 8 ? "(not shown)" : "'\(word)'"
        var report = ErrorReport(
            code: "usage", status: .usage,
            message: path.isEmpty ? "there is no command \(shown)" : "\(owner) has no command \(shown)")
        let candidates =
            near.map { (path + [$0]).joined(separator: " ") }
            + (path.isEmpty ? Self.meant(by: word, isHelp: isHelp) : [])
        if !candidates.isEmpty { report.hints.append("did you mean: " + candidates.joined(separator: ", ")) }
        report.hints.append(
            names.isEmpty
                ? "see 'clover help \(owner)'"
                : "\(owner.isEmpty ? "" : owner + " has the ")commands: " + names.joined(separator: ", "))
        if isHelp, path.isEmpty { report.hints.append("topics: " + Self.names.joined(separator: ", ")) }
        if !isHelp, !names.isEmpty { report.hints.append("see 'clover help\(owner.isEmpty ? "" : " " + owner)'") }
        return report
    }
}
