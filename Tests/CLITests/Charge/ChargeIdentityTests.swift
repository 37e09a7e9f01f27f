import CloverTestSupport
import Foundation
import Synchronization
import Testing

/// Responses that show another charge's payment, or answer a later sending: neither says anything about the operation.
@Suite("charge: whose payment it is")
struct ChargeIdentityTests {
    private static let device = ["--currency", "USD", "--device", "C1"]
    private static let source = ["charge", "--amount", "12.50", "--currency", "USD", "--source", "clv_1TOKEN"]
    private static let notFound = LoopbackResponse(status: "404 Not Found", #"{"message":"404 Not Found"}"#)

    private static func device(_ request: LoopbackRequest, _ payment: LoopbackResponse) -> LoopbackResponse {
        let path = request.path
        if path == "/connect/v1/payments" { return payment }
        if path.hasPrefix("/connect/v1/payments/") { return notFound }
        if path.hasSuffix("/properties") { return LoopbackResponse(#"{"defaultCurrency":"USD"}"#) }
        if path == "/connect/v1/device/status" { return LoopbackResponse(#"{"state":"IDLE"}"#) }
        return LoopbackResponse(status: "403 Forbidden", #"{"message":"403 Forbidden"}"#)
    }

    @Test("a device that answers with the payment of an earlier charge: unknown, and nothing is voided")
    func earlierPayment() async throws {
        let paid = LoopbackResponse(
            #"{"payment":{"id":"P1","amount":1250,"result":"SUCCESS","externalPaymentId":"INV-7"}}"#)
        try await Sandbox.run(server: { request, _ in Self.device(request, paid) }) { sandbox, server in
            func charge(_ amount: String) async throws -> CommandResult {
                try await sandbox.clover(["charge", "--amount", amount] + Self.device + ["--external-id", "INV-7"])
            }
            expectSuccess(try await charge("12.50"))
            for amount in ["12.50", "20.00"] {
                let second = try await charge(amount)
                expectFailure(second, status: 80, saying: "outcome unknown", output: nil)
                #expect(try second.eventNames.last == "unknown")
            }
            // Another machine, whose journal has no such payment.
            let other = try await sandbox.with(["CLOVER_STATE_DIR": sandbox.directory["other"]]).clover(
                ["charge", "--amount", "20.00"] + Self.device + ["--external-id", "INV-7"])
            expectFailure(other, status: 80, saying: "P1", "it may be an earlier payment", output: nil)
            #expect(!server.requests.contains { $0.path.hasSuffix("/void") })
        }
    }

    @Test("a smaller payment under a key that the user chose is no partial approval: it may be an earlier one")
    func chosenKey() async throws {
        try await ChargeFixture.run { till in
            let device = try await till.device()
            func charge(_ amount: String, state: String) async throws -> CommandResult {
                try await till.sandbox.with(["CLOVER_STATE_DIR": till.sandbox.directory[state]]).clover([
                    "charge", "--amount", amount, "--currency", "USD", "--device", device, "--idempotency-key",
                    "order-1234567",
                ])
            }
            expectSuccess(try await charge("61.02", state: "first"))
            expectFailure(
                try await charge("61.03", state: "second"), status: 80, saying: "it may be an earlier payment",
                output: nil)
            let taken = try await till.taken()
            #expect(taken.count == 1)
        }
    }

    /// The first response to a charge, and to its repetition; the list of charges cannot be read.
    struct Later: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let first: LoopbackResponse
        let second: LoopbackResponse
    }

    private static let declined = LoopbackResponse(
        status: "402 Payment Required",
        #"{"message":"402","error":{"type":"card_error","code":"card_declined","message":"Declined"}}"#)
    private static let used = LoopbackResponse(
        status: "400 Bad Request",
        #"{"message":"400","error":{"type":"invalid_request_error","code":"token_already_used","message":"used"}}"#)
    private static let limited = LoopbackResponse(
        status: "429 Too Many Requests", headers: ["Retry-After: 1"], body: #"{"message":"429 Too Many"}"#.utf8)

    @Test(
        "what answers a later sending says nothing about the first: unknown, until the records were read",
        arguments: [
            Later(testDescription: "lost, then declined", first: .reset, second: declined),
            Later(testDescription: "limited, then declined", first: limited, second: declined),
            Later(testDescription: "limited, then the token was used", first: limited, second: used),
        ])
    func later(_ row: Later) async throws {
        let list = Mutex(LoopbackResponse(status: "502 Bad Gateway", "no"))
        let posts = Mutex(0)
        try await Sandbox.run(
            server: { request, _ in
                switch (request.method, request.path) {
                case ("POST", "/v1/charges"):
                    return posts.withLock {
                        $0 += 1
                        return $0 == 1 ? row.first : row.second
                    }
                case ("GET", "/v1/charges"): return list.withLock(\.self)
                default: return Self.notFound
                }
            }, weight: 0
        ) { sandbox, _ in
            let result = try await sandbox.clover(Self.source)
            expectFailure(result, status: 80, saying: "outcome unknown", output: nil)
            let id = try #require(try result.events.last?["charge"]?.string)
            let external = try #require(try result.events.first?["externalId"]?.string)
            list.withLock {
                $0 = LoopbackResponse(
                    #"{"data":[{"id":"C9","amount":1250,"currency":"usd","status":"succeeded","#
                        + #""external_reference_id":"\#(external)"}],"has_more":false}"#)
            }
            let recovery = try await sandbox.clover("charge", "recover", id)
            #expect(try recovery.events.last?["payment"] == .string("C9"), "\(recovery)")
        }
    }

    @Test("a response with the refund of an earlier request, or without the charge's id, shows nothing")
    func earlierRefund() async throws {
        try await Sandbox.run(server: { request, _ in
            switch (request.method, request.path) {
            case ("POST", "/v1/charges"):
                return LoopbackResponse(
                    #"{"id":"CH1","amount":1250,"currency":"usd","status":"succeeded","captured":false}"#)
            case ("POST", _): return LoopbackResponse(#"{"id":"CH2","amount":1250,"captured":true}"#)
            default: return LoopbackResponse(#"{"id":"CH1","amount":1250,"status":"succeeded","captured":false}"#)
            }
        }) { sandbox, _ in
            let charge = try await sandbox.clover(Self.source + ["--preauth"])
            let id = try #require(try charge.events.last?["charge"]?.string)
            let capture = try await sandbox.clover("charge", "capture", id)
            #expect(capture.ending == .exited(80), "\(capture)")
        }
        try await Sandbox.run(server: { request, _ in
            switch (request.method, request.path) {
            case ("POST", "/v1/charges"):
                return LoopbackResponse(
                    #"{"id":"CH1","amount":1250,"currency":"usd","status":"succeeded","captured":true}"#)
            case ("POST", "/v1/refunds"): return LoopbackResponse(#"{"id":"R1","amount":100,"status":"succeeded"}"#)
            default: return LoopbackResponse(#"{"id":"CH1","amount":1250,"status":"succeeded","captured":true}"#)
            }
        }) { sandbox, _ in
            let charge = try await sandbox.clover(Self.source)
            let id = try #require(try charge.events.last?["charge"]?.string)
            for status in [0, 80] as [Int32] {
                let refund = try await sandbox.clover("charge", "refund", id, "--amount", "1.00")
                #expect(refund.ending == .exited(status), "\(refund)")
            }
        }
    }

    @Test("a refund that a device refused and its records showed later is not left as failed")
    func refundShownLater() async throws {
        let refunds = Mutex("")
        try await Sandbox.run(server: { request, _ in
            let external = request.bodyText.firstMatch(of: /"externalPaymentId":"([^"]+)"/).map { String($0.1) } ?? ""
            switch (request.method, request.path) {
            case ("POST", "/connect/v1/payments"):
                return LoopbackResponse(
                    #"{"payment":{"id":"P1","amount":1250,"result":"SUCCESS","externalPaymentId":"\#(external)"}}"#)
            case ("POST", let path) where path.hasSuffix("/refunds"):
                return LoopbackResponse(status: "503 Busy", #"{"message":"busy","type":"RESOURCE_CONFLICT"}"#)
            case ("GET", let path) where path.hasPrefix("/connect/v1/payments/"):
                return LoopbackResponse(
                    #"{"payment":{"id":"P1","amount":1250,"result":"SUCCESS","refunds":[\#(refunds.withLock(\.self))]}}"#
                )
            default: return Self.device(request, Self.notFound)
            }
        }) { sandbox, _ in
            let charge = try await sandbox.clover(["charge", "--amount", "12.50"] + Self.device)
            let id = try #require(try charge.events.last?["charge"]?.string)
            let refund = try await sandbox.clover("charge", "refund", id, "--amount", "1.00")
            #expect(refund.ending == .exited(80), "\(refund)")
            refunds.withLock { $0 = #"{"id":"R1","amount":100}"# }
            let recovery = try await sandbox.clover("charge", "recover", "--all")
            #expect(recovery.ending == .exited(80), "\(recovery)")
            #expect(try recovery.eventNames.last == "unknown", "\(recovery)")
        }
    }

    @Test("a response to a look by an ID that shows another one's record settles nothing, and confirms nothing")
    func otherRecord() async throws {
        try await Sandbox.run(server: { request, _ in
            switch (request.method, request.path) {
            case ("POST", _):
                return LoopbackResponse(#"{"id":"CH1","amount":1250,"currency":"usd","status":"pending"}"#)
            case ("GET", "/v1/charges"): return LoopbackResponse(#"{"has_more":false,"data":[]}"#)
            default:
                return LoopbackResponse(
                    #"{"id":"CH2","amount":1250,"currency":"usd","status":"succeeded","captured":true,"created":1500000000000}"#
                )
            }
        }) { sandbox, _ in
            let charge = try await sandbox.clover(Self.source)
            let id = try #require(try charge.events.last?["charge"]?.string)
            let recovery = try await sandbox.clover("charge", "recover", "--all")
            #expect(recovery.ending == .exited(80), "\(recovery)")
            let settled = try await sandbox.clover("charge", "settle", id, "--paid", "--payment", "CH3")
            #expect(settled.ending == .exited(0), "\(settled)")
            #expect(settled.errorText.contains("the payment CH3 was not checked"), "\(settled)")
            #expect(settled.errorText.contains("the response shows CH2"), "\(settled)")
            let checked = try await sandbox.clover("charge", "show", id, "--check", "--json")
            let view = try #require(try JSONValue(checked.outputText)["service"])
            #expect(view["found"] != .bool(true) && view["agrees"] != .bool(true), "\(checked)")
        }
    }

    @Test("a check does not take another charge's payment, nor one that only looks alike, for this one")
    func checkedBesideAnother() async throws {
        let posts = Mutex(0)
        @Sendable func record(_ number: Int) -> String {
            #"{"id":"CH\#(number)","amount":1250,"currency":"usd","status":"succeeded","captured":true}"#
        }
        try await Sandbox.run(server: { request, _ in
            switch (request.method, request.path) {
            case ("POST", _):
                let number = posts.withLock {
                    $0 += 1
                    return $0
                }
                return number > 2 ? .reset : LoopbackResponse(record(number))
            case ("GET", "/v1/charges"): return LoopbackResponse(#"{"has_more":false,"data":[\#(record(1))]}"#)
            case ("GET", "/v1/charges/CH1"): return LoopbackResponse(record(1))
            default: return Self.notFound
            }
        }) { sandbox, _ in
            var ids: [String] = []
            for _ in 0..<3 {
                let charge = try await sandbox.clover(Self.source)
                ids.append(try #require(try charge.events.last?["charge"]?.string))
            }
            // The first is at Clover; the second is not any more, and the third was lost.
            for (number, id) in ids.enumerated() {
                let checked = try await sandbox.clover("charge", "show", id, "--check", "--json")
                let view = try #require(try JSONValue(checked.outputText)["service"])
                #expect((view["found"] == .bool(true)) == (number == 0), "\(checked)")
                #expect((view["payment"]?.string == "CH1") == (number == 0), "\(checked)")
                if number > 0 { #expect(view["agrees"] != .bool(true), "\(checked)") }
            }
            // Another machine, whose journal does not have the payment.
            let other = sandbox.with(["CLOVER_STATE_DIR": sandbox.directory["other"]])
            let lost = try #require(try await other.clover(Self.source).events.last?["charge"]?.string)
            let checked = try await other.clover("charge", "show", lost, "--check", "--json")
            let view = try #require(try JSONValue(checked.outputText)["service"])
            #expect(view["found"] != .bool(true) && view["reason"]?.string?.contains("CH1") == true, "\(checked)")
        }
    }
}
