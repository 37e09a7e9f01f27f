import ArgumentParser
import CloverAPI
import CloverCore
import CloverReports

/// Help topics, and errors for words in the place of a command. For an unknown command, ArgumentParser would show the
/// overview, and call the word an unexpected argument.
enum HelpTopic {
    /// The topics other than commands, in the order in which they are listed.
    static let pages = [HelpPage.exitCodes, .filters, .jq, .reports, .cron]

    static let names = ["exit-codes", "environment", "filters", "jq", "reports", "cron"]

    /// The page of a topic; nil for other command lines.
    /// - Parameter arguments: without the program's name.
    static func text(_ arguments: [String]) -> String? {
        guard arguments.first == "help", arguments.count > 1,
            arguments.dropFirst(2).allSatisfy({ ["-h", "--help"].contains($0) })
        else { return nil }
        if arguments[1] == "environment" { return VariableText.page }
        return pages.first { $0.name == arguments[1] }?.text
    }

    /// The command line of a request for help without the words that only the command itself takes, such as a report or a
    /// list: `help report sales` is the page of `report`.
    static func shortened(_ arguments: [String]) -> [String] {
        guard arguments.first == "help", arguments.count == 3 else { return arguments }
        let word = arguments[2]
        let isArgument =
            switch arguments[1] {
            case Report._commandName: ReportName(rawValue: word) != nil
            case Get._commandName, Post._commandName, Delete._commandName, Follow._commandName, Export._commandName:
                EndpointCatalogue.families().contains(word)
            default: false
            }
        return isArgument ? Array(arguments.dropLast()) : arguments
    }

