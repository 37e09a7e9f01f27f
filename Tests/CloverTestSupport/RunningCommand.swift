import Dispatch
import Foundation
import Glibc
import Synchronization

/// A running command. Its output can be awaited and signals can be sent while it runs.
package final class RunningCommand: Sendable {
    private struct State {
        var ending: CommandResult.Ending?
        var outOfTime = false
        var waiters: [CheckedContinuation<Void, Never>] = []
    }

    package let pid: Int32
    private let arguments: [String]
    private let output = OutputBuffer()
    private let errors = OutputBuffer()
    private let state = Mutex(State())
    private let limit: Duration

    init(pid: pid_t, arguments: [String], output: Int32?, errors: Int32, limit: Duration) {
        self.pid = pid
        self.arguments = arguments
        self.limit = limit
        if let output { self.output.fill(from: output) } else { self.output.end() }
        self.errors.fill(from: errors)
        ProcessRegistry.shared.add(pid)
        // The thread does not retain the command, so that `deinit` kills a command that is no longer referenced.
        let ended = ProcessWatcher()
        notice = ended
        Thread.detachNewThread { ended.waitForProcess(pid) }
        ended.whenDone { [weak self] ending in self?.end(ending) }
        DispatchQueue.global().asyncAfter(deadline: .now() + limit.inSeconds) { [weak self] in self?.killAtLimit() }
    }

    private let notice: ProcessWatcher

    deinit { notice.kill(pid) }

    package var outputSoFar: [UInt8] { output.bytes }

    package var errorsSoFar: String { String(decoding: errors.bytes, as: UTF8.self) }

    /// Waits until stdout so far meets the condition.
    package func waitForOutput(
        _ awaited: String, limit: Duration = .seconds(120), _ condition: @escaping @Sendable ([UInt8]) -> Bool
    ) async throws {
        guard await output.wait(limit: limit, for: condition) else { throw notSeen(awaited) }
    }

    /// Waits until stderr so far contains the text.
    package func waitForErrors(containing text: String, limit: Duration = .seconds(120)) async throws {
        let seen = await errors.wait(limit: limit) { String(decoding: $0, as: UTF8.self).contains(text) }
        guard seen else { throw notSeen(text) }
    }

    /// Waits until stderr so far meets the condition.
    package func waitForErrors(
        matching awaited: String, limit: Duration = .seconds(120), _ condition: @escaping @Sendable (String) -> Bool
    ) async throws {
        let seen = await errors.wait(limit: limit) { condition(String(decoding: $0, as: UTF8.self)) }
        guard seen else { throw notSeen(awaited) }
    }

    /// Waits for the first line of stdout and returns it without its line break.
    package func firstLine(limit: Duration = .seconds(120)) async throws -> String {
        try await waitForOutput("a first line", limit: limit) { $0.contains(UInt8(ascii: "\n")) }
        return String(decoding: output.bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    }

    /// Sends a signal to the process unless it has ended.
    package func send(_ signal: Int32) {
        notice.send(signal, to: pid)
    }

    /// Whether a signal has stopped it.
    package var isStopped: Bool { notice.isStopped(pid) }

    /// Whether the end has been seen.
    package var hasEnded: Bool { state.withLock { $0.ending != nil } }

    /// Waits for the end. Throws ``CommandError/outOfTime(_:)`` when the command had to be killed.
    package func result() async throws -> CommandResult {
        await withCheckedContinuation { continuation in
            let ended = state.withLock { state in
                if state.ending == nil { state.waiters.append(continuation) }
                return state.ending != nil
            }
            if ended { continuation.resume() }
        }
        // A grandchild may hold the pipes for longer than the command itself lived.
        _ = await output.waitForEnd(limit: .seconds(10))
        _ = await errors.waitForEnd(limit: .seconds(10))
        let (ending, outOfTime) = state.withLock { ($0.ending, $0.outOfTime) }
        let result = CommandResult(
            arguments: arguments, ending: ending ?? .exited(-1), output: output.bytes, errors: errors.bytes)
        if outOfTime { throw CommandError.outOfTime(result) }
        return result
    }

    /// Writes bytes to a pipe on a separate thread, then closes it. A closed reader ends it silently.
    static func feed(_ bytes: [UInt8], into descriptor: Int32) {
        Thread.detachNewThread {
            var blocked = sigset_t()
            sigemptyset(&blocked)
            sigaddset(&blocked, SIGPIPE)
            pthread_sigmask(SIG_BLOCK, &blocked, nil)
            var rest = bytes[...]
            while !rest.isEmpty {
                let count = rest.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
                if count < 0 && errno == EINTR { continue }
                if count <= 0 { break }
                rest = rest.dropFirst(count)
            }
            close(descriptor)
        }
    }

    private func killAtLimit() {
        let late = state.withLock { state in
            if state.ending == nil { state.outOfTime = true }
            return state.ending == nil
        }
        if late { notice.kill(pid) }
    }

    private func end(_ ending: CommandResult.Ending) {
        let waiters = state.withLock { state in
            state.ending = ending
            defer { state.waiters = [] }
            return state.waiters
        }
        for waiter in waiters { waiter.resume() }
    }

    private func notSeen(_ awaited: String) -> CommandError {
        .notSeen(
            awaited: awaited, output: String(decoding: output.bytes, as: UTF8.self),
            errors: String(decoding: errors.bytes, as: UTF8.self))
    }
}

/// Waits for one process, and prevents signals from reaching another process that reuses its id.
final class ProcessWatcher: Sendable {
    private enum State {
        case running(whenDone: (@Sendable (CommandResult.Ending) -> Void)?)
        case done(CommandResult.Ending)
    }

    private let state = Mutex(State.running(whenDone: nil))

    /// Blocks until the process ends. The process id stays taken until the state says so, because `waitid(2)` with
    /// `WNOWAIT` leaves the process to be reaped under the lock that ``send(_:to:)`` takes.
    func waitForProcess(_ pid: pid_t) {
        var information = siginfo_t()
        while waitid(P_PID, id_t(pid), &information, WEXITED | WNOWAIT) != 0 && errno == EINTR {}
        let notify: (@Sendable () -> Void)? = state.withLock { state in
            // Kills what remains of its group, before the group id is released.
            Glibc.kill(-pid, SIGKILL)
            var status: Int32 = 0
            while waitpid(pid, &status, 0) < 0 && errno == EINTR {}
            let signal = status & 0x7f
            let ending: CommandResult.Ending = signal == 0 ? .exited((status >> 8) & 0xff) : .signalled(signal)
            guard case .running(let whenDone) = state else { return nil }
            state = .done(ending)
            guard let whenDone else { return nil }
            return { whenDone(ending) }
        }
        ProcessRegistry.shared.remove(pid)
        notify?()
    }

    /// Calls `action` once when the process has ended; immediately if it already has.
    func whenDone(_ action: @escaping @Sendable (CommandResult.Ending) -> Void) {
        let done: CommandResult.Ending? = state.withLock { state in
            switch state {
            case .running:
                state = .running(whenDone: action)
                return nil
            case .done(let ending): return ending
            }
        }
        if let done { action(done) }
    }

    func send(_ signal: Int32, to pid: pid_t) {
        state.withLock { state in
            if case .running = state { Glibc.kill(pid, signal) }
        }
    }

    /// Whether a signal has stopped the process and it has not been continued. Asks the kernel instead of reading
    /// `/proc/PID`, whose names the kernel would have to forget when the process ends, while others do the same.
    func isStopped(_ pid: pid_t) -> Bool {
        state.withLock { state in
            guard case .running = state else { return false }
            var information = siginfo_t()
            return waitid(P_PID, id_t(pid), &information, WSTOPPED | WNOWAIT | WNOHANG) == 0
                && information.si_signo == SIGCHLD
        }
    }

    /// Kills the process and its process group.
    func kill(_ pid: pid_t) {
        state.withLock { state in
            if case .running = state { Glibc.kill(-pid, SIGKILL) }
        }
    }
}

/// The output of a process to one descriptor so far. A separate thread fills it; conditions on it can be awaited.
final class OutputBuffer: Sendable {
    private struct Waiter {
        let condition: @Sendable ([UInt8]) -> Bool
        let continuation: CheckedContinuation<Bool, Never>
    }

    private struct State {
        var bytes: [UInt8] = []
        var ended = false
        var waiters: [Int: Waiter] = [:]
        var nextWaiter = 0
    }

    private let state = Mutex(State())

    var bytes: [UInt8] { state.withLock { $0.bytes } }

    /// Reads `descriptor` to its end on a new thread, then closes it.
    func fill(from descriptor: Int32) {
        Thread.detachNewThread { [self] in
            var chunk = [UInt8](repeating: 0, count: 65536)
            // Linux looks for a terminal's output before it looks whether the terminal was closed, so that the first EIO may
            // come before the last output. Nothing can be written after it, and the next read finds what is there.
            var isClosed = false
            while true {
                let count = read(descriptor, &chunk, chunk.count)
                if count < 0 && errno == EINTR { continue }
                if count < 0 && errno == EIO && !isClosed {
                    isClosed = true
                    continue
                }
                if count <= 0 { break }
                append(chunk[0..<count])
            }
            close(descriptor)
            end()
        }
    }

    /// Ends the buffer, also one that nothing fills.
    func end() {
        let waiters = state.withLock { state in
            state.ended = true
            defer { state.waiters = [:] }
            return state.waiters.map { ($0.value, $0.value.condition(state.bytes)) }
        }
        for (waiter, met) in waiters { waiter.continuation.resume(returning: met) }
    }

    /// Waits until the bytes so far meet `condition`. False when the stream ended or the limit passed before that.
    func wait(limit: Duration, for condition: @escaping @Sendable ([UInt8]) -> Bool) async -> Bool {
        await withCheckedContinuation { continuation in
            let number: Int? = state.withLock { state in
                if state.ended || condition(state.bytes) { return nil }
                state.nextWaiter += 1
                state.waiters[state.nextWaiter] = Waiter(condition: condition, continuation: continuation)
                return state.nextWaiter
            }
            guard let number else {
                continuation.resume(returning: condition(bytes))
                return
            }
            DispatchQueue.global().asyncAfter(deadline: .now() + limit.inSeconds) { [self] in
                state.withLock { $0.waiters.removeValue(forKey: number) }?.continuation.resume(returning: false)
            }
        }
    }

    /// Waits for the end of the stream.
    func waitForEnd(limit: Duration) async -> Bool {
        _ = await wait(limit: limit) { _ in false }
        return state.withLock { $0.ended }
    }

    private func append(_ chunk: ArraySlice<UInt8>) {
        let met = state.withLock { state in
            state.bytes.append(contentsOf: chunk)
            let met = state.waiters.filter { $0.value.condition(state.bytes) }
            for number in met.keys { state.waiters[number] = nil }
            return Array(met.values)
        }
        for waiter in met { waiter.continuation.resume(returning: true) }
    }
}

extension Duration {
    var inSeconds: Double { Double(components.seconds) + Double(components.attoseconds) * 1e-18 }
}

/// The running processes that tests have started. They are killed when the test runner exits.
final class ProcessRegistry: Sendable {
    static let shared = ProcessRegistry()

    private let running = Mutex(Set<pid_t>())

    private init() {
        atexit { ProcessRegistry.shared.killAll() }
    }

    func add(_ pid: pid_t) { running.withLock { _ = $0.insert(pid) } }

    func remove(_ pid: pid_t) { running.withLock { _ = $0.remove(pid) } }

    private func killAll() {
        running.withLock { pids in
            for pid in pids { kill(-pid, SIGKILL) }
        }
    }
}
