import CLinux
import CloverSystem
import Glibc

/// A running driver program: lines to it and from it, and its end. Everything that blocks runs on its own thread, which ends
/// with the program.
///
/// The caller that starts it must `stop` it.
final class DriverProcess: Sendable {
    /// Receives a line; nil if none arrived in time.
    typealias Waiter = CheckedContinuation<Result<[UInt8]?, any Error>, Never>

    struct State: Sendable {
        /// Complete lines that were not read yet.
        var lines: [[UInt8]] = []
        /// Why no more lines will arrive.
        var failure: DriverFailure?
        /// Bytes that the driver has not read yet.
        var outgoing: [UInt8] = []
        var waiter: Waiter?
        var deadline: ContinuousClock.Instant?
        var isStopping = false
        /// Set when the program has ended and everything is cleaned up.
        var ending: Ending?
        var stoppers: [CheckedContinuation<Ending, Never>] = []
    }

    struct Ending: Sendable {
        /// `ended` or `killed`.
        let failure: DriverFailure
        /// Whether a signal had to be sent.
        let wasForced: Bool
    }

    let state = Monitor(State())
    /// Wakes the thread.
    private let wake: EventFD

    /// - Parameter onErrorLine: receives each line of its standard error, unchanged, on the thread.
    init(
        _ command: DriverCommand, variables: [String: String], limits: DriverLimits,
        onErrorLine: @escaping @Sendable (String) -> Void
    ) throws(DriverFailure) {
        do {
            wake = try EventFD()
        } catch {
            throw .notStarted(errno: error.code)
        }
        let spawned = try SpawnedDriver.start(command, variables: variables)
        // The thread retains the object, which therefore outlives it.
        let errno = DedicatedThread.tryStart(name: "clover-driver") { [self] in
            DriverThread(spawned, wake: wake, state: state, limits: limits, onErrorLine: onErrorLine).run()
            withExtendedLifetime(self) {}
        }
        if errno != 0 {
            spawned.abandon()
            throw .notStarted(errno: errno)
        }
    }

    /// Sends a line. What the driver does not read is buffered; the driver's silence then shows the fault.
    func send(_ line: [UInt8]) {
        state.update { state in
            if !state.isStopping { state.outgoing += line + [UInt8(ascii: "\n")] }
        }
        wake.signal()
    }

    /// Waits for the next line; only one task may wait at a time.
    /// - Parameter isCancellable: false for cleanup that must also run in a cancelled task.
    /// - Returns: nil if no line arrived in time.
    /// - Throws: `DriverFailure` if no more lines will arrive; `CancellationError`.
    func nextLine(within seconds: Double, isCancellable: Bool = true) async throws -> [UInt8]? {
        guard isCancellable else { return try await wait(seconds).get() }
        try Task.checkCancellation()
        return try await withTaskCancellationHandler {
            try await wait(seconds, isCancellable: true).get()
        } onCancel: {
            let waiter = state.update { $0.takeWaiter() }
            waiter?.resume(returning: .failure(CancellationError()))
        }
    }

    /// Ends the program: closes its standard input, then sends SIGTERM, then SIGKILL. Returns when it has ended; works in a
    /// cancelled task too.
    @discardableResult
    func stop() async -> Ending {
        await withCheckedContinuation { continuation in
            let ending = state.update { state in
                state.isStopping = true
                if state.ending == nil { state.stoppers.append(continuation) }
                return state.ending
            }
            if let ending { continuation.resume(returning: ending) }
            wake.signal()
        }
    }

    private func wait(_ seconds: Double, isCancellable: Bool = false) async -> Result<[UInt8]?, any Error> {
        await withCheckedContinuation { continuation in
            let ready: Result<[UInt8]?, any Error>? = state.update { state in
                if !state.lines.isEmpty { return .success(state.lines.removeFirst()) }
                if let failure = state.failure { return .failure(failure) }
                // If cancelled after the check and before this point, nothing else would wake the task.
                if isCancellable, Task.isCancelled { return .failure(CancellationError()) }
                state.waiter = continuation
                state.deadline = .now + .seconds(seconds)
                return nil
            }
            if let ready { continuation.resume(returning: ready) }
            // There may be room for lines again, or a new deadline.
            wake.signal()
        }
    }
}

