import CloverTestSupport
import Testing

@Suite("Pager", .serialized)
struct PagerTests {
    private static func serve(_ request: LoopbackRequest, total: Int = 100_000) -> LoopbackResponse {
        guard request.path.hasSuffix("/items") else { return LoopbackResponse(#"{"defaultCurrency":"USD"}"#) }
        func number(_ name: String) -> Int? { request.values(of: name).first.flatMap { Int($0) } }
        let first = min(number("offset") ?? 0, total)
        let records = (first..<min(first + (number("limit") ?? 100), total)).map {
            #"{"id":"ITEM\#($0)","name":"Item number \#($0)","price":\#($0)}"#
        }
        return LoopbackResponse(body: LoopbackResponse.envelope(records))
    }

    @Test("less shows a long table a screen at a time; notices follow when the user leaves it")
    func less() async throws {
        try await Sandbox.run(server: { request, _ in Self.serve(request) }) { sandbox, _ in
            let session = try sandbox.startOnTerminal(["get", "items"], rows: 10)
            try await session.waitForScreen("a screen of less") { $0.lines.last == ":" }
            #expect(session.screen.text.contains("Item number 8\n") == false)
            #expect(session.screen.lines.first?.hasPrefix("ID") ?? false)
            #expect(!session.sent.contains("clover:"))
            session.type("q")
            let result = try await session.result()
            #expect(result.ending == .exited(0), "\(result)")
            #expect(session.screen.text.contains("clover: more items may exist"))
            #expect(session.echoes)
        }
    }

    @Test("a table that fits the screen needs no pager")
    func short() async throws {
        try await Sandbox.run(server: { request, _ in Self.serve(request, total: 8) }) { sandbox, _ in
            let session = try sandbox.with(["CLOVER_PAGER": "sed 's/^/paged /'"])
                .startOnTerminal(["get", "items"], rows: 10)
            #expect(try await session.result().ending == .exited(0))
            #expect(!session.sent.contains("paged"))
            #expect(session.screen.text.contains("Item number 7"))
        }
    }

    struct Choice: Sendable, CustomTestStringConvertible {
        let variables: [String: String]
        var options: [String] = []
        let isPaged: Bool
        var testDescription: String { "\(variables) \(options)" }
    }

    @Test(
        "is chosen by CLOVER_PAGER, then PAGER; empty, cat and --no-pager mean none",
        arguments: [
            Choice(variables: ["CLOVER_PAGER": "sed 's/^/paged /'", "PAGER": "cat"], isPaged: true),
            Choice(variables: ["PAGER": "sed 's/^/paged /'"], isPaged: true),
            Choice(variables: ["CLOVER_PAGER": "", "PAGER": "sed 's/^/paged /'"], isPaged: false),
            Choice(variables: ["CLOVER_PAGER": "cat", "PAGER": "sed 's/^/paged /'"], isPaged: false),
            Choice(variables: ["PAGER": "sed 's/^/paged /'"], options: ["--no-pager"], isPaged: false),
            Choice(variables: ["PAGER": "sed 's/^/paged /'", "TERM": "dumb"], isPaged: false),
        ])
    func choice(_ choice: Choice) async throws {
        try await Sandbox.run(server: { request, _ in Self.serve(request) }) { sandbox, _ in
            let session = try sandbox.with(choice.variables)
                .startOnTerminal(["get", "items"] + choice.options, rows: 10)
            let result = try await session.result()
            #expect(result.ending == .exited(0), "\(result)")
            let rows = session.screen.lines.filter { $0.contains("Item number") }
            #expect(rows.count == 100)
            #expect(rows.allSatisfy { $0.hasPrefix("paged ") == choice.isPaged }, "\(rows.prefix(2))")
        }
    }

    @Test("a missing pager is named, and no output is lost")
    func missing() async throws {
        try await Sandbox.run(server: { request, _ in Self.serve(request) }) { sandbox, _ in
            let session = try sandbox.with(["PAGER": "no-such-pager -x"]).startOnTerminal(["get", "items"], rows: 10)
            #expect(try await session.result().ending == .exited(0))
            #expect(
                session.screen.text.contains("clover: pager 'no-such-pager' not found; to use none, add --no-pager"))
            #expect(session.screen.text.contains("Item number 99"))
        }
    }

    @Test("clover's own lists are paged too; output that is not a table is not")
    func lists() async throws {
        try await Sandbox.run(server: { request, _ in Self.serve(request) }) { sandbox, _ in
            let sandbox = sandbox.with(["PAGER": "sed 's/^/paged /'"])
            for (words, isPaged) in [
                (["endpoints"], true), (["schema"], true), (["config", "keys"], true),
                (["endpoints", "--json"], false),
                (["get", "items", "--json"], false), (["config", "keys", "--no-pager"], false),
            ] {
                let session = try sandbox.startOnTerminal(words, rows: 10)
                #expect(try await session.result().ending == .exited(0))
                #expect(session.sent.contains("paged ") == isPaged, "\(words)")
            }
        }
    }

    @Test("does not receive the token or the secret")
    func secrets() async throws {
        try await Sandbox.run(server: { request, _ in Self.serve(request) }) { sandbox, _ in
            let session = try sandbox.with(["PAGER": "env; cat >/dev/null", "CLOVER_APP_SECRET": "never-to-be-seen-9"])
                .startOnTerminal(["get", "items"], rows: 10)
            #expect(try await session.result().ending == .exited(0))
            #expect(session.sent.contains("CLOVER_MERCHANT_ID=") && session.sent.contains("PAGER="))
            #expect(!session.sent.contains(Sandbox.token) && !session.sent.contains("never-to-be-seen-9"))
        }
    }

    @Test("leaving it early ends the run quietly, like a closed pipe")
    func leaving() async throws {
        try await Sandbox.run(server: { request, _ in Self.serve(request) }) { sandbox, _ in
            let session = try sandbox.startOnTerminal(["get", "items", "--limit", "1000000"], rows: 10)
            try await session.waitForScreen("a screen of less") { $0.lines.last == ":" }
            session.type("q")
            let result = try await session.result()
            #expect(result.ending == .signalled(13), "\(result)")
            #expect(!session.sent.contains("clover:"), "\(session.screen.text.suffix(400))")
            #expect(session.echoes)
        }
    }

    @Test(
        "a pager that fails ends the run with 74, and its status is reported",
        arguments: [("false", 1), ("head -c 1 >/dev/null; exit 2", 2), ("tail -n 1 >/dev/null; exit 3", 3)])
    func failing(line: String, status: Int) async throws {
        try await Sandbox.run(server: { request, _ in Self.serve(request) }) { sandbox, _ in
            let session = try sandbox.with(["PAGER": line]).startOnTerminal(
                ["get", "items", "--limit", "3000"], rows: 10)
            let result = try await session.result()
            #expect(result.ending == .exited(74), "\(result)")
            #expect(session.sent.contains("the pager '\(line)' exited with \(status)"), "\(session.sent.suffix(300))")
            #expect(session.sent.contains("--no-pager"))
            #expect(session.echoes)
        }
    }

    @Test("Ctrl-C goes to the pager while it is running")
    func interrupt() async throws {
        try await Sandbox.run(server: { request, _ in Self.serve(request) }) { sandbox, _ in
            let session = try sandbox.startOnTerminal(["get", "items"], rows: 10)
            try await session.waitForScreen("a screen of less") { $0.lines.last == ":" }
            // Sent to us alone: what is typed with a Ctrl-C, the terminal throws away.
            session.command.send(2)
            session.command.send(2)
            session.type(" ")
            try await session.waitForScreen("the next screen") { $0.text.contains("Item number 12") }
            session.type("q")
            let result = try await session.result()
            #expect(result.ending == .exited(0) || result.ending == .signalled(2), "\(result)")
            #expect(session.echoes)
        }
    }

    @Test("a signal that ends clover ends the pager too, and the terminal is restored", arguments: [Int32(15), 1])
    func termination(_ signal: Int32) async throws {
        try await Sandbox.run(server: { request, _ in Self.serve(request) }) { sandbox, _ in
            let session = try sandbox.startOnTerminal(["get", "items"], rows: 10)
            try await session.waitForScreen("a screen of less") { $0.lines.last == ":" }
            #expect(!session.echoes)
            session.command.send(signal)
            let result = try await session.result()
            #expect(result.ending == .signalled(signal), "\(result)")
            #expect(session.echoes)
            #expect(session.screen.lines.last != ":")
        }
    }

    @Test(
        "--max-time ends the pager too, and says below whether something is missing: 83",
        arguments: [
            (["--limit", "100"], "after 100 records: the pager was still open", "all of them were written"),
            (["--all"], "after 1000 records", "but some are missing"),
        ])
    func maximumTime(options: [String], message: String, hint: String) async throws {
        try await Sandbox.run(
            server: { request, _ in
                let isLater = !["0", ""].contains(request.values(of: "offset").first ?? "")
                if request.path.hasSuffix("/items"), isLater { return LoopbackResponse(bytes: [], ending: .hold) }
                return Self.serve(request)
            }, weight: 0
        ) { sandbox, _ in
            let session = try sandbox.startOnTerminal(["get", "items", "--max-time", "6"] + options, rows: 10)
            try await session.waitForScreen("a screen of less") { $0.lines.last == ":" }
            #expect(!session.sent.contains("clover:"))
            let result = try await session.result()
            #expect(result.ending == .exited(83), "\(result)")
            let text = session.screen.text
            #expect(text.contains("clover: --max-time 6 s ran out \(message)"), "\(text.suffix(600))")
            #expect(text.contains(hint), "\(text.suffix(600))")
            #expect(session.echoes && session.hasItsModes && session.screen.lines.last != ":")
        }
    }

    @Test("--max-time that runs out before a pager is open prints what was read without one")
    func noPagerAtTheEnd() async throws {
        try await Sandbox.run(
            server: { request, _ in
                let isLater = !["0", ""].contains(request.values(of: "offset").first ?? "")
                if request.path.hasSuffix("/items"), isLater { return LoopbackResponse(bytes: [], ending: .hold) }
                return Self.serve(request, total: 100)
            }
        ) { sandbox, _ in
            let session = try sandbox.with(["PAGER": "sed 's/^/paged /'"])
                .startOnTerminal(["get", "items", "--all", "--max-time", "3"], rows: 10)
            let result = try await session.result()
            #expect(result.ending == .exited(83), "\(result)")
            #expect(!session.sent.contains("paged"))
            #expect(session.screen.text.contains("Item number 99"))
            #expect(session.screen.text.contains("clover: --max-time 3 s ran out"))
        }
    }

    @Test("the status is that of the run, and the failure is reported below")
    func failure() async throws {
        try await Sandbox.run(
            server: { request, number in
                if request.path.hasSuffix("/items"), !["0", ""].contains(request.values(of: "offset").first ?? "") {
                    return LoopbackResponse(status: "403 Forbidden", #"{"message":"no"}"#)
                }
                return Self.serve(request)
            }
        ) { sandbox, _ in
            let session = try sandbox.with(["PAGER": "sed 's/^/paged /'"])
                .startOnTerminal(["get", "items", "--limit", "3000"], rows: 10)
            let result = try await session.result()
            #expect(result.ending == .exited(77), "\(result)")
            let lines = session.screen.lines
            let last = lines.lastIndex { $0.hasPrefix("paged ") } ?? -1
            let first = lines.firstIndex { $0.hasPrefix("clover: ") } ?? -1
            #expect(last >= 1000 && first > last, "\(first) \(last)")
        }
    }
}
