import Dispatch
import Foundation
import Glibc
import Synchronization

/// A command under way. Its output can be awaited and signals sent while it runs.
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
        // The thread keeps only what it needs, so that a command nobody holds any longer is killed by `deinit`.
        let ended = EndNotice()
        notice = ended
        Thread.detachNewThread { ended.waitForProcess(pid) }
        ended.whenDone { [weak self] ending in self?.end(ending) }
        DispatchQueue.global().asyncAfter(deadline: .now() + limit.inSeconds) { [weak self] in self?.killAtLimit() }
    }

    private let notice: EndNotice

    deinit { notice.kill(pid) }

    /// Everything it wrote to stdout so far.
    package var outputSoFar: [UInt8] { output.bytes }

    /// Everything it wrote to stderr so far.
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

    /// Waits for the first line of stdout and gives it without its line break.
    package func firstLine(limit: Duration = .seconds(120)) async throws -> String {
        try await waitForOutput("a first line", limit: limit) { $0.contains(UInt8(ascii: "\n")) }
        return String(decoding: output.bytes.prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self)
    }

    /// Sends a signal to the process, unless it ended.
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

    /// Writes bytes into a pipe on a thread of its own, then closes it. A reader that went away ends it quietly.
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
