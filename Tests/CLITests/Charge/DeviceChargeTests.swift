import CloverTestSupport
import Foundation
import Synchronization
import Testing

@Suite("charge: on a Clover device")
struct DeviceChargeTests {
    struct Card: CustomTestStringConvertible, Sendable {
        let behaviour: String
        var options: [String] = []
        let status: Int32
        let events: [String]
        var taken = 0
        var testDescription: String { ([behaviour] + options).joined(separator: " ") }
    }

    @Test(
        "what the card does is what is reported",
        arguments: [
            Card(behaviour: "approve", status: 0, events: ["created", "sent", "approved"], taken: 1),
            Card(behaviour: "decline", status: 81, events: ["created", "sent", "declined"]),
            Card(behaviour: "cancel", status: 81, events: ["created", "sent", "cancelled"]),
            Card(behaviour: "duplicate", status: 0, events: ["created", "sent", "approved"], taken: 1),
            Card(behaviour: "signature", status: 0, events: ["created", "sent", "approved"], taken: 1),
            Card(
                behaviour: "partial", status: 81,
                events: ["created", "sent", "partial", "created", "sent", "voided"], taken: 1),
            Card(
                behaviour: "partial", options: ["--accept-partial"], status: 79,
                events: ["created", "sent", "partial"], taken: 1),
            Card(behaviour: "partial", options: ["--quiet"], status: 81, events: ["voided"], taken: 1),
        ])
    func cards(_ row: Card) async throws {
        try await ChargeFixture.run(emulator: ["--card", row.behaviour]) { till in
            let device = try await till.device()
            let result = try await till.sandbox.clover(
                ["charge", "--amount", "12.50", "--currency", "USD", "--device", device] + row.options)
            #expect(result.ending == .exited(row.status), "\(result)")
            #expect(try result.eventNames == row.events)
            #expect(try await till.taken().count == row.taken)
            if row.events.contains("voided") {
                #expect(try await till.movements().contains { $0["kind"] == .string("void") })
                #expect(result.errorText.contains("nothing is charged"))
            }
        }
    }

    struct Fault: CustomTestStringConvertible, Sendable {
        let fault: String
        let status: Int32
        let last: String
        var taken = 0
        var testDescription: String { fault }
    }

    @Test(
        "each response of the device is reported correctly, and charges once",
        arguments: [
            Fault(fault: "lose-answer@1:/connect/v1/payments", status: 0, last: "approved", taken: 1),
            Fault(fault: "500-after@1:/connect/v1/payments", status: 0, last: "approved", taken: 1),
            Fault(fault: "timeout@1:/connect/v1/payments", status: 0, last: "approved", taken: 1),
            Fault(fault: "busy@1:/connect/v1/payments", status: 0, last: "approved", taken: 1),
            Fault(fault: "busy@1-9:/connect/v1/payments", status: 80, last: "unknown"),
            Fault(fault: "unsupported@1:/connect/v1/payments", status: 80, last: "unknown"),
            Fault(fault: "cancel@1:/connect/v1/payments", status: 81, last: "cancelled"),
            Fault(fault: "decline@1:/connect/v1/payments", status: 81, last: "declined"),
        ])
    func faults(_ row: Fault) async throws {
        try await ChargeFixture.run(emulator: ["--fault", row.fault]) { till in
            let result = try await till.charge(on: try await till.device())
            #expect(result.ending == .exited(row.status), "\(result)")
            #expect(try result.eventNames.last == row.last)
            #expect(try await till.taken().count == row.taken)
            try await till.expectAgreement(mayStayUnknown: row.last == "unknown")
        }
    }

