import ArgumentParser
import CloverCore
import CloverOutput

/// The file that records are written to instead of standard output.
struct OutputFileOptions: ParsableArguments {
    @Option(
        name: [.customShort("o"), .customLong("output")], parsing: .unconditional,
        help: ArgumentHelp(
            "Write to this file instead of standard output; an existing file is replaced only after a complete run.",
            valueName: "file"), completion: .file())
    var path: String?

    func validate() throws {
        if path == "" { throw ValidationError("--output takes a file, or - for standard output") }
        try OutputPath.check(path, of: "--output")
    }
}

/// A command that prints records.
protocol RecordCommand: CloverCommand {
    var outputFile: OutputFileOptions { get }
}

extension RecordCommand {
    /// Runs the command with its output in the file, if one was given. Without an error the file replaces an existing one in
    /// one step (rename(2)), also if the status reports findings; otherwise it stays as it was.
    func runIntoFile(in environment: CommandEnvironment) async throws -> Int32 {
        guard let path = outputFile.path, path != "-" else { return try await run(in: environment) }
        let result = try await ReceiptFile(path).replace { descriptor -> Result<Int32, any Error> in
            var inner = environment
            let output = RecordOutput(descriptor: descriptor)
            inner.standardOutput = output
            inner.terminal.isOutputTerminal = false
            inner.terminal.width = nil
            inner.terminal.outputSize = nil
            inner.screen = TerminalCapabilities(variables: environment.variables, isOutputTerminal: false)
            do {
                let status = try await run(in: inner)
                try await output.finishWriting()
                return .success(status)
            } catch let error as ReportError where error.isPrinted {
                try await output.finishWriting()
                return .failure(error)
            } catch {
                // Before the descriptor is closed.
                await output.settle()
                throw error
            }
        }
        return try result.get()
    }
}
