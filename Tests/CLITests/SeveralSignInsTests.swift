import CloverTestSupport
import Foundation
import Testing

/// Two sign-ins of one merchant, with an app and without one.
@Suite("auth: several sign-ins to one merchant")
struct SeveralSignInsTests {
    private func world(_ body: (Sandbox, SignInService) async throws -> Void) async throws {
        try await Sandbox.run(weight: 2) { sandbox in
            let emulator = try await EmulatorProcess(["--orders", "20", "--auto-approve"])
            let service = SignInService(emulator)
            try await sandbox.receive(service)
            expectSignedIn(
                try await sandbox.signIn(
                    token: emulator.accessToken, merchant: service.merchantID, environment: service.url))
            try #require(sandbox.credentialFiles().count == 2)
            try await body(sandbox, service)
        }
    }

    @Test("switch refuses to guess, and takes one by its app or without one")
    func switching() async throws {
        try await world { sandbox, service in
            let merchant = service.merchantID
            let both = [
                "\(merchant) (\(service.url), app \(service.appID))", "\(merchant) (\(service.url), without an app)",
                "--app-id",
            ]
            let guess = try await sandbox.clover("auth", "switch", merchant)
            expectFailure(guess, status: 64)
            for part in both { #expect(guess.errorText.contains(part), "no '\(part)' in: \(guess)") }
            #expect(try await sandbox.status()["app"] == .null)
            let app = try await sandbox.clover("auth", "switch", merchant, "--app-id", service.appID)
            #expect(app.ending == .exited(0) && app.errorText.contains(service.appID), "\(app)")
            #expect(try await sandbox.status()["app"]?.string == service.appID)
            let none = try await sandbox.clover("auth", "switch", "--app-id", "static")
            #expect(none.ending == .exited(0), "\(none)")
            #expect(try await sandbox.status()["app"] == .null)
            expectFailure(
                try await sandbox.clover("auth", "switch", merchant, "--app-id", "NOSUCH"), status: 77)
        }
    }

    @Test("--merchant with none chosen names both, and CLOVER_APP_ID decides")
    func merchantOption() async throws {
        try await world { sandbox, service in
            try FileManager.default.removeItem(atPath: sandbox.directory["state/current.json"])
            let get = ["get", "merchant", "--merchant", service.merchantID]
            let guess = try await sandbox.clover(get)
            expectFailure(guess, status: 64, saying: "app \(service.appID)", "without an app")
            let decided = try await sandbox.with(["CLOVER_APP_ID": service.appID]).clover(get)
            expectSuccess(decided)
            let status = try await sandbox.with(["CLOVER_APP_ID": service.appID]).status()
            #expect(status["app"]?.string == service.appID)
        }
    }

    @Test("logout of a named merchant forgets nothing by a guess")
    func logout() async throws {
        try await world { sandbox, service in
            let merchant = ["auth", "logout", "--merchant", service.merchantID]
            expectFailure(try await sandbox.clover(merchant), status: 64, saying: "without an app", "--app-id")
            #expect(sandbox.credentialFiles().count == 2)
            let one = try await sandbox.clover(merchant + ["--app-id", "static"])
            #expect(one.ending == .exited(0), "\(one)")
            #expect(sandbox.credentialFiles().count == 1 && sandbox.credentialFiles()[0].contains(service.appID))
            let other = try await sandbox.clover(merchant)
            #expect(other.ending == .exited(0), "\(other)")
            #expect(sandbox.credentialFiles() == [])
        }
    }

    @Test("migrate puts the new pair in the place of the legacy token, with its name")
    func migration() async throws {
        try await Sandbox.run(weight: 2) { sandbox in
            let emulator = try await EmulatorProcess(["--orders", "20", "--auto-approve"])
            let service = SignInService(emulator)
            let address = try await service.approvedAddress(challenge: nil, legacyType: "token")
            let token = try #require(address.firstMatch(of: /access_token=([^&#]+)/)?.1)
            let kept = try await sandbox.clover(
                "auth", "login", "--with-token", "--merchant", service.merchantID, "--environment", service.url,
                "--profile", "downtown", input: .text(token + "\n"))
            #expect(kept.ending == .exited(0), "\(kept)")
            let migrated = try await sandbox.with(["CLOVER_APP_SECRET": service.appSecret]).clover(
                "auth", "migrate", "--app-id", service.appID, "--profile", "downtown")
            #expect(migrated.ending == .exited(0), "\(migrated)")
            // The legacy sign-in does not stay.
            #expect(!migrated.errorText.contains("was the name of"), "\(migrated)")
            #expect(sandbox.credentialFiles().count == 1)
            let status = try await sandbox.status()
            #expect(status["app"]?.string == service.appID && status["profile"]?.string == "downtown")
            expectSuccess(try await sandbox.clover("get", "merchant", "--profile", "downtown"))
        }
    }
}