    @Test("a tip comes after an auth; a hold is raised, and captured with a tip; a sale is voided")
    func afterwards() async throws {
        try await ChargeFixture.run { till in
            let device = try await till.device()
            func charge(_ type: String) async throws -> String {
                let result = try await till.charge(on: device, type, "--quiet")
                expectSuccess(result)
                return try #require(try result.events.last?["charge"]?.string)
            }
            func follow(_ arguments: String...) async throws -> [String] {
                let result = try await till.sandbox.clover(["charge"] + arguments + ["--quiet"])
                expectSuccess(result)
                return try result.eventNames
            }
            let auth = try await charge("--auth")
            #expect(try await follow("tip", auth, "--amount", "2.00") == ["tipAdjusted"])
            #expect(try await follow("tip", auth, "--amount", "1.50") == ["tipAdjusted"])
            #expect(try await follow("receipt", auth, "--email", "zoe@example.com") == ["receiptSent"])
            let hold = try await charge("--preauth")
            #expect(try await follow("increment", hold, "--amount", "5.00") == ["incremented"])
            #expect(try await follow("capture", hold, "--amount", "17.00", "--tip", "1.00") == ["captured"])
            let sale = try await charge("--sale")
            expectFailure(
                try await till.sandbox.clover("charge", "tip", sale, "--amount", "1.00"), status: 64,
                saying: "was made with --sale")
            #expect(try await follow("void", sale) == ["voided"])
            expectFailure(
                try await till.sandbox.clover("charge", "refund", sale), status: 64, saying: "is voided already")
            let rows = try await till.journal()
            #expect(rows.map { $0["status"]?.string } == ["voided", "captured", "approved"])
            #expect(rows[1]["captured"] == .integer(1700))
            #expect(rows[2]["tip"] == .integer(150))
            let tip = try await till.sandbox.clover("charge", "tip", auth, "--amount", "1.00")
            for event in try [tip.events[0], #require(tip.events.last)] {
                #expect(event["tip"] == .integer(100))
                #expect(event["currency"] == .string("USD"), "money stands beside its currency: \(event)")
            }
            let moved = try JSONValue(String(decoding: try await till.emulator.page("/emulator/stats"), as: UTF8.self))
            let key = try #require(tip.events[0]["idempotencyKey"]?.string)
            #expect(moved["movedByKey"]?[key] == .integer(-50))
            let shown = try await till.sandbox.cloverOnTerminal("charge", "show", auth)
            #expect(shown.terminalText.contains("tip: $1.00"), "\(shown)")
            #expect(shown.terminalText.contains("tip  approved  2.00 USD"), "\(shown)")
        }
    }

    @Test("each state of a waiting device is reported once, in its own words")
    func progress() async throws {
        try await ChargeFixture.run(emulator: ["--card-time", "7s"]) { till in
            let result = try await till.charge(on: try await till.device())
            expectSuccess(result)
            let words = try result.events.filter { $0["event"] == .string("progress") }.map { $0["say"]?.string }
            #expect(words == ["WAITING_FOR_CUSTOMER"])
            #expect(try result.eventNames.suffix(2) == ["progress", "approved"])
        }
    }

