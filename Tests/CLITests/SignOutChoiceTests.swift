import CloverTestSupport
import Foundation
import Testing

/// Which sign-in `auth logout` means: never one that other commands would not use.
@Suite("auth: what logout means")
struct SignOutChoiceTests {
    /// `a` for M1 and `b` for M2, the latter current.
    private func world(_ body: (Sandbox) async throws -> Void) async throws {
        try await Sandbox.run { sandbox in
            for (name, merchant) in [("a", "M1"), ("b", "M2")] {
                let result = try await sandbox.clover(
                    "auth", "login", "--with-token", "--merchant", merchant, "--environment", "sandbox", "--profile",
                    name, input: .text("token-\(name)\n"))
                try #require(result.ending == .exited(0), "\(result)")
            }
            try await body(sandbox)
        }
    }

    static let variables = [
        ["CLOVER_PROFILE": "b"], [:], ["CLOVER_PROFILE": "a", "CLOVER_ENVIRONMENT": "sandbox"],
    ]

    @Test("with CLOVER_ACCESS_TOKEN nothing is forgotten that no option names", arguments: variables)
    func token(_ more: [String: String]) async throws {
        try await world { sandbox in
            let given = sandbox.with(["CLOVER_ACCESS_TOKEN": "variable-token", "CLOVER_MERCHANT_ID": "M1"]).with(more)
            #expect(try await given.status()["source"]?.string == "environment")
            expectFailure(
                try await given.clover("auth", "logout"), status: 64, saying: "CLOVER_ACCESS_TOKEN",
                "nothing was forgotten", "--profile")
            #expect(sandbox.credentialFiles().count == 2)
            let named = try await given.clover("auth", "logout", "--profile", "b")
            #expect(named.ending == .exited(0), "\(named)")
            #expect(sandbox.credentialFiles().count == 1 && sandbox.credentialFiles()[0].contains("M1"))
            let all = try await given.clover("auth", "logout", "--all")
            #expect(all.ending == .exited(0), "\(all)")
            #expect(sandbox.credentialFiles() == [])
        }
    }

    static let contradictions = [
        ["CLOVER_PROFILE": "a", "CLOVER_MERCHANT_ID": "M2"], ["CLOVER_PROFILE": "a", "CLOVER_MERCHANT": "M2"],
        ["CLOVER_PROFILE": "a", "CLOVER_ENVIRONMENT": "us"],
    ]

    @Test("contradictory variables sign out no account", arguments: contradictions)
    func contradiction(_ variables: [String: String]) async throws {
        try await world { sandbox in
            expectFailure(
                try await sandbox.with(variables).clover("auth", "logout"), status: 64, saying: "profile 'a'",
                "merchant M1 (sandbox)", "CLOVER_PROFILE")
            #expect(sandbox.credentialFiles().count == 2)
        }
    }

    @Test("variables that agree sign out what they name")
    func agreement() async throws {
        try await world { sandbox in
            let result = try await sandbox.with([
                "CLOVER_PROFILE": "a", "CLOVER_MERCHANT_ID": "M1", "CLOVER_ENVIRONMENT": "sandbox",
            ]).clover("auth", "logout")
            #expect(result.ending == .exited(0) && result.errorText.contains("merchant M1"), "\(result)")
            #expect(sandbox.credentialFiles().count == 1 && sandbox.credentialFiles()[0].contains("M2"))
        }
    }
}
