import CloverTestSupport
import Testing

@Suite("401: a bad token and a missing permission are told apart")
struct PermissionTests {
    @Test("get names the permission that is missing when the token itself is good")
    func missingPermission() async throws {
        try await Sandbox.run(emulator: ["--without-permission", "orders"]) { sandbox, _ in
            expectFailure(
                try await sandbox.clover("get", "orders"), status: 77, saying: "the token is good", "orders",
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
            #expect(!result.errorText.contains("the token is good"), "\(result)")
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
            #expect(try JSONValue(bad.outputText)["tokenAccepted"] == .bool(false))
        }
    }

    @Test("a page that somebody on the way answers with says nothing about a token", arguments: ["status", "doctor"])
    func foreignPage(_ command: String) async throws {
        let page = LoopbackAnswer(
            headers: ["Content-Type: text/html"], body: Array("<html>Welcome to our Wi-Fi</html>".utf8))
        try await Sandbox.run(server: { _, _ in page }) { sandbox, _ in
            if command == "status" {
                let result = try await sandbox.clover("auth", "status", "--check")
                expectFailure(result, status: 76, saying: "an HTML page, not JSON", output: nil)
                #expect(!result.outputText.contains("MERCHANT_R"), "\(result)")
            } else {
                let result = try await sandbox.clover("doctor", "--json")
                #expect(result.status != 0 && !result.outputText.contains("may read"), "\(result)")
            }
        }
    }
}
