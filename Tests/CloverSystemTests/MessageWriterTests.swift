import CloverSystem
import Glibc
import Testing

@Suite("Messages to a reader that does not read", .timeLimit(.minutes(1)))
struct MessageWriterTests {
    /// A pipe whose reader has not read anything yet.
    private struct Pipe {
        let reading: Int32
        let writing: Int32

        init(isBlocking: Bool) throws {
            var ends: [Int32] = [0, 0]
            try #require(pipe(&ends) == 0)
            (reading, writing) = (ends[0], ends[1])
            if !isBlocking { #expect(fcntl(writing, F_SETFL, O_NONBLOCK) == 0) }
        }

        /// What a reader gets that reads only now, to the end.
        func read() -> String {
            var (bytes, buffer) = ([UInt8](), [UInt8](repeating: 0, count: 4096))
            while true {
                let count = Glibc.read(reading, &buffer, buffer.count)
                guard count > 0 else { break }
                bytes += buffer[..<count]
            }
            close(reading)
            return String(decoding: bytes, as: UTF8.self)
        }
    }

    @Test("do not keep the writer waiting, and none is lost or out of order", arguments: [true, false])
    func fullPipe(isBlocking: Bool) async throws {
        let pipe = try Pipe(isBlocking: isBlocking)
        let writer = MessageWriter(descriptor: pipe.writing)
        #expect(!writer.isBehind)
        // More than a pipe holds; a writer that waits never comes to the end of this.
        let lines = (0..<20_000).map { "message \($0)\n" }
        for line in lines { writer.write(line) }
        #expect(writer.isBehind)
        async let read = DedicatedThread.run { pipe.read() }
        await DedicatedThread.run {
            writer.flush()
            close(pipe.writing)
        }
        #expect(await read == lines.joined())
        #expect(!writer.isBehind)
    }

    @Test("are written at once where there is room, before the writer goes on")
    func room() async throws {
        let pipe = try Pipe(isBlocking: true)
        let writer = MessageWriter(descriptor: pipe.writing)
        let text = String(repeating: "x", count: 3000)
        writer.write(text)
        #expect(!writer.isBehind)
        var waiting: Int32 = 0
        #expect(ioctl(pipe.reading, UInt(FIONREAD), &waiting) == 0)
        #expect(waiting == 3000)
        close(pipe.writing)
        #expect(pipe.read() == text)
    }

    @Test("are given up after a while, where the writer may not wait for their reader")
    func givenUp() async throws {
        let pipe = try Pipe(isBlocking: true)
        let writer = MessageWriter(descriptor: pipe.writing)
        // More than a pipe holds. Without a limit, this would wait for ever.
        let text = String(repeating: "x", count: 1 << 18)
        writer.write(text)
        await DedicatedThread.run { writer.flush(atMost: 0.01) }
        #expect(writer.isBehind)
        async let read = DedicatedThread.run { pipe.read() }
        await DedicatedThread.run {
            writer.flush()
            close(pipe.writing)
        }
        #expect(await read == text)
    }

    @Test("are lost where nothing can be written, and nothing waits for them")
    func closed() {
        let writer = MessageWriter(descriptor: 1_000_000)
        for _ in 0..<3 { writer.write("lost\n") }
        writer.flush()
        #expect(!writer.isBehind)
    }
}
