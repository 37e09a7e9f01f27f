import CloverTestSupport
import Testing

@Suite("get: stdout, signals and the end of a run")
struct StreamTests {
    @Test("a record is on stdout as soon as it has arrived, though the page goes on")
    func recordsDoNotWait() async throws {
        let answer = LoopbackResponse(
            body: #"{"elements":[\#(Record.order(1)),\#(Record.order(2)),{"id":"NEXT""#.utf8, declaredLength: 9999,
            ending: .hold)
        try await Sandbox.run(server: { _, _ in answer }) { sandbox, _ in
            for options in [[], ["--jq", "."]] {
                let command = try sandbox.start(["get", "orders"] + options)
                try await command.waitForOutput("two records") { bytes in bytes.count { $0 == 10 } == 2 }
                command.send(15)
                let result = try await command.result()
                #expect(try JSONValue.lines(result.lines) == JSONValue.lines([Record.order(1), Record.order(2)]))
            }
        }
    }

    @Test("a full disk ends with 74 and says so", arguments: [[], ["--jq", ".id"], ["--slurp"]])
    func fullDisk(_ options: [String]) async throws {
        let list = ServedList(records: Record.orders(3000))
        try await Sandbox.run(server: { request, _ in list.answer(to: request) }) { sandbox, server in
            let result = try await sandbox.clover(["get", "orders", "--all"] + options, output: .file("/dev/full"))
            expectFailure(result, status: 74, saying: "No space left")
            #expect(server.requests.count <= 10)
        }
    }

    @Test("the text of --help and of auth status on a full disk ends with 74 too")
    func fullDiskElsewhere() async throws {
        try await Sandbox.run { sandbox in
            let status = try await sandbox.using("http://127.0.0.1:9").clover(
                "auth", "status", output: .file("/dev/full"))
            expectFailure(status, status: 74)
        }
    }

