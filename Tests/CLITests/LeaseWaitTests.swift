import CloverTestSupport
import Testing

/// Commands that wait for another process to be done with the tokens.
@Suite("auth: waiting for others")
struct LeaseWaitTests {
    @Test("a long wait is reported, with the profile concerned, and ends when the other process is done")
    func wait() async throws {
        try await Sandbox.signedIn { sandbox, emulator, _ in
            let barrier = try LockBarrier(sandbox.directory[try sandbox.tokenFile() + ".lock"])
            let refresh = try sandbox.start("auth", "refresh")
            let logout = try sandbox.start("auth", "logout")
            for command in [refresh, logout] {
                try await command.waitForErrors(
                    containing:
                        "waiting for another process that is using the tokens of merchant \(emulator.merchantID)")
            }
            barrier.open()
            // The second of the two finds what the first one left.
            for command in [refresh, logout] {
                let result = try await command.result()
                #expect(result.ending == .exited(0) || result.status == 77, "\(result)")
            }
            #expect(sandbox.credentialFiles() == [])
        }
    }

    @Test("logout that waited for a renewal tells when the tokens end that it removed")
    func logoutDuringRefresh() async throws {
        try await Sandbox.signedIn(emulator: ["--oauth-answer-delay", "1500ms", "--access-token-life", "1h"]) {
            sandbox, _, _ in
            let before = try #require(try await sandbox.status()["accessTokenExpiresAt"]?.string)
            let refresh = try sandbox.start("auth", "refresh", "--json")
            try await sandbox.eventually("a refresh under way") { try sandbox.journal() != nil }
            let logout = try await sandbox.clover("auth", "logout", "--json")
            let renewed = try await refresh.result()
            #expect(renewed.ending == .exited(0) && logout.ending == .exited(0), "\(renewed) \(logout)")
            let end = try #require(try JSONValue.lines(renewed.lines).first?["accessTokenExpiresAt"]?.string)
            #expect(end != before)
            let removed = logout.outputText + logout.errorText
            #expect(removed.contains(end), "\(renewed) \(logout)")
        }
    }
}
