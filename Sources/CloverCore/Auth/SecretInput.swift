/// A secret from standard input: all of a pipe or file, or one line that a person types, which is not shown.
enum SecretInput {
    /// - Parameter name: what the person is asked for.
    static func read(_ name: String, limit: Int, in environment: CommandEnvironment) async throws -> [UInt8] {
        guard environment.terminal.isInputTerminal else { return try environment.readStandardInput(limit) }
        let diagnostics = environment.diagnostics
        return try await environment.readHiddenLine(limit) {
            diagnostics.request(
                "type or paste \(name) and press Return; it is not shown (a script gives it through a pipe or file)")
        }
    }
}
