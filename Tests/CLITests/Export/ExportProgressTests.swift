import CloverTestSupport
import Testing

/// The progress of `clover export` on a terminal, drawn in the same way as that of `clover get`.
@Suite("export: progress")
struct ExportProgressTests {
    private static let slow = ["--orders", "3000", "--latency", "300ms"]

    @Test("shows each resource: windows, records, rate and remaining time, waiting and finished ones")
    func board() async throws {
        try await Sandbox.run(emulator: Self.slow) { sandbox, _ in
            let session = try sandbox.startOnTerminal(
                [
                    "export", "orders", "items", "--to", sandbox.directory["out"], "--until", "2026-02-02T00:00Z",
                    "--window", "10d",
                ], columns: 140)
            try await session.waitForScreen("windows, and what waits") { screen in
                screen.text.contains(
                    /orders  [█░]{20}   window [0-9]+ of [0-9]+   [0-9,]+ records   [0-9]+ pages?   [0-9.]+ req\/s.* left/
                )
                    && screen.text.contains("items   waiting")
            }
            try await session.waitForScreen("the next one") { screen in
                screen.text.contains("orders  done   3,000 records") && !screen.text.contains("items   waiting")
            }
            let result = try await session.result()
            #expect(result.ending == .exited(0), "\(result)")
            #expect(
                session.screen.text.contains(
                    #/^clover: exported [0-9]+ new or changed records of orders, items in [0-9]+ files to /#),
                "\(session.screen.text)")
        }
    }

    @Test("shows pages for a single window")
    func oneWindow() async throws {
        try await Sandbox.run(emulator: Self.slow) { sandbox, _ in
            let base = ["export", "orders", "--to", sandbox.directory["out"], "--until", "2026-02-02T00:00Z"]
            let first = try sandbox.startOnTerminal(base + ["--expand", "lineItems"], columns: 140)
            try await first.waitForScreen("pages") {
                $0.text.contains(/orders  ([█░]{20}   )?[0-9,]+ records?   [0-9]+ pages?/)
            }
            #expect(try await first.result().ending == .exited(0))
            #expect(
                first.screen.text.contains(
                    #/^clover: exported [0-9]+ new or changed records of orders in 1 file to /#),
                "\(first.screen.text)")
        }
    }

    @Test("a failure is printed above the progress lines, which continue")
    func failure() async throws {
        try await Sandbox.run(emulator: Self.slow) { sandbox, _ in
            let session = try sandbox.startOnTerminal(
                ["export", "customers", "refunds", "--to", sandbox.directory["out"], "--jq", "error", "--strict"],
                columns: 140)
            let result = try await session.result()
            #expect(result.ending == .exited(65), "\(result)")
            #expect(session.screen.lines.allSatisfy { !$0.contains("waiting") && !$0.contains("█") })
            #expect(session.screen.text.contains("clover: customers, refunds failed"), "\(session.screen.text)")
        }
    }

    @Test("disappears after Ctrl-C, with a message on the published windows")
    func interrupt() async throws {
        try await Sandbox.run(emulator: Self.slow) { sandbox, _ in
            let session = try sandbox.startOnTerminal(
                [
                    "export", "orders", "--to", sandbox.directory["out"], "--until", "2026-02-02T00:00Z", "--window",
                    "2d",
                ],
                columns: 140)
            try await session.waitForScreen("some windows") { $0.text.contains(/orders  .*window [3-9] of/) }
            session.command.send(2)
            #expect(try await session.result().ending == .signalled(2))
            #expect(
                session.screen.lines.filter { !$0.isEmpty }.map { $0.replacing(/[0-9]+/, with: "N") } == [
                    "clover: stopped: N of N windows of orders are safe; the next run resumes from there"
                ], "\(session.screen.text)")
        }
    }

    @Test("is not shown without a terminal or with --quiet", arguments: [true, false])
    func none(isTerminal: Bool) async throws {
        try await Sandbox.run(emulator: ["--orders", "100", "--latency", "600ms"]) { sandbox, _ in
            let arguments = ["export", "orders", "customers", "--to", sandbox.directory["out"]]
            if isTerminal {
                let session = try sandbox.startOnTerminal(arguments + ["-q"])
                #expect(try await session.result().ending == .exited(0))
                #expect(session.sent == "", "\(session.sent.debugDescription)")
            } else {
                let result = try await sandbox.with(["TERM": "xterm"]).clover(arguments)
                expectSuccess(result)
                #expect(result.outputText + result.errorText == "")
            }
        }
    }
}
