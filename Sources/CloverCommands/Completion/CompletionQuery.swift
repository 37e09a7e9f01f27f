import CloverAPI

/// What a shell asks while a command line is typed, in the form of ArgumentParser's completion scripts:
/// `---completion COMMAND... -- ARGUMENT INDEX CURSOR WORD...`.
struct CompletionQuery {
    /// What such a command line begins with.
    static let mark = "---completion"

    /// Such as `["charge", "show"]`.
    let command: [String]
    /// `--filter`, or `positional@0`.
    let argument: String
    /// The words of the command line.
    let words: [String]
    /// What is typed of the word that is completed.
    let prefix: String

    /// Nil for other command lines.
    /// - Parameter arguments: without the program's name.
    init?(_ arguments: [String]) {
        guard arguments.first == Self.mark, let dashes = arguments.firstIndex(of: "--") else { return nil }
        command = Array(arguments[1..<dashes])
        let rest = arguments[(dashes + 1)...]
        guard rest.count >= 3, let argument = rest.first, let index = Int(rest[rest.startIndex + 1]),
            let cursor = Int(rest[rest.startIndex + 2])
        else { return nil }
        self.argument = argument
        words = Array(rest.dropFirst(3))
        let typed = words.indices.contains(index) ? String(words[index].prefix(cursor)) : ""
        // fish hands on '--option=value' as the one word that it is, and replaces what stands behind the '='.
        prefix = typed.hasPrefix(argument + "=") ? String(typed.dropFirst(argument.count + 1)) : typed
    }

    /// What the command does to a path.
    var method: Endpoint.Method {
        switch command.first {
        case "post": .post
        case "put": .put
        case "delete": .delete
        default: .get
        }
    }

    /// The operation on the path that was typed already.
    var operation: Endpoint? {
        words.dropFirst().lazy.filter { !$0.isEmpty && !$0.hasPrefix("-") && !command.contains($0) }
            .compactMap { EndpointCatalogue.operation(typed: $0, method: method) }.first
    }

    /// What is typed for an option, as its own word or behind '='; nil without it.
    func value(of option: String) -> String? {
        if let value = word(after: option) { return value }
        return words.first { $0.hasPrefix(option + "=") }.map { String($0.dropFirst(option.count + 1)) }
    }

    /// The word before the one that is completed, such as a key before its value.
    func word(after name: String) -> String? {
        words.firstIndex(of: name).flatMap { words.indices.contains($0 + 1) ? words[$0 + 1] : nil }
    }
}
