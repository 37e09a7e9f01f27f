import CLinux
import CloverAuth
import CloverCallback
import CloverCommands
import CloverCore
import CloverHTTP
import CloverOutput
import CloverSystem
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
                return CodePageReleasingTransport(CurlTransport(settings: settings))
            },
            stateDirectory: stateDirectory,
            makeCredentialStore: { try FileCredentialStore(state: stateDirectory(), vault: vault, onLongWait: $0) },
            readStandardInput: { try DescriptorReader.readAll(STDIN_FILENO, limit: $0) },
            readInputLine: { try await StandardInputLine.read(limit: $0, skipsBlank: $1) },
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
                outputSize: TerminalExtent(of: STDOUT_FILENO), errorSize: TerminalExtent(of: STDERR_FILENO)),
            processors: { processors })
        environment.transportVersion = { () throws(HTTPTransportError) in try CurlTransport.libraryVersion() }
        environment.screen = LiveScreen.make(variables: variables, pager: pager)
        return environment
    }

    /// Cached, because counting processors reads the control group files.
    private static let processors = ProcessInfo.processInfo.activeProcessorCount
}

/// Access to the real terminal.
enum LiveScreen {
    static func make(variables: [String: String], pager: PagerProcess) -> TerminalCapabilities {
        var screen = TerminalCapabilities(variables: variables, isOutputTerminal: isatty(STDOUT_FILENO) == 1)
        screen.outputSize = { TerminalExtent(of: STDOUT_FILENO) }
        screen.errorSize = { TerminalExtent(of: STDERR_FILENO) }
        screen.isSharedWithReader = { TerminalReaders.areThere() }
        screen.hasProgram = { name in
            if name.contains("/") { return access(name, X_OK) == 0 }
            let folders = variables["PATH", default: "/usr/bin:/bin"].split(separator: ":")
            return folders.contains { access("\($0)/\(name)", X_OK) == 0 }
        }
        screen.startPager = { pager.start($0, variables: variables) }
        screen.enterAlternateScreen = { ViewSignals.hold(begin: $0, end: $1) }
        return screen
    }

    /// The number of columns for tables: those of the terminal, or `COLUMNS` if standard output is not a terminal.
    static func width(variables: [String: String]) -> Int? {
        if isatty(STDOUT_FILENO) == 1 { return TerminalExtent(of: STDOUT_FILENO)?.columns }
        return variables["COLUMNS"].flatMap { Int($0) }.flatMap { $0 > 0 ? $0 : nil }
    }
}

/// Detects whether another program in the pipeline reads our output and writes to our terminal: `clover get ... | jq
/// .`.
enum TerminalReaders {
    /// The programs of a pipeline form one process group (credentials(7)). A program counts if its standard output is
    /// the terminal of our standard error, or if that cannot be determined. Returns false if standard output is not a
    /// pipe, because then no other program reads it.
    static func areThere() -> Bool {
        var output = stat()
        var terminal = stat()
        guard fstat(STDOUT_FILENO, &output) == 0, output.st_mode & S_IFMT == S_IFIFO,
            fstat(STDERR_FILENO, &terminal) == 0
        else { return false }
        guard let directory = opendir("/proc") else { return true }
        defer { closedir(directory) }
        let group = getpgrp()
        while let entry = readdir(directory) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { pointer in
                pointer.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            guard let process = pid_t(name), process != getpid(), getpgid(process) == group else { continue }
            var other = stat()
            // stat(2) follows the link to the open file (proc(5)).
            let isKnown = stat("/proc/\(process)/fd/\(STDOUT_FILENO)", &other) == 0
            if isKnown ? other.st_rdev == terminal.st_rdev && other.st_mode & S_IFMT == S_IFCHR : errno != ENOENT {
                return true
            }
        }
        return false
    }
}

/// Runs a shell command given by the user.
enum ShellCommand {
    /// Runs `/bin/sh -c line` until it ends. Its output goes to clover's standard error, because standard output is for
    /// data.
    ///
    /// - Parameters:
    ///   - variables: in addition to those of this process, without its secrets.
    ///   - input: small enough for a pipe's buffer (pipe(7)), so that writing it does not block.
    /// - Returns: the status as a shell reports it: 128 plus the signal's number if a signal ended it.
    static func run(
        _ line: String, variables: [String: String], own: [String: String], input: [UInt8]
    ) async throws -> Int32 {
        let all = ChildVariables.withoutSecrets(own).merging(variables) { $1 }
        return try await DedicatedThread.run {
            do throws(ChildPlan.StartError) {
                return try ChildStatus.wait(for: try start(line, variables: all, input: input))
            } catch {
                throw CoreError.cannotRun(errno: error.errno)
            }
        }
    }

    private static func start(
        _ line: String, variables: [String: String], input: [UInt8]
    ) throws(ChildPlan.StartError) -> Int32 {
        var ends: [Int32] = [0, 0]
        guard pipe2(&ends, O_CLOEXEC) == 0 else { throw ChildPlan.StartError(errno: errno) }
        defer { for end in ends { close(end) } }
        // SIGPIPE is blocked on this thread; a child that does not read its input is not an error.
        _ = input.withUnsafeBytes { write(ends[1], $0.baseAddress, $0.count) }
        var plan = ChildPlan(shell: line, variables: variables)
        plan.input = .descriptor(ends[0])
        plan.output = .descriptor(STDERR_FILENO)
        return try plan.start()
    }
}
