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
        // Before a program is compiled, which takes the environment with it.
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

        // Waited for below; cancelled by a signal, and when nobody reads the output any more. It begins when we wait.
        let task = Task {
            // Not before: while libraries are loaded no thread can be made, and no symbol looked up, so that the command
            // would begin when all of them are there.
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
        // That money may have moved is said whoever listens.
        if outputWatch.hasClosed, ending != .status(ExitStatus.outcomeUnknown.rawValue) { ProcessEnd.raise(SIGPIPE) }

        // A pager that fails has not shown what was asked for.
        if let failure = pager.failure, signals.signal == nil, [.cancelled, .outputClosed, .status(0)].contains(ending)
        {
            environment.diagnostics.failure(
                "the pager '\(failure.line)' ended with \(failure.status), and may not have shown all; --no-pager goes without one",
                code: "pager_failed", status: ExitStatus.inputOutput.rawValue)
            messages.flush()
            _exit(ExitStatus.inputOutput.rawValue)
        }

        // Whoever leaves the pager has seen enough.
        if pager.wasLeft, signals.signal == nil, ending == .cancelled { ProcessEnd.raise(SIGPIPE) }

        // A pager that was open when the signal came has been waited for.
        if let signal = signals.signal, signal != SIGINT { ProcessEnd.raise(signal) }

        switch ending {
        case .status(let status):
            // The command came to its end all the same, as a renewal of tokens does. A script is to go no further.
            if let signal = signals.signal, !Program.outlivesInterrupt(arguments, status: status) {
                ProcessEnd.raise(signal)
            }
            // Not exit(3): it would take libraries down under threads that still use them, such as OpenSSL under a
            // transfer that is being cancelled. Nothing waits in a buffer of the C library.
            _exit(status)
        case .outputClosed: ProcessEnd.raise(SIGPIPE)
        case .cancelled:
            await output.settle()
            ProcessEnd.raise(signals.signal ?? SIGTERM)
        }
    }
}
