import ArgumentParser
import CloverAPI
import CloverConfiguration
import CloverCore
import CloverHTTP

/// The candidates for the word that a shell asks to complete, from the catalogue and from this machine. The service is
/// never asked, and nothing else is printed.
struct CompletionResponse {
    let query: CompletionQuery
    let environment: CommandEnvironment

    /// The candidates, one a line.
    func text() async -> String {
        let words = await candidates().filter { $0.hasPrefix(query.prefix) }
        let shell = environment.variables["SAP_SHELL"].flatMap { CompletionShell(rawValue: $0) }
        // The zsh script drops the last line, so that an empty word can be a candidate.
        return (words + (shell == .zsh ? [" "] : [])).joined(separator: "\n")
    }

    private func candidates() async -> [String] {
        switch query.argument {
        case "--profile": await profiles()
        case "--profiles": listed(await profiles())
        case "--environment": ServiceEnvironment.named.map(\.name)
        case "--expand": listed(query.operation?.expandable ?? [])
        case "--with":
            listed(Set(query.words.filter { !$0.hasPrefix("-") }.flatMap(ExportNames.parts)).sorted())
        case "--filter": query.operation?.filterable ?? []
        case "--sort": (query.operation?.sortable ?? []).flatMap { [$0, $0 + ":desc"] }
        case "--fields": listed(fields)
        case "--debug": listed(DebugParts.names)
        case "--skip": listed(CheckName.allCases.map(\.rawValue))
        case "positional@0": await first()
        case "positional@1": await second()
        default: []
        }
    }

    private func first() async -> [String] {
        switch query.command.first {
        case "get", "post", "put", "delete":
            EndpointCatalogue.completions(of: query.prefix, method: query.method)
        case "endpoints", "api": EndpointCatalogue.completions(of: query.prefix)
        // A model can also be named by the last part of its name.
        case "schema":
            ModelCatalogue.names
                + (query.prefix.contains(".") ? [] : Set(ModelCatalogue.names.map(Self.shortName)).sorted())
        case "auth": await signIns()
        case "export", "follow": ExportNames.resources.filter { !query.words.dropLast().contains($0) }
        case "reader": await readers()
        case "charge": await charges(for: query.command.last ?? "")
        case "config": ConfigurationKey.allCases.map(\.name)
        default: []
        }
    }

    /// Sign-ins for 'auth switch' that match the options on the command line.
    private func signIns() async -> [String] {
        // The name is given only once.
        guard query.value(of: "--profile") == nil else { return [] }
        var choice = ConnectionChoice(
            environment: query.value(of: "--environment"), merchantID: query.value(of: "--merchant"))
        choice.appID = query.value(of: "--app-id")
        return await signIns(beginning: query.prefix, choice)
    }

    private static func shortName(_ model: String) -> String {
        model.split(separator: ".").last.map(String.init) ?? model
    }

    /// The values of a configuration key.
    private func second() async -> [String] {
        guard query.command == ["config", "set"], let name = query.word(after: "set"),
            let key = ConfigurationKey(rawValue: name)
        else { return [] }
        if key == .profile { return await profiles() }
        return switch key.facts.kind {
        case .word(let words): words
        case .truth: ["true", "false"]
        case .service: ServiceEnvironment.named.map(\.name)
        default: []
        }
    }

    private var fields: [String] {
        query.operation?.model.flatMap { ModelCatalogue.model(named: $0) }?.fields.map(\.name) ?? []
    }

    /// Candidates for a comma-separated list: keeps what precedes the last comma, and leaves out names already used.
    private func listed(_ names: [String]) -> [String] {
        guard let comma = query.prefix.lastIndex(of: ",") else { return names }
        let typed = query.prefix[...comma]
        let used = Set(typed.split(separator: ",").map(String.init))
        return names.filter { !used.contains($0) }.map { typed + $0 }
    }
}

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

    /// The value of an option, as a separate word or after '='; nil if the option is not there.
    func value(of option: String) -> String? {
        if let value = word(after: option) { return value }
        return words.first { $0.hasPrefix(option + "=") }.map { String($0.dropFirst(option.count + 1)) }
    }

    /// The word after `name`, such as a value after its key.
    func word(after name: String) -> String? {
        words.firstIndex(of: name).flatMap { words.indices.contains($0 + 1) ? words[$0 + 1] : nil }
    }
}

extension CompletionKind {
    /// The shell asks the program, which replies with `CompletionResponse`; the closure is never called.
    static var asked: CompletionKind { .custom { _, _, _ in [] } }
}
