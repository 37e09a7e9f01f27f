internal import Glibc

/// Writes messages to a descriptor in order without making callers wait for its reader: a terminal stopped with Ctrl-S,
/// or a full pipe. What the descriptor does not accept immediately is written on a separate thread. Handles EINTR,
/// short writes, and descriptors that another process made non-blocking.
///
/// A message that cannot be written is lost, because there is no other place to report it.
package final class MessageWriter: Sendable {
    private struct State: Sendable {
        /// Bytes not written yet, in order.
        var waiting: [UInt8] = []
        /// Whether a thread is writing `waiting`.
        var isServed = false
    }

    private let descriptor: Int32
    private let state = Monitor(State())

    /// A terminal or pipe that is ready accepts this much without blocking its writer (tty_ldisc(9), pipe(7)).
    private static let partSize = 256
    /// Maximum number of queued bytes. Beyond that, callers wait, as for any slow reader.
    private static let queueLimit = 1 << 20

    package init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// Whether messages are queued for the reader. Messages that are useful only now can then be skipped.
    package var isBehind: Bool { state.withLock(\.isServed) }

    /// Writes the text, or queues it after earlier messages.
    package func write(_ text: String) {
        let isServed = state.update { state in
            var bytes = Array(text.utf8)[...]
            while !state.isServed, state.waiting.isEmpty, !bytes.isEmpty, Self.isReady(descriptor, within: 0) {
                guard let count = part(of: bytes) else { return true }
                if count == 0 { break }
                bytes = bytes.dropFirst(count)
            }
            if bytes.isEmpty { return true }
            state.waiting += bytes
            if !state.isServed {
                state.isServed = DedicatedThread.tryStart(name: "clover-messages") { self.work() } == 0
            }
            return state.isServed
        }
        guard isServed else { return work() }
        state.wait { !$0.isServed || $0.waiting.count <= Self.queueLimit ? () : nil }
    }

    /// Waits until everything is written.
    package func flush() {
        state.wait { $0.isServed ? nil : () }
        work()
    }

    /// The same, but gives up what is not written after this many seconds.
    package func flush(atMost seconds: Double) {
        guard state.wait(atMost: seconds, until: { $0.isServed ? nil : () }) != nil else { return }
        work()
    }

    private func work() {
        while let next = next() {
            var bytes = next[...]
            while !bytes.isEmpty {
                guard Self.isReady(descriptor, within: -1), let count = part(of: bytes) else { break }
                bytes = bytes.dropFirst(count)
            }
        }
    }

    private func next() -> [UInt8]? {
        state.update { state in
            defer { state.waiting = [] }
            if state.waiting.isEmpty { state.isServed = false }
            return state.waiting.isEmpty ? nil : state.waiting
        }
    }

    /// Number of bytes that the descriptor accepted; nil if it accepts none.
    private func part(of bytes: ArraySlice<UInt8>) -> Int? {
        let count = bytes.prefix(Self.partSize).withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
        if count >= 0 { return count }
        return errno == EINTR || errno == EAGAIN ? 0 : nil
    }

    /// - Parameter milliseconds: -1 waits indefinitely.
    private static func isReady(_ descriptor: Int32, within milliseconds: Int32) -> Bool {
        var wanted = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        while true {
            let count = poll(&wanted, 1, milliseconds)
            if count < 0, errno == EINTR { continue }
            // POLLERR and similar are left to write(2), which reports the error.
            return count > 0
        }
    }
}
