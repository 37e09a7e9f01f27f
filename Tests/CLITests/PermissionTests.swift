import CloverTestSupport
import Testing

@Suite("401: a bad token and a missing permission are distinguished")
struct PermissionTests {
    @Test("get names the permission that is missing when the token itself is good")
    func missingPermission() async throws {
        try await Sandbox.run(emulator: ["--without-permission", "orders"]) { sandbox, _ in
            expectFailure(
                try await sandbox.clover("get", "orders"), status: 77, saying: "the token is valid", "orders",
                "ORDERS_R")
            let items = try await sandbox.clover("get", "items", "--limit", "1")
            #expect(items.ending == .exited(0), "\(items)")
        }
    }

    @Test("get says that the token is not accepted when it is bad")
    func badToken() async throws {
        try await Sandbox.run(emulator: []) { sandbox, _ in
            let bad = sandbox.with(["CLOVER_ACCESS_TOKEN": "no-such-token"])
            let result = try await bad.clover("get", "orders")
            expectFailure(result, status: 77, saying: "does not accept the token", "auth status --check")
            #expect(!result.errorText.contains("the token is valid"), "\(result)")
        }
    }

    @Test("status --check lists what the token may read, and ends with 77 only when it may read nothing")
    func check() async throws {
        try await Sandbox.run(emulator: ["--without-permission", "payments", "--without-permission", "merchant"]) {
            sandbox, _ in
            let good = try await sandbox.clover("auth", "status", "--check")
            #expect(good.ending == .exited(0), "\(good)")
            let value = try JSONValue(good.outputText)
            #expect(value["tokenAccepted"] == .bool(true))
            #expect(value["permissionsMissing"] == .array([.string("MERCHANT_R"), .string("PAYMENTS_R")]))
            let bad = try await sandbox.with(["CLOVER_ACCESS_TOKEN": "no-such-token"])
                .clover("auth", "status", "--check")
            #expect(bad.ending == .exited(77), "\(bad)")
            // Nothing tells a bad token of the merchant's own from one without permissions.
            let unclear = try JSONValue(bad.outputText)
            #expect(unclear["tokenAccepted"] == .null && unclear["loggedIn"] == .bool(false), "\(bad)")
            #expect(unclear["reason"]?.string?.contains("either it is wrong") == true, "\(bad)")
        }
    }

    private static let nothing = ["merchant", "orders", "payments", "items", "customers", "employees"].flatMap {
        ["--without-permission", $0]
    }

    @Test(
        "an OAuth token without any permission is good: status --check renews it once, ever, and says what is missing")
    func checkWithoutPermissions() async throws {
        try await Sandbox.signedIn(emulator: Self.nothing) { sandbox, emulator, _ in
            for round in 1...3 {
                let result = try await sandbox.clover("auth", "status", "--check", "--json")
                #expect(result.ending == .exited(0), "\(round): \(result)")
                let value = try JSONValue(result.outputText)
                #expect(value["loggedIn"] == .bool(true) && value["tokenAccepted"] == .bool(true), "\(result)")
                #expect(value["permissionsMissing"]?.elements?.count == 6, "\(result)")
                #expect(value["reason"]?.string?.contains("none of the permissions") == true, "\(result)")
                #expect(try await emulator.stats().refreshes == 1)
            }
            expectFailure(
                try await sandbox.clover("get", "orders"), status: 77, saying: "the token is valid", "ORDERS_R")
            let doctor = try await sandbox.clover("doctor", "--json")
            let about = try JSONValue.lines(doctor.lines).first { $0["check"]?.string == "token" }
            #expect(
                about?["result"]?.string == "skip"
                    || about?["message"]?.string?.contains("the app has none of the permissions") == true, "\(doctor)")
            // A token that was due, and is therefore new, is not renewed for that either.
            try sandbox.expireAccessToken()
            for _ in 1...2 {
                let result = try await sandbox.clover("auth", "status", "--check")
                #expect(result.ending == .exited(0), "\(result)")
                #expect(try await emulator.stats().refreshes == 2)
            }
        }
    }

    @Test("a merchant's own token without any permission may be a bad one: status --check says either")
    func checkUnclear() async throws {
        try await Sandbox.run(emulator: Self.nothing) { sandbox, _ in
            let result = try await sandbox.clover("auth", "status", "--check", "--json")
            #expect(result.ending == .exited(77), "\(result)")
            let value = try JSONValue(result.outputText)
            #expect(value["loggedIn"] == .bool(false) && value["tokenAccepted"] == .null, "\(result)")
            #expect(value["permissionsMissing"] == .array([]), "\(result)")
            #expect(value["reason"]?.string?.contains("or it has no permission at all") == true, "\(result)")
        }
    }

    @Test("an OAuth token that the service takes no more is renewed by status --check, and one that it takes never is")
    func checkBad() async throws {
        try await Sandbox.signedIn(emulator: ["--without-permission", "merchant"]) { sandbox, emulator, _ in
            let good = try await sandbox.clover("auth", "status", "--check")
            #expect(good.ending == .exited(0), "\(good)")
            #expect(try await emulator.stats().refreshes == 0)
            try sandbox.spoilAccessToken()
            let renewed = try await sandbox.clover("auth", "status", "--check")
            #expect(renewed.ending == .exited(0), "\(renewed)")
            #expect(try JSONValue(renewed.outputText)["tokenAccepted"] == .bool(true), "\(renewed)")
            #expect(try await emulator.stats().refreshes == 1)
        }
    }

    @Test("an OAuth token that the service neither takes nor renews is not accepted")
    func checkRefused() async throws {
        try await Sandbox.run(weight: 2) { sandbox in
            let emulator = try await EmulatorProcess(["--orders", "20", "--auto-approve", "--refresh-token-cap", "1"])
            let service = SignInService(emulator)
            try await sandbox.receive(service)
            try await sandbox.withState("elsewhere").receive(service)
            try sandbox.spoilAccessToken()
            for _ in 1...2 {
                let result = try await sandbox.clover("auth", "status", "--check", "--json")
                #expect(result.ending == .exited(77), "\(result)")
                let value = try JSONValue(result.outputText)
                #expect(value["loggedIn"] == .bool(false) && value["tokenAccepted"] == .bool(false), "\(result)")
            }
            #expect(try await emulator.stats().refreshesRefused == 1)
        }
    }

    @Test("an intermediary's page says nothing about a token", arguments: ["status", "doctor"])
    func foreignPage(_ command: String) async throws {
        let page = LoopbackResponse(
            headers: ["Content-Type: text/html"], body: Array("<html>Welcome to our Wi-Fi</html>".utf8))
        try await Sandbox.run(server: { _, _ in page }) { sandbox, _ in
            if command == "status" {
                let result = try await sandbox.clover("auth", "status", "--check")
                expectFailure(result, status: 76, saying: "an HTML page, not JSON", output: nil)
                #expect(!result.outputText.contains("MERCHANT_R"), "\(result)")
            } else {
                let result = try await sandbox.clover("doctor", "--json")
                #expect(result.status != 0 && !result.outputText.contains("may read"), "\(result)")
                #expect(
                    result.outputText.contains("received a web page instead of a response from the service"),
                    "\(result)")
            }
        }
    }
}
