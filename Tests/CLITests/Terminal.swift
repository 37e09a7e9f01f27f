import CloverTestSupport

extension Sandbox {
    /// Runs `clover` on a terminal, by way of script(1), and gives what it shows there, with plain line ends. The
    /// arguments are words of a shell. Without `columns` the terminal does not tell its width.
    func cloverOnTerminal(
        _ arguments: String..., columns: Int? = nil, input: CommandRunner.Input = .nothing
    ) async throws -> CommandResult {
        let program = try CommandRunner.builtProgram("clover")
        let size = columns.map { "stty columns \($0); " } ?? ""
        let line = size + (["'\(program)'"] + arguments).joined(separator: " ")
        return try await CommandRunner(executable: "/usr/bin/script", environment: variables)
            .run(["--quiet", "--return", "--command", line, "/dev/null"], input: input)
    }
}

extension CommandResult {
    /// What a terminal was sent, its line ends made plain.
    var terminalText: String { String(outputText.unicodeScalars.filter { $0 != "\r" }.map(Character.init)) }
}
