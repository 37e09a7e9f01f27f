import CloverOutput
import Glibc
import Synchronization
import Testing

extension Result where Success == Void, Failure == RecordWriteError {
    /// Nil when it succeeded.
    fileprivate var error: RecordWriteError? {
        if case .failure(let error) = self { error } else { nil }
    }

    fileprivate init(catching body: () async throws(RecordWriteError) -> Void) async {
        do throws(RecordWriteError) {
            try await body()
            self = .success(())
        } catch {
            self = .failure(error)
        }
    }
}

@Suite("Writing results")
struct RecordOutputTests {
    /// Bytes that show where something is missing or twice.
    private func pattern(_ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8) }
    }

    @Test("everything arrives in order through a small pipe with a slow reader", arguments: [false, true])
    func slowReader(isNonBlocking: Bool) async throws {
        let pipe = try Pipe()
        if isNonBlocking { pipe.makeNonBlocking() }
        try pipe.startReading(step: 777)
        let output = RecordOutput(descriptor: pipe.writing)
        let bytes = pattern(300_000)
        try await output.write(Array(bytes[..<100_000]))
        try await output.write([])
        try await output.write(Array(bytes[100_000..<100_001]))
        try await output.write(Array(bytes[100_001...]))
        pipe.closeWriting()
        #expect(await pipe.all() == bytes)
    }

    @Test("an observer receives exactly what reached the descriptor, in order")
    func observed() async throws {
        let seen = Mutex<[UInt8]>([])
        let pipe = try Pipe()
        pipe.makeNonBlocking()
        try pipe.startReading(step: 777)
        let output = RecordOutput(descriptor: pipe.writing)
        await output.observe { bytes in seen.withLock { $0 += bytes } }
        let bytes = pattern(200_000)
        try await output.write(Array(bytes[..<150_000]))
        try await output.write(Array(bytes[150_000...]))
        pipe.closeWriting()
        #expect(await pipe.all() == bytes)
        #expect(seen.withLock(\.self) == bytes)

        let full = open("/dev/full", O_WRONLY)
        defer { close(full) }
        let failing = RecordOutput(descriptor: full)
        await failing.observe { bytes in seen.withLock { $0 += bytes } }
        await #expect(throws: RecordWriteError.self) { try await failing.write([1]) }
        #expect(seen.withLock(\.count) == bytes.count)
    }

    @Test("writeBehind returns before the output is read, and the next one waits for it")
    func writesBehind() async throws {
        let pipe = try Pipe()
        let output = RecordOutput(descriptor: pipe.writing)
        let bytes = pattern(300_000)
        // More than the pipe holds.
        try await output.writeBehind(Array(bytes[..<150_000]))
        let second = Task { try await output.writeBehind(Array(bytes[150_000...])) }
        try pipe.startReading(step: 777)
        try await second.value
        #expect(output.bytesWritten >= 150_000)
        try await output.finishWriting()
        #expect(output.bytesWritten == bytes.count)
        pipe.closeWriting()
        #expect(await pipe.all() == bytes)
    }

    @Test("an error of writeBehind is thrown by every later call")
    func failsBehind() async throws {
        let descriptor = open("/dev/full", O_WRONLY | O_CLOEXEC)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        let output = RecordOutput(descriptor: descriptor)
        try await output.writeBehind([1])
        await #expect(throws: RecordWriteError.failed(errno: ENOSPC)) { try await output.writeBehind([1]) }
        await #expect(throws: RecordWriteError.failed(errno: ENOSPC)) { try await output.finishWriting() }
        await #expect(throws: RecordWriteError.failed(errno: ENOSPC)) { try await output.write([1]) }
    }

    @Test("an encoding gets the bytes of each write in order, and its error is permanent")
    func encoding() async throws {
        let pipe = try Pipe()
        try pipe.startReading(step: 100)
        let output = RecordOutput(descriptor: pipe.writing) { bytes in
            bytes.contains(0) ? .failure(.failed(errno: EINVAL)) : .success(bytes.map { $0 &+ 1 })
        }
        try await output.write([1, 2])
        try await output.write([3])
        try await output.writeEncoded([9, 9])
        for bytes: [UInt8] in [[0], [1]] {
            await #expect(throws: RecordWriteError.failed(errno: EINVAL)) { try await output.write(bytes) }
        }
        pipe.closeWriting()
        #expect(await pipe.all() == [2, 3, 4, 9, 9])
    }

    @Test("written output can be read while the output stays open")
    func writesThrough() async throws {
        let pipe = try Pipe()
        try pipe.startReading(step: 100)
        let output = RecordOutput(descriptor: pipe.writing)
        try await output.write(Array("{}\n".utf8))
        #expect(await pipe.first(3) == Array("{}\n".utf8))
        pipe.closeWriting()
        #expect(await pipe.all().count == 3)
    }

    @Test("a closed pipe is a distinct, permanent error without a signal")
    func closedPipe() async throws {
        let pipe = try Pipe()
        pipe.closeReading()
        let output = RecordOutput(descriptor: pipe.writing)
        for _ in 0..<2 {
            await #expect(throws: RecordWriteError.closed) { try await output.write([1]) }
        }
        pipe.closeWriting()
    }

    @Test("a pipe that closes in the middle of a write ends it")
    func closesInTheMiddle() async throws {
        let pipe = try Pipe()
        let output = RecordOutput(descriptor: pipe.writing)
        let bytes = pattern(1_000_000)
        async let ended = Result(catching: { () async throws(RecordWriteError) in try await output.write(bytes) })
        pipe.closeReading()
        #expect(await ended.error == .closed)
        pipe.closeWriting()
    }

    @Test("a full device is an error with its errno")
    func fullDevice() async throws {
        let descriptor = open("/dev/full", O_WRONLY | O_CLOEXEC)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        let output = RecordOutput(descriptor: descriptor)
        await #expect(throws: RecordWriteError.failed(errno: ENOSPC)) { try await output.write([1]) }
        #expect(
            RecordWriteError.failed(errno: ENOSPC).description == "cannot write the output: No space left on device")
    }

    @Test("every task that ends the paging waits for the pager, and one of them can end it at once")
    func endsPaging() async throws {
        let (screen, pager) = (try Pipe(), try Pipe())
        try screen.startReading(step: 100)
        try pager.startReading(step: 100)
        let output = RecordOutput(descriptor: screen.writing)
        let (endings, end) = AsyncStream<Void>.makeStream()
        let finished = Mutex(0)
        let finish: @Sendable () async -> Void = {
            pager.closeWriting()
            for await _ in endings {}
            finished.withLock { $0 += 1 }
        }
        await output.startPaging(rows: 1) {
            PagerPipe(descriptor: pager.writing, terminate: { end.finish() }, finish: finish)
        }
        try await output.write(Array("1\n2\n".utf8))
        let reading = Task {
            try await output.endPaging()
            return finished.withLock(\.self)
        }
        while await !output.isWaitingForPager { await Task.yield() }
        #expect(finished.withLock(\.self) == 0)
        // Written to neither the closed pipe nor the pager's screen.
        let late = Task { try await output.write(Array("3\n".utf8)) }
        try await output.endPaging(atOnce: true)
        #expect(finished.withLock(\.self) == 1)
        #expect(try await reading.value == 1)
        try await late.value
        #expect(await !output.isWaitingForPager)
        #expect(await pager.all() == Array("1\n2\n".utf8))
        screen.closeWriting()
        #expect(await screen.all() == Array("3\n".utf8))
    }

    @Test("a pager that does not read does not hold up an end at once")
    func endsBlockedPager() async throws {
        let (screen, pager) = (try Pipe(), try Pipe())
        let output = RecordOutput(descriptor: screen.writing)
        await output.startPaging(rows: 1) {
            PagerPipe(descriptor: pager.writing, terminate: { pager.closeReading() }) { pager.closeWriting() }
        }
        // More than the pipe holds.
        try await output.writeBehind([UInt8](repeating: UInt8(ascii: "\n"), count: 100_000))
        await #expect(throws: RecordWriteError.closed) { try await output.endPaging(atOnce: true) }
        screen.closeWriting()
        screen.closeReading()
    }

    @Test("without a pager, what is held back goes to the screen")
    func startsNoPager() async throws {
        let screen = try Pipe()
        try screen.startReading(step: 100)
        let output = RecordOutput(descriptor: screen.writing)
        await output.startPaging(rows: 3) {
            Issue.record("a pager was started")
            return nil
        }
        try await output.write(Array("1\n".utf8))
        await output.startNoPager()
        try await output.write(Array("2\n3\n4\n".utf8))
        #expect(await screen.first(8) == Array("1\n2\n3\n4\n".utf8))
        try await output.endPaging()
        screen.closeWriting()
    }

    @Test("the output's thread ends with the output")
    func threadEnds() async throws {
        // In a separate process: other tests have outputs at the same time, whose threads have the same name.
        await #expect(processExitsWith: .success) {
            let pipe = try Pipe()
            try await Self.writeOnce(to: pipe.writing)
            try await Threads.waitUntilGone(namePrefix: "clover-output", limitInSeconds: 120)
            pipe.closeWriting()
            pipe.closeReading()
        }
    }

    private static func writeOnce(to descriptor: Int32) async throws {
        let output = RecordOutput(descriptor: descriptor)
        try await output.write([1])
        try #require(Threads.count(namePrefix: "clover-output") == 1)
        // Kept up to here, so that the thread is there to be counted.
        _ = output.bytesWritten
    }
}
