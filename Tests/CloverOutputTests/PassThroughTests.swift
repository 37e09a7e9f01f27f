import CloverJSON
import CloverOutput
import Testing

@Suite("Records without a filter")
struct PassThroughTests {
    private func run(_ batches: [[String]], slurp: Bool) async throws -> (text: String, report: FilterReport) {
        let pipe = try Pipe()
        try pipe.startReading(step: 4096)
        let filter = PassThrough(output: RecordOutput(descriptor: pipe.writing), slurp: slurp)
        for records in batches {
            var batch = RecordBatch()
            for record in records { Array(record.utf8).withUnsafeBytes { batch.append($0) } }
            #expect(try await filter.consume(batch) == .more)
        }
        let report = try await filter.finish()
        pipe.closeWriting()
        return (String(decoding: await pipe.all(), as: UTF8.self), report)
    }

    @Test("pass unchanged, one a line")
    func lines() async throws {
        let result = try await run([[#"{ "b":1.0, "a":1e400}"#, "2"], [], ["[]"]], slurp: false)
        #expect(result.text == "{ \"b\":1.0, \"a\":1e400}\n2\n[]\n")
        #expect(result.report == FilterReport(results: 3, failures: 0, lastResult: .truthy, halt: nil))
    }

    @Test("become one array with slurp")
    func slurp() async throws {
        let result = try await run([["1", "{}"], [], ["null"]], slurp: true)
        #expect(result.text == "[1,{},null]\n")
        #expect(result.report == FilterReport(results: 1, failures: 0, lastResult: .truthy, halt: nil))
        #expect(try await run([], slurp: true).text == "[]\n")
    }

    @Test("report the last result", arguments: ["null", "false", "nullx", #"{"a":false}"#, #""false""#])
    func lastResult(record: String) async throws {
        let report = try await run([["1"], ["2", record]], slurp: false).report
        #expect(report.lastResult == (record == "null" || record == "false" ? .falsy : .truthy))
        #expect(try await run([], slurp: false).report.lastResult == .none)
    }

    @Test("a closed output throws to the caller that delivers records")
    func closedOutput() async throws {
        let pipe = try Pipe()
        pipe.closeReading()
        let filter = PassThrough(output: RecordOutput(descriptor: pipe.writing))
        var batch = RecordBatch()
        Array("{}".utf8).withUnsafeBytes { batch.append($0) }
        // It is written while the next records are awaited.
        #expect(try await filter.consume(batch) == .more)
        await #expect(throws: RecordWriteError.closed) { _ = try await filter.consume(batch) }
        await #expect(throws: RecordWriteError.closed) { try await filter.breakOff() }
        await #expect(throws: RecordWriteError.closed) { _ = try await filter.finish() }
        pipe.closeWriting()
    }
}