    /// The error for an unknown word in the place of a command; nil if there is no such word.
    /// - Parameter arguments: without the program's name.
    static func refusal(_ arguments: [String]) -> ErrorReport? {
        let isHelp = arguments.first == "help"
        if isHelp, arguments.count > 2, names.contains(arguments[1]) {
            return page("help \(arguments[1])", takesNo: arguments[2])
        }
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
            // Words after a command without subcommands are its own arguments, except in a request for help.
            if subcommands.isEmpty, !isHelp { return nil }
            guard let next = subcommands.first(where: { $0._commandName == word }) else {
                if word == "help", path.isEmpty || !isHelp { return nil }
                // Resources to export are in the place of a command.
                if !isHelp, command == Export.self { return nil }
                let next = arguments.drop { $0 != word }.dropFirst().first.flatMap { $0.hasPrefix("-") ? nil : $0 }
                return report(
                    word, after: path, next: next, subcommands.map { $0._commandName }.sorted(), isHelp: isHelp)
            }
            command = next
            path.append(word)
        }
        guard isHelp, let option = arguments.first(where: { $0.hasPrefix("-") && !asksForHelp.contains($0) }) else {
            return nil
        }
        return page((["help"] + path).joined(separator: " "), takesNo: option)
    }

    /// Options that a request for help may have, and that change nothing.
    private static let asksForHelp: Set = ["-h", "--help", "-help"]

    private static func page(_ words: String, takesNo word: String) -> ErrorReport {
        ErrorReport(
            code: "usage", status: .usage,
            message: "'clover \(words)' is a page of text, and takes no '\(word)'", hints: ["run: clover \(words)"])
    }

    /// Suggestions for a subcommand, a report or a list without its command.
    ///
    /// - Parameter isUnlikeCommands: whether the word resembles no command.
    private static func meant(by word: String, next: String?, isUnlikeCommands: Bool) -> [String] {
        let familiar = FamiliarWords.commands(word, after: [], next: next)
        // The word after it says that it is one of several commands with the same subcommand.
        if !familiar.isEmpty, next != nil { return familiar }
        let families = EndpointCatalogue.families()
        // A list or a file is nothing that such a subcommand takes.
        let isSubject = next.map { !FamiliarWords.lists($0).isEmpty || $0.contains(".") } ?? false
        let commands =
            isSubject
            ? []
            : Clover.configuration.subcommands.filter { command in
                command.configuration.subcommands.contains { $0._commandName == word }
            }.map { "\($0._commandName) \(word)" }
        let report = ReportName(rawValue: word).map { "report \($0.rawValue)" }
        let nouns = FamiliarWords.paths(word)
        let list =
            families.contains(word)
            ? [word] : !nouns.isEmpty ? nouns : isUnlikeCommands ? NearestNames.of(word, among: families) : []
        return familiar + commands + list.map { "get \($0)" } + [report].compactMap(\.self)
    }

    /// Whether it is a `get` of a path that takes none: of some families, only the paths below can be read.
    private static func isRefused(_ command: String) -> Bool {
        let words = command.split(separator: " ")
        return words.count > 1 && words[0] == "get" && EndpointCatalogue.operation(typed: String(words[1])) == nil
    }

    private static func report(
        _ word: String, after path: [String], next: String? = nil, _ names: [String], isHelp: Bool
    ) -> ErrorReport {
        let owner = path.joined(separator: " ")
        let others = path.isEmpty ? (isHelp ? Self.names : ["help"]) : []
        let familiar = FamiliarWords.commands(word, after: path, next: next)
        var near = familiar.isEmpty ? NearestNames.of(word, among: names + others) : []
        if path.isEmpty { near.removeAll { !FamiliarWords.mayBe($0, by: word, before: next) } }
        // A word that resembles no command may be a token typed in the wrong place.
        let isPlain = word.contains(/^[a-z]+(-[a-z]+)?$/) && word.utf8.count <= 12
        let isHidden = near.isEmpty && path.first == "auth" && word.utf8.count >= 8 && !isPlain
        let shown = isHidden ? "(not shown)" : "'\(word)'"
        var report = ErrorReport(
            code: "usage", status: .usage,
            message: word.isEmpty
                ? "the command\(path.isEmpty ? "" : " after '\(owner)'") is an empty word, such as of a variable that is "
                    + "not set"
                : path.isEmpty ? "there is no command \(shown)" : "\(owner) has no command \(shown)")
        var seen: Set<String> = []
        let candidates =
            (near.map { (path + [$0]).joined(separator: " ") }
            + (path.isEmpty ? Self.meant(by: word, next: next, isUnlikeCommands: near.isEmpty) : familiar))
            .filter { seen.insert($0).inserted && !isRefused($0) }
        if !candidates.isEmpty { report.hints.append("did you mean: " + candidates.joined(separator: ", ")) }
        // Of the long list, only what was meant is of use.
        if !path.isEmpty || candidates.isEmpty {
            report.hints.append(
                names.isEmpty
                    ? "see 'clover help \(owner)'"
                    : "\(owner.isEmpty ? "" : owner + " has the ")commands: " + names.joined(separator: ", "))
        }
        if isHelp, path.isEmpty { report.hints.append("topics: " + Self.names.joined(separator: ", ")) }
        if !isHelp, !names.isEmpty { report.hints.append("see 'clover help\(owner.isEmpty ? "" : " " + owner)'") }
        return report
    }
}

/// The overview that `clover` without arguments prints where no person reads it.
enum FirstPage {
    static func text() -> String {
        """
        clover: the command line for a Clover merchant's data, readers and payments

        \(examples)

        Commands: \(commands.joined(separator: "  "))
        'clover help COMMAND' shows examples; 'man clover' is the full manual.

        """
    }

    /// The commands in the order of typical use; any others follow.
    private static var commands: [String] {
        let order = [
            "auth", "get", "post", "put", "delete", "api", "endpoints", "schema", "export", "follow", "reader",
            "charge", "checkout", "plan", "subscription", "config", "limits", "doctor", "emulator",
        ]
        let names = Clover.configuration.subcommands.map { $0._commandName }
        return order.filter(names.contains) + names.filter { !order.contains($0) }
    }

    private static var examples: String {
        [
            "clover get orders --all --jq '{id,total}'     every order, as JSON lines",
            "clover export orders payments --to ~/exports  only what changed since the last run",
            "clover reader scan --json                     card readers near you",
            "clover charge --amount 12.50 --currency USD --reader",
        ].map { "  " + $0 }.joined(separator: "\n")
    }
}
