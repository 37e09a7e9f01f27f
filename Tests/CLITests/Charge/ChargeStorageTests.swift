import CloverTestSupport
import Foundation
import Synchronization
import Testing

/// A full disk at each step of a charge: a small separate file system, so that it is really full.
@Suite("charge: a full disk")
struct ChargeStorageTests {
    /// Charges, and fills the disk while one of its requests is under way.
    private final class FillingService: Sendable {
        /// The request during which the disk becomes full.
        private let moment: String
        private let losesAnswer: Bool
        private let gate: TemporaryDirectory
        private let reference = Mutex<String?>(nil)

        init(_ moment: String, losesAnswer: Bool, _ gate: TemporaryDirectory) {
            self.moment = moment
            self.losesAnswer = losesAnswer
            self.gate = gate
        }

        func answer(_ request: LoopbackRequest) -> LoopbackResponse {
            if request.method == "POST", request.path == moment { waitUntilFull() }
            switch (request.method, request.path) {
            case ("GET", "/pakms/apikey"): return LoopbackResponse(#"{"apiAccessKey":"key"}"#)
            case ("POST", "/v1/tokens"): return LoopbackResponse(#"{"id":"clv_1TOKEN"}"#)
            case ("POST", "/v1/charges"):
                note(request, /"external_reference_id":"([^"]+)"/)
                return losesAnswer ? .reset : LoopbackResponse(charge)
            case ("GET", "/v1/charges"):
                let found = reference.withLock { $0 } == nil ? "" : charge
                return LoopbackResponse(#"{"object":"list","has_more":false,"data":[\#(found)]}"#)
            case ("POST", "/connect/v1/payments"):
                note(request, /"externalPaymentId":"([^"]+)"/)
                return losesAnswer ? .reset : LoopbackResponse(payment)
            case ("GET", let path) where path.hasPrefix("/connect/v1/payments/external/"):
                return reference.withLock { $0 } == nil
                    ? LoopbackResponse(status: "404 Not Found", "{}") : LoopbackResponse(payment)
            case ("GET", let path) where path.hasSuffix("/devices"):
                return .page([#"{"id":"D1","serial":"C030UQ71234000"}"#])
            case ("GET", let path) where path.hasSuffix("/properties"):
                return LoopbackResponse(#"{"defaultCurrency":"USD"}"#)
            default: return LoopbackResponse("{}")
            }
        }

        private var charge: String {
            #"{"id":"PAYMENT1","amount":1250,"currency":"usd","created":1,"status":"succeeded","external_reference_id":"\#(reference.withLock { $0 } ?? "")"}"#
        }

        private var payment: String {
            #"{"payment":{"id":"PAYMENT1","amount":1250,"result":"SUCCESS","externalPaymentId":"\#(reference.withLock { $0 } ?? "")"}}"#
        }

        private func note(_ request: LoopbackRequest, _ pattern: Regex<(Substring, Substring)>) {
            let found = request.bodyText.firstMatch(of: pattern).map { String($0.1) }
            reference.withLock { $0 = found }
        }

        private func waitUntilFull() {
            // What cannot be written is missed by the test.
            _ = FileManager.default.createFile(atPath: gate["reached"], contents: nil)
            for _ in 0..<3000 where !FileManager.default.fileExists(atPath: gate["full"]) { usleep(10_000) }
        }
    }

    struct Moment: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let way: String
        let request: String
        var losesAnswer = false
        let status: Int
        /// The events of the charge, and then those of the recovery.
        let events: [String]
        let message: String
        /// How often the charge itself was sent.
        let sent: Int
    }

    @Test(
        "nothing leaves that is not written down; what left and cannot be settled is 80, and recovery explains it",
        arguments: [
            Moment(
                testDescription: "before it is sent", way: "--card -", request: "/v1/tokens", status: 73,
                events: ["created", "failed"], message: "nothing was carried out: ", sent: 0),
            Moment(
                testDescription: "approved, ecommerce", way: "--card -", request: "/v1/charges", status: 80,
                events: ["created", "sent", "approved", "approved"],
                message: "was sent and approved, but the journal could not record it", sent: 1),
            Moment(
                testDescription: "the answer lost, ecommerce", way: "--card -", request: "/v1/charges",
                losesAnswer: true, status: 80, events: ["created", "sent", "approved", "approved"],
                message: "was sent and approved, but the journal could not record it", sent: 1),
            Moment(
                testDescription: "approved, device", way: "--device C030UQ71234000", request: "/connect/v1/payments",
                status: 80, events: ["created", "sent", "approved", "approved"],
                message: "was sent and approved, but the journal could not record it", sent: 1),
        ])
    func full(_ row: Moment) async throws {
        let gate = try TemporaryDirectory()
        let service = FillingService(row.request, losesAnswer: row.losesAnswer, gate)
        try await Sandbox.run(server: { request, _ in service.answer(request) }) { sandbox, server in
            let result = try await sandbox.inMountedState(
                """
                clover get merchant >get.json
                (
                    while [ ! -e '\(gate["reached"])' ]; do sleep 0.02; done
                    head --bytes 1M /dev/zero >state/fill
                    touch '\(gate["full"])'
                ) 2>/dev/null &
                echo '{"number":"4242424242424242","exp_month":"12","exp_year":"2030","cvv":"737"}' |
                clover charge --amount 12.50 --currency USD \(row.way)
                echo $? >status
                wait
                rm state/fill
                clover charge recover --all 2>recovery
                echo $? >recovered
                clover charge list --json >list
                """)
            try #require(result.status != 92, "no file system can be mounted here: \(result.errorText)")
            #expect(try sandbox.text("status") == "\(row.status)\n", "\(result)")
            #expect(try result.eventNames == row.events, "\(result)")
            #expect(result.errorText.contains(row.message), "\(result)")
            #expect(result.errorText.contains("free some space"), "\(result)")
            #expect(server.requests.count { $0.method == "POST" && $0.path.hasSuffix(row.sentPath) } == row.sent)
            let recovery = try sandbox.text("recovery")
            #expect(try sandbox.text("recovered") == "0\n", "\(recovery)")
            let rows = try JSONValue.lines(try sandbox.text("list").split(separator: "\n").map(String.init))
            #expect(rows.map { $0["state"]?.string } == [row.events.last])
        }
    }

    @Test("on a disk that is full from the start nothing is sent, and nothing is in the journal")
    func fullBefore() async throws {
        let gate = try TemporaryDirectory()
        let service = FillingService("", losesAnswer: false, gate)
        try await Sandbox.run(server: { request, _ in service.answer(request) }) { sandbox, server in
            let result = try await sandbox.inMountedState(
                """
                clover charge --amount 12.50 --currency USD --source clv_1TOKEN --quiet
                head --bytes 1M /dev/zero >state/fill 2>/dev/null
                clover charge --amount 12.50 --currency USD --source clv_1TOKEN --quiet
                echo $? >status
                rm state/fill
                clover charge list --json >list
                """)
            try #require(result.status != 92, "no file system can be mounted here: \(result.errorText)")
            #expect(try sandbox.text("status") == "73\n", "\(result)")
            #expect(result.errorText.contains("nothing was carried out: "), "\(result)")
            #expect(server.requests.count { $0.method == "POST" && $0.path == "/v1/charges" } == 1)
            #expect(try sandbox.text("list").split(separator: "\n").count == 1)
        }
    }
}

extension ChargeStorageTests.Moment {
    /// The request that charges.
    fileprivate var sentPath: String { way.hasPrefix("--device") ? "/connect/v1/payments" : "/v1/charges" }
}
