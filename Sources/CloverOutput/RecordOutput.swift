package import CloverSystem
internal import Glibc
internal import Synchronization

/// Standard output, or any descriptor, written on a dedicated thread.
///
/// Writes happen one after the other, in call order, and start at once: nothing is buffered. The thread blocks all
/// signals, so a closed pipe causes `.closed` and never a signal; whether the process then exits by SIGPIPE is up to
/// the caller. After an error, every later write throws the same error.
///
/// A write to a full pipe whose reader does not read cannot be cancelled: do not wait for it at exit.
package actor RecordOutput {
    private let screen: Int32
    /// The current destination: the screen or a pager.
    private(set) var descriptor: Int32
    private let encode: Encoding?
    private let writer = DescriptorWriter()
    private let thread = SerialThread(name: "clover-output")
    private var failure: RecordWriteError?
    /// The last write, which may still be in progress.
    private var last: PendingWrite?
    private var observer: (@Sendable (UnsafeRawBufferPointer) -> Void)?
    private var filter: TerminalFilter?
    private var beforeWriting: (@Sendable () -> Void)?
    private var paging = Paging.none

    /// Transforms bytes before they are written, for example by compression; may return no bytes yet.
    package typealias Encoding = @Sendable (UnsafeRawBufferPointer) -> Result<[UInt8], RecordWriteError>

    /// - Parameters:
    ///   - descriptor: owned by the caller; must stay open until the last write has returned.
    ///   - encoding: called on the output's thread, in the order of the writes; nil writes bytes unchanged.
    package init(descriptor: Int32, encoding: Encoding? = nil) {
        screen = descriptor
        self.descriptor = descriptor
        encode = encoding
    }

    private enum Paging {
        case none
        /// Held back until there is more than fits on the screen.
        case deciding(ScreenPage, open: @Sendable () -> PagerPipe?)
        case paged(PagerPipe)
        /// Everything was written, and the task waits for the pager's end.
        case leaving(PagerPipe, Task<Void, Never>)
    }

    /// Bytes written so far. If this does not change during a write, the reader is not reading.
    package nonisolated var bytesWritten: Int { writer.bytesWritten }

    /// From now on, passes the bytes of each write that reached the descriptor to `observer`, in order, on the output's
    /// thread.
    package func observe(_ observer: @escaping @Sendable (UnsafeRawBufferPointer) -> Void) {
        self.observer = observer
    }

    /// From now on, removes terminal control characters; nil passes all text, for text that is already safe.
    package func sanitize(_ form: TerminalFilter.Form?) {
        filter = form.map { TerminalFilter($0) }
    }

    /// Calls `action` once, before the next bytes are written.
    package func beforeNextWrite(_ action: @escaping @Sendable () -> Void) {
        beforeWriting = action
    }

    /// From now on, holds output back, and sends it through a pager once there is more than fits on the screen.
    ///
    /// - Parameters:
    ///   - rows: the height of the screen in lines.
    ///   - open: starts the pager; if it returns nil, output continues without one.
    package func startPaging(rows: Int, open: @escaping @Sendable () -> PagerPipe?) {
        guard case .none = paging else { return }
        paging = .deciding(ScreenPage(rows: rows), open: open)
    }

    /// From now on, starts no pager; one that is open stays.
    package func startNoPager() {
        if case .deciding(let page, _) = paging { paging = .deciding(page, open: { nil }) }
    }

    /// Whether everything was written to a pager that the user has not left.
    package var isWaitingForPager: Bool { if case .leaving = paging { true } else { false } }

    /// Writes what is held back, or waits until the user leaves the pager. Any number of tasks may wait.
    ///
    /// - Parameter atOnce: whether to end an open pager instead of waiting for the user.
    package func endPaging(atOnce: Bool = false) async throws(RecordWriteError) {
        switch paging {
        case .none: return
        case .deciding(let page, _):
            paging = .none
            try await finishWriting()
            try begin(page.bytes)
            try await finishWriting()
        case .paged(let pipe), .leaving(let pipe, _):
            // First, because a pager that does not read holds up the last write.
            if atOnce { await pipe.terminate() }
            do throws(RecordWriteError) {
                // Another task may write more while this one waits.
                repeat { try await finishWriting() } while last != nil
            } catch {
                await leave(pipe)
                throw error
            }
            await leave(pipe)
        }
    }

    /// Closes the pipe to the pager once, and returns when the pager has ended. Output then goes to the screen again.
    private func leave(_ pipe: PagerPipe) async {
        let end: Task<Void, Never>
        switch paging {
        case .none, .deciding: return
        case .paged:
            end = Task { await pipe.finish() }
            paging = .leaving(pipe, end)
        case .leaving(_, let underWay): end = underWay
        }
        await end.value
        guard case .leaving = paging else { return }
        paging = .none
        descriptor = screen
    }

    /// Waits for the current write, so that the output ends with a complete result.
    package func settle() async {
        _ = await thread.run {}
    }

    /// Writes all bytes, and returns when they have reached the descriptor.
    package func write(_ bytes: [UInt8]) async throws(RecordWriteError) {
        try await writeBehind(bytes)
        try await finishWriting()
    }

    /// Starts writing the bytes and returns, so that the caller can prepare the next ones. Waits for earlier writes
    /// first, so that at most two buffers are in memory.
    ///
    /// Errors are thrown by a later call; the last call must be `write` or `finishWriting`.
    package func writeBehind(_ bytes: [UInt8]) async throws(RecordWriteError) {
        try await finishWriting()
        if bytes.isEmpty { return }
        // Its pipe is closed.
        if case .leaving(let pipe, _) = paging { await leave(pipe) }
        let bytes = filter?.pass(bytes) ?? bytes
        guard case .deciding(var page, let open) = paging else { return try begin(bytes) }
        page.add(bytes)
        guard page.isFull else {
            paging = .deciding(page, open: open)
            return
        }
        paging = .none
        announceWriting()
        if let pipe = open() {
            paging = .paged(pipe)
            descriptor = pipe.descriptor
        }
        try begin(page.bytes)
    }

    /// Writes bytes that are already encoded: the end of the encoded stream.
    package func writeEncoded(_ bytes: [UInt8]) async throws(RecordWriteError) {
        try await finishWriting()
        try begin(bytes, isEncoded: true)
        try await finishWriting()
    }

    private func announceWriting() {
        beforeWriting?()
        beforeWriting = nil
    }

    private func begin(_ bytes: [UInt8], isEncoded: Bool = false) throws(RecordWriteError) {
        if bytes.isEmpty { return }
        announceWriting()
        let write = PendingWrite()
        let isPosted = thread.post { [observer, descriptor, encode, writer] in
            guard let encode, !isEncoded else { return write.end(writer.write(bytes, to: descriptor, observer)) }
            switch bytes.withUnsafeBytes(encode) {
            case .success(let encoded): write.end(writer.write(encoded, to: descriptor, observer))
            case .failure(let error): write.end(error)
            }
        }
        guard isPosted else {
            failure = .failed(errno: EAGAIN)
            throw .failed(errno: EAGAIN)
        }
        last = write
    }

    /// Returns when everything has reached the descriptor.
    package func finishWriting() async throws(RecordWriteError) {
        if let last {
            let error = await last.outcome()
            // Another caller may have started the next write in the meantime.
            if self.last === last { self.last = nil }
            if let error { failure = error }
        }
        if let failure { throw failure }
    }
}

