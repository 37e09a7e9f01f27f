import CloverTestSupport
import Foundation
import Testing

/// Tokens under a wall clock that is set back, which the boot's clock does not follow.
@Suite("auth: a clock that is set back")
struct TokenClockTests {
    @Test("a token that was good stays good, and is not renewed, when the clock goes an hour back")
    func sameBoot() async throws {
        try await world { sandbox, clock, emulator in
            try clock.set(-3600)
            #expect(try await sandbox.status()["refreshDue"] == .bool(false))
            expectSuccess(try await sandbox.clover("get", "orders", "--limit", "1"))
            #expect(try await emulator.stats().refreshes == 0)
        }
    }

    @Test("a token from before a restart, dated later than now, is renewed once and then trusted")
    func afterRestart() async throws {
        try await world { sandbox, clock, emulator in
            try clock.set(-3600)
            try sandbox.editCredential {
                $0.replacing(/"bootId"\s*:\s*"[^"]+"/, with: #""bootId":"00000000-0000-4000-8000-000000000000""#)
            }
            let status = try await sandbox.status()
            #expect(status["loggedIn"] == .bool(true) && status["refreshDue"] == .bool(true), "\(status)")
            for _ in 0..<3 { expectSuccess(try await sandbox.clover("get", "orders", "--limit", "1")) }
            #expect(try await emulator.stats().refreshes == 1)
            #expect(try await sandbox.status()["refreshDue"] == .bool(false))
            try clock.set(0)
            expectSuccess(try await sandbox.clover("get", "orders", "--limit", "1"))
            #expect(try await emulator.stats().refreshes == 1)
        }
    }

    @Test("a token that has ended is renewed although the clock was set back to before it was issued")
    func endedToken() async throws {
        try await world { sandbox, clock, emulator in
            try sandbox.expireAccessToken()
            try clock.set(-86_400)
            expectSuccess(try await sandbox.clover("get", "orders", "--limit", "1"))
            #expect(try await emulator.stats().refreshes == 1)
        }
    }

    @Test("a service whose clock is an hour behind or ahead changes nothing", arguments: ["1h", "-1h"])
    func skewedService(_ skew: String) async throws {
        try await world(["--clock-skew", skew]) { sandbox, clock, emulator in
            for step in [-3600, 3600] as [Int64] {
                try clock.set(step)
                expectSuccess(try await sandbox.clover("get", "orders", "--limit", "1"))
            }
            #expect(try await emulator.stats().refreshes == 0)
        }
    }

    @Test(
        "doctor tells how long the token is good as the renewal judges it, whatever the clock says",
        arguments: ["1h", "-1h"])
    func doctor(_ skew: String) async throws {
        try await world(["--clock-skew", skew]) { sandbox, clock, _ in
            for step in [-86_400, 0, 3600, 86_400] as [Int64] {
                try clock.set(step)
                let text = try await sandbox.doctor("--offline").text("credentials")
                #expect(text.contains(/token valid for \d+ (s|min|h|days)/), "\(step): \(text)")
            }
        }
    }

    @Test("an expired refresh token renews nothing, although the access token still works")
    func endedRefreshToken() async throws {
        try await world { sandbox, _, emulator in
            #expect(try await sandbox.status()["renewable"] == .bool(true))
            try sandbox.editCredential {
                $0.replacing(/"refreshTokenExpires"\s*:\s*[0-9]+/, with: #""refreshTokenExpires":1000000000"#)
            }
            let words = "cannot be renewed: the refresh token has expired; sign in again"
            let status = try await sandbox.status()
            #expect(status["loggedIn"] == .bool(true) && status["refreshDue"] == .bool(false), "\(status)")
            #expect(status["renewable"] == .bool(false), "\(status)")
            #expect(status["reason"]?.string?.contains(words) == true, "\(status)")
            let list = try await sandbox.clover("auth", "list", "--json")
            #expect(try JSONValue(list.outputText)["renewable"] == .bool(false), "\(list)")
            let shown = try await sandbox.with(["NO_COLOR": "1"]).cloverOnTerminal("auth", "status")
            #expect(
                shown.terminalText.split(whereSeparator: \.isWhitespace).joined(separator: " ").contains(words),
                "\(shown)")
            let doctor = try await sandbox.doctor("--offline")
            #expect(doctor.of("credentials").map(\.result) == ["warn"], "\(doctor.result)")
            expectSuccess(try await sandbox.clover("get", "orders", "--limit", "1"))
            #expect(try await emulator.stats().refreshes == 0)
        }
    }

    @Test("status counts a sign-in whose tokens have both ended by this clock: the next command tries to renew it")
    func endedByClock() async throws {
        try await world { sandbox, _, emulator in
            try sandbox.editCredential {
                $0.replacing(/TokenExpires"\s*:\s*[0-9]+/, with: #"TokenExpires":1000000000"#)
            }
            let status = try await sandbox.status()
            #expect(status["loggedIn"] == .bool(true) && status["refreshDue"] == .bool(true), "\(status)")
            #expect(status["reason"]?.string?.contains("by this machine's clock") == true, "\(status)")
            #expect(status["renewable"] == .bool(false), "\(status)")
            let doctor = try await sandbox.doctor("--offline")
            #expect(doctor.of("credentials").map(\.result) == ["warn"], "\(doctor.result)")
            #expect(try await sandbox.clover("auth", "token").ending == .exited(0))
            #expect(try await emulator.stats().refreshes == 1)
            #expect(try await sandbox.status()["reason"] == .null)
        }
    }

    private func world(
        _ flags: [String] = [], _ body: (Sandbox, WallClock, EmulatorProcess) async throws -> Void
    ) async throws {
        try await Sandbox.run(weight: 2) { given in
            let emulator = try await EmulatorProcess(["--orders", "20", "--auto-approve"] + flags)
            let clock = try await WallClock(in: given.directory)
            let sandbox = given.with(clock.variables)
            try await sandbox.receive(SignInService(emulator))
            try await body(sandbox, clock, emulator)
        }
    }
}
