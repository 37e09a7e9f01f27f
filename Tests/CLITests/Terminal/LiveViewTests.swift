import CloverTestSupport
import Foundation
import Testing

@Suite("Live views")
struct LiveViewTests {
    private static func limits(_ sandbox: Sandbox, _ options: String..., columns: Int = 80) throws -> TerminalSession {
        try sandbox.using("http://127.0.0.1:9").startOnTerminal(["limits"] + options, columns: columns)
    }

    @Test("limits draws a bar for each limit, with the characters that the terminal has")
    func bars() async throws {
        try await Sandbox.run { sandbox in
            for (locale, bar) in [("C.UTF-8", "░░░░░"), ("C", ".....")] {
                let session = try Self.limits(sandbox.with(["LANG": locale]))
                let result = try await session.result()
                #expect(result.ending == .exited(0), "\(result)")
                #expect(
                    session.screen.text == """
                        token of merchant \(Sandbox.merchantID)
                          a second  0 of 16  \(bar)\(bar)\(bar)\(bar.prefix(1))
                          at once   0 of  5  \(bar)

                        """)
            }
        }
    }

    @Test("the limits are shown completely in the narrowest window, after what is in use")
    func narrow() async throws {
        try await Sandbox.run { sandbox in
            let session = try Self.limits(sandbox, "--watch", columns: 20)
            try await session.waitForScreen("the limits") {
                $0.lines.dropFirst().map { $0.trimmingCharacters(in: .whitespaces) }
                    == ["a second  0 of 16", "at once   0 of  5"]
            }
            session.type("\u{3}")
            _ = try await session.result()
        }
    }

    @Test("limits shows which process holds a slot, and what is in use")
    func holders() async throws {
        try await Sandbox.run(emulator: ["--latency", "20s"], weight: 2) { sandbox, _ in
            let holder = try sandbox.start("get", "items", "--all")
            let session = try sandbox.startOnTerminal(["limits", "--watch"])
            try await session.waitForScreen("the holder") {
                $0.text.contains(/in flight +bulk +[0-9.]+ s +process [0-9]+ +get items/)
            }
            let text = session.screen.text
            #expect(text.contains("process \(holder.pid)"), "\(text)")
            #expect(text.contains(/at once +[1-5] of +5  █/), "\(text)")
            session.type("\u{3}")
            _ = try await session.result()
            holder.send(9)
            _ = try await holder.result()
        }
    }

    @Test("--watch uses the alternate screen and restores the terminal", arguments: [Int32(2), 15, 1, 3])
    func clean(_ signal: Int32) async throws {
        try await Sandbox.run { sandbox in
            let session = try Self.limits(sandbox, "--watch")
            try await session.waitForScreen("the picture") { $0.text.contains("at once") }
            #expect(session.screen.isAlternate && !session.screen.hasCursor)
            switch signal {
            case 2: session.type("\u{3}")
            case 3: session.type("\u{1C}")
            default: session.command.send(signal)
            }
            let result = try await session.result()
            #expect(result.ending == .signalled(signal), "\(result)")
            // What the terminal itself shows for Ctrl-C stands on the other screen.
            #expect(session.screen == TerminalScreen(showing: [], columns: 80), "\(session.sent.debugDescription)")
            #expect(session.echoes)
        }
    }

    @Test("Ctrl-Z restores the terminal and stops; in the foreground again, the view is redrawn")
    func stop() async throws {
        try await Sandbox.run { sandbox in
            let session = try sandbox.using("http://127.0.0.1:9").startShellOnTerminal(
                """
                set -m; clover limits --watch; echo "status $?"; read -r; kill -0 %1 && echo alive; fg >/dev/null
                echo "then $?"
                """)
            try await session.waitForScreen("the picture") { $0.isAlternate && $0.text.contains("at once") }
            #expect(!session.screen.hasCursor)
            session.type("\u{1A}")
            try await session.waitForScreen("the shell") { $0.text.contains("status 148") }
            #expect(!session.screen.isAlternate && session.screen.hasCursor, "\(session.sent.debugDescription)")
            let before = session.sent.utf8.count
            session.type("\n")
            try await session.command.waitForOutput("the picture again") {
                String(decoding: $0.dropFirst(before), as: UTF8.self).contains("at once")
            }
            #expect(session.screen.isAlternate && !session.screen.hasCursor)
            #expect(session.sent.contains("alive"))
            session.type("\u{1C}")
            let result = try await session.result()
            #expect(session.screen.text.contains("then 131"), "\(result)")
            #expect(!session.screen.isAlternate && session.screen.hasCursor, "\(session.sent.debugDescription)")
            #expect(session.hasItsModes)
        }
    }

    @Test(
        "two signals at once, in any combination and order, restore the terminal",
        arguments: [
            [15, 1], [2, 15], [15, 15], [1, 1], [2, 2], [1, 15], [15, 2], [3, 15], [20, 15], [1, 2, 15],
        ] as [[Int32]])
    func together(_ signals: [Int32]) async throws {
        try await Sandbox.run { sandbox in
            for _ in 0..<3 {
                let session = try Self.limits(sandbox, "--watch")
                try await session.waitForScreen("the picture") { $0.text.contains("at once") }
                for signal in signals { session.command.send(signal) }
                let result = try await session.result()
                let endings = signals.map { CommandResult.Ending.signalled($0) }
                #expect(endings.contains(result.ending), "\(result)")
                #expect(session.screen == TerminalScreen(showing: [], columns: 80), "\(session.sent.debugDescription)")
                #expect(session.echoes)
            }
        }
    }

    @Test("stopped and then ended, --watch does not take the terminal from the shell")
    func endedWhileStopped() async throws {
        try await Sandbox.run { sandbox in
            let session = try sandbox.using("http://127.0.0.1:9").startShellOnTerminal(
                """
                set -m; clover limits --watch; echo "status $?"; kill -TERM %1; kill -CONT %1; wait %1; echo "then $?"
                """)
            try await session.waitForScreen("the picture") { $0.isAlternate && $0.text.contains("at once") }
            session.type("\u{1A}")
            _ = try await session.result()
            #expect(session.screen.text.contains("status 148"), "\(session.sent.debugDescription)")
            #expect(session.screen.text.contains("then 143"), "\(session.sent.debugDescription)")
            #expect(
                session.sent.components(separatedBy: "\u{1B}[?1049h").count == 2, "\(session.sent.debugDescription)")
            #expect(!session.screen.isAlternate && session.screen.hasCursor)
        }
    }

    @Test("in the background --watch stops before it takes the screen; in the foreground it draws")
    func background() async throws {
        try await Sandbox.run { sandbox in
            let session = try sandbox.using("http://127.0.0.1:9").startShellOnTerminal(
                """
                set -m; clover limits --watch & wait %1; echo "status $?"; read -r; fg >/dev/null; echo "then $?"
                """)
            // 128 and the number of SIGTTOU.
            try await session.waitForScreen("the shell") { $0.text.contains("status 150") }
            #expect(!session.sent.contains("\u{1B}"), "\(session.sent.debugDescription)")
            session.type("\n")
            try await session.waitForScreen("the picture") { $0.isAlternate && $0.text.contains("at once") }
            session.type("\u{1C}")
            _ = try await session.result()
            #expect(session.screen.text.contains("then 131"), "\(session.sent.debugDescription)")
            #expect(!session.screen.isAlternate && session.screen.hasCursor)
        }
    }

    @Test("stopped by a signal that cannot be caught, --watch redraws when it continues")
    func continued() async throws {
        try await Sandbox.run { sandbox in
            let session = try Self.limits(sandbox, "--watch")
            try await session.waitForScreen("the picture") { $0.text.contains("at once") }
            session.command.send(19)
            session.command.send(18)
            try await session.waitForBytes("\u{1B}[?25l\u{1B}[H")
            session.type("\u{3}")
            #expect(try await session.result().ending == .signalled(2))
            #expect(session.screen == TerminalScreen(showing: [], columns: 80), "\(session.sent.debugDescription)")
        }
    }

    @Test("--watch fits the window, even after a resize")
    func resize() async throws {
        try await Sandbox.run { sandbox in
            let session = try Self.limits(sandbox, "--watch", columns: 24)
            try await session.waitForScreen("the picture") { $0.text.contains("at once") }
            #expect(session.screen.wrappedLines == 0 && session.screen.lines[0] == "token of merchant TESTME")
            session.resize(columns: 14, rows: 2)
            let narrow =
                "\u{1B}[H\u{1B}[1mtoken of merch\u{1B}[0m\u{1B}[K\r\r\n  a second  0 \u{1B}[2m\u{1B}[0m\u{1B}[K\u{1B}[J"
            try await session.waitForBytes(narrow)
            session.type("\u{3}")
            #expect(try await session.result().ending == .signalled(2))
        }
    }

    @Test("--watch on a terminal without cursor movement prints one frame below the other")
    func dumb() async throws {
        try await Sandbox.run { sandbox in
            let session = try Self.limits(sandbox.with(["TERM": "dumb"]), "--watch")
            try await session.waitForScreen("two pictures") { $0.lines.count { $0.contains("at once") } == 2 }
            #expect(!session.sent.contains("\u{1B}"))
            session.type("\u{3}")
            #expect(try await session.result().ending == .signalled(2))
        }
    }
}