    @Test("a closed stdout ends the run quietly by SIGPIPE", arguments: [[], ["--jq", ".id"], ["-v"]])
    func closedPipe(_ options: [String]) async throws {
        let list = ServedList(records: Record.orders(3000))
        try await Sandbox.run(server: { request, _ in list.answer(to: request) }) { sandbox, _ in
            let result = try await sandbox.clover(["get", "orders", "--all"] + options, output: .brokenPipe)
            #expect(result.ending == .signalled(13), "\(result)")
            if options != ["-v"] { #expect(result.errorText == "") }
        }
    }

    @Test("'| head -n 1' gets its line and ends a run that would go on for long")
    func head() async throws {
        let list = ServedList(records: Record.orders(100))
        // Every page is full, so the list has no end.
        try await Sandbox.run(server: { request, _ in
            let limit = request.values(of: "limit").first.flatMap { Int($0) } ?? 100
            let offset = request.values(of: "offset").first.flatMap { Int($0) } ?? 0
            return limit > 0 ? .page(Record.orders(limit, from: offset)) : .page(list.records)
        }) { sandbox, _ in
            let result = try await sandbox.shell(
                "set -o pipefail; clover get orders --all | head -n 1; echo ${PIPESTATUS[0]}")
            #expect(result.lines == [Record.order(0), "141"], "\(result)")
            #expect(result.errorText == "")
        }
    }

    @Test("stdout that is not open at all is a write failure")
    func noStdout() async throws {
        try await Sandbox.run(server: { _, _ in .page(Record.orders(3)) }) { sandbox, _ in
            let result = try await sandbox.clover(["get", "orders"], output: .closed)
            expectFailure(result, status: 74)
        }
    }

    @Test("nothing is needed on stdin")
    func noStdin() async throws {
        try await Sandbox.run(server: { _, _ in .page(Record.orders(3)) }) { sandbox, _ in
            expectSuccess(try await sandbox.clover("get", "orders", input: .closed))
        }
    }

    struct Interruption: Sendable, CustomTestStringConvertible {
        let signal: Int32
        let options: [String]
        var testDescription: String { "signal \(signal) \(options.joined(separator: " "))" }
    }

    static let interruptions = [2, 15, 1].flatMap { signal in
        [[], ["--jq", "."]].map { Interruption(signal: signal, options: $0) }
    }

    @Test("a signal in mid-page ends the run by that signal, with whole lines only", arguments: interruptions)
    func interruption(_ row: Interruption) async throws {
        // It begins with the last record of the first one.
        let second = Record.orders(900, from: 999)
        try await Sandbox.run(server: { request, _ in
            if !request.target.contains("offset=") { return .page(Record.orders(1000)) }
            return LoopbackResponse(
                body: #"{"elements":[\#(second.joined(separator: ",")),{"id":"HALF"#.utf8, declaredLength: 1 << 20,
                ending: .hold)
        }) { sandbox, server in
            let command = try sandbox.start(["get", "orders", "--all"] + row.options)
            try await command.waitForOutput("the second page's records") { bytes in bytes.count { $0 == 10 } > 1000 }
            command.send(row.signal)
            let result = try await command.result()
            #expect(result.ending == .signalled(row.signal), "\(result)")
            #expect(result.endsWithWholeLine)
            #expect(result.lines.allSatisfy { $0.hasPrefix("{") && $0.hasSuffix("}") })
            #expect(!result.outputText.contains("HALF"))
        }
    }

    @Test("a signal while waiting for the budget or a retry ends the run as well")
    func interruptionWhileWaiting() async throws {
        try await Sandbox.run(server: { _, _ in
            LoopbackResponse(status: "429 Too Many Requests", headers: ["Retry-After: 600"], body: [])
        }) { sandbox, server in
            let command = try sandbox.start("get", "orders")
            try await server.waitForRequests(1)
            command.send(2)
            let result = try await command.result()
            #expect(result.ending == .signalled(2), "\(result)")
        }
    }

    @Test("an interrupted run frees its place for the next one at once")
    func placeIsFree() async throws {
        try await Sandbox.run(
            server: { _, number in
                number <= 5 ? LoopbackResponse(bytes: [], ending: .hold) : .page(Record.orders(1))
            }, weight: 3
        ) { sandbox, server in
            var held: [RunningCommand] = []
            for count in 1...5 {
                held.append(try sandbox.start("get", "orders"))
                try await server.waitForRequests(count)
            }
            // All five places are taken; the next run waits until one is free.
            let next = try sandbox.start("get", "orders")
            held[0].send(9)
            _ = try await held[0].result()
            let result = try await next.result()
            #expect(result.ending == .exited(0), "\(result)")
            #expect(result.lines == Record.orders(1))
            for command in held.dropFirst() { command.send(15) }
            for command in held.dropFirst() {
                let ended = try await command.result()
                #expect(ended.ending == .signalled(15), "\(ended)")
            }
        }
    }

    @Test("a list that has room on one page costs no more than that page and the proof of its end")
    func shortList() async throws {
        try await Sandbox.run(emulator: ["--orders", "40"]) { sandbox, emulator in
            let result = try await sandbox.clover("get", "orders", "--all", "-r", "--jq", ".id")
            expectSuccess(result)
            #expect(Set(result.lines).count == 40)
            #expect(try await emulator.stats().requests == 2)
        }
    }

    @Test("the pages of a long list are asked for side by side as soon as the first has come in full")
    func sideBySide() async throws {
        try await Sandbox.run(server: { _, number in
            number == 1 ? .page(Record.orders(1000)) : LoopbackResponse(bytes: [], ending: .hold)
        }) { sandbox, server in
            let command = try sandbox.start("get", "orders", "--all")
            try await server.waitForRequests(6)
            command.send(15)
            let ended = try await command.result()
            #expect(ended.ending == .signalled(15), "\(ended)")
        }
    }

    @Test("a consumer that does not read keeps no other command from the service", arguments: [900, 6000])
    func slowConsumer(size: Int) async throws {
        // The pages are larger than any pipe, and the consumer reads the first one only.
        let filler = String(repeating: "x", count: size)
        let list = ServedList(
            records: (0..<6500).map { #"{"id":"\#(Record.identifier($0))","filler":"\#(filler)"}"# })
        try await Sandbox.run(
            server: { request, _ in
                request.path.hasSuffix("/items") ? .page(Record.orders(1)) : list.answer(to: request)
            }, weight: 2
        ) { sandbox, server in
            let shell = try sandbox.startShell("clover get orders --all | (head -n 1000 >/dev/null; exec sleep 3600)")
            try await server.waitForRequests(2)
            // Again and again, because the first command goes on for a while until everything is full.
            for _ in 0..<10 {
                let other = try await sandbox.limited(to: .seconds(200)).clover("get", "items")
                expectSuccess(other)
            }
            withExtendedLifetime(shell) {}
        }
    }
}
