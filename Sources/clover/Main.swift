import CloverCommands
import CloverCore
import CloverCurl
import CloverProcesses
import CloverRecords
import CloverThreads
import FoundationEssentials
import Glibc

/// The program: prepares the process, runs the command, and ends as the shell expects.
@main
struct Main {
    static func main() async {
        StandardDescriptors.occupy()
        let variables = ProcessInfo.processInfo.environment
        // Before a jq program is compiled, because libjq copies the environment.
        ChildVariables.hideSecretsFromProcess()
        MemorySecrecy.establish()
        MemoryReuse.establish()
        let arguments = ProgramArguments.read()
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
        signals.start(pager: pager, onSignal: { task.cancel() }, progress: progress)
        pager.onLeft { task.cancel() }
        outputWatch.start(onClosed: { task.cancel() }, progress: progress)
        let ending = await task.value
        outputWatch.stop()
        messages.flush()
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
