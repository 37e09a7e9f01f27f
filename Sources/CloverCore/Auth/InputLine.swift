import CloverHTTP

/// One line that a person or a program handed in, such as a token.
enum InputLine {
    /// The first line without surrounding white space; nil when it is empty.
    static func first(of input: [UInt8]) -> Secret? {
        let line = input.prefix { $0 != UInt8(ascii: "\n") }
        let isBlank: (UInt8) -> Bool = {
            $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") || $0 == UInt8(ascii: "\r")
        }
        var text = line.drop(while: isBlank)
        while let last = text.last, isBlank(last) { text.removeLast() }
        return text.isEmpty ? nil : Secret(String(decoding: text, as: UTF8.self))
    }

    /// The same of an address or a code, which people paste with quotes or angle brackets around it.
    static func pasted(_ input: [UInt8]) -> Secret? {
        guard let line = first(of: input) else { return nil }
        var text = line.exposed[...]
        for pair in ["\"\"", "''", "<>", "“”", "‘’"] {
            guard text.count > 1, text.first == pair.first, text.last == pair.last else { continue }
            text = text.dropFirst().dropLast()
        }
        return first(of: Array(text.utf8))
    }

    /// The same of a line that is asked for again when it is blank, where a person types it; nil when it always is, and when
    /// the input ends.
    static func pasted(
        in environment: CommandEnvironment, askingWith read: () async throws -> [UInt8]?
    ) async throws -> Secret? {
        for _ in 0..<(environment.terminal.isInputTerminal ? 3 : 1) {
            guard let input = try await read() else { return nil }
            if let line = pasted(input) { return line }
        }
        return nil
    }
}
