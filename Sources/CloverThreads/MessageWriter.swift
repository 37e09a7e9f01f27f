internal import Glibc

/// Writes messages on a descriptor in their order, and keeps no caller waiting for its reader: not for a terminal that
/// Ctrl-S has stopped, and not for a full pipe. What the descriptor does not take at once is written on a thread of its
/// own. EINTR, short writes and descriptors that another process made non-blocking are dealt with.
///
/// A message that cannot be written is lost: there is no other place to say so.
package final class MessageWriter: Sendable {
    private struct State: Sendable {
        /// Not written yet, in order.
        var waiting: [UInt8] = []
        /// A thread takes from `waiting`.
        var isServed = false
    }

    private let descriptor: Int32
    private let state = Monitor(State())

    /// A terminal or pipe that is ready takes this much without making its writer wait (tty_ldisc(9), pipe(7)).
    private static let partSize = 256
    /// Bytes that may wait. Beyond that callers wait, as they do for any slow reader.
    private static let mostWaiting = 1 << 20

    package init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// Whether messages wait for the reader. What is of use only now may be left out then.
    package var isBehind: Bool { state.withLock(\.isServed) }

    /// Writes the text, or has it written after those before.
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
            if !state.isServed { state.isServed = serve() }
            return state.isServed
        }
        guard isServed else { return work() }
        state.wait { !$0.isServed || $0.waiting.count <= Self.mostWaiting ? () : nil }
    }

    /// Returns when everything is written.
    package func flush() {
        state.wait { $0.isServed ? nil : () }
        work()
    }

    /// False when there is no thread.
    private func serve() -> Bool {
        do throws(DedicatedThread.StartError) {
            try DedicatedThread.start(name: "clover-messages") { self.work() }
            return true
        } catch {
            return false
        }
    }

    /// Writes until nothing waits.
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

    /// How many bytes the descriptor has taken; nil when it takes none.
    private func part(of bytes: ArraySlice<UInt8>) -> Int? {
        let count = bytes.prefix(Self.partSize).withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
        if count >= 0 { return count }
        return errno == EINTR || errno == EAGAIN ? 0 : nil
    }

    /// - Parameter milliseconds: -1 waits as long as it takes.
    private static func isReady(_ descriptor: Int32, within milliseconds: Int32) -> Bool {
        var wanted = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        while true {
            let count = poll(&wanted, 1, milliseconds)
            if count < 0, errno == EINTR { continue }
            // POLLERR and the like are left to write(2), which tells what is wrong.
            return count > 0
        }
    }
}
