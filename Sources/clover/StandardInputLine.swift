import CloverCore
import CloverThreads
import Glibc
import Synchronization

/// One line of standard input, for a command that may give up waiting for it.
enum StandardInputLine {
    private typealias Answer = Result<[UInt8], any Error>

    /// Everything up to the first line break, or to the end of the input, or `limit` bytes. A cancelled task stops
    /// waiting at once; the thread that waits for the input then ends with the process.
    static func read(limit: Int) async throws -> [UInt8] {
        let waiting = Mutex<CheckedContinuation<Answer, Never>?>(nil)
        let slot = Slot(waiting: waiting)
        let answer = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                slot.waiting.withLock { $0 = continuation }
                // A task that was cancelled before it came here has nobody else to wake it.
                if Task.isCancelled { slot.give(.failure(CancellationError())) }
                do throws(DedicatedThread.StartError) {
                    try DedicatedThread.start(name: "clover-input") { slot.give(Answer { try readLine(limit) }) }
                } catch {
                    slot.give(Answer { try readLine(limit) })
                }
            }
        } onCancel: {
            slot.give(.failure(CancellationError()))
        }
        return try answer.get()
    }

    /// The same from a terminal that does not show what is typed (termios(3), ECHO). The line break is shown.
    static func readHidden(limit: Int) async throws -> [UInt8] {
        var before = termios()
        guard tcgetattr(STDIN_FILENO, &before) == 0 else { return try await read(limit: limit) }
        var hidden = before
        hidden.c_lflag &= ~tcflag_t(ECHO)
        hidden.c_lflag |= tcflag_t(ECHONL)
        tcsetattr(STDIN_FILENO, TCSAFLUSH, &hidden)
        defer { tcsetattr(STDIN_FILENO, TCSADRAIN, &before) }
        return try await read(limit: limit)
    }

    /// The continuation, which the first answer takes.
    private final class Slot: Sendable {
        let waiting: Mutex<CheckedContinuation<Answer, Never>?>

        init(waiting: consuming Mutex<CheckedContinuation<Answer, Never>?>) {
            self.waiting = waiting
        }

        func give(_ answer: Answer) {
            let continuation = waiting.withLock { waiting in
                defer { waiting = nil }
                return waiting
            }
            continuation?.resume(returning: answer)
        }
    }

    /// Byte by byte, so that nothing behind the line is taken from whoever reads next.
    private static func readLine(_ limit: Int) throws -> [UInt8] {
        var line: [UInt8] = []
        var byte: UInt8 = 0
        while line.count < limit {
            let count = Glibc.read(STDIN_FILENO, &byte, 1)
            if count == 0 { break }
            if count < 0 {
                if errno == EINTR { continue }
                throw DescriptorReader.Failure(errno: errno)
            }
            if byte == UInt8(ascii: "\n") { break }
            line.append(byte)
        }
        return line
    }
}