    @Test("Ctrl-C while no card was shown cancels on the device; nothing is charged")
    func cancelledBeforeCard() async throws {
        try await ChargeFixture.run(emulator: ["--card-time", "60s"]) { till in
            let device = try await till.device()
            let command = try till.sandbox.start(
                "charge", "--amount", "12.50", "--currency", "USD", "--device", device)
            try await command.waitForOutput("sent") { String(decoding: $0, as: UTF8.self).contains("\"sent\"") }
            command.send(2)
            let result = try await command.result()
            #expect(result.ending == .exited(81), "\(result)")
            #expect(
                try result.eventNames.filter { $0 != "progress" } == ["created", "sent", "cancelling", "cancelled"])
            #expect(try await till.taken().isEmpty)
            try await till.expectAgreement()
        }
    }

    @Test("a cancellation that overtakes the charge on its way to the device is sent again")
    func cancelledTooEarly() async throws {
        let cancellations = Mutex(0)
        try await Sandbox.run(server: { request, _ in
            switch request.path {
            case let path where path.hasSuffix("/device/cancel"):
                cancellations.withLock { $0 += 1 }
                return LoopbackResponse("{}")
            case let path where path.hasSuffix("/connect/v1/payments"):
                // The first one found nothing that it could cancel.
                while cancellations.withLock({ $0 }) < 2 { usleep(10_000) }
                return LoopbackResponse(status: "209 Cancelled", "{}")
            case let path where path.hasSuffix("/devices"):
                return .page([#"{"id":"D1","serial":"C030UQ71234000"}"#])
            default: return LoopbackResponse(status: "404 Not Found", #"{"message":"404 Not Found"}"#)
            }
        }) { sandbox, _ in
            let command = try sandbox.start(
                "charge", "--amount", "12.50", "--currency", "USD", "--device", "C030UQ71234000")
            try await command.waitForOutput("sent") { String(decoding: $0, as: UTF8.self).contains("\"sent\"") }
            command.send(2)
            let result = try await command.result()
            #expect(result.ending == .exited(81), "\(result)")
            #expect(cancellations.withLock { $0 } >= 2)
        }
    }

    @Test("a device beyond a short page of the merchant's devices is one of them; only the whole list refuses one")
    func shortPages() async throws {
        let devices = ["C030UQ71234000", "C030UQ71234001", "C030UQ71234002"].map {
            #"{"id":"\#($0)","serial":"\#($0)"}"#
        }
        try await Sandbox.run(server: { request, _ in
            if request.path.hasSuffix("/devices") {
                let offset = request.values(of: "offset").first.flatMap { Int($0) } ?? 0
                return .page(Array(devices.dropFirst(offset).prefix(2)))
            }
            if request.path.hasSuffix("/connect/v1/payments") { return LoopbackResponse(status: "209 Cancelled", "{}") }
            return LoopbackResponse(status: "404 Not Found", #"{"message":"404 Not Found"}"#)
        }) { sandbox, _ in
            let charge = ["charge", "--amount", "12.50", "--currency", "USD", "--device"]
            let last = try await sandbox.clover(charge + ["C030UQ71234002"])
            #expect(last.ending == .exited(81), "it was sent, and cancelled on the device: \(last)")
            expectFailure(
                try await sandbox.clover(charge + ["C030UQ71234009"]), status: 64, saying: "has no device", output: "")
        }
    }

    @Test("Ctrl-C after the card was shown waits for the outcome, and says it")
    func stoppedAfterCard() async throws {
        try await ChargeFixture.run(emulator: ["--authorization-time", "8s"], weight: 0) { till in
            let device = try await till.device()
            let command = try till.sandbox.start(
                "charge", "--amount", "12.50", "--currency", "USD", "--device", device)
            try await command.waitForOutput("sent") { String(decoding: $0, as: UTF8.self).contains("\"sent\"") }
            // The request has to be at the device, whose card is shown at once.
            try await till.waitUntilUnderWay()
            try await Task.sleep(for: .milliseconds(500))
            command.send(2)
            let result = try await command.result()
            #expect(result.ending == .exited(0), "\(result)")
            #expect(try result.eventNames.filter { $0 != "progress" } == ["created", "sent", "cancelling", "approved"])
            #expect(result.errorText.contains("waiting for the outcome if it was already sent"))
            #expect(try await till.taken().count == 1)
            try await till.expectAgreement()
        }
    }

    @Test("a reader of the output who leaves does not end the charge")
    func outputClosed() async throws {
        try await ChargeFixture.run(emulator: ["--card-time", "1500ms"]) { till in
            let device = try await till.device()
            let result = try await till.sandbox.shell(
                "clover charge --amount 12.50 --currency USD --device \(device) | head -1; echo ${PIPESTATUS[0]}")
            try await till.expectAgreement()
            let row = try #require(try await till.journal().first)
            #expect(row["state"] == .string("approved"))
            #expect(result.lines.last == "141", "\(result)")
            let id = try #require(row["charge"]?.string)
            #expect(result.errorText.contains("\(id) was approved: 12.50 USD, payment "), "\(result)")
        }
    }

    @Test("a device in the local network is asked there, as the documentation says")
    func localDevice() async throws {
        let device = try LoopbackServer { request, _ in
            request.path == "/connect/v1/payments"
                ? LoopbackResponse(
                    #"{"payment":{"id":"P1","amount":1250,"result":"SUCCESS","externalPaymentId":"E-1"}}"#)
                : LoopbackResponse("{}")
        }
        try await Sandbox.run(server: { _, _ in LoopbackResponse("{}") }) { sandbox, cloud in
            let result = try await sandbox.clover(
                "charge", "--amount", "12.50", "--currency", "USD", "--device", "C1", "--device-address", device.url,
                "--timeout", "0.5m", "--external-id", "E-1", "--reference", "INV1")
            expectSuccess(result)
            #expect(try result.events.last?["payment"] == .string("P1"))
            #expect(cloud.requests.isEmpty)
            let request = try #require(device.requests.first)
            #expect(request.header("X-Clover-Device-Id") == "C1")
            #expect(request.header("X-POS-Id") == "clover")
            #expect(request.header("X-Clover-Timeout") == "30")
            #expect(request.header("Content-Type") == "application/json")
            #expect(request.header("Idempotency-Key") == (try result.events[0]["idempotencyKey"]?.string))
            #expect(
                request.bodyText
                    == #"{"amount":1250,"capture":true,"externalPaymentId":"E-1","externalReferenceId":"INV1","final":true}"#
            )
            #expect(device.requests.map(\.path) == ["/connect/v1/payments", "/connect/v1/device/thank-you"])
        }
    }

    struct Answer: CustomTestStringConvertible, Sendable {
        let testDescription: String
        var status = "200 OK"
        let body: String
        let exit: Int32
        let last: String
    }

    @Test(
        "only a success is an approval, and a charge with an unclear response is not sent again blindly",
        arguments: [
            Answer(testDescription: "500", status: "500 Error", body: "{}", exit: 80, last: "unknown"),
            Answer(
                testDescription: "pending", body: #"{"payment":{"id":"P1","amount":1250,"result":"PENDING"}}"#,
                exit: 80,
                last: "unknown"),
            Answer(
                testDescription: "no result", body: #"{"payment":{"id":"P1","amount":1250}}"#, exit: 80,
                last: "unknown"),
            Answer(
                testDescription: "failed", body: #"{"payment":{"id":"P1","amount":1250,"result":"FAIL"}}"#, exit: 81,
                last: "declined"),
            Answer(testDescription: "cancelled", status: "209 Cancelled", body: "{}", exit: 81, last: "cancelled"),
            Answer(
                testDescription: "another merchant's device", status: "400 Bad Request",
                body: #"{"message":"no such device","requestType":"PAY","type":"BAD_REQUEST"}"#, exit: 64,
                last: "failed"),
            Answer(
                testDescription: "415", status: "415 Unsupported", body: #"{"message":"415 Unsupported"}"#, exit: 80,
                last: "unknown"),
            Answer(testDescription: "a bare 400", status: "400 Bad Request", body: "{}", exit: 80, last: "unknown"),
            Answer(testDescription: "a bare 401", status: "401 Unauthorized", body: "", exit: 80, last: "unknown"),
            Answer(testDescription: "a bare 404", status: "404 Not Found", body: "<html>", exit: 80, last: "unknown"),
            Answer(testDescription: "a redirect", status: "307 Elsewhere", body: "", exit: 80, last: "unknown"),
            Answer(
                testDescription: "another's payment",
                body: #"{"payment":{"id":"P1","amount":1250,"result":"SUCCESS","externalPaymentId":"OTHER"}}"#,
                exit: 80,
                last: "unknown"),
            Answer(
                testDescription: "more than was asked for",
                body: #"{"payment":{"id":"P1","amount":1251,"result":"SUCCESS"}}"#, exit: 80, last: "unknown"),
            Answer(
                testDescription: "a negative amount", body: #"{"payment":{"id":"P1","amount":-5,"result":"SUCCESS"}}"#,
                exit: 80, last: "unknown"),
        ])
    func answers(_ row: Answer) async throws {
        try await Sandbox.run(server: { request, _ in
            switch request.path {
            case "/connect/v1/payments": LoopbackResponse(status: row.status, row.body)
            case "/connect/v1/device/status": LoopbackResponse(#"{"state":"BUSY"}"#)
            case let path where path.hasSuffix("/devices"): LoopbackResponse(status: "403 Forbidden", "{}")
            default: LoopbackResponse(status: "404 Not Found", #"{"message":"404 Not Found"}"#)
            }
        }) { sandbox, server in
            let result = try await sandbox.clover(
                "charge", "--amount", "12.50", "--currency", "USD", "--device", "C1")
            #expect(result.ending == .exited(row.exit), "\(result)")
            #expect(try result.eventNames.last == row.last)
            #expect(server.requests.filter { $0.path == "/connect/v1/payments" }.count == 1)
            #expect(!server.requests.contains { $0.path.hasSuffix("/void") })
            // That it is not there proves nothing, however long ago it was.
            if row.exit == 80 {
                let recovery = try await sandbox.clover("charge", "recover", "--all")
                expectFailure(recovery, status: 80, saying: "1 is still unknown", output: nil)
            }
        }
    }
}
