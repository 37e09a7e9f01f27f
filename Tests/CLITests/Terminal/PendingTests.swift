import CloverTestSupport
import Foundation
import Testing

@Suite("Work of more than a second shows on a terminal that it is in progress")
struct PendingTests {
    /// Expects the line while it is waited for, and a clean screen without it in the end.
    private func expectPending(
        _ line: String, _ session: TerminalSession, status: Int32 = 0,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        try await session.waitForScreen("progress") { $0.text.contains(line) }
        let result = try await session.result()
        #expect(result.ending == .exited(status), "\(result)", sourceLocation: sourceLocation)
        #expect(!session.screen.text.contains(line), "\(session.screen.text)", sourceLocation: sourceLocation)
        #expect(session.screen.hasCursor && session.hasItsModes, sourceLocation: sourceLocation)
    }

    @Test("doctor, with a service that accepts and sends nothing; the findings are printed above")
    func doctor() async throws {
        try await Sandbox.run(server: { _, _ in LoopbackResponse(bytes: [], ending: .hold) }) { sandbox, _ in
            let session = try sandbox.withoutBuses.startOnTerminal(["doctor"], columns: 120, rows: 60)
            try await expectPending("doctor  checking network", session, status: 78)
            let lines = session.screen.lines.filter { !$0.isEmpty }
            #expect(lines.allSatisfy { $0.contains(#/^(ok|warn|fail|skip| ) /#) }, "\(session.screen.text)")
        }
    }

    @Test("doctor with --json or --quiet does not show it", arguments: ["--json", "--quiet"])
    func quiet(_ option: String) async throws {
        try await Sandbox.run(server: { _, _ in LoopbackResponse(bytes: [], ending: .hold) }) { sandbox, _ in
            let session = try sandbox.withoutBuses.startOnTerminal(["doctor", option], columns: 120, rows: 60)
            _ = try await session.result()
            #expect(!session.sent.contains("checking network"), "\(session.sent)")
        }
    }

    @Test("auth refresh, and auth token with a token that is due")
    func tokens() async throws {
        try await Sandbox.signedIn(emulator: ["--oauth-latency", "3s"], weight: 0) { sandbox, _, _ in
            try await expectPending(
                "tokens  waiting for the service", try sandbox.startOnTerminal(["auth", "refresh"], columns: 120))
            try sandbox.expireAccessToken()
            let session = try sandbox.startOnTerminal(["auth", "token"], columns: 120)
            try await expectPending("tokens  waiting for the service", session)
            #expect(session.screen.text.contains(/^eyJ/), "\(session.screen.text)")
        }
    }

    @Test("auth refresh disappears from the screen after Ctrl-C")
    func interrupted() async throws {
        try await Sandbox.signedIn(emulator: ["--oauth-latency", "3s"], weight: 0) { sandbox, _, _ in
            let session = try sandbox.startOnTerminal(["auth", "refresh"], columns: 120)
            try await session.waitForScreen("progress") { $0.text.contains("tokens  waiting") }
            session.type("\u{3}")
            let result = try await session.result()
            #expect(result.ending == .signalled(2), "\(result)")
            #expect(!session.screen.text.contains("tokens  waiting") && session.hasItsModes, "\(session.screen.text)")
        }
    }

    @Test("auth login --with-token, while another process holds the lock on the sign-ins")
    func login() async throws {
        try await Sandbox.run { sandbox in
            let address = "http://127.0.0.1:9"
            expectSignedIn(try await sandbox.signIn(environment: address))
            let lock = try #require(sandbox.directory.files(below: "state/credentials").first { $0.hasSuffix(".lock") })
            let gate = sandbox.directory["gate"]
            let holder = try sandbox.startShell(
                "flock '\(sandbox.directory[lock])' bash -c 'echo held; until test -e \"\(gate)\"; do sleep 0.1; done'")
            try await holder.waitForOutput("the lock") { !$0.isEmpty }
            let session = try sandbox.startOnTerminal(
                [
                    "auth", "login", "--with-token", "--merchant", Sandbox.merchantID, "--environment", address,
                ], columns: 120)
            try await session.waitForBytes("input is hidden")
            session.type("another-token\n")
            try await session.waitForScreen("progress") { $0.text.contains("auth login  storing the token") }
            try sandbox.directory.write("gate", "".utf8)
            let result = try await session.result()
            #expect(result.ending == .exited(0), "\(result)")
            #expect(!session.screen.text.contains("storing the token") && session.echoes, "\(session.screen.text)")
            _ = try await holder.result()
        }
    }

    @Test("reader connect, with a slow reader; its messages are printed above")
    func reader() async throws {
        try await ReaderWorld.run { world in
            let program = try CommandRunner.builtProgram("clover-emulator")
            let sandbox = world.sandbox.with([
                "CLOVER_READER_DRIVER":
                    "'\(program)' reader-driver --pace 8 --state '\(world.sandbox.directory["cards"])'"
            ])
            let session = try sandbox.startOnTerminal(["reader", "connect", ReaderWorld.first], columns: 120)
            try await expectPending("reader connect  waiting for the reader", session)
            #expect(session.screen.text.contains("ready"), "\(session.screen.text)")
        }
    }
}
