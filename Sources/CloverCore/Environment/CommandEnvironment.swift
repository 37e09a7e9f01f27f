import CloverAPI
package import CloverAuth
package import CloverCallback
package import CloverConfiguration
package import CloverFleet
package import CloverHTTP
package import CloverOutput
package import CloverSystem
import Synchronization

/// All dependencies of commands. The program passes the real ones, tests pass others; no code in the core reads a clock, a
/// variable, a descriptor or a socket directly. Costly dependencies are closures, so that `--help` reads no file.
package struct CommandEnvironment: Sendable {
    package var variables: [String: String]
    /// The words of the command line, without the program's name.
    package var arguments: [String] = []
    /// The time of day and the time since this machine started.
    package var clock: TokenClock
    /// Waits for a number of seconds; throws when cancelled.
    package var sleep: @Sendable (Double) async throws -> Void
    package var makeTransport: @Sendable (TransportChoice) -> any HTTPTransport
    /// The directory of credentials and ledgers, created if necessary.
    package var stateDirectory: @Sendable () throws -> StateDirectory
    /// Makes the credential store. The store calls the given closure once for each wait for another process that takes some
    /// seconds.
    package var makeCredentialStore:
        @Sendable (@escaping @Sendable (CredentialKey) -> Void) throws -> any CredentialStore
    /// Reads standard input to its end, up to `limit` bytes.
    package var readStandardInput: @Sendable (_ limit: Int) throws -> [UInt8]
    /// Reads the first line of standard input that is not blank; empty if there is none. A line over `limit` is an error.
    package var readInputLine: @Sendable (_ limit: Int, _ skipsBlank: Bool) async throws -> [UInt8]
    /// Reads the next line, blank or not, from a terminal without echo; calls `ask` once echo is off. Nil at the end of the
    /// input (Ctrl-D).
    package var readHiddenLine: @Sendable (_ limit: Int, _ ask: @Sendable () -> Void) async throws -> [UInt8]?
    /// Opens the lines of a file, or of standard input for nil. Throws `CoreError.unreadableFile`.
    package var openLines: @Sendable (_ path: String?) throws -> any InputLines
    /// Listens on this machine for the browser's redirect.
    package var openCallbackListener: @Sendable (CallbackOptions) async throws -> CallbackListener
    /// Opens an address in the default browser, or in the app for its scheme.
    package var openBrowser: @Sendable (_ address: String) throws(BrowserError) -> BrowserLauncher.Opener
    package var secretVault: @Sendable () -> any SecretVault
    /// Runs a shell command with additional variables and the given standard input, and returns its exit status.
    /// Commands use `runToEnd`.
    package var runShell:
        @Sendable (_ line: String, _ variables: [String: String], _ input: [UInt8]) async throws -> Int32
    /// Numbers the requests that `--debug` shows.
    private(set) var requestCounter = DebugTransport.Counter()
    /// The content of the configuration file, as first read.
    private(set) var configurationCache = ConfigurationCache()
    /// The version of the HTTP library, such as `libcurl/7.88.1 OpenSSL/3.0.17`.
    package var transportVersion: @Sendable () throws(HTTPTransportError) -> String = { "" }
    /// Work that must finish before a signal ends the process.
    package let criticalWork = CriticalWork()
    package var standardOutput: RecordOutput
    /// The file of `--output`, which a run replaces only if it is complete; nil without one.
    package var outputFile: String?
    package var diagnostics: Diagnostics
    package var terminal: TerminalFacts
    /// Operations on the terminal.
    package var screen = TerminalCapabilities()
    /// Counts for the log; nil without one.
    package var runLog: RunLog?
    /// Whether the user disabled the pager for this run.
    package var isPagerUnwanted = false
    /// The number of processors for concurrent filtering.
    package var processors: @Sendable () -> Int
    /// When the run began, in milliseconds since the machine started.
    private var beganAt: Int64
    /// Counts the time that the run waits for the database.
    package private(set) var databaseWaits = DatabaseWaits()
    /// How the run waits for the database.
    private var databasePatience = DatabasePatience.usual
    /// Notes such a wait, for the error when the time of the run ends; nil if none is kept.
    private var signInPause: RateLimitPause?

    package init(
        variables: [String: String], clock: TokenClock,
        sleep: @escaping @Sendable (Double) async throws -> Void,
        makeTransport: @escaping @Sendable (TransportChoice) -> any HTTPTransport,
        stateDirectory: @escaping @Sendable () throws -> StateDirectory,
        makeCredentialStore:
            @escaping @Sendable (@escaping @Sendable (CredentialKey) -> Void) throws -> any CredentialStore,
        readStandardInput: @escaping @Sendable (_ limit: Int) throws -> [UInt8],
        readInputLine: @escaping @Sendable (_ limit: Int, _ skipsBlank: Bool) async throws -> [UInt8],
        readHiddenLine: @escaping @Sendable (_ limit: Int, _ ask: @Sendable () -> Void) async throws -> [UInt8]?,
        openLines: @escaping @Sendable (_ path: String?) throws -> any InputLines,
        openCallbackListener: @escaping @Sendable (CallbackOptions) async throws -> CallbackListener,
        openBrowser: @escaping @Sendable (_ address: String) throws(BrowserError) -> BrowserLauncher.Opener,
        secretVault: @escaping @Sendable () -> any SecretVault,
        runShell:
            @escaping @Sendable (_ line: String, _ variables: [String: String], _ input: [UInt8]) async throws -> Int32,
        standardOutput: RecordOutput,
        diagnostics: Diagnostics, terminal: TerminalFacts, processors: @escaping @Sendable () -> Int
    ) {
        self.variables = variables
        self.clock = clock
        beganAt = clock.boot()
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
    /// The environment for one of several commands in this process: what an earlier one has read or counted is not
    /// used again.
    package func renewed() -> CommandEnvironment {
        var renewed = self
        renewed.requestCounter = DebugTransport.Counter()
        renewed.configurationCache = ConfigurationCache()
        renewed.beganAt = clock.boot()
        renewed.databaseWaits = DatabaseWaits()
        return renewed
    }

    /// Makes a transport, which also shows the transfers if `--debug` asks for them.
    package func transport(_ choice: TransportChoice) -> any HTTPTransport {
        let made = makeTransport(choice)
        let transport: any HTTPTransport = runLog.map { CountingTransport(transport: made, log: $0) } ?? made
        guard !diagnostics.debugParts.isDisjoint(with: .transfer) else { return transport }
        return DebugTransport(transport, diagnostics, counter: requestCounter)
    }
}

package struct TransportChoice: Sendable, Equatable {
    /// A PEM file of certificate authorities to trust instead of the system's.
    package var certificateFile: String?
    /// Time in seconds without a byte after which a transfer fails; nil for the default.
    package var stallTimeout: Int?

    package init(certificateFile: String?, stallTimeout: Int? = nil) {
        self.certificateFile = certificateFile
        self.stallTimeout = stallTimeout
    }
}

/// What the standard streams are connected to.
package struct TerminalFacts: Sendable, Equatable {
    package var isOutputTerminal: Bool
    package var isErrorTerminal: Bool
    package var isInputTerminal: Bool
    /// The width in columns that a table on standard output must fit; nil for any width.
    package var width: Int?
    /// The size of the terminal on standard output; nil if it is not a terminal, or its size is unknown.
    package var outputSize: TerminalExtent?
    /// The size of the terminal on standard error; nil if it is not a terminal, or its size is unknown.
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

extension CommandEnvironment {
    /// The configuration file, which is not opened yet.
    package func configurationFile() throws(ConfigurationError) -> ConfigurationFile {
        do throws(StorageError) {
            return try ConfigurationFile(environment: variables)
        } catch {
            throw .storage(error)
        }
    }

    /// The content of the configuration file, which is read once; nil if there is none.
    ///
    /// - Throws: `.invalid` if it has any error, and the errors of `ConfigurationFile.read`.
    package func configuration() throws(ConfigurationError) -> ConfigurationDocument? {
        try configurationCache.document { () throws(ConfigurationError) in
            let file: ConfigurationFile
            do throws(StorageError) {
                file = try ConfigurationFile(environment: variables)
            } catch {
                // Without a home directory there is no file in it, either.
                return nil
            }
            guard let document = try file.read() else { return nil }
            guard document.problems.isEmpty else { throw .invalid(path: document.path, document.problems) }
            return document
        }
    }

    /// The settings for a run with this choice, from variables and the file. All code reads settings through this, with
    /// `wholeNumber(.retry)`, `text(.readerDriver)` and so on.
    ///
    /// A profile's section applies if the profile is named by flag, by `CLOVER_PROFILE` or by `profile` in the file, or if
    /// it is the one that `auth switch` or the last sign-in chose. It does not apply if a merchant or environment is named
    /// instead.
    package func settings(for choice: ConnectionChoice) async throws -> ConfigurationLayers {
        let document = try configuration()
        func layers(_ profile: String?, isNamed: Bool = false) -> ConfigurationLayers {
            ConfigurationLayers(
                variables: variables, document: document, profile: profile, isProfileNamed: isNamed)
        }
        if let profile = choice.profile { return layers(profile, isNamed: true) }
        guard choice.environment == nil, choice.merchantID == nil else { return layers(nil) }
        if let profile = variables.nonEmpty("CLOVER_PROFILE") { return layers(profile, isNamed: true) }
        guard let document, !ConnectionChoice.isNamed(by: variables) else { return layers(nil) }
        if let profile = document.common[.profile]?.text { return layers(profile) }
        let isOpen = document.common[.merchant] == nil && document.common[.environment] == nil
        guard isOpen, !document.profiles.isEmpty, variables.nonEmpty("CLOVER_ACCESS_TOKEN") == nil else {
            return layers(nil)
        }
        return layers(try await credentialStore().currentChoice()?.profile)
    }
}

extension CommandEnvironment {
    /// The address of the database that several machines share; nil for files.
    package func sharedState() throws -> String? {
        let text = try ConfigurationLayers(variables: variables, document: configuration()).text(.state)
        return text == ValueKind.files ? nil : text
    }

    /// The keys that encrypt sign-ins in that database, beside the configuration file or in the keyring.
    package func stateKeys() throws -> StateKeyFile {
        let diagnostics = diagnostics
        return StateKeyFile(
            directory: try configurationFile().directory, vault: secretVault(), state: try stateDirectory()
        ) { use in
            diagnostics.warnOnce(
                "\(use); remove no key on this machine before 'clover state key show' has run with that database "
                    + "without this warning")
        }
    }

    /// The store of sign-ins: the database that several machines share, or else files. Never files in place of the database.
    package func credentialStore() throws -> any CredentialStore {
        let diagnostics = diagnostics
        let onLongWait: @Sendable (CredentialKey) -> Void = { key in
            diagnostics.notice(
                "waiting for another process that is using the tokens of \(key.words)"
            )
        }
        if let shared = try sharedStore(onLongWait) { return shared }
        return try makeCredentialStore(onLongWait)
    }

    /// The names of sign-ins.
    package func profiles() throws -> ProfileStore {
        if let shared = try sharedStore({ _ in }) { return ProfileStore(shared.names) }
        return ProfileStore(state: try stateDirectory())
    }

    private func sharedStore(
        _ onLongWait: @escaping @Sendable (CredentialKey) -> Void
    ) throws -> FleetCredentialStore? {
        guard let address = try sharedState() else { return nil }
        let (diagnostics, pause) = (diagnostics, signInPause)
        return FleetCredentialStore(
            address, keys: try stateKeys(), choices: try makeCredentialStore(onLongWait),
            state: try stateDirectory(), patience: signInPatience, openLimit: databaseLimit, waits: databaseWaits,
            onAway: { error in
                pause?.isHeldUp(by: error.map { Obstacle("\($0)", check: "clover state check") })
                if let error { diagnostics.warning("waiting for the database with the sign-ins: \(error)") }
            },
            onLongWait: onLongWait)
    }

    /// An environment whose sign-ins are waited for while their database is away.
    ///
    /// - Parameters:
    ///   - limit: the time of the whole run, in seconds; nil for as long as it takes.
    ///   - pause: notes such a wait until the next request is sent.
    package func waitingForSignIns(
        atMost limit: Double?, noting pause: RateLimitPause? = nil
    ) -> CommandEnvironment {
        var waiting = self
        waiting.databasePatience = .untilBack(limit)
        waiting.signInPause = pause
        pause?.watch(databaseWaits)
        return waiting
    }

    /// An environment that waits less for a database that does not respond. What must be stored is not affected.
    ///
    /// - Parameter seconds: at most, for each session; nil for the usual ones.
    package func limitingDatabase(atMost seconds: Double?) -> CommandEnvironment {
        var limited = self
        limited.databasePatience = seconds.map(DatabasePatience.session) ?? .usual
        return limited
    }

    /// The same, for all sessions until the run ends.
    ///
    /// - Parameter limit: the time of the whole run, in seconds; nil for the usual waits.
    package func limitingDatabase(toRun limit: Double?) -> CommandEnvironment {
        var limited = self
        limited.databasePatience = limit.map(DatabasePatience.run) ?? .usual
        return limited
    }

    /// Seconds that a command which does not wait for a database that is away waits for one that does not respond; nil for the
    /// usual ones.
    package var databaseLimit: Double? {
        switch databasePatience {
        case .usual, .untilBack: nil
        case .session(let seconds): seconds
        // 0 stands for no wait elsewhere.
        case .run(let limit): timeLeft(of: limit).map { max($0, 0.001) }
        }
    }

    /// Seconds to wait for the database with the sign-ins while it is away.
    private var signInPatience: Double {
        guard case .untilBack(let limit) = databasePatience else { return 0 }
        return timeLeft(of: limit).map { max($0, 0.001) } ?? .infinity
    }

    /// When a run with this time limit ends, in seconds since the machine started; nil without a limit.
    package func end(of limit: Double?) -> Double? { limit.map { Double(beganAt) / 1000 + $0 } }

    /// The rest of a time limit of the whole run, in seconds; nil without one.
    package func timeLeft(of limit: Double?) -> Double? {
        end(of: limit).map { max(0, $0 - Double(clock.boot()) / 1000) }
    }

    /// Loads a stored credential; nil if there is none. If its tokens are gone from the keyring, the error has its name.
    package func credential(_ key: CredentialKey) async throws -> Credential? {
        do {
            return try await credentialStore().load(key)
        } catch CredentialError.missingInKeyring(let key) {
            throw await CoreError.tokens(.credential(.missingInKeyring(key)), of: key, in: self)
        }
    }

    package func oauthClient(_ endpoints: OAuthEndpoints, certificateFile: String?) -> OAuthClient {
        let notifier = RateLimitNotifier(diagnostics, clock)
        return OAuthClient(
            endpoints: endpoints, transport: transport(TransportChoice(certificateFile: certificateFile)),
            clock: clock, sleep: sleep, onPause: { notifier.waits(limit: "429", seconds: $0) })
    }

    /// Runs a shell command of `--exec` to its end, also when this process is asked to stop meanwhile: otherwise it would
    /// be unknown whether the command has done its work. A second signal ends this process at once.
    ///
    /// - Parameters:
    ///   - variables: in addition to those of this process.
    ///   - input: for its standard input.
    /// - Returns: its exit status.
    package func runToEnd(_ line: String, _ variables: [String: String], _ input: [UInt8]) async throws -> Int32 {
        criticalWork.beginHeld(patience: .max)
        defer { criticalWork.endHeld() }
        return try await withTaskCancellationHandler {
            // Awaited here and never cancelled.
            try await Task { try await runShell(line, variables, input) }.value
        } onCancel: {
            diagnostics.notice("waiting for the command of --exec to end; a second signal ends clover without it")
        }
    }

    /// Makes the refresher of the tokens of `key`, which renews them once for all processes.
    ///
    /// - Parameter profile: the sign-in's name for notices, if known.
    package func tokenRefresher(
        for key: CredentialKey, profile: String?, certificateFile: String?
    ) throws -> TokenRefresher {
        let service = try ServiceEnvironment(parsing: key.environment)
        let diagnostics = diagnostics
        let criticalWork = criticalWork
        return TokenRefresher(
            store: try credentialStore(),
            client: oauthClient(
                OAuthEndpoints(webBaseURL: service.webBaseURL, apiBaseURL: service.apiBaseURL),
                certificateFile: certificateFile),
            clock: clock,
            onLoad: { credential in
                diagnostics.mask.hide(credential.accessToken)
                if let token = credential.refreshToken { diagnostics.mask.hide(token) }
            },
            onNotice: { notice in
                switch notice {
                case .asking: criticalWork.begin()
                case .asked: criticalWork.end()
                default: break
                }
                if let problem = TokenNoticeText.problem(notice, profile: profile) { diagnostics.notice(problem) }
                if let detail = TokenNoticeText.detail(notice) { diagnostics.detail(detail) }
            })
    }
}

/// How long a run waits for the database of its sign-ins and charges.
private enum DatabasePatience {
    /// Not while it is away, and the usual time for one that does not respond.
    case usual
    /// Until it is back, or the run ends by its time limit in seconds.
    case untilBack(Double?)
    /// This many seconds for each session.
    case session(Double)
    /// Until the run ends by its time limit in seconds.
    case run(Double)
}

/// Caches the configuration file as first read, so that a run sees only one version of it.
final class ConfigurationCache: Sendable {
    /// The outer nil means not read yet.
    private let document = Mutex<ConfigurationDocument??>(nil)

    /// The document, which `read` reads on the first call.
    func document(
        _ read: () throws(ConfigurationError) -> ConfigurationDocument?
    ) throws(ConfigurationError) -> ConfigurationDocument? {
        if let known = document.withLock({ $0 }) { return known }
        let found = try read()
        document.withLock { $0 = .some(found) }
        return found
    }
}

extension ConfigurationLayers {
    /// A configured path. A leading `~/` stands for the home directory from `HOME` or, if unset, from the user database.
    func path(_ key: ConfigurationKey) throws(ConfigurationError) -> String? {
        guard let text = try value(of: key)?.text else { return nil }
        guard text.hasPrefix("~/") else { return text }
        do throws(StorageError) {
            return try UserDirectory.inHome(String(text.dropFirst(2)), in: variables)
        } catch {
            throw .storage(error)
        }
    }
}
