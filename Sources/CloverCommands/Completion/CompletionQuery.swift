import CloverAPI

/// A completion request from a shell, in the form of ArgumentParser's completion scripts:
/// `---completion COMMAND... -- ARGUMENT INDEX CURSOR WORD...`.
struct CompletionQuery {
    /// The first word of such a command line.
    static let mark = "---completion"

    /// The command, such as `["charge", "show"]`.
    let command: [String]
    /// The argument to complete: `--filter`, or `positional@0`.
    let argument: String
    /// All words of the command line.
    let words: [String]
    /// The typed part of the word to complete.
    let prefix: String

    /// Returns nil for other command lines.
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
        // fish passes '--option=value' as a single word, and replaces what follows the '='.
        prefix = typed.hasPrefix(argument + "=") ? String(typed.dropFirst(argument.count + 1)) : typed
    }

    /// The HTTP method of the command.
    var method: Endpoint.Method {
        switch command.first {
        case "post": .post
        case "put": .put
        case "delete": .delete
        default: .get
        }
    }

    /// The API operation of a path that has already been typed.
    var operation: Endpoint? {
        words.dropFirst().lazy.filter { !$0.isEmpty && !$0.hasPrefix("-") && !command.contains($0) }
            .compactMap { EndpointCatalogue.operation(typed: $0, method: method) }.first
    }

    /// The value of an option, as a word of its own or after '='; nil if the option is not there.
    func value(of option: String) -> String? {
        if let value = word(after: option) { return value }
        return words.first { $0.hasPrefix(option + "=") }.map { String($0.dropFirst(option.count + 1)) }
    }

    /// The word after `name`, such as a value after its key.
    func word(after name: String) -> String? {
        words.firstIndex(of: name).flatMap { words.indices.contains($0 + 1) ? words[$0 + 1] : nil }
    }
}
