import ArgumentParser
import CloverAPI
import CloverCore

/// What `clover help` is asked about. ArgumentParser shows the overview for a command that does not exist.
enum HelpTopic {
    /// The page of a topic that is no command; nil for other command lines.
    /// - Parameter arguments: without the program's name.
    static func text(_ arguments: [String]) -> String? {
        guard arguments.first == "help" else { return nil }
        switch Array(arguments.dropFirst()) {
        case ["environment"]: return VariableText.page
        default: return nil
        }
    }

    /// What to say of a topic that is no command; nil for one that is, and for other command lines.
    /// - Parameter arguments: without the program's name.
    static func refusal(_ arguments: [String]) -> ErrorReport? {
        guard arguments.first == "help" else { return nil }
        var command: any ParsableCommand.Type = Clover.self
        var path: [String] = []
        for word in arguments.dropFirst() where !word.hasPrefix("-") {
            let subcommands = command.configuration.subcommands
            guard let next = subcommands.first(where: { $0._commandName == word }) else {
                return path.isEmpty && word == "help" ? nil : report(word, after: path, subcommands)
            }
            command = next
            path.append(word)
        }
        return nil
    }

    private static func report(
        _ word: String, after path: [String], _ subcommands: [any ParsableCommand.Type]
    ) -> ErrorReport {
        let names = subcommands.map { $0._commandName }.sorted()
        let owner = path.joined(separator: " ")
        var report = ErrorReport(
            code: "usage", status: .usage,
            message: path.isEmpty ? "there is no command '\(word)'" : "\(owner) has no command '\(word)'")
        let near = NearestNames.of(word, among: names).map { (path + [$0]).joined(separator: " ") }
        if !near.isEmpty { report.hints.append("did you mean: " + near.joined(separator: ", ")) }
        report.hints.append(
            names.isEmpty
                ? "see 'clover help \(owner)'"
                : "\(owner.isEmpty ? "" : owner + " has the ")commands: "
                    + names.joined(separator: ", "))
        return report
    }
}
