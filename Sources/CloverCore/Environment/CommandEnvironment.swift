package import CloverAuth
package import CloverHTTP
package import CloverRecords
package import CloverStorage

/// Everything that a command takes from the world. The program hands in the real one, tests another; nothing in the
/// core reads a clock, a variable, a descriptor or a socket by itself. What costs something is a closure, so that
/// `--help` reads no file.
package struct CommandEnvironment: Sendable {
    /// The process's environment variables.
    package var variables: [String: String]
    /// Milliseconds since 1970.
    package var now: @Sendable () -> Int64
    /// Waits for so many seconds; throws when cancelled.
    package var sleep: @Sendable (Double) async throws -> Void
    package var makeTransport: @Sendable (TransportChoice) -> any HTTPTransport
    /// The directory of credentials and ledgers, made ready for use.
    package var stateDirectory: @Sendable () throws -> StateDirectory
    package var credentialStore: @Sendable () throws -> any CredentialStore
    /// Up to so many bytes of standard input, to its end.
    package var readStandardInput: @Sendable (_ limit: Int) throws -> [UInt8]
    package var standardOutput: RecordOutput
    package var diagnostics: Diagnostics
    package var terminal: TerminalFacts
    /// Processors that may filter at once.
    package var processors: Int

    package init(
        variables: [String: String], now: @escaping @Sendable () -> Int64,
        sleep: @escaping @Sendable (Double) async throws -> Void,
        makeTransport: @escaping @Sendable (TransportChoice) -> any HTTPTransport,
        stateDirectory: @escaping @Sendable () throws -> StateDirectory,
        credentialStore: @escaping @Sendable () throws -> any CredentialStore,
        readStandardInput: @escaping @Sendable (_ limit: Int) throws -> [UInt8], standardOutput: RecordOutput,
        diagnostics: Diagnostics, terminal: TerminalFacts, processors: Int
    ) {
        self.variables = variables
        self.now = now
        self.sleep = sleep
        self.makeTransport = makeTransport
        self.stateDirectory = stateDirectory
        self.credentialStore = credentialStore
        self.readStandardInput = readStandardInput
        self.standardOutput = standardOutput
        self.diagnostics = diagnostics
        self.terminal = terminal
        self.processors = processors
    }
}

/// What the user chose about connections.
package struct TransportChoice: Sendable, Equatable {
    /// A PEM file of certificate authorities to trust instead of the system's.
    package var certificateFile: String?

    package init(certificateFile: String?) {
        self.certificateFile = certificateFile
    }
}

/// What stands at the other end of the standard streams.
package struct TerminalFacts: Sendable, Equatable {
    package var isOutputTerminal: Bool
    package var isErrorTerminal: Bool
    package var isInputTerminal: Bool

    package init(isOutputTerminal: Bool, isErrorTerminal: Bool, isInputTerminal: Bool) {
        self.isOutputTerminal = isOutputTerminal
        self.isErrorTerminal = isErrorTerminal
        self.isInputTerminal = isInputTerminal
    }
}
