import CloverTestSupport
import Testing

@Suite("401: the cause, as far as it can be determined")
struct TokenDiagnosisTests {
    private static let refused = LoopbackResponse(status: "401 Unauthorized", #"{"message":"401 Unauthorized"}"#)

    /// A service that responds with 401 except to these paths below the merchant; an empty path is the merchant itself.
    private func run(
        answering paths: [String: String], _ body: (Sandbox, LoopbackServer) async throws -> Void
    ) async throws {
        try await Sandbox.run(
            server: { request, _ in
                let own = "/v3/merchants/\(Sandbox.merchantID)"
                let name = request.path == own ? "" : String(request.path.dropFirst((own + "/").count))
                if request.path == "/v3/merchants/current" {
                    return paths["current"].map { LoopbackResponse($0) } ?? Self.refused
                }
                return request.path.hasPrefix(own)
                    ? paths[name].map { LoopbackResponse($0) } ?? Self.refused : Self.refused
            }, body)
    }

    private func refusal(_ sandbox: Sandbox, _ arguments: String...) async throws -> JSONValue? {
        let result = try await sandbox.with(["CLOVER_ERRORS": "json"]).clover(["get"] + arguments)
        #expect(result.ending == .exited(77), "\(result)")
        expectNoSecret(result)
        return try JSONValue(result.errorText)["error"]
    }

    @Test("the permission is named when the merchant itself is readable")
    func permission() async throws {
        try await run(answering: ["": "{}"]) { sandbox, server in
            let error = try await refusal(sandbox, "payments")
            #expect(error?["code"]?.string == "permission_missing")
            #expect(error?["hint"]?.string?.contains("PAYMENTS_R") == true)
            #expect(error?["http"]?.integer == 401)
            #expect(error?["path"]?.string == "/v3/merchants/\(Sandbox.merchantID)/payments")
            #expect(error?["message"]?.string?.contains("401 Unauthorized") == true)
            #expect(server.requests.count == 2)
        }
    }

    @Test("a missing permission is found even when the app may not read the merchant")
    func otherFamily() async throws {
        try await run(answering: ["items": #"{"elements":[]}"#]) { sandbox, _ in
            let found1 = try await refusal(sandbox, "orders")
            #expect(found1?["code"]?.string == "permission_missing")
            let found2 = try await refusal(sandbox, "merchant")
            #expect(found2?["code"]?.string == "permission_missing")
        }
    }

    @Test("a path of another merchant is not a missing permission")
    func otherMerchantInPath() async throws {
        try await run(answering: ["": "{}"]) { sandbox, _ in
            let error = try await refusal(sandbox, "/v3/merchants/OTHERMERCHANT/orders")
            #expect(error?["code"]?.string == "wrong_merchant")
            #expect(
                error?["message"]?.string?.contains("OTHERMERCHANT, but the token is for \(Sandbox.merchantID)")
                    == true)
            #expect(error?["hint"]?.string?.contains("without a merchant") == true)
        }
    }

    @Test("for a token of another merchant, that merchant is named")
    func otherMerchant() async throws {
        try await run(answering: ["current": #"{"id":"OTHERMERCHANT","name":"x"}"#]) { sandbox, _ in
            let error = try await refusal(sandbox, "orders")
            #expect(error?["code"]?.string == "wrong_merchant")
            #expect(error?["message"]?.string?.contains("OTHERMERCHANT, not to \(Sandbox.merchantID)") == true)
            #expect(error?["hint"]?.string?.contains("CLOVER_MERCHANT_ID") == true)
        }
        try await run(answering: ["current": #"{"id":"\#(Sandbox.merchantID)"}"#]) { sandbox, _ in
            let found3 = try await refusal(sandbox, "orders")
            #expect(found3?["code"]?.string == "permission_missing")
        }
    }

    @Test(
        "for an invalid token, environment and source are named, with at most three more calls")
    func notAccepted() async throws {
        try await run(answering: [:]) { sandbox, server in
            let error = try await refusal(sandbox, "orders")
            #expect(error?["code"]?.string == "unauthorized")
            let hint = error?["hint"]?.string ?? ""
            #expect(hint.contains("sent to \(server.url)") && hint.contains("CLOVER_ACCESS_TOKEN"), "\(hint)")
            #expect(server.requests.count <= 4)
            let each = try await sandbox.clover("post", "items", "--each", input: .text("{}\n{}\n{}\n"))
            #expect(each.ending == .exited(77), "\(each)")
            #expect(server.requests.filter { $0.method == "POST" }.count == 1)
            #expect(server.requests.count <= 8, "\(server.requests.map(\.target))")
            #expect(server.requests.allSatisfy { $0.method == "GET" || $0.bodyText == "{}" })
        }
    }

    @Test("a stored token is named as such, with other environments of the merchant")
    func keptToken() async throws {
        try await run(answering: [:]) { sandbox, server in
            let kept = sandbox.without("CLOVER_ACCESS_TOKEN", "CLOVER_MERCHANT_ID", "CLOVER_ENVIRONMENT")
            expectSignedIn(try await kept.signIn(environment: "sandbox"))
            expectSignedIn(try await kept.signIn(environment: server.url))
            let error = try await refusal(kept, "orders", "--environment", server.url)
            #expect(error?["code"]?.string == "unauthorized")
            let hint = error?["hint"]?.string ?? ""
            #expect(hint.contains("--environment sandbox") && hint.contains("the stored token"), "\(hint)")
        }
    }

    @Test("a CSV endpoint is diagnosed like records, also in the receipt")
    func everywhere() async throws {
        try await run(answering: ["": "{}"]) { sandbox, _ in
            let found4 = try await refusal(sandbox, "customers.csv")
            #expect(found4?["code"]?.string == "permission_missing")
            let found5 = try await refusal(sandbox, "orders", "--no-complete")
            #expect(found5?["code"]?.string == "permission_missing")
            let receipt = try await sandbox.clover("get", "orders", "--receipt", "receipt.json")
            #expect(receipt.status == 77)
            let text = String(decoding: try sandbox.directory.read("receipt.json"), as: UTF8.self)
            #expect(try JSONValue(text)["reasons"]?.elements?.first?.string == "a permission is missing")
        }
    }
}
