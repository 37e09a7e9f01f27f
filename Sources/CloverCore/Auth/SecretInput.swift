import Glibc

/// A secret from standard input: its first line, which is not shown when a person types it. Whoever writes into a pipe
/// need not close it.
enum SecretInput {
    /// - Parameter name: what the person is asked for.
    /// - Returns: nil when the person ends the input instead.
    static func read(_ name: String, limit: Int, in environment: CommandEnvironment) async throws -> [UInt8]? {
        guard environment.terminal.isInputTerminal else { return try await environment.readInputLine(limit) }
        let diagnostics = environment.diagnostics
        return try await environment.readHiddenLine(limit) {
            diagnostics.request(
                "type or paste \(name) and press Return; it is not shown (a script gives it through a pipe or file)")
        }
    }

    /// The first line of a file, which may be a pipe that stays open. Throws `CoreError.unreadableFile`.
    static func firstLine(of path: String, in environment: CommandEnvironment) async throws -> [UInt8] {
        switch try await environment.openLines(path).next() {
        case .line(let line): line
        case .tooLong: throw CoreError.unreadableFile(path: path, errno: EFBIG)
        case nil: []
        }
    }
}
