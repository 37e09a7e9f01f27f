import CLinux
import CloverJSON
import CloverSystem
import Glibc

/// A pipe whose reading end is read by a separate thread, in small steps.
final class Pipe: Sendable {
    struct PipeError: Error {
        let errno: Int32
    }

    private struct State: Sendable {
        var received: [UInt8] = []
        var isAtEnd = false
    }

    let writing: Int32
    private let reading: Int32
    private let state = Monitor(State())

    /// - Parameter capacity: of the pipe, in bytes; the kernel rounds it up to a page.
    ///
    /// No child process of another test inherits it: its end would never come.
    init(capacity: Int = 4096) throws {
        var ends: [Int32] = [0, 0]
        guard pipe2(&ends, O_CLOEXEC) == 0 else { throw PipeError(errno: errno) }
        reading = ends[0]
        writing = ends[1]
        // F_SETPIPE_SZ, which the Glibc module hides behind a feature macro.
        guard fcntl(writing, 1031, Int32(capacity)) >= 0 else { throw PipeError(errno: errno) }
    }

    /// Reads `step` bytes at a time until the writing end is closed.
    func startReading(step: Int) throws {
        try DedicatedThread.start(name: "test-reader") { [self] in
            var buffer = [UInt8](repeating: 0, count: step)
            while true {
                let count = read(reading, &buffer, step)
                if count <= 0 { break }
                state.update { $0.received.append(contentsOf: buffer[..<count]) }
            }
            close(reading)
            state.update { $0.isAtEnd = true }
        }
    }

    func closeReading() { close(reading) }
    func closeWriting() { close(writing) }

    func makeNonBlocking() {
        _ = fcntl(writing, F_SETFL, fcntl(writing, F_GETFL) | O_NONBLOCK)
    }

    /// Everything read until the writing end was closed.
    func all() async -> [UInt8] {
        await DedicatedThread.run { self.state.wait { $0.isAtEnd ? $0.received : nil } }
    }

    /// Waits for this many bytes.
    func first(_ count: Int) async -> [UInt8] {
        await DedicatedThread.run {
            self.state.wait { $0.received.count >= count ? Array($0.received.prefix(count)) : nil }
        }
    }
}
