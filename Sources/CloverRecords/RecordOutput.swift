internal import CloverThreads
internal import Glibc

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
    private var descriptor: Int32
    private let encode: Encoding?
    private let writer = DescriptorWriter()
    private let thread = SerialThread(name: "clover-output")
    private var failure: RecordWriteError?
    /// The last write, which may still be in progress.
    private var last: OngoingWrite?
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

    /// The state of the pager.
    private enum Paging {
        case none
        /// Held back until there is more than fits on the screen.
        case deciding(ScreenPage, open: @Sendable () -> PagerPipe?)
        case paged(PagerPipe)
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

    /// Writes what is held back, or waits until the user leaves the pager.
    package func endPaging() async throws(RecordWriteError) {
        switch paging {
        case .none: return
        case .deciding(let page, _):
            paging = .none
            try await finishWriting()
            try begin(page.bytes)
            try await finishWriting()
        case .paged(let pipe):
            paging = .none
            defer { descriptor = screen }
            do throws(RecordWriteError) {
                try await finishWriting()
            } catch {
                await pipe.finish()
                throw error
            }
            await pipe.finish()
        }
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
        let write = OngoingWrite()
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
