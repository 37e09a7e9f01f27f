import CLinux
import CloverJSON
import CloverOutput
import CloverSystem
import Glibc
import Testing

extension JQTests {
    /// These look at the threads and the memory of the whole process.
    @Suite("Threads, memory and waiting")
    struct LifetimeTests {
        private static func filter(_ source: String, to descriptor: Int32, workers: Int = 2) throws -> JQFilter {
            JQFilter(
                program: try JQProgram(source: source), output: RecordOutput(descriptor: descriptor), workers: workers,
                onFailure: { _ in }, onMessage: { _ in })
        }

        private static func batch(_ records: [String]) -> RecordBatch {
            FilterRun.batches(of: records, size: records.count).first ?? RecordBatch()
        }

        private func pipe() throws -> (reading: Int32, writing: Int32) {
            var ends: [Int32] = [0, 0]
            try #require(pipe2(&ends, O_CLOEXEC) == 0)
            return (ends[0], ends[1])
        }

        private func waitForThreads() async throws {
            try await Threads.waitUntilGone(namePrefix: "clover-jq-", limitInSeconds: 120)
        }

        @Test("compiled, consume and finish all throw compile errors")
        func compileError() async throws {
            let filter = try Self.filter(".[", to: 1)
            filter.prepare()
            let error = await #expect(throws: JQError.self) { try await filter.compiled() }
            guard case .compile(let message) = error else {
                Issue.record("got \(String(describing: error))")
                return
            }
            #expect(message.hasPrefix("jq: error: syntax error") && message.hasSuffix("jq: 1 compile error"))
            #expect(message.contains("line 1"))
            await #expect(throws: JQError.compile(message: message)) { _ = try await filter.consume(Self.batch(["1"])) }
            await #expect(throws: JQError.compile(message: message)) { _ = try await filter.finish() }
            try await waitForThreads()
        }

        @Test("a good program is reported as compiled before any record comes")
        func compiled() async throws {
            let filter = try Self.filter(".", to: 1)
            try await filter.compiled()
            #expect(try await filter.finish() == FilterReport())
            try await waitForThreads()
        }

        @Test(
            "results are written before further records arrive",
            arguments: [".", "[., input_line_number]", "first(., inputs)"])
        func writesAtOnce(source: String) async throws {
            let pipe = try pipe()
            let filter = try Self.filter(source, to: pipe.writing)
            _ = try await filter.consume(Self.batch(["1"]))
            var byte: [UInt8] = [0]
            // Blocks until something is there: the test hangs, and is noticed, when results wait for more records.
            #expect(read(pipe.reading, &byte, 1) == 1)
            _ = try await filter.finish()
            close(pipe.reading)
            close(pipe.writing)
            try await waitForThreads()
        }

        @Test(
            "cancelling ends the wait for a program that never returns a result",
            arguments: ["last(range(1e15))", "def f: f; f", "[inputs] | last(range(1e15))"])
        func cancelEndless(source: String) async throws {
            // In a separate process, because the program keeps running.
            await #expect(processExitsWith: .success) { [source] in
                let filter = try Self.filter(source, to: 1)
                _ = try await filter.consume(Self.batch(["1", "2"]))
                let task = Task { try await filter.finish() }
                try await Threads.waitUntilRunning(namePrefix: "clover-jq-", limitInSeconds: 120)
                task.cancel()
                await #expect(throws: CancellationError.self) { _ = try await task.value }
                try await filter.breakOff()
                // exit(3) would take down what the thread uses.
                _exit(0)
            }
        }

