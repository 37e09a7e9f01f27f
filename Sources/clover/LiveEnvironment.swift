import CloverAuth
import CloverCommands
import CloverCore
import CloverCurl
import CloverRecords
import CloverStorage
import FoundationEssentials
import Glibc

/// The real world, as commands see it.
enum LiveEnvironment {
    static func make(standardOutput: RecordOutput) -> CommandEnvironment {
        let process = ProcessInfo.processInfo
        let variables = process.environment
        let stateDirectory: @Sendable () throws -> StateDirectory = {
            let directory = try StateDirectory(environment: variables)
            try directory.prepare()
            return directory
        }
        return CommandEnvironment(
            variables: variables,
            now: { Int64(Date().timeIntervalSince1970 * 1000) },
            sleep: { try await Task.sleep(for: .seconds($0)) },
            makeTransport: { choice in
                CurlTransport(
                    settings: CurlSettings(
                        certificateFile: choice.certificateFile, userAgent: "clover/\(CloverVersion.text)"))
            },
            stateDirectory: stateDirectory,
            credentialStore: { try FileCredentialStore(state: stateDirectory()) },
            readStandardInput: { try DescriptorReader.readAll(STDIN_FILENO, limit: $0) },
            standardOutput: standardOutput,
            diagnostics: Diagnostics { writeToStandardError($0) },
            terminal: TerminalFacts(
                isOutputTerminal: isatty(STDOUT_FILENO) == 1, isErrorTerminal: isatty(STDERR_FILENO) == 1,
                isInputTerminal: isatty(STDIN_FILENO) == 1),
            processors: process.activeProcessorCount)
    }

    /// A line that cannot be written is lost: there is no other place to say so.
    private static func writeToStandardError(_ text: String) {
        let bytes = Array(text.utf8)
        var start = 0
        while start < bytes.count {
            let count = bytes[start...].withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
            if count < 0 {
                if errno == EINTR { continue }
                return
            }
            start += count
        }
    }
}
