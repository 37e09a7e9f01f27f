internal import CloverThreads
internal import Glibc
internal import Synchronization

/// Standard output, or any descriptor, written on a thread of its own.
///
/// Writes happen one after the other, in the order of the calls, and begin at once: nothing is buffered. Short writes, EINTR and non-blocking descriptors are dealt with. The thread blocks
/// all signals, so a closed pipe gives `.closed` and never a signal; whether the process then ends by SIGPIPE is the
/// caller's decision. After an error every later write throws the same error.
///
/// A write into a full pipe whose reader does not read cannot be cancelled: do not wait for it when the program ends.
package actor RecordOutput {
    /// Bytes given to one write(2) at most: the usual capacity of a pipe.
    private static let partSize = 64 << 10

    private let descriptor: Int32
    private let encode: Encoding?
    private let thread = SerialThread(name: "clover-output")
    private var failure: RecordWriteError?
    /// The write that may still be under way.
    private var last: OngoingWrite?
    private var observer: (@Sendable (UnsafeRawBufferPointer) -> Void)?
    /// Bytes written so far; tells from outside whether a write gets on.
    private let written = Atomic(0)

    /// What becomes of bytes before they are written, such as their compressed form; may be nothing yet.
    package typealias Encoding = @Sendable (UnsafeRawBufferPointer) -> Result<[UInt8], RecordWriteError>

    /// - Parameters:
    ///   - descriptor: stays the caller's; it must be open until the last write has returned.
    ///   - encoding: called on the output's thread, in the order of the writes; nil writes bytes as they are.
    package init(descriptor: Int32, encoding: Encoding? = nil) {
        self.descriptor = descriptor
        encode = encoding
    }

    /// Bytes written so far. While a write is under way and this does not change, nobody reads.
    package nonisolated var bytesWritten: Int { written.load(ordering: .relaxed) }

    /// From now on, `observer` is shown the bytes of each write that have reached the descriptor, in order, on the
    /// output's thread.
    package func observe(_ observer: @escaping @Sendable (UnsafeRawBufferPointer) -> Void) {
        self.observer = observer
    }

    /// Returns when no write is under way, so that the output ends with a whole result.
    package func settle() async {
        _ = await thread.run {}
    }

    /// Writes all bytes, and returns when they are on the descriptor.
    package func write(_ bytes: [UInt8]) async throws(RecordWriteError) {
        try await writeBehind(bytes)
        try await finishWriting()
    }

    /// Begins to write the bytes and returns, so that the caller can make the next ones meanwhile. While earlier ones are
    /// still being written it waits for them: at most two pieces are in memory.
    ///
    /// An error is thrown by a later call; the last one has to be `write` or `finishWriting`.
    package func writeBehind(_ bytes: [UInt8]) async throws(RecordWriteError) {
        try await finishWriting()
        if bytes.isEmpty { return }
        try begin { [observer, encode] in
            guard let encode else { return self.writeAll(bytes, observer) }
            switch bytes.withUnsafeBytes(encode) {
            case .success(let encoded): return self.writeAll(encoded, observer)
            case .failure(let error): return error
            }
        }
    }

    /// Writes bytes that are encoded already: the end of what the encoding gives.
    package func writeEncoded(_ bytes: [UInt8]) async throws(RecordWriteError) {
        try await finishWriting()
        try begin { [observer] in self.writeAll(bytes, observer) }
        try await finishWriting()
    }

    private func begin(_ body: @escaping @Sendable () -> RecordWriteError?) throws(RecordWriteError) {
        let write = OngoingWrite()
        guard thread.post({ write.end(body()) }) else {
            failure = .failed(errno: EAGAIN)
            throw .failed(errno: EAGAIN)
        }
        last = write
    }

    /// Returns when everything is on the descriptor.
    package func finishWriting() async throws(RecordWriteError) {
        if let last {
            let error = await last.outcome()
            // Another caller may have begun the next one meanwhile.
            if self.last === last { self.last = nil }
            if let error { failure = error }
        }
        if let failure { throw failure }
    }

    /// Blocks until everything is written. See write(2), poll(2).
    private nonisolated func writeAll(
        _ bytes: [UInt8], _ observer: (@Sendable (UnsafeRawBufferPointer) -> Void)?
    ) -> RecordWriteError? {
        bytes.withUnsafeBytes { all in
            var rest = all[...]
            while !rest.isEmpty {
                // In parts, so that `bytesWritten` tells of a reader who is slow but there.
                let part = UnsafeRawBufferPointer(rebasing: rest.prefix(Self.partSize))
                let count = Glibc.write(descriptor, part.baseAddress, part.count)
                if count >= 0 {
                    observer?(UnsafeRawBufferPointer(rebasing: part[..<count]))
                    rest = rest.dropFirst(count)
                    written.add(count, ordering: .relaxed)
                    continue
                }
                switch errno {
                case EINTR: continue
                case EAGAIN:
                    // The descriptor is shared with a process that made it non-blocking (a terminal, ssh).
                    var wanted = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                    if poll(&wanted, 1, -1) < 0, errno != EINTR { return .failed(errno: errno) }
                case EPIPE: return .closed
                case let number: return .failed(errno: number)
                }
            }
            return nil
        }
    }
}
