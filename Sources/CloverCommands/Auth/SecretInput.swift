import CloverAuth
import CloverCore
import CloverHTTP
import Glibc

extension AppOptions {
    /// Maximum length of a secret, in bytes.
    private static let maximumSecret = 4096

    /// The app's secret from the file, or else from `CLOVER_APP_SECRET`; nil if there is none, in which case a code
    /// verifier proves the exchange.
    func secret(in environment: CommandEnvironment) async throws -> Secret? {
        let secret: Secret
        if let secretFile {
            let bytes =
                secretFile == "-"
                ? try await SecretInput.read("the app's secret", limit: Self.maximumSecret, in: environment)
                : try await Self.read(secretFile, in: environment)
            guard let line = InputLine.first(of: bytes ?? []) else { throw CoreError.secretMissing(secretFile) }
            secret = line
        } else if let text = environment.variables.nonEmpty("CLOVER_APP_SECRET") {
            secret = Secret(text)
        } else {
            return nil
        }
        guard Credential.isUsable(secret) else { throw CoreError.malformedSecret }
        environment.diagnostics.mask.hide(secret)
        return secret
    }

    private static func read(_ path: String, in environment: CommandEnvironment) async throws -> [UInt8] {
        SecretFile.noteLooseMode(of: path, "the app secret", in: environment)
        do {
            return try await SecretInput.firstLine(of: path, in: environment)
        } catch CoreError.unreadableFile(_, let number) {
            // The path may be a secret passed by mistake, so the error does not show it.
            throw CoreError.unreadableSecret(errno: number)
        }
    }
}

/// A file of the user's with a secret.
enum SecretFile {
    /// Prints a notice if the file belongs to this user and other users have access to it.
    ///
    /// - Parameter name: what the file holds, such as "the app secret".
    static func noteLooseMode(of path: String, _ name: String, in environment: CommandEnvironment) {
        guard let mode = looseMode(of: path) else { return }
        environment.diagnostics.notice(
            "other users have access to \(name)'s file (mode \(mode)); to fix it, run chmod 600")
    }

    /// The mode, in octal, of a file that belongs to this user and to which other users have access; nil for others.
    static func looseMode(of path: String) -> String? {
        var found = stat()
        guard stat(path, &found) == 0, found.st_mode & S_IFMT == S_IFREG, found.st_uid == geteuid(),
            found.st_mode & 0o077 != 0
        else { return nil }
        return String(found.st_mode & 0o777, radix: 8)
    }
}

/// Reads a secret from standard input: its first line, without echo at a terminal. A pipe need not be closed.
enum SecretInput {
    /// Maximum length of a token, a code or an address, in bytes.
    static let maximumLine = 64 << 10

    /// - Parameter name: what the prompt asks for.
    /// - Returns: nil at the end of the input.
    static func read(
        _ name: String, limit: Int = maximumLine, in environment: CommandEnvironment
    ) async throws -> [UInt8]? {
        guard environment.terminal.isInputTerminal else { return try await environment.readInputLine(limit, true) }
        let diagnostics = environment.diagnostics
        return try await environment.readHiddenLine(limit) {
            diagnostics.request(
                "type or paste \(name) and press Return; input is hidden (in a script, use a pipe or a file)")
        }
    }

    /// Reads the first line of a file, which may be a pipe that stays open. Throws `CoreError.unreadableFile`.
    static func firstLine(of path: String, in environment: CommandEnvironment) async throws -> [UInt8] {
        switch try await environment.openLines(path).next() {
        case .line(let line): line
        case .tooLong: throw CoreError.unreadableFile(path: path, errno: EFBIG)
        case nil: []
        }
    }
}

/// One line of input, such as a token.
enum InputLine {
    /// The first line, without surrounding white space; nil if it is empty.
    static func first(of input: [UInt8]) -> Secret? {
        let line = input.prefix { $0 != UInt8(ascii: "\n") }
        let isBlank: (UInt8) -> Bool = { " \t\r".utf8.contains($0) }
        var text = line.drop(while: isBlank)
        while let last = text.last, isBlank(last) { text.removeLast() }
        return text.isEmpty ? nil : Secret(String(decoding: text, as: UTF8.self))
    }

    /// The first line of a pasted address or code, also without surrounding quotes or angle brackets.
    private static func pasted(_ input: [UInt8]) -> Secret? {
        guard let line = first(of: input) else { return nil }
        var text = line.exposed[...]
        for pair in ["\"\"", "''", "<>", "“”", "‘’"] {
            guard text.count > 1, text.first == pair.first, text.last == pair.last else { continue }
            text = text.dropFirst().dropLast()
        }
        return first(of: Array(text.utf8))
    }

    /// Reads a pasted line. At a terminal, asks up to three times if the line is blank.
    ///
    /// - Throws: `CoreError.noAddressOnInput` if no line was entered.
    static func pasted(
        in environment: CommandEnvironment, askingWith read: () async throws -> [UInt8]?
    ) async throws -> Secret {
        for _ in 0..<(environment.terminal.isInputTerminal ? 3 : 1) {
            guard let input = try await read() else { break }
            if let line = pasted(input) { return line }
        }
        throw CoreError.noAddressOnInput
    }
}