extension DriverProcess.State {
    /// Removes and returns the waiting continuation, if any.
    mutating func takeWaiter() -> DriverProcess.Waiter? {
        defer {
            waiter = nil
            deadline = nil
        }
        return waiter
    }
}

/// A driver program that was started, and this process's ends of its pipes.
package struct SpawnedDriver: Sendable {
    /// Also the ID of its process group.
    package let processID: Int32
    /// Readable when the process has ended (pidfd_open(2)).
    package let processDescriptor: Int32
    package let input: Int32
    package let output: Int32
    package let errors: Int32

    /// Starts the program as the leader of a new process group, so that Ctrl-C does not reach it before this program.
    package static func start(_ command: DriverCommand, variables: [String: String]) throws(DriverFailure)
        -> SpawnedDriver
    {
        let path = try command.file(path: variables["PATH"])
        var pipes: [[Int32]] = []
        func closeAll() { for end in pipes.joined() { close(end) } }
        for _ in 0..<3 {
            var ends: [Int32] = [0, 0]
            guard pipe2(&ends, O_CLOEXEC) == 0 else {
                let number = errno
                closeAll()
                throw .notStarted(errno: number)
            }
            pipes.append(ends)
        }
        let (input, output, errors) = (pipes[0], pipes[1], pipes[2])
        var plan = ChildPlan(
            path: path, words: command.words, variables: ChildVariables.withoutSecrets(variables))
        plan.standing = .ownGroup
        plan.input = .descriptor(input[0])
        plan.output = .descriptor(output[1])
        plan.errors = .descriptor(errors[1])
        let process: pid_t
        do throws(ChildPlan.StartError) {
            process = try plan.start()
        } catch {
            closeAll()
            throw .notStarted(errno: error.errno)
        }
        for end in [input[0], output[1], errors[1]] { close(end) }
        for end in [input[1], output[0], errors[0]] { _ = fcntl(end, F_SETFL, O_NONBLOCK) }
        let descriptor = clover_pidfd_open(process, 0)
        let number = errno
        let spawned = SpawnedDriver(
            processID: process, processDescriptor: descriptor, input: input[1], output: output[0], errors: errors[0])
        if descriptor < 0 {
            spawned.abandon()
            throw .notStarted(errno: number)
        }
        return spawned
    }

    /// Kills a program that no thread manages, and closes its descriptors.
    package func abandon() {
        kill(-processID, SIGKILL)
        while waitpid(processID, nil, 0) < 0, errno == EINTR {}
        for end in [processDescriptor, input, output, errors] where end >= 0 { close(end) }
    }
}

/// A driver program and its arguments.
package struct DriverCommand: Sendable, Equatable {
    /// The program, followed by its arguments; at least one word.
    package let words: [String]

    /// Parses a command line of words and quotes (`CommandLineSplitter`).
    /// - Returns: nil if there is no word, or a quote is not closed.
    package init?(parsing text: String) {
        let (words, isClosed) = CommandLineSplitter.split(text)
        guard isClosed, let program = words.first, !program.isEmpty else { return nil }
        self.words = words
    }

    /// The program's name, for messages.
    package var name: String {
        words[0].split(separator: "/").last.map(String.init) ?? words[0]
    }

    /// Finds the program, without starting it.
    ///
    /// - Returns: its path.
    /// - Throws: `ReaderError.driver`, with the reason why it cannot be started.
    package func locate(variables: [String: String]) throws(ReaderError) -> String {
        let path: String
        do throws(DriverFailure) {
            path = try file(path: variables["PATH"])
        } catch {
            throw .driver(error, program: name)
        }
        guard access(path, X_OK) == 0 else { throw .driver(.notStarted(errno: errno), program: name) }
        return path
    }

    /// The program's file (`ProgramSearch`). A name that contains a slash is returned as it is, even if there is no such
    /// file.
    /// - Throws: `DriverFailure.notStarted`.
    func file(path: String?) throws(DriverFailure) -> String {
        if words[0].contains("/") { return words[0] }
        guard let file = ProgramSearch.find(words[0], path: path) else { throw .notStarted(errno: ENOENT) }
        return file
    }
}
