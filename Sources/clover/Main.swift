import CLinux
import CloverCommands
import CloverCore
import CloverHTTP
import CloverOutput
import CloverSystem
import FoundationEssentials
import Glibc

/// The program: prepares the process, runs the command, and ends as the shell expects.
@main
struct Main {
    /// With fewer, a command waits for ever: for the pool that runs Swift's tasks, transfers, signals and the output.
    private static let leastThreads = 10

    static func main() async {
        StandardDescriptors.occupy()
        guard DedicatedThread.canRun(leastThreads) else {
            let text =
                "clover: this process cannot start \(leastThreads) threads, which it needs\n"
                + "  raise the limit of processes (ulimit -u), or the container's (pids.max), or end other programs\n"
            _ = text.withCString { write(STDERR_FILENO, $0, strlen($0)) }
            _exit(ExitStatus.inputOutput.rawValue)
        }
        let variables = ProcessInfo.processInfo.environment
        // Before a jq program is compiled, because libjq copies the environment.
        ChildVariables.hideSecretsFromProcess(variables, where: Redaction.isSecretVariable)
        MemorySecrecy.establish()
        MemoryReuse.establish()
        let arguments = AliasExpansion.expanded(ProgramArguments.read(), variables: variables)
        Program.prepare(arguments)

        let signals = SignalWatch()
        let output = RecordOutput(descriptor: STDOUT_FILENO)
        let pager = PagerProcess()
        let messages = MessageWriter(descriptor: STDERR_FILENO)
        let environment = LiveEnvironment.make(
            variables, standardOutput: output, messages: messages, pager: pager)
        let outputWatch = OutputWatch(
            descriptor: STDOUT_FILENO, isHeld: { environment.criticalWork.isHeld })

        // Awaited below. Cancelled by a signal, and when the reader of the output closes it. Starts when we await it.
        let task = Task {
            // Not earlier: while libraries are being loaded, no thread can be started and no symbol looked up, so the
            // command would have to wait for all of them.
            if Program.readsManyPages(arguments) {
                CurlTransport.prepare(then: ProgramCode.release)
                ProgramCode.release()
            } else if Program.isAboutToSend(arguments) {
                CurlTransport.prepare()
            }
            return await Program.run(arguments, in: environment)
        }
        let progress: @Sendable () -> Int = { output.bytesWritten + environment.criticalWork.look() }
        signals.start(
            pager: pager, onSignal: { task.cancel() }, progress: progress, onAbruptEnd: Program.logAbruptEnd)
        pager.onLeft { task.cancel() }
        outputWatch.start(onClosed: { task.cancel() }, progress: progress)
        let ending = await task.value
        outputWatch.stop()
        if Program.isOutOfTime(arguments, ending) { messages.flush(atMost: 0.5) } else { messages.flush() }
        // Always report that money may have moved, even if the reader of the output is gone.
        if outputWatch.hasClosed, ending != .status(ExitStatus.outcomeUnknown.rawValue) { ProcessEnd.raise(SIGPIPE) }

        // If the pager failed, the output may not have been shown.
        if let failure = pager.failure, signals.signal == nil, [.cancelled, .outputClosed, .status(0)].contains(ending)
        {
            environment.diagnostics.failure(
                "the pager '\(failure.line)' exited with \(failure.status), and may not have shown everything; to avoid it, use --no-pager",
                code: "pager_failed", status: ExitStatus.inputOutput.rawValue)
            messages.flush()
            _exit(ExitStatus.inputOutput.rawValue)
        }

        // Leaving the pager ends the command.
        if pager.wasLeft, signals.signal == nil, ending == .cancelled { ProcessEnd.raise(SIGPIPE) }

        // If a pager was open when the signal came, it has ended by now.
        if let signal = signals.signal, signal != SIGINT { ProcessEnd.raise(signal) }

        switch ending {
        case .status(let status):
            // The command finished despite the signal, as a token renewal does. The signal stops the calling script.
            if let signal = signals.signal, !Program.outlivesInterrupt(arguments, status: status) {
                ProcessEnd.raise(signal)
            }
            // Not exit(3): it would unload libraries under threads that still use them, such as OpenSSL in a transfer
            // that is being cancelled. The C library has no buffered output.
            _exit(status)
        case .outputClosed: ProcessEnd.raise(SIGPIPE)
        case .cancelled:
            await output.settle()
            ProcessEnd.raise(signals.signal ?? SIGTERM)
        }
    }
}

/// The words after the program's name.
///
/// Swift's runtime finds them next to the environment, and finds none if a preloaded library has moved the environment
/// (setenv(3) in a constructor, as in libfaketime). The kernel provides them in any case (proc(5), cmdline).
enum ProgramArguments {
    static func read() -> [String] {
        if CommandLine.argc > 0 { return Array(CommandLine.arguments.dropFirst()) }
        return Array(words(of: "/proc/self/cmdline").dropFirst())
    }

    /// The NUL-terminated words of a file; none if it cannot be read.
    private static func words(of path: String) -> [String] {
        guard let file = fopen(path, "re") else { return [] }
        defer { fclose(file) }
        var words: [String] = []
        var line: UnsafeMutablePointer<CChar>?
        var capacity = 0
        defer { free(line) }
        while getdelim(&line, &capacity, 0, file) >= 0, let text = line { words.append(String(cString: text)) }
        return words
    }
}

/// Keeps descriptors 0, 1 and 2 occupied before anything else is opened.
enum StandardDescriptors {
    /// Fills each one that the parent left closed, so that no other file or pipe gets its number and is mistaken for
    /// it. Reading or writing it still fails with EBADF, because /dev/null is opened for the opposite direction.
    static func occupy() {
        for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(descriptor, F_GETFD) == -1 {
            // open(2) returns the lowest free descriptor, which is the one that was found closed.
            _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }
}

/// Settings of the C library for freed memory (mallopt(3)).
enum MemoryReuse {
    /// Pages of records are allocated and freed many times a second, so keep their memory for reuse. Returning it to
    /// the kernel and getting it back, zeroed, costs a fifth of the processor time of a long run. All threads share
    /// two arenas, because one thread frees what another one has read.
    static func establish() {
        mallopt(M_MMAP_THRESHOLD, 4 << 20)
        mallopt(M_TRIM_THRESHOLD, 8 << 20)
        mallopt(M_ARENA_MAX, 2)
    }
}

/// Keeps the memory of this process, which holds tokens, out of files and away from other processes.
enum MemorySecrecy {
    /// Clears the dumpable attribute (prctl(2), PR_SET_DUMPABLE): there is no core file, neither in the working
    /// directory nor through a program that the kernel starts for it (core(5)), and other processes of the same user
    /// cannot read this process's memory and environment (ptrace(2)). Unlike a core limit of zero, child processes do
    /// not inherit it.
    static func establish() {
        clover_set_not_dumpable()
    }
}

/// Ends the process by a signal, so that the shell sees the cause. Restores a terminal that a live view uses.
enum ProcessEnd {
    static func raise(_ signal: Int32) -> Never {
        RawTerminal.giveBack()
        Glibc.signal(signal, SIG_DFL)
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, signal)
        pthread_sigmask(SIG_UNBLOCK, &signals, nil)
        Glibc.raise(signal)
        // Only reached if the signal does not end the process.
        _exit(128 + signal)
    }
}
