/// A yes before records are deleted.
struct Confirmation {
    let environment: CommandEnvironment

    /// Whether there is a person to answer.
    var canAsk: Bool {
        environment.terminal.isInputTerminal && environment.terminal.isErrorTerminal
            && environment.diagnostics.style == .text
    }

    /// Asks on a terminal; returns only after a yes.
    func require(_ what: String, isInputTaken: Bool) async throws {
        guard canAsk, !isInputTaken else { throw WriteError.confirmationMissing(what: what) }
        environment.diagnostics.request("this deletes \(what); go on? [y/N] (--yes answers it)")
        let answer = String(decoding: try await environment.readInputLine(16), as: UTF8.self).lowercased()
        guard ["y", "yes"].contains(answer.filter { !$0.isWhitespace }) else { throw WriteError.declined(what: what) }
    }
}
