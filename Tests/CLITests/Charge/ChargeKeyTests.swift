import CloverTestSupport
import Foundation
import Synchronization
import Testing

/// A key that the user chose may have been charged before, by another machine or by a journal that is gone.
@Suite("charge: a key of the user's own")
struct ChargeKeyTests {
    /// A service that ignores keys: a request that is sent twice charges twice.
    private final class Service: Sendable {
        struct State {
            /// Whether its records cannot be read.
            var isDown = false
            var posts = 0
            var external = ""
            /// The status of the payment that is shown; nil if none is.
            var shown: String? = nil
        }
        /// Unlike an outage, this is not tried again.
        private static let closed = LoopbackResponse(status: "403 Forbidden", #"{"message":"no"}"#)
        let state = Mutex(State())

        func answer(_ request: LoopbackRequest) -> LoopbackResponse {
            state.withLock { state in
                let path = request.path
                if request.method == "POST", ["/v1/charges", "/connect/v1/payments"].contains(path) {
                    let pattern = /"(?:external_reference_id|externalPaymentId)":"([^"]+)"/
                    state.external = request.bodyText.firstMatch(of: pattern).map { String($0.1) } ?? ""
                    state.posts += 1
                    return LoopbackResponse(path == "/v1/charges" ? charge(state) : #"{"payment":\#(payment(state))}"#)
                }
                if path.hasSuffix("/properties") { return LoopbackResponse(#"{"defaultCurrency":"USD"}"#) }
                if path == "/connect/v1/device/status" { return LoopbackResponse(#"{"state":"IDLE"}"#) }
                if path == "/v1/charges" {
                    if state.isDown { return Self.closed }
                    return LoopbackResponse(
                        #"{"has_more":false,"data":[\#(state.shown == nil ? "" : charge(state))]}"#)
                }
                if path.hasPrefix("/connect/v1/payments/external/"), state.isDown {
                    return Self.closed
                }
                if path.hasPrefix("/connect/v1/payments/external/"), state.shown != nil {
                    return LoopbackResponse(#"{"payment":\#(payment(state))}"#)
                }
                return LoopbackResponse(status: "404 Not Found", #"{"message":"404 Not Found"}"#)
            }
        }

        private func charge(_ state: State) -> String {
            #"{"id":"PAY\#(state.posts)","amount":1250,"currency":"usd","status":"\#(state.shown ?? "succeeded")","#
                + #""external_reference_id":"\#(state.external)"}"#
        }

        private func payment(_ state: State) -> String {
            let result = state.shown == "failed" ? "FAIL" : "SUCCESS"
            return
                #"{"id":"PAY\#(state.posts)","amount":1250,"result":"\#(result)","externalPaymentId":"\#(state.external)"}"#
        }
    }

    private static let rails = [["--source", "clv_1TOKEN"], ["--device", "C1"]]

    private static func run(
        _ body: (Service, _ charge: ([String], String) async throws -> CommandResult) async throws -> Void
    )
        async throws
    {
        let service = Service()
        try await Sandbox.run(server: { request, _ in service.answer(request) }) { sandbox, _ in
            try await body(service) { rail, state in
                try await sandbox.with(["CLOVER_STATE_DIR": sandbox.directory[state]]).clover(
                    ["charge", "--amount", "12.50", "--currency", "USD", "--idempotency-key", "order-1234567"] + rail)
            }
        }
    }

    @Test("the charge of another machine under the key is found before anything is sent", arguments: rails)
    func otherMachine(_ rail: [String]) async throws {
        try await Self.run { service, charge in
            expectSuccess(try await charge(rail, "first"))
            service.state.withLock { $0.shown = "succeeded" }
            let second = try await charge(rail, "second")
            expectSuccess(second)
            #expect(try second.eventNames == ["created", "approved"], "\(second)")
            #expect(try second.events.last?["payment"] == .string("PAY1"))
            service.state.withLock { $0.shown = "failed" }
            let third = try await charge(rail, "third")
            #expect(third.ending == .exited(81), "\(third)")
            // Without a code, no decline is claimed.
            if rail.contains("--source") { #expect(third.errorText.contains("gives no reason"), "\(third)") }
            #expect(service.state.withLock(\.posts) == 1)
        }
    }

    @Test("with an external ID of the user's own, a charge that has it may be this one, and nothing is sent")
    func ownExternalID() async throws {
        try await Self.run { service, charge in
            let rail = ["--source", "clv_1TOKEN", "--external-id", "ORD1"]
            expectSuccess(try await charge(rail, "first"))
            // One that was declined is no reason not to charge.
            service.state.withLock { $0.shown = "failed" }
            _ = try await charge(rail, "second")
            #expect(service.state.withLock(\.posts) == 2)
            service.state.withLock { $0.shown = "succeeded" }
            let third = try await charge(rail, "third")
            expectFailure(third, status: 80, saying: "outcome unknown", "PAY2", output: nil)
            #expect(try third.eventNames == ["created", "unknown"], "\(third)")
            #expect(service.state.withLock(\.posts) == 2)
            service.state.withLock { ($0.shown, $0.isDown) = (nil, true) }
            let fourth = try await charge(rail, "fourth")
            #expect(fourth.ending == .exited(75), "\(fourth)")
            #expect(service.state.withLock(\.posts) == 2)
        }
    }

    @Test("the charge of another machine is found on a later page of the list, if it is not older than a day")
    func laterPage() async throws {
        let external = Mutex<String?>(nil)
        let posts = Mutex(0)
        try await Sandbox.run(server: { request, _ in
            let reference = external.withLock(\.self)
            func entry(_ number: Int) -> String {
                let time = Int64(Date().timeIntervalSince1970 * 1000) - Int64(number) * 600_000
                let mark = number == 105 ? reference ?? "" : "R\(number)"
                return #"{"id":"CH\#(number)","amount":1250,"currency":"usd","status":"succeeded","#
                    + #""created":\#(time),"external_reference_id":"\#(mark)"}"#
            }
            guard request.method == "GET" else {
                posts.withLock { $0 += 1 }
                let found = request.bodyText.firstMatch(of: /"external_reference_id":"([^"]+)"/)
                external.withLock { $0 = found.map { String($0.1) } }
                return LoopbackResponse(#"{"id":"CH105","amount":1250,"currency":"usd","status":"succeeded"}"#)
            }
            guard reference != nil else { return LoopbackResponse(#"{"has_more":false,"data":[]}"#) }
            let isNext = request.target.contains("starting_after=CH99")
            let page = (isNext ? 100..<200 : 0..<100).map(entry).joined(separator: ",")
            return LoopbackResponse(#"{"has_more":true,"data":[\#(page)]}"#)
        }) { sandbox, _ in
            for state in ["first", "second"] {
                expectSuccess(
                    try await sandbox.with(["CLOVER_STATE_DIR": sandbox.directory[state]]).clover(
                        "charge", "--amount", "12.50", "--currency", "USD", "--idempotency-key", "order-1234567",
                        "--source", "clv_1TOKEN"))
            }
            let count = posts.withLock(\.self)
            #expect(count == 1)
        }
    }

    @Test("a look that fails keeps a device or a card from being charged", arguments: rails)
    func lookFails(_ rail: [String]) async throws {
        try await Self.run { service, charge in
            service.state.withLock { $0.isDown = true }
            let result = try await charge(rail, "first")
            #expect(result.ending == .exited(75), "\(result)")
            #expect(service.state.withLock(\.posts) == 0)
            #expect(result.errorText.contains("it is not known whether this key was charged before"), "\(result)")
            #expect(try result.eventNames == ["created", "unknown"], "\(result)")
            // The key is not spent.
            service.state.withLock { $0.isDown = false }
            expectSuccess(try await charge(rail, "first"))
            #expect(service.state.withLock(\.posts) == 1)
        }
    }

    @Test(
        "a key that could not be checked stays open, and recovery asks for its charge, which was not sent from here",
        arguments: rails)
    func uncheckedKey(_ rail: [String]) async throws {
        let service = Service()
        try await Sandbox.run(server: { request, _ in service.answer(request) }) { sandbox, _ in
            func machine(_ state: String) -> Sandbox { sandbox.with(["CLOVER_STATE_DIR": sandbox.directory[state]]) }
            func charge(_ state: String, _ amount: String = "12.50") async throws -> CommandResult {
                try await machine(state).clover(
                    ["charge", "--amount", amount, "--currency", "USD", "--idempotency-key", "order-1234567"] + rail)
            }
            /// A charge whose key could not be checked.
            func open(_ state: String, _ amount: String = "12.50") async throws -> String {
                service.state.withLock { $0.isDown = true }
                let result = try await charge(state, amount)
                #expect(result.ending == .exited(75), "\(result)")
                return try #require(try result.events.last?["charge"]?.string)
            }
            expectSuccess(try await charge("first"))
            let id = try await open("second")
            let words = "this request was not sent; whether its key was charged before is not known"
            expectFailure(
                try await machine("second").clover("charge", "recover", id), status: 80, saying: words,
                "do not charge it again under another key", output: nil)
            expectFailure(
                try await machine("second").clover("charge", "recover", "--all"), status: 80,
                saying: "1 is still unknown", output: nil)
            service.state.withLock { ($0.shown, $0.isDown) = ("succeeded", false) }
            let shown = try await machine("second").clover("charge", "show", id, "--check", "--json")
            let view = try #require(try JSONValue(shown.outputText)["service"])
            #expect(view["payment"] == .string("PAY1") && view["agrees"] == .bool(false), "\(shown)")
            let found = try await machine("second").clover("charge", "recover", "--all")
            expectSuccess(found)
            #expect(try found.eventNames == ["approved"], "\(found)")
            #expect(try found.events.last?["payment"] == .string("PAY1"), "\(found)")
            expectSuccess(try await charge("second"))

            // Its payment is of another amount.
            let other = try await open("third", "13.00")
            service.state.withLock { $0.isDown = false }
            expectFailure(
                try await machine("third").clover("charge", "recover", other), status: 80, saying: "PAY1",
                "12.50 USD", "13.00 USD", output: nil)
            #expect(service.state.withLock(\.posts) == 1)

            // No charge has the key, so that it can be used, also after a person has recorded so.
            let unpaid = try await open("fourth")
            let settled = try await open("fifth")
            expectSuccess(try await machine("fifth").clover("charge", "settle", settled, "--not-paid"))
            service.state.withLock { ($0.shown, $0.isDown) = (nil, false) }
            expectFailure(
                try await machine("fourth").clover("charge", "recover", unpaid), status: 81,
                saying: "this request was not sent; no charge of its key is shown", output: nil)
            for state in ["fourth", "fifth"] { expectSuccess(try await charge(state)) }
            #expect(service.state.withLock(\.posts) == 3)
        }
    }

    @Test(
        "a journal that was removed is missed by recovery, the doctor and the next charge, which does not charge again")
    func journalRemoved() async throws {
        let service = Service()
        try await Sandbox.run(server: { request, _ in service.answer(request) }) { sandbox, _ in
            let arguments = [
                "charge", "--amount", "12.50", "--currency", "USD", "--source", "clv_1TOKEN", "--idempotency-key",
                "order-1234567",
            ]
            let state = sandbox.directory["state"]
            let sandbox = sandbox.with(["CLOVER_STATE_DIR": state])
            expectSuccess(try await sandbox.clover(arguments))
            try FileManager.default.removeItem(atPath: "\(state)/journal.sqlite")
            service.state.withLock { $0.shown = "succeeded" }
            for command in [["charge", "recover", "--all"], ["charge", "list"]] {
                expectFailure(
                    try await sandbox.clover(command), status: 78, saying: "journal.sqlite is missing",
                    "restore it from a backup")
            }
            let doctor = try await sandbox.clover("doctor")
            #expect(doctor.outputText.contains("journal.sqlite is missing"), "\(doctor)")
            #expect(doctor.status != 0, "\(doctor)")
            let again = try await sandbox.clover(arguments)
            #expect(again.ending == .exited(0), "\(again)")
            #expect(again.errorText.contains("a new one is begun"), "\(again)")
            #expect(service.state.withLock(\.posts) == 1)
        }
    }
}
