import CloverTestSupport
import Foundation
import Synchronization
import Testing

/// Responses of a device that prove nothing, or something else than they seem to.
@Suite("charge: evidence of a device")
struct DeviceEvidenceTests {
    private static let device = ["charge", "--amount", "12.50", "--currency", "USD", "--device", "C1"]
    private static let notFound = LoopbackResponse(status: "404 Not Found", #"{"message":"404 Not Found"}"#)

    /// A device whose records can be set.
    private final class Device: Sendable {
        struct State {
            /// What a payment is answered with, unless `payment` is set.
            var response = LoopbackResponse(status: "500 Error", "{}")
            /// The payment in the response, without its braces; EXTERNAL stands for the external id of the charge.
            var payment: String?
            /// The payment as its records have it, without its braces; nil when there is none. EXTERNAL stands for the
            /// external id of the last charge.
            var record: String?
            var followUp = LoopbackResponse("{}")
            var external = ""
        }
        let state = Mutex(State())

        func answer(_ request: LoopbackRequest) -> LoopbackResponse {
            state.withLock { state in
                let record = state.record.map {
                    LoopbackResponse("{\"payment\":{\($0.replacing("EXTERNAL", with: state.external))}}")
                }
                let path = request.path
                if path == "/connect/v1/payments" {
                    let found = request.bodyText.firstMatch(of: /"externalPaymentId":"([^"]+)"/)
                    state.external = found.map { String($0.1) } ?? ""
                    let payment = state.payment?.replacing("EXTERNAL", with: state.external)
                    return payment.map { LoopbackResponse("{\"payment\":{\($0)}}") } ?? state.response
                }
                if request.method == "POST", path.hasPrefix("/connect/v1/payments/") { return state.followUp }
                if path.hasPrefix("/connect/v1/payments/") { return record ?? DeviceEvidenceTests.notFound }
                if path.hasSuffix("/properties") { return LoopbackResponse(#"{"defaultCurrency":"USD"}"#) }
                if path == "/connect/v1/device/status" { return LoopbackResponse(#"{"state":"IDLE"}"#) }
                return LoopbackResponse(status: "403 Forbidden", #"{"message":"403 Forbidden"}"#)
            }
        }

        static func run(_ body: (Sandbox, Device, LoopbackServer) async throws -> Void) async throws {
            let device = Device()
            try await Sandbox.run(server: { request, _ in device.answer(request) }) { try await body($0, device, $1) }
        }
    }

    private static let part = #""id":"P1","amount":600,"result":"SUCCESS","externalPaymentId":"EXTERNAL""#
    private static let paid = #""id":"P1","amount":1250,"result":"SUCCESS","externalPaymentId":"EXTERNAL""#
    private static let refusals = [
        "209 Cancelled", "503 Busy", "408 Timeout", "409 Conflict", "400 Bad Request", "403 Forbidden", "404 Not Found",
        "307 Elsewhere", "401 Unauthorized",
    ]

    @Test("a refusal by a device that has done the work is checked before anything is reported", arguments: refusals)
    func refusedAfterPayment(_ status: String) async throws {
        try await Device.run { sandbox, device, server in
            device.state.withLock {
                $0.response = LoopbackResponse(status: status, #"{"message":"no","type":"BAD_REQUEST"}"#)
                $0.record = Self.paid
            }
            let result = try await sandbox.clover(Self.device)
            expectSuccess(result)
            #expect(try result.events.last?["payment"] == .string("P1"))
            #expect(server.requests.filter { $0.path == "/connect/v1/payments" }.count == 1)
        }
    }

    @Test(
        "a refusal that a gateway may have sent ends nothing, even if the device's records do not show the payment yet",
        arguments: ["302", "400", "401", "403", "404", "501", "503"])
    func refusedInFront(_ status: String) async throws {
        // A redirect ends nothing in any form.
        let type = status == "302" ? #","type":"BAD_REQUEST""# : ""
        try await Device.run { sandbox, device, _ in
            device.state.withLock {
                $0.response = LoopbackResponse(
                    status: "\(status) X", #"{"message":"\#(status) X"\#(type)}"#)
            }
            let result = try await sandbox.clover(Self.device)
            #expect(result.ending == .exited(80), "\(result)")
            #expect(try result.eventNames.last == "unknown", "\(result)")
            device.state.withLock { $0.record = Self.paid }
            let later = try await sandbox.clover("charge", "recover", "--all")
            #expect(try later.eventNames == ["approved"], "\(later)")
        }
    }

    @Test("a refusal says nothing about a repetition that was sent after it and got no response")
    func repetitionLost() async throws {
        let state = Mutex((posts: 0, looks: 0))
        try await Sandbox.run(server: { request, _ in
            if request.path == "/connect/v1/payments" {
                return state.withLock {
                    $0.posts += 1
                    guard $0.posts == 1 else { return .reset }
                    return LoopbackResponse(status: "503 Busy", #"{"message":"no","type":"BUSY"}"#)
                }
            }
            if request.path.hasPrefix("/connect/v1/payments/") {
                return state.withLock {
                    $0.looks += 1
                    return Self.notFound
                }
            }
            if request.path.hasSuffix("/properties") { return LoopbackResponse(#"{"defaultCurrency":"USD"}"#) }
            return LoopbackResponse(status: "403 Forbidden", #"{"message":"403 Forbidden"}"#)
        }) { sandbox, _ in
            let result = try await sandbox.clover(Self.device)
            #expect(state.withLock { $0.posts == 2 && $0.looks > 1 }, "\(state.withLock { $0 })")
            #expect(result.ending == .exited(80), "\(result)")
            #expect(try result.eventNames.last == "unknown", "\(result)")
        }
    }

    struct LateRecord: CustomTestStringConvertible, Sendable {
        let response: String
        let status: Int32
        var testDescription: String { response }
    }

    @Test(
        "a refusal in Clover's form by a device whose payment shows up later ends nothing where it may have worked, is not final elsewhere, and the payment wins",
        arguments: [
            LateRecord(response: "209 Cancelled", status: 81), LateRecord(response: "409 Conflict", status: 80),
            LateRecord(response: "501 Not Implemented", status: 80), LateRecord(response: "503 Busy", status: 80),
            LateRecord(response: "400 Bad Request", status: 64), LateRecord(response: "401 Unauthorized", status: 80),
            LateRecord(response: "403 Forbidden", status: 77), LateRecord(response: "404 Not Found", status: 66),
        ])
    func refusedAndPaidLater(_ row: LateRecord) async throws {
        try await Device.run { sandbox, device, _ in
            device.state.withLock {
                $0.response = LoopbackResponse(status: row.response, #"{"message":"no","type":"BAD_REQUEST"}"#)
            }
            let result = try await sandbox.clover(Self.device)
            #expect(result.ending == .exited(row.status), "\(result)")
            let text = result.outputText + result.errorText
            for word in ["nothing was", "not charged", "not carried out"] { #expect(!text.contains(word), "\(result)") }
            let isOpen = row.status == 80
            #expect(try result.events.last?["provisional"] == (isOpen ? nil : .bool(true)), "\(result)")
            device.state.withLock { $0.record = Self.paid }
            let again = try await sandbox.clover("charge", "recover", "--all")
            #expect(again.ending == .exited(isOpen ? 0 : 80), "\(again)")
            #expect(try again.eventNames == ["approved"])
            #expect(try (again.events.last?["contradiction"] == nil) == isOpen)
        }
    }

    @Test("a rate limit's refusal after the payment is looked up when the time runs out, and by recovery after a kill")
    func limitedAfterPayment() async throws {
        try await Device.run { sandbox, device, server in
            device.state.withLock {
                $0.response = LoopbackResponse(
                    status: "429 Too Many Requests", headers: ["Retry-After: 30"],
                    body: #"{"message":"429 Too Many Requests"}"#.utf8)
                $0.record = Self.paid
            }
            let command = try sandbox.start(Self.device)
            try await command.waitForErrors(containing: "429")
            command.send(9)
            _ = try await command.result()
            let recovery = try await sandbox.with(["CLOVER_STATE_DIR": sandbox.directory["state"]]).clover(
                "charge", "recover", "--all", "--max-time", "60")
            #expect(try recovery.eventNames.last == "approved", "\(recovery)")
            #expect(server.requests.filter { $0.path == "/connect/v1/payments" }.count == 1)
        }
    }

    @Test("a void that was refused is tried again by each recovery until the part is given back")
    func partRefused() async throws {
        try await Device.run { sandbox, device, server in
            device.state.withLock {
                $0.payment = Self.part
                $0.record = Self.part
                $0.followUp = LoopbackResponse(status: "503 Busy", #"{"message":"503","type":"DEVICE_BUSY"}"#)
            }
            let first = try await sandbox.clover(Self.device)
            #expect(first.ending == .exited(80), "\(first)")
            for _ in 0..<2 {
                let again = try await sandbox.clover("charge", "recover", "--all")
                #expect(again.ending == .exited(80), "\(again)")
            }
            device.state.withLock {
                $0.followUp = LoopbackResponse(#"{"payment":{"id":"P1","amount":600,"result":"VOIDED"}}"#)
            }
            let last = try await sandbox.clover("charge", "recover", "--all")
            expectSuccess(last)
            #expect(try last.eventNames.last == "voided")
        }
    }

    @Test("an external id that was used before gives no other customer's payment, and voids nothing")
    func externalIDTwice() async throws {
        try await Device.run { sandbox, device, server in
            device.state.withLock {
                $0.payment = Self.paid
                $0.record = Self.paid
            }
            expectSuccess(try await sandbox.clover(Self.device + ["--external-id", "TABLE-7"]))
            device.state.withLock {
                $0.payment = nil
                $0.response = LoopbackResponse(status: "504 Late", "{}")
            }
            for amount in ["12.50", "20.00"] {
                let second = try await sandbox.clover(
                    "charge", "--amount", amount, "--currency", "USD", "--device", "C1", "--external-id", "TABLE-7")
                #expect(second.ending == .exited(80), "\(second)")
            }
            #expect(!server.requests.contains { $0.path.hasSuffix("/void") })
        }
    }

    @Test("a voided partial approval is reported as such when the key is used again, and by recovery")
    func partTakenBack() async throws {
        try await Device.run { sandbox, device, server in
            device.state.withLock {
                $0.payment = Self.part
                $0.followUp = LoopbackResponse(#"{"payment":{"id":"P1","amount":600,"result":"VOIDED"}}"#)
            }
            let first = try await sandbox.clover(Self.device)
            expectFailure(first, status: 81, saying: "that was voided, and nothing is charged", output: nil)
            let id = try #require(try first.events.first?["charge"]?.string)
            let key = try #require(try first.events.first?["idempotencyKey"]?.string)
            for again in [Self.device + ["--idempotency-key", key], ["charge", "recover", id]] {
                expectFailure(
                    try await sandbox.clover(again), status: 81, saying: "that was voided, and nothing is charged",
                    output: nil)
            }
            #expect(server.requests.filter { $0.path.hasSuffix("/void") }.count == 1)
        }
    }

    @Test("a part that a person refunded in part, or captured, is not called voided, and not voided by recovery")
    func partKept() async throws {
        for isHold in [false, true] {
            try await Device.run { sandbox, device, server in
                device.state.withLock {
                    $0.payment = Self.part
                    $0.record = Self.part + #","refunds":[],"cardTransaction":{"captured":false,"type":"PREAUTH"}"#
                    $0.followUp = LoopbackResponse(status: "400 Bad", #"{"message":"no","type":"BAD_REQUEST"}"#)
                }
                let first = try await sandbox.clover(Self.device + (isHold ? ["--preauth"] : []))
                expectFailure(first, status: 80, saying: "that could not be voided", output: nil)
                let id = try #require(try first.events.first?["charge"]?.string)
                device.state.withLock {
                    $0.followUp = LoopbackResponse(
                        isHold ? #"{"id":"P1","amount":600}"# : #"{"id":"R1","amount":100}"#)
                    if !isHold { $0.record = Self.part + #","refunds":[{"id":"R1","amount":100}]"# }
                }
                let verb = isHold ? ["capture", id] : ["refund", id, "--amount", "1.00"]
                expectSuccess(try await sandbox.clover(["charge"] + verb))
                let voids = server.requests.filter { $0.path.hasSuffix("/void") }.count
                let all = try await sandbox.clover("charge", "recover", "--all")
                #expect(!all.errorText.contains("nothing is charged"), "\(all)")
                // Its own refund is no change that the refused void explains.
                if !isHold { expectSuccess(all) }
                let again = try await sandbox.clover("charge", "recover", id)
                expectFailure(again, status: 79, saying: "6.00 USD of 12.50 USD was approved, and taken", output: nil)
                #expect(server.requests.filter { $0.path.hasSuffix("/void") }.count == voids, "\(all) \(again)")
            }
        }
    }

    @Test("a part that a killed run had not yet given back is given back by recovery")
    func partOfKilledRun() async throws {
        try await Device.run { sandbox, device, server in
            device.state.withLock {
                $0.payment = Self.part
                // The run may be killed before or after it sends the void.
                $0.record = Self.part
                $0.followUp = LoopbackResponse(bytes: [], ending: .hold)
            }
            let command = try sandbox.start(Self.device)
            try await command.waitForOutput("partial") { String(decoding: $0, as: UTF8.self).contains("\"partial\"") }
            command.send(9)
            _ = try await command.result()
            device.state.withLock {
                $0.followUp = LoopbackResponse(#"{"payment":{"id":"P1","amount":600,"result":"VOIDED"}}"#)
            }
            let recovery = try await sandbox.clover("charge", "recover", "--all")
            expectSuccess(recovery)
            #expect(try recovery.eventNames.last == "voided")
            #expect(server.requests.contains { $0.path.hasSuffix("/void") })
            let again = try await sandbox.clover("charge", "recover", "--all")
            expectSuccess(again)
            #expect(again.lines.isEmpty)
        }
    }

    struct FollowUp: CustomTestStringConvertible, Sendable {
        let arguments: [String]
        let response: LoopbackResponse
        let status: Int32
        var record = DeviceEvidenceTests.paid + #","refunds":[]"#
        var testDescription: String { "\(arguments) \(response)" }
    }

    @Test(
        "a follow-up counts as done only when its effect is shown, and as refused only when nothing changed",
        arguments: [
            FollowUp(arguments: ["void"], response: LoopbackResponse("{}"), status: 80),
            FollowUp(arguments: ["void"], response: LoopbackResponse(#"{"error":"no"}"#), status: 80),
            FollowUp(
                arguments: ["void"], response: LoopbackResponse("{}"), status: 0,
                record: #""id":"P1","amount":1250,"result":"VOIDED","externalPaymentId":"EXTERNAL""#),
            FollowUp(arguments: ["refund", "--amount", "5.00"], response: LoopbackResponse("{}"), status: 80),
            FollowUp(
                arguments: ["refund", "--amount", "5.00"], response: LoopbackResponse(#"{"id":"R1","amount":500}"#),
                status: 0),
            FollowUp(
                arguments: ["refund", "--amount", "5.00"],
                response: LoopbackResponse(status: "503 Busy", #"{"message":"busy","type":"RESOURCE_CONFLICT"}"#),
                status: 80),
            FollowUp(
                arguments: ["refund", "--amount", "5.00"],
                response: LoopbackResponse(status: "400 Bad", #"{"message":"no","type":"BAD_REQUEST"}"#), status: 64),
            FollowUp(
                arguments: ["refund", "--amount", "5.00"],
                response: LoopbackResponse(status: "503 Busy", #"{"message":"busy","type":"RESOURCE_CONFLICT"}"#),
                status: 80, record: DeviceEvidenceTests.paid + #","refunds":[{"id":"R1","amount":500}]"#),
            FollowUp(arguments: ["refund"], response: LoopbackResponse(status: "209 Cancelled", "{}"), status: 80),
            FollowUp(arguments: ["refund"], response: LoopbackResponse(status: "503 Busy", "{}"), status: 80),
        ])
    func followUps(_ row: FollowUp) async throws {
        try await Device.run { sandbox, device, _ in
            device.state.withLock {
                $0.payment = Self.paid
                $0.record = row.record
                $0.followUp = row.response
            }
            let charge = try await sandbox.clover(Self.device)
            let id = try #require(try charge.events.last?["charge"]?.string)
            let result = try await sandbox.clover(["charge", row.arguments[0], id] + row.arguments.dropFirst())
            #expect(result.ending == .exited(row.status), "\(result)")
        }
    }

    @Test(
        "a follow-up whose response is lost is not sent again once the charge was changed, perhaps by the staff",
        arguments: [
            (["void"], #","refunds":[{"id":"R1","amount":500}]"#),
            (["capture"], #","result":"VOIDED","cardTransaction":{"captured":false}"#),
            (["tip", "--amount", "2.00"], #","tipAmount":300"#),
            (["refund", "--amount", "5.00"], #","refunds":[{"id":"R1","amount":500}]"#),
        ])
    func changedElsewhere(_ arguments: [String], _ change: String) async throws {
        try await Device.run { sandbox, device, server in
            device.state.withLock {
                $0.payment = Self.paid
                let isVoided = change.contains("VOIDED")
                $0.record = (isVoided ? Self.paid.replacing(#","result":"SUCCESS""#, with: "") : Self.paid) + change
                $0.followUp = .reset
            }
            let charge = try await sandbox.clover(
                Self.device + (arguments[0] == "tip" ? ["--auth"] : arguments[0] == "capture" ? ["--preauth"] : []))
            let id = try #require(try charge.events.last?["charge"]?.string)
            let result = try await sandbox.clover(["charge", arguments[0], id] + arguments.dropFirst())
            #expect(result.ending == .exited(80), "\(result)")
            #expect(try await sandbox.clover("charge", "recover", "--all").ending == .exited(80))
            let sent = server.requests.filter { $0.method == "POST" && $0.path.hasPrefix("/connect/v1/payments/") }
            #expect(sent.count == 1, "\(sent.map(\.path))")
        }
    }
}
