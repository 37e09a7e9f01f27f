import CloverTestSupport
import Foundation
import Testing

@Suite("Progress")
struct ProgressTests {
    private static let slow = ["--orders", "3000", "--latency", "600ms"]
    private static let all = ["get", "orders", "--all", "--expand", "lineItems"]

    /// A line of it, anywhere in what a terminal was sent.
    private static func isShown(_ text: String) -> Bool { text.contains(/orders  [^\r\n]*[0-9,]+ records?/) }

    @Test("is shown on the terminal while records go to a file, and is gone at the end")
    func file() async throws {
        try await Sandbox.run(emulator: Self.slow, weight: 0) { sandbox, _ in
            let file = sandbox.directory["orders.ndjson"]
            let session = try sandbox.startOnTerminal(Self.all, output: file)
            try await session.waitForScreen("records and a rate") { $0.text.contains(/orders  .*records .* req\/s/) }
            let result = try await session.result()
            #expect(result.ending == .exited(0), "\(result)")
            #expect(session.screen.text == "", "\(session.screen.text)")
        }
    }

    @Test("shows how much has been delivered and the time left, as far as the width allows")
    func total() async throws {
        try await Sandbox.run(emulator: Self.slow, weight: 0) { sandbox, _ in
            for columns in [100, 30] {
                let session = try sandbox.startOnTerminal(
                    ["get", "orders", "--limit", "700", "--expand", "lineItems"], columns: columns,
                    output: sandbox.directory["orders.ndjson"])
                try await session.waitForScreen("how much") { screen in
                    columns == 100
                        ? screen.text.contains(/orders  [█░]{20}   [0-9]+ of 700 records .* left/)
                        : screen.text.contains(/orders  [^█]*of 700 records/)
                }
                #expect(try await session.result().ending == .exited(0))
                #expect(!Self.isShown(session.screen.text), "\(session.screen.text)")
            }
        }
    }

    @Test("shows the progress and the time left from the first time window on")
    func firstWindow() async throws {
        try await Sandbox.run(emulator: ["--orders", "6000", "--now", "clock", "--clamp", "100"]) { sandbox, _ in
            let session = try sandbox.startOnTerminal(
                ["get", "orders", "--all", "--filter", "createdTime>=-80d", "--requests-per-second", "2"], columns: 120,
                output: sandbox.directory["out"])
            try await session.waitForScreen("the time left") {
                $0.text.contains(/orders  █[█░]+ .* [0-9]+ pages .* about .* left/) && !$0.text.contains(/window [2-9]/)
            }
            session.command.send(9)
            _ = try await session.result()
        }
    }

    @Test("a list whose pages were counted before shows the time left")
    func formerPages() async throws {
        try await Sandbox.run(emulator: ["--orders", "6000", "--latency", "100ms"], weight: 0) { sandbox, _ in
            let command = ["get", "orders", "--all", "--requests-per-second", "1"]
            expectSuccess(try await sandbox.clover(["get", "orders", "--all", "--jq", "empty"]))
            let session = try sandbox.startOnTerminal(command, columns: 120, output: sandbox.directory["out"])
            try await session.waitForScreen("the time left") { $0.text.contains(/orders  █[█░]+ .* about .* left/) }
            #expect(try await session.result().ending == .exited(0))
        }
    }

    @Test("a long scan of readers shows that it is in progress")
    func scan() async throws {
        try await Sandbox.run(emulator: ["--latency", "2s"], weight: 0) { sandbox, _ in
            let session = try sandbox.startOnTerminal(["reader", "scan", "--transport", "cloud"])
            try await session.waitForScreen("progress") { $0.text.contains("reader scan  looking for readers") }
            _ = try await session.result()
            #expect(!session.screen.text.contains("looking for readers"), "\(session.screen.text)")
        }
    }

    @Test("keeps out of the way of records on the same terminal")
    func sameTerminal() async throws {
        try await Sandbox.run(emulator: Self.slow, weight: 0) { sandbox, _ in
            let session = try sandbox.startOnTerminal(
                ["get", "orders", "--limit", "400", "--json"], columns: 200)
            let result = try await session.result()
            #expect(result.ending == .exited(0), "\(result)")
            let lines = session.sent.split(separator: "\r\n")
            let first = try #require(lines.firstIndex { $0.contains(#"{"href""#) || $0.hasSuffix("}") })
            #expect(!Self.isShown(lines[(first + 1)...].joined(separator: "\n")))
            #expect(session.screen.lines.filter { $0.contains("orders  ") }.isEmpty)
        }
    }

    @Test(
        "is not shown where it is unwanted or invisible",
        arguments: [
            (["-q"], [:]), (["--json"], [:]), ([], ["TERM": "dumb"]), ([], ["CLOVER_QUIET": "1"]),
        ] as [([String], [String: String])])
    func none(_ options: [String], _ variables: [String: String]) async throws {
        try await Sandbox.run(emulator: Self.slow, weight: 0) { sandbox, _ in
            let session = try sandbox.with(variables).startOnTerminal(
                Self.all + options, output: sandbox.directory["orders.ndjson"])
            #expect(try await session.result().ending == .exited(0))
            #expect(session.sent == "", "\(session.sent.debugDescription)")
        }
    }

