import CloverTestSupport
import Foundation
import Testing

/// Ctrl-C while tokens are renewed: the response is kept if it arrives, and the shell sees the signal.
@Suite("auth: Ctrl-C during a refresh")
struct RefreshInterruptTests {
    @Test(
        "the new pair is kept, and the command ends by the signal",
        arguments: [["auth", "refresh"], ["auth", "token"], ["get", "merchant"]])
    func answerComes(_ arguments: [String]) async throws {
        try await Sandbox.signedIn(emulator: ["--oauth-answer-delay", "1500ms"]) { sandbox, emulator, _ in
            try sandbox.expireAccessToken()
            let old = try sandbox.keptTokens()
            let command = try sandbox.start(arguments)
            try await sandbox.eventually("a refresh under way") { try sandbox.journal() != nil }
            command.send(SIGINT)
            let result = try await command.result()
            #expect(result.ending == .signalled(SIGINT), "\(result)")
            #expect(
                result.errorText.contains("the tokens are being renewed; waiting up to "), "\(result)")
            #expect(try sandbox.keptTokens().pair != old.pair)
            #expect(try sandbox.journal() == nil)
            expectSuccess(try await sandbox.clover("get", "merchant"))
            #expect(try await emulator.stats().refreshes == 1)
        }
    }

    @Test("a missing response is recorded, and the command ends by the signal")
    func answerNeverComes() async throws {
        try await Sandbox.signedIn(emulator: ["--oauth-answer-delay", "60s"], weight: 0) { sandbox, _, _ in
            try sandbox.expireAccessToken()
            let old = try sandbox.keptTokens()
            let command = try sandbox.start("auth", "refresh")
            try await sandbox.eventually("a refresh under way") { try sandbox.journal() != nil }
            command.send(SIGINT)
            let result = try await command.result()
            #expect(result.ending == .signalled(SIGINT), "\(result)")
            #expect(result.errorText.contains("the next command finds out"), "\(result)")
            #expect(result.errorText.split(separator: "\n").count == 2, "\(result)")
            #expect(try sandbox.keptTokens() == old)
            #expect(try sandbox.journal()?["state"]?.string == "sent")
        }
    }
}
