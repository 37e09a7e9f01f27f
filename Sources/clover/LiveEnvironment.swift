import CloverAuth
import CloverCallback
import CloverCommands
import CloverCore
import CloverCurl
import CloverHTTP
import CloverKeyring
import CloverRecords
import CloverStorage
import CloverThreads
import FoundationEssentials
import Glibc

/// The command environment of the real process.
enum LiveEnvironment {
    static func make(
        _ variables: [String: String], standardOutput: RecordOutput, messages: MessageWriter, pager: PagerProcess
    ) -> CommandEnvironment {
        let stateDirectory: @Sendable () throws -> StateDirectory = {
            let directory = try StateDirectory(environment: variables)
            // The first writer creates it.
            try directory.check()
            return directory
        }
        // Opened on first use.
        let vault = SecretServiceVault(variables: variables)
        var environment = CommandEnvironment(
            variables: variables,
            clock: .live,
            sleep: { try await Task.sleep(for: .seconds($0)) },
            makeTransport: { choice in
                var settings = CurlSettings(
                    certificateFile: choice.certificateFile, userAgent: "clover/\(CloverVersion.text)")
                if let seconds = choice.stallTimeout { settings.stallTimeout = seconds }
                return FrugalTransport(CurlTransport(settings: settings))
            },
            stateDirectory: stateDirectory,
            makeCredentialStore: { try FileCredentialStore(state: stateDirectory(), vault: vault, onLongWait: $0) },
            readStandardInput: { try DescriptorReader.readAll(STDIN_FILENO, limit: $0) },
            readInputLine: { try await StandardInputLine.read(limit: $0) },
            readHiddenLine: { try await StandardInputLine.readHidden(limit: $0, ask: $1) },
            openLines: { try DescriptorLines(path: $0) },
            openCallbackListener: { try await CallbackListener.open($0) },
            openBrowser: { address throws(BrowserError) in try BrowserLauncher(variables: variables).open(address) },
            secretVault: { vault },
            runShell: { try await ShellCommand.run($0, variables: $1, own: variables, input: $2) },
            standardOutput: standardOutput,
            diagnostics: Diagnostics(isBehind: { messages.isBehind }) { messages.write($0) },
            terminal: TerminalFacts(
                isOutputTerminal: isatty(STDOUT_FILENO) == 1, isErrorTerminal: isatty(STDERR_FILENO) == 1,
                isInputTerminal: isatty(STDIN_FILENO) == 1, width: LiveScreen.width(variables: variables),
                outputSize: TerminalSize.extent(of: STDOUT_FILENO), errorSize: TerminalSize.extent(of: STDERR_FILENO)),
            processors: { processors })
        environment.transportVersion = { () throws(HTTPTransportError) in try CurlTransport.libraryVersion() }
        environment.screen = LiveScreen.make(variables: variables, pager: pager)
        return environment
    }

    /// Cached, because counting processors reads the control group files.
    private static let processors = ProcessInfo.processInfo.activeProcessorCount
}
