import CloverOutput
import CloverSystem
import Testing

@Suite("Paging")
struct PagingTests {
    private func lines(_ count: Int) -> [UInt8] { Array(String(repeating: "x\n", count: count).utf8) }

    @Test("output that fits the screen is written at the end")
    func short() async throws {
        let screen = try Pipe()
        try screen.startReading(step: 4096)
        let output = RecordOutput(descriptor: screen.writing)
        let opened = Monitor(0)
        await output.startPaging(rows: 5) {
            opened.update { $0 += 1 }
            return nil
        }
        try await output.write(lines(2))
        try await output.write(lines(2))
        #expect(output.bytesWritten == 0)
        try await output.endPaging()
        #expect(output.bytesWritten == 8)
        try await output.write(lines(9))
        screen.closeWriting()
        #expect(await screen.all().count == 26 && opened.withLock { $0 } == 0)
    }

    @Test("output that does not fit goes through the pager, and later output to the screen again")
    func long() async throws {
        let screen = try Pipe()
        let pager = try Pipe()
        try screen.startReading(step: 4096)
        try pager.startReading(step: 4096)
        let output = RecordOutput(descriptor: screen.writing)
        let before = Monitor<[String]>([])
        await output.beforeNextWrite { before.update { $0.append("writing") } }
        await output.startPaging(rows: 5) {
            before.update { $0.append("opening") }
            return PagerPipe(descriptor: pager.writing, terminate: {}) { pager.closeWriting() }
        }
        try await output.write(lines(4))
        #expect(before.withLock { $0 }.isEmpty)
        try await output.write(lines(1))
        try await output.write(lines(100))
        try await output.endPaging()
        try await output.write(lines(1))
        screen.closeWriting()
        #expect(await pager.all().count == 210)
        #expect(await screen.all().count == 2)
        #expect(before.withLock { $0 } == ["writing", "opening"])
    }

    @Test("if the pager does not start, output continues without it")
    func none() async throws {
        let screen = try Pipe()
        try screen.startReading(step: 4096)
        let output = RecordOutput(descriptor: screen.writing)
        await output.startPaging(rows: 2) { nil }
        try await output.write(lines(3))
        try await output.write(lines(3))
        try await output.endPaging()
        screen.closeWriting()
        #expect(await screen.all().count == 12)
    }
}
