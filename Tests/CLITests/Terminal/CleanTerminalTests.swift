import CloverTestSupport
import Testing

@Suite("Commands that run until stopped restore the terminal")
struct CleanTerminalTests {
    struct View: Sendable, CustomTestStringConvertible {
        let arguments: [String]
        /// What is on the screen when it is under way.
        let shown: String
        var needsSession = false
        var testDescription: String { arguments.joined(separator: " ") }
    }

    private static let views = [
        View(arguments: ["limits", "--watch"], shown: "at once"),
        View(arguments: ["reader", "scan", "--transport", "driver", "--timeout", "0"], shown: "Clover_Go"),
        View(
            arguments: ["reader", "scan", "--transport", "driver", "--timeout", "0", "--updates"], shown: "Clover_Go"),
        View(arguments: ["reader", "watch"], shown: "ready", needsSession: true),
    ]

    /// The view on a terminal, under way.
    private func watching(
        _ view: View, columns: Int, _ body: (Sandbox, TerminalSession) async throws -> Void
    ) async throws {
        try await ReaderWorld.run(weight: 2) { world in
            let sandbox = try world.emulated()
            var holder: RunningCommand?
            if view.needsSession {
                let command = try sandbox.start("reader", "connect", ReaderWorld.first, "--follow")
                try await command.waitForOutput("a session") {
                    String(decoding: $0, as: UTF8.self).contains(#""state":"ready""#)
                }
                holder = command
            }
            let session = try sandbox.startOnTerminal(view.arguments, columns: columns)
            try await session.waitForBytes(view.shown)
            try await body(sandbox, session)
            holder?.send(15)
            _ = try await holder?.result()
        }
    }

    private func expectClean(_ session: TerminalSession, sourceLocation: SourceLocation = #_sourceLocation) {
        let sent = session.sent.debugDescription
        #expect(session.screen.hasCursor && !session.screen.isAlternate, "\(sent)", sourceLocation: sourceLocation)
        #expect(session.hasItsModes && session.echoes, "\(sent)", sourceLocation: sourceLocation)
        #expect(session.isPlain, "\(sent)", sourceLocation: sourceLocation)
    }

    @Test("after a signal, in a wide window and in one of 20 columns", arguments: views, [Int32(2), 15, 1])
    private func stopped(_ view: View, _ signal: Int32) async throws {
        for columns in [80, 20] {
            try await watching(view, columns: columns) { _, session in
                if signal == 2 { session.type("\u{3}") } else { session.command.send(signal) }
                let result = try await session.result()
                #expect(result.ending == .signalled(signal), "\(result)")
                expectClean(session)
            }
        }
    }

    @Test("after the window was resized", arguments: views)
    private func resized(_ view: View) async throws {
        try await watching(view, columns: 60) { _, session in
            let before = session.command.outputSoFar.count
            session.resize(columns: 20, rows: 3)
            if view.arguments.first == "limits" {
                try await session.command.waitForOutput("a picture of the new size") { $0.count > before }
            }
            #expect(!session.command.hasEnded)
            session.type("\u{3}")
            let result = try await session.result()
            #expect(result.ending == .signalled(2), "\(result)")
            expectClean(session)
        }
    }

    @Test("when they end by themselves")
    func ends() async throws {
        try await ReaderWorld.run { world in
            let sandbox = try world.emulated()
            for arguments in [
                ["reader", "scan", "--transport", "driver", "--count", "1", "--timeout", "20s"],
                ["reader", "connect", ReaderWorld.first], ["reader", "list"], ["limits"],
            ] {
                let session = try sandbox.startOnTerminal(arguments, columns: 20)
                let result = try await session.result()
                #expect(result.ending == .exited(0), "\(result)")
                expectClean(session)
            }
        }
    }

    @Test("a watch whose reader disappears ends by itself")
    func readerGone() async throws {
        let view = View(arguments: ["reader", "watch"], shown: "ready", needsSession: true)
        try await watching(view, columns: 40) { sandbox, session in
            expectSuccess(try await sandbox.clover("reader", "disconnect", ReaderWorld.first, "--quiet"))
            let result = try await session.result()
            #expect(result.ending == .exited(0), "\(result)")
            #expect(session.screen.text.contains("disconnected"), "\(session.screen.text)")
            expectClean(session)
        }
    }
}