    @Test("is not shown when standard error is not a terminal")
    func cron() async throws {
        try await Sandbox.run(emulator: Self.slow, weight: 0) { sandbox, _ in
            let result = try await sandbox.with(["TERM": "xterm"]).clover(Self.all)
            expectSuccess(result)
            #expect(result.errorText == "")
        }
    }

    @Test("is shown only when no program in the pipeline writes to the same terminal")
    func pipeline() async throws {
        try await Sandbox.run(emulator: Self.slow, weight: 0) { sandbox, _ in
            let program = try CommandRunner.builtProgram("clover")
            let command = "'\(program)' \(Self.all.joined(separator: " "))"
            for (reader, isShown) in [("tail -c 1", false), ("tail -c 1 >\(sandbox.directory["out"])", true)] {
                var bash = CommandRunner(executable: "/bin/bash", environment: sandbox.variables)
                bash.environment["TERM"] = "xterm"
                // With job control, as at a prompt, a pipeline is a separate process group.
                let session = try bash.startOnTerminal(
                    ["-c", "set -m; \(command) | \(reader)"], columns: 80, rows: 24)
                #expect(try await session.result().ending == .exited(0))
                #expect(Self.isShown(session.sent) == isShown, "\(session.sent.debugDescription)")
            }
        }
    }

    @Test("messages are printed above it in full, and it continues below them")
    func messages() async throws {
        try await Sandbox.run(emulator: Self.slow, weight: 0) { sandbox, _ in
            let session = try sandbox.startOnTerminal(
                Self.all + ["-v"], columns: 120, output: sandbox.directory["orders.ndjson"])
            #expect(try await session.result().ending == .exited(0))
            #expect(Self.isShown(session.sent))
            #expect(
                session.screen.lines.allSatisfy { $0.isEmpty || $0.hasPrefix("clover: ") }, "\(session.screen.text)")
        }
    }

    @Test("is gone after Ctrl-C")
    func interrupt() async throws {
        try await Sandbox.run(emulator: Self.slow) { sandbox, _ in
            let session = try sandbox.startOnTerminal(Self.all, output: sandbox.directory["orders.ndjson"])
            try await session.waitForScreen("progress") { Self.isShown($0.text) }
            session.command.send(2)
            #expect(try await session.result().ending == .signalled(2))
            #expect(!Self.isShown(session.screen.text), "\(session.screen.text)")
        }
    }

    @Test("a long charge shows that it is in progress, below its messages, and leaves nothing behind")
    func charge() async throws {
        try await Sandbox.run(emulator: ["--authorization-time", "3s", "--now", "clock"], weight: 0) { sandbox, _ in
            let card = sandbox.directory["card.json"]
            try #"{"number":"4242424242424242","exp_month":"12","exp_year":"2030","cvv":"737"}"#
                .write(toFile: card, atomically: true, encoding: .utf8)
            let words = ["charge", "--minor", "1250", "--currency", "USD", "--card", "-"]
            let program = try CommandRunner.builtProgram("clover")
            var shell = CommandRunner(executable: "/bin/sh", environment: sandbox.variables)
            shell.environment["TERM"] = "xterm"
            let line = "'\(program)' \(words.joined(separator: " ")) <'\(card)'"
            let session = try shell.startOnTerminal(["-c", line], columns: 120, rows: 24)
            try await session.waitForScreen("progress") { $0.text.contains("charge  waiting for the outcome") }
            let result = try await session.result()
            #expect(result.ending == .exited(0), "\(result)")
            #expect(!session.screen.text.contains("waiting for the outcome"), "\(session.screen.text)")
            #expect(session.screen.text.contains("approved"), "\(session.screen.text)")
            // Elsewhere it says nothing of it.
            let piped = try await sandbox.shell("clover \(words.joined(separator: " ")) <'\(card)'")
            #expect(piped.ending == .exited(0) && !piped.errorText.contains("waiting for the outcome"), "\(piped)")
        }
    }

    @Test("counts the lines of many requests")
    func lines() async throws {
        try await Sandbox.run(emulator: ["--latency", "200ms"]) { sandbox, _ in
            let file = sandbox.directory["lines.ndjson"]
            try (1...20).map { #"{"name":"Item \#($0)","price":100}"# + "\n" }.joined()
                .write(toFile: file, atomically: true, encoding: .utf8)
            let session = try sandbox.startOnTerminal(
                ["post", "items", "--each", "--input", file], output: sandbox.directory["out"])
            try await session.waitForScreen("lines") {
                $0.text.contains(/items  [█░]{20}   [0-9]+ lines .* about [0-9]+ s left/)
            }
            let result = try await session.result()
            #expect(result.ending == .exited(0), "\(result)")
            #expect(session.screen.text == "")
        }
    }
}
