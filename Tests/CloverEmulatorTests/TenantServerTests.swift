import Foundation
import Testing

@Suite("Several merchants and apps")
@BlockingActor
struct TenantServerTests {
    private func signIn(_ emulator: EmulatorProcess, appID: String, merchantID: String) throws -> String {
        let consent = try emulator.decide(
            "approve",
            [
                "client_id": appID, "merchant_id": merchantID, "code_challenge": PKCE.challenge,
                "code_challenge_method": "S256",
            ])
        let redirect = Redirect(consent)
        #expect(redirect.query["merchant_id"] == merchantID)
        let answer = try emulator.post(
            "/oauth/v2/token",
            ["client_id": appID, "code": try #require(redirect.query["code"]), "code_verifier": PKCE.verifier])
        return try #require(try Node(answer.body)["access_token"]?.text)
    }

    @Test("An additional merchant has the same shop under a separate id")
    func merchants() throws {
        let emulator = try EmulatorProcess("--orders", "30", "--merchants", "2", "--apps", "2")
        let branch = try #require((emulator.ready["otherMerchantIds"]?.value as? [String])?.first)
        let app = try #require(Node.list(emulator.ready["otherApps"]).first?["appId"]?.text)
        let token = try signIn(emulator, appID: app, merchantID: branch)
        let merchant = try emulator.request("GET", "/v3/merchants/\(branch)", token: token)
        #expect(merchant.status == 200)
        #expect(try Node(merchant.body)["id"]?.text == branch)
        let orders = try emulator.request("GET", "/v3/merchants/\(branch)/orders", token: token)
        #expect(try Node(orders.body).elements.map(\.id) == Node(emulator.get("orders").body).elements.map(\.id))
        #expect(!orders.text.contains(emulator.merchant))
        #expect(try emulator.get("orders", token: token).status == 401)
        #expect(try emulator.request("GET", "/v3/merchants/\(branch)/orders", token: emulator.token).status == 401)
        let tokens = try Node.list(emulator.statistics()["tokens"])
        #expect(tokens.map { $0["merchantId"]?.text } == [emulator.merchant, branch])
        #expect(tokens.map { $0["appId"]?.text } == [nil, app])
        #expect(tokens.map { $0["requests"]?.integer } == [2, 3])
    }

    @Test("Accepts a code only from the app it was issued to")
    func codes() throws {
        let emulator = try EmulatorProcess("--orders", "5", "--apps", "2")
        let app = try #require(Node.list(emulator.ready["otherApps"]).first?["appId"]?.text)
        let body = ["client_id": app, "code": try emulator.code(), "code_verifier": PKCE.verifier]
        #expect(try emulator.post("/oauth/v2/token", body).status == 400)
    }

    @Test(
        "Exits with 64 and names an invalid limit or number",
        arguments: [
            ["--in-flight", "0"], ["--app-requests-per-second", "10001"], ["--apps", "21"], ["--merchants", "0"],
        ])
    func badOptions(arguments: [String]) throws {
        let (status, message) = try EmulatorProcess.failing(["serve"] + arguments)
        #expect(status == 64)
        #expect(message.contains(arguments[0]))
    }
}

extension Node {
    /// The entries of an array; empty for anything else.
    static func list(_ node: Node?) -> [Node] {
        (node?.value as? [Any] ?? []).map { Node($0) }
    }
}