/// Why the output could not be written.
package enum RecordWriteError: Error, Equatable, Sendable {
    /// The reader has closed its end (EPIPE).
    case closed
    /// write(2) failed with this errno.
    case failed(errno: Int32)
}

extension RecordWriteError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .closed: "the reader closed the output"
        case .failed(let number): "cannot write the output: \(String(cString: strerror(number)))"
        }
    }
}

/// Output that is held back until there is more than fits on the screen.
struct ScreenPage: Sendable {
    /// The height of the screen in lines.
    let rows: Int
    var bytes: [UInt8] = []
    var lines = 0

    /// Whether the screen is too small; the following prompt takes a line too.
    var isFull: Bool { lines >= rows }

    mutating func add(_ more: [UInt8]) {
        bytes += more
        lines += more.count { $0 == UInt8(ascii: "\n") }
    }
}

/// A running pager and the pipe to it.
package struct PagerPipe: Sendable {
    /// The write end of the pipe.
    package let descriptor: Int32
    /// Has the pager end soon, whatever the user is doing. `finish` still has to be called.
    package let terminate: @Sendable () async -> Void
    /// Closes the descriptor, and returns when the pager has exited.
    package let finish: @Sendable () async -> Void

    package init(
        descriptor: Int32, terminate: @escaping @Sendable () async -> Void,
        finish: @escaping @Sendable () async -> Void
    ) {
        self.descriptor = descriptor
        self.terminate = terminate
        self.finish = finish
    }
}

/// A write on the output's thread that any number of tasks can await.
final class PendingWrite: Sendable {
    private enum Stage {
        case underWay
        case awaited([CheckedContinuation<RecordWriteError?, Never>])
        case over(RecordWriteError?)
    }

    private let stage = Mutex(Stage.underWay)

    /// Completes the write. Must be called once.
    func end(_ error: RecordWriteError?) {
        let waiters = stage.withLock { stage -> [CheckedContinuation<RecordWriteError?, Never>] in
            defer { stage = .over(error) }
            if case .awaited(let waiters) = stage { return waiters }
            return []
        }
        for waiter in waiters { waiter.resume(returning: error) }
    }

    /// Waits for completion; nil if all bytes were written.
    func outcome() async -> RecordWriteError? {
        await withCheckedContinuation { continuation in
            let outcome = stage.withLock { stage -> RecordWriteError?? in
                switch stage {
                case .over(let error): return .some(error)
                case .underWay: stage = .awaited([continuation])
                case .awaited(let waiters): stage = .awaited(waiters + [continuation])
                }
                return nil
            }
            if let outcome { continuation.resume(returning: outcome) }
        }
    }
}

/// Writes to descriptors and counts the bytes written. Handles short writes, EINTR and non-blocking descriptors.
/// Blocks, so it needs a thread that may block and that has SIGPIPE blocked.
final class DescriptorWriter: Sendable {
    /// The maximum number of bytes per write(2): the usual capacity of a pipe.
    private static let partSize = 64 << 10

    private let written = Atomic(0)

    /// Bytes written so far; shows other threads whether a write makes progress.
    var bytesWritten: Int { written.load(ordering: .relaxed) }

    /// Returns when everything is written, or the error that prevented it. See write(2), poll(2).
    ///
    /// - Parameter observer: receives the bytes that reached the descriptor, in order.
    func write(
        _ bytes: [UInt8], to descriptor: Int32, _ observer: (@Sendable (UnsafeRawBufferPointer) -> Void)?
    ) -> RecordWriteError? {
        bytes.withUnsafeBytes { all in
            var rest = all[...]
            while !rest.isEmpty {
                // In parts, so that `bytesWritten` shows progress even with a slow reader.
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
