package import CloverAuth
package import CloverCallback
package import CloverHTTP
package import CloverRecords
package import CloverStorage

/// Everything that a command takes from the world. The program hands in the real one, tests another; nothing in the
/// core reads a clock, a variable, a descriptor or a socket by itself. What costs something is a closure, so that
/// `--help` reads no file.
package struct CommandEnvironment: Sendable {
    /// The process's environment variables.
    package var variables: [String: String]
    /// The time of day and the time since this machine started.
    package var clock: TokenClock
    /// Waits for so many seconds; throws when cancelled.
    package var sleep: @Sendable (Double) async throws -> Void
    package var makeTransport: @Sendable (TransportChoice) -> any HTTPTransport
    /// The directory of credentials and ledgers, made ready for use.
    package var stateDirectory: @Sendable () throws -> StateDirectory
    /// Where credentials are kept; what it is given is called once for each wait for another process that lasts some seconds.
    package var makeCredentialStore:
        @Sendable (@escaping @Sendable (CredentialKey) -> Void) throws -> any CredentialStore
    /// Up to so many bytes of standard input, to its end.
    package var readStandardInput: @Sendable (_ limit: Int) throws -> [UInt8]
    /// The first line of standard input that is not blank; empty when there is none; a longer line is an error.
    package var readInputLine: @Sendable (_ limit: Int) async throws -> [UInt8]
    /// The next line from a terminal, blank or not, which does not show what is typed meanwhile; `ask` is called when that is
    /// so. Nil when the person ends the input instead (Ctrl-D).
    package var readHiddenLine: @Sendable (_ limit: Int, _ ask: @Sendable () -> Void) async throws -> [UInt8]?
    /// The lines of a file, or of standard input for nil. Throws `CoreError.unreadableFile`.
    package var openLines: @Sendable (_ path: String?) throws -> any InputLines
    /// Listens on this machine for the browser's answer.
    package var openCallbackListener: @Sendable (CallbackChoice) async throws -> CallbackListener
    /// Shows an address in the default browser, or in the app for it.
    package var openBrowser: @Sendable (_ address: String) throws(BrowserError) -> BrowserLauncher.Opener
    /// The desktop's keyring.
    package var secretVault: @Sendable () -> any SecretVault
    /// Runs a line of shell with more variables and this standard input, to its end; gives its exit status.
    package var runShell:
        @Sendable (_ line: String, _ variables: [String: String], _ input: [UInt8]) async throws -> Int32
    /// Numbers the requests that `--debug` shows.
    let requestCounter = DebugTransport.Counter()
    /// What the configuration file said.
    let configurationCache = ConfigurationCache()
    /// The library that requests go through, such as `libcurl/7.88.1 OpenSSL/3.0.17`.
    package var transportVersion: @Sendable () throws(HTTPTransportError) -> String = { "" }
    /// What a signal waits for before it ends the process.
    package let criticalWork = CriticalWork()
    package var standardOutput: RecordOutput
    package var diagnostics: Diagnostics
    package var terminal: TerminalFacts
    /// What can be done with the terminal.
    package var screen = ScreenAccess()
    /// The user wants no pager now.
    package var isPagerUnwanted = false
    /// Processors that may filter at once.
    package var processors: @Sendable () -> Int

    package init(
        variables: [String: String], clock: TokenClock,
        sleep: @escaping @Sendable (Double) async throws -> Void,
        makeTransport: @escaping @Sendable (TransportChoice) -> any HTTPTransport,
        stateDirectory: @escaping @Sendable () throws -> StateDirectory,
        makeCredentialStore:
            @escaping @Sendable (@escaping @Sendable (CredentialKey) -> Void) throws -> any CredentialStore,
        readStandardInput: @escaping @Sendable (_ limit: Int) throws -> [UInt8],
        readInputLine: @escaping @Sendable (_ limit: Int) async throws -> [UInt8],
        readHiddenLine: @escaping @Sendable (_ limit: Int, _ ask: @Sendable () -> Void) async throws -> [UInt8]?,
        openLines: @escaping @Sendable (_ path: String?) throws -> any InputLines,
        openCallbackListener: @escaping @Sendable (CallbackChoice) async throws -> CallbackListener,
        openBrowser: @escaping @Sendable (_ address: String) throws(BrowserError) -> BrowserLauncher.Opener,
        secretVault: @escaping @Sendable () -> any SecretVault,
        runShell:
            @escaping @Sendable (_ line: String, _ variables: [String: String], _ input: [UInt8]) async throws -> Int32,
        standardOutput: RecordOutput,
        diagnostics: Diagnostics, terminal: TerminalFacts, processors: @escaping @Sendable () -> Int
    ) {
        self.variables = variables
        self.clock = clock
        self.sleep = sleep
        self.makeTransport = makeTransport
        self.stateDirectory = stateDirectory
        self.makeCredentialStore = makeCredentialStore
        self.readStandardInput = readStandardInput
        self.readInputLine = readInputLine
        self.readHiddenLine = readHiddenLine
        self.openLines = openLines
        self.openCallbackListener = openCallbackListener
        self.openBrowser = openBrowser
        self.secretVault = secretVault
        self.runShell = runShell
        self.standardOutput = standardOutput
        self.diagnostics = diagnostics
        self.terminal = terminal
        self.processors = processors
    }
}

extension CommandEnvironment {
    /// What sends requests, and shows them where that was asked for.
    func transport(_ choice: TransportChoice) -> any HTTPTransport {
        let transport = makeTransport(choice)
        guard !diagnostics.debugParts.isDisjoint(with: .transfer) else { return transport }
        return DebugTransport(transport, diagnostics, counter: requestCounter)
    }
}

/// What the user chose about connections.
package struct TransportChoice: Sendable, Equatable {
    /// A PEM file of certificate authorities to trust instead of the system's.
    package var certificateFile: String?
    /// Seconds without a single byte after which a transfer is given up; nil for the usual ones.
    package var stallTimeout: Int?

    package init(certificateFile: String?, stallTimeout: Int? = nil) {
        self.certificateFile = certificateFile
        self.stallTimeout = stallTimeout
    }
}

/// What stands at the other end of the standard streams.
package struct TerminalFacts: Sendable, Equatable {
    package var isOutputTerminal: Bool
    package var isErrorTerminal: Bool
    package var isInputTerminal: Bool
    /// Columns that a table on standard output has to fit; nil when any width will do.
    package var width: Int?
    /// Columns and rows of the terminal that standard output is; nil when it is none, or does not tell.
    package var outputSize: TerminalExtent?
    /// The same of standard error.
    package var errorSize: TerminalExtent?

    package init(
        isOutputTerminal: Bool, isErrorTerminal: Bool, isInputTerminal: Bool, width: Int? = nil,
        outputSize: TerminalExtent? = nil, errorSize: TerminalExtent? = nil
    ) {
        self.width = width
        self.outputSize = outputSize
        self.errorSize = errorSize
        self.isOutputTerminal = isOutputTerminal
        self.isErrorTerminal = isErrorTerminal
        self.isInputTerminal = isInputTerminal
    }
}
