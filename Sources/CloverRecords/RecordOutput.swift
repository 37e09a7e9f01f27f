internal import CloverThreads
internal import Glibc

/// Standard output, or any descriptor, written on a thread of its own.
///
/// Writes happen one after the other, in the order of the calls, and begin at once: nothing is buffered. The thread
/// blocks all signals, so a closed pipe gives `.closed` and never a signal; whether the process then ends by SIGPIPE is
/// the caller's decision. After an error every later write throws the same error.
///
/// A write into a full pipe whose reader does not read cannot be cancelled: do not wait for it when the program ends.
package actor RecordOutput {
    private let screen: Int32
    /// Where bytes go now: the screen's, or a pager's.
    private var descriptor: Int32
    private let encode: Encoding?
    private let writer = DescriptorWriter()
    private let thread = SerialThread(name: "clover-output")
    private var failure: RecordWriteError?
    /// The write that may still be under way.
    private var last: OngoingWrite?
    private var observer: (@Sendable (UnsafeRawBufferPointer) -> Void)?
    private var filter: TerminalFilter?
    private var beforeWriting: (@Sendable () -> Void)?
    private var paging = Paging.none

    /// What becomes of bytes before they are written, such as their compressed form; may be nothing yet.
    package typealias Encoding = @Sendable (UnsafeRawBufferPointer) -> Result<[UInt8], RecordWriteError>

    /// - Parameters:
    ///   - descriptor: stays the caller's; it must be open until the last write has returned.
    ///   - encoding: called on the output's thread, in the order of the writes; nil writes bytes as they are.
    package init(descriptor: Int32, encoding: Encoding? = nil) {
        screen = descriptor
        self.descriptor = descriptor
        encode = encoding
    }

    /// Whether there is a pager.
    private enum Paging {
        case none
        /// Held back until it is more than a screen shows.
        case deciding(ScreenPage, open: @Sendable () -> PagerPipe?)
        case paged(PagerPipe)
    }

    /// Bytes written so far. While a write is under way and this does not change, nobody reads.
    package nonisolated var bytesWritten: Int { writer.bytesWritten }

    /// From now on, `observer` is shown the bytes of each write that have reached the descriptor, in order, on the
    /// output's thread.
    package func observe(_ observer: @escaping @Sendable (UnsafeRawBufferPointer) -> Void) {
        self.observer = observer
    }

    /// From now on what would steer a terminal is taken out; nil lets everything pass, for text that is harmless already.
    package func sanitize(_ form: TerminalFilter.Form?) {
        filter = form.map { TerminalFilter($0) }
    }

    /// `action` is called once, before the next bytes are written.
    package func beforeNextWrite(_ action: @escaping @Sendable () -> Void) {
        beforeWriting = action
    }

    /// From now on what is written is held back, and goes through a pager as soon as it is more than a screen shows.
    ///
    /// - Parameters:
    ///   - rows: lines that the screen has.
    ///   - open: starts the pager; nil from it writes on as before.
    package func startPaging(rows: Int, open: @escaping @Sendable () -> PagerPipe?) {
        guard case .none = paging else { return }
        paging = .deciding(ScreenPage(rows: rows), open: open)
    }

    /// What is held back is written, or the pager has been left by its reader.
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

    /// Writes bytes that are encoded already: the end of what the encoding gives.
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
}