        @Test("a program's environment has no secrets", arguments: ["env", "$ENV"])
        func secrets(source: String) async throws {
            await #expect(processExitsWith: .success) { [source] in
                let variables = [
                    "CLOVER_ACCESS_TOKEN": "a-secret", "CLOVER_APP_SECRET": "a-secret", "PGPASSWORD": "a-secret",
                    "HTTPS_PROXY": "me:a-secret@proxy:3128", "ALL_PROXY": "http://proxy:3128", "CLOVER_PROFILE": "p",
                ]
                for (name, value) in variables { setenv(name, value, 1) }
                ChildVariables.hideSecretsFromProcess(variables) { $1.contains("@") }
                let names = variables.keys.sorted().map { ".\($0)" }.joined(separator: ",")
                let result = try await FilterRun().run("\(source) | [\(names)]", on: ["1"])
                #expect(result.text == "[\"http://proxy:3128\",null,null,\"p\",null,null]\n")
                #expect(ChildVariables.databasePassword == "a-secret")
                #expect(ChildVariables.proxy == "me:a-secret@proxy:3128")
            }
        }

        @Test("cancelling ends a waiting consume and later ones")
        func cancelFull() async throws {
            let pipe = try pipe()
            let filter = try Self.filter(".", to: pipe.writing)
            let text = "\"" + String(repeating: "x", count: 1_000_000) + "\""
            let batch = Self.batch([text])
            let handed = Monitor(0)
            let task = Task {
                // The pipe is not read, so this must block.
                while true {
                    _ = try await filter.consume(batch)
                    handed.update { $0 += 1 }
                }
            }
            try await Threads.waitUntil(limitInSeconds: 120) { handed.withLock { $0 >= 2 } }
            task.cancel()
            await #expect(throws: CancellationError.self) { _ = try await task.value }
            #expect(handed.withLock { $0 } < 20)
            await #expect(throws: CancellationError.self) { _ = try await filter.consume(batch) }
            try await waitForThreads()
            close(pipe.reading)
            close(pipe.writing)
        }

        @Test(
            "endless results end when the output is closed",
            arguments: ["range(1e15)", "repeat(.)", ".[]?, (inputs | range(1e15))"])
        func closedOutput(source: String) async throws {
            let pipe = try pipe()
            let filter = try Self.filter(source, to: pipe.writing)
            _ = try await filter.consume(Self.batch(["1", "2", "3"]))
            let reader = Task {
                var buffer = [UInt8](repeating: 0, count: 1000)
                _ = read(pipe.reading, &buffer, buffer.count)
                close(pipe.reading)
            }
            await #expect(throws: RecordWriteError.closed) { _ = try await filter.finish() }
            await reader.value
            try await waitForThreads()
            close(pipe.writing)
        }

        @Test("a full device throws to the caller that delivers records")
        func fullDevice() async throws {
            let descriptor = open("/dev/full", O_WRONLY | O_CLOEXEC)
            defer { close(descriptor) }
            let filter = try Self.filter(".", to: descriptor)
            await #expect(throws: RecordWriteError.failed(errno: ENOSPC)) {
                for _ in 0..<100_000 { _ = try await filter.consume(Self.batch(["1"])) }
                _ = try await filter.finish()
            }
            try await waitForThreads()
        }

        @Test("releasing a filter ends its threads")
        func givenUp() async throws {
            func giveUp() async throws {
                let filter = try Self.filter(".", to: 1, workers: 3)
                filter.prepare()
                try await filter.compiled()
            }
            try await giveUp()
            try await waitForThreads()
        }

        @Test("memory does not grow with the number of records")
        func memory() async throws {
            // In a separate process, so that nothing else adds to its memory.
            await #expect(processExitsWith: .success) { try await Self.expectEvenMemory(".id") }
        }

        @Test("memory does not grow with the number of records that the program reads")
        func memoryOfInputs() async throws {
            await #expect(processExitsWith: .success) { try await Self.expectEvenMemory("[., input] | length") }
        }

        private static func expectEvenMemory(_ source: String) async throws {
            let descriptor = open("/dev/null", O_WRONLY | O_CLOEXEC)
            defer { close(descriptor) }
            let filter = try Self.filter(source, to: descriptor)
            let batch = Self.batch(
                (0..<1000).map { "{\"id\":\"\($0)\",\"list\":[1,2,{\"a\":\"text \($0)\"}],\"x\":{\"y\":null}}" })
            var before = 0
            for round in 0..<200 {
                _ = try await filter.consume(batch)
                if round == 40 { before = residentKilobytes() }
            }
            let report = try await filter.finish()
            #expect(report.results >= 100_000)
            // A leak stays: 100 bytes a record would be 16 MB.
            #expect(residentKilobytes() - before < 12 << 10)
        }

        @Test(
            "a worker blocks while its results are not read",
            arguments: ["range(1e9)", "range(1e9), input_line_number"])
        func heldUp(source: String) async throws {
            let pipe = try pipe()
            let filter = try Self.filter(source, to: pipe.writing)
            _ = try await filter.consume(Self.batch(["1", "2"]))
            try await Threads.waitUntilIdle(namePrefix: "clover-jq-", limitInSeconds: 120)
            let task = Task { try await filter.finish() }
            task.cancel()
            await #expect(throws: CancellationError.self) { _ = try await task.value }
            close(pipe.reading)
            try await waitForThreads()
            close(pipe.writing)
        }

        private static func residentKilobytes() -> Int { pages(at: 1) * Int(getpagesize()) / 1024 }

        /// A field of /proc/self/statm, see proc(5).
        private static func pages(at place: Int) -> Int {
            guard let file = fopen("/proc/self/statm", "r") else { return 0 }
            defer { fclose(file) }
            var line = [UInt8](repeating: 0, count: 128)
            let count = fread(&line, 1, line.count, file)
            let fields = String(decoding: line.prefix(count), as: UTF8.self).split(separator: " ")
            return fields.count > place ? Int(fields[place]) ?? 0 : 0
        }
    }
}
