import CloverTestSupport
import Foundation
import Synchronization
import Testing

@Suite("charge: the list of charges in which an unsettled one is looked for")
struct ChargeListTests {
    private static let source = [
        "charge", "--amount", "12.50", "--currency", "USD", "--source", "clv_1TSTSXxFw5WpZRueFjDqBxj1",
    ]

    /// Charges, newest first, none of which looks like the one that is made.
    private static func rows(_ numbers: Range<Int>) -> [String] {
        let now = Int64(Date().timeIntervalSince1970 * 1000)
        return numbers.map {
            #"{"id":"C\#($0)","amount":1,"currency":"usd","status":"succeeded","created":\#(now - Int64($0))}"#
        }
    }

    /// Runs `body` with a service that refuses each charge in Clover's form, and whose list is `page` of the request's cursor.
    private func withRefusal(
        _ page: @escaping @Sendable (String?) -> String, _ body: (Sandbox) async throws -> Void
    ) async throws {
        try await Sandbox.run(server: { request, _ in
            guard request.path == "/v1/charges" else { return LoopbackResponse(#"{"defaultCurrency":"USD"}"#) }
            guard request.method == "POST" else {
                return LoopbackResponse(page(request.values(of: "starting_after").first))
            }
            return LoopbackResponse(
                status: "400 Bad Request",
                #"{"message":"400","error":{"type":"invalid_request_error","code":"amount_too_large","message":"no"}}"#)
        }) { sandbox, _ in try await body(sandbox) }
    }

    @Test("a short page that comes again for any cursor is no end: a refused charge stays unknown")
    func repeatedPage() async throws {
        let page = "[\(Self.rows(0..<3).joined(separator: ","))]"
        try await withRefusal({ _ in page }) { sandbox in
            let result = try await sandbox.clover(Self.source)
            expectFailure(result, status: 80, saying: "outcome unknown", output: nil)
        }
    }

    @Test("a list ends with the cursor's own record, and with an empty page", arguments: [true, false])
    func ended(isEchoed: Bool) async throws {
        let rows = Self.rows(0..<3)
        try await withRefusal({ cursor in
            #"{"data":[\#((cursor == nil ? rows : isEchoed ? [rows[2]] : []).joined(separator: ","))]}"#
        }) { sandbox in
            let result = try await sandbox.clover(Self.source)
            #expect(result.status == 64, "\(result)")
            #expect(try result.eventNames.last == "failed", "\(result)")
        }
    }

    @Test("a charge that is the cursor's own record is found once")
    func echoedCharge() async throws {
        let reference = Mutex("")
        try await Sandbox.run(server: { request, _ in
            guard request.path == "/v1/charges" else { return LoopbackResponse(#"{"defaultCurrency":"USD"}"#) }
            guard request.method == "POST" else {
                let own = reference.withLock {
                    #"{"id":"X9","amount":1250,"currency":"usd","status":"succeeded","captured":true,"paid":true,"#
                        + #""external_reference_id":"\#($0)"}"#
                }
                let isFirst = request.values(of: "starting_after").isEmpty
                let rows = (isFirst ? Self.rows(0..<2) : []) + [own]
                return LoopbackResponse(#"{"data":[\#(rows.joined(separator: ","))]}"#)
            }
            let found = request.bodyText.firstMatch(of: /"external_reference_id":"([^"]+)"/)
            reference.withLock { $0 = found.map { String($0.1) } ?? "" }
            return .reset
        }) { sandbox, _ in
            let result = try await sandbox.clover(Self.source)
            expectSuccess(result)
            #expect(try result.events.last?["payment"]?.string == "X9", "\(result)")
        }
    }
}
