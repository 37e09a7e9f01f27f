import CloverKit
import Foundation
import Testing

@Suite("Square's values of CloverKit")
struct SquareTests {
    private static func request() -> SquareRequest {
        SquareRequest(applicationID: "sq0idp-1", amount: 1250, currency: "USD", callbackURL: "my-app://paid")
    }

    /// The data of a URL for iOS.
    private static func data(_ url: String) throws -> CloverKit.JSONValue {
        let item = try #require(URLComponents(string: url)?.queryItems?.first { $0.name == "data" }?.value)
        return try Coding.value(Array(item.utf8))
    }

    @Test("every field of a request is in its URL")
    func fields() throws {
        var request = Self.request()
        request.state = "table 9"
        request.notes = "Two coffees & a cake"
        request.locationID = "L"
        request.customerID = "C"
        request.tenders = [.card, .cash]
        request.clearsDefaultFees = true
        request.returnsAutomatically = true
        request.forbidsKeyedIn = true
        request.skipsReceipt = true
        let handOff = try request.handOff()
        #expect(handOff.url.hasPrefix("square-commerce-v1://payment/create?data=") && handOff.notices.isEmpty)
        let data = try Self.data(handOff.url)
        #expect(data["client_id"] == .string("sq0idp-1") && data["state"] == .string("table 9"))
        #expect(data["amount_money"] == .object(["amount": .integer(1250), "currency_code": .string("USD")]))
        #expect(data["notes"] == .string("Two coffees & a cake") && data["customer_id"] == .string("C"))
        #expect(data["location_id"] == .string("L"))
        #expect(
            data["options"]
                == .object([
                    "supported_tender_types": .array([.string("CREDIT_CARD"), .string("CASH")]),
                    "clear_default_fees": .boolean(true), "auto_return": .boolean(true), "disable_cnp": .boolean(true),
                    "skip_receipt": .boolean(true),
                ]))
    }

    @Test("each tender, and all of them, has the SDK's name")
    func tenders() throws {
        let names: [SquareRequest.Tender: String] = [
            .card: "CREDIT_CARD", .cash: "CASH", .other: "OTHER", .squareGiftCard: "SQUARE_GIFT_CARD",
            .cardOnFile: "CARD_ON_FILE", .payPay: "PAYPAY",
        ]
        for tender in SquareRequest.Tender.allCases {
            var request = Self.request()
            request.tenders = [tender]
            let name = try #require(names[tender])
            let options = try Self.data(request.handOff().url)["options"]
            #expect(options?["supported_tender_types"] == .array([.string(name)]))
        }
    }

    @Test("a request for a web page on Android is an intent, and says what it leaves out")
    func android() throws {
        var request = Self.request()
        request.callbackURL = "https://cafe.example/paid"
        request.skipsReceipt = true
        let handOff = try request.handOff(for: .androidWeb)
        #expect(
            handOff.url.hasPrefix("intent:#Intent;") && handOff.url.contains("i.com.squareup.pos.TOTAL_AMOUNT=1250"))
        #expect(handOff.notices.count == 1)
    }

    struct Faulty: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let number: Int
        var rules = SquareRequest.Rules.pointOfSale354
        let change: @Sendable (inout SquareRequest) -> Void
    }

    @Test(
        "a faulty request has the number of the SDK's error, and no option of the program in what to do",
        arguments: [
            Faulty(testDescription: "no currency", number: 1) { $0.currency = "" },
            Faulty(testDescription: "an old SDK's currency", number: 2, rules: .register21) { $0.currency = "EUR" },
            Faulty(testDescription: "no application id", number: 3) { $0.applicationID = "" },
            Faulty(testDescription: "a callback without a scheme", number: 4) { $0.callbackURL = "paid" },
            Faulty(testDescription: "no amount", number: 5) { $0.amount = 0 },
        ])
    func faulty(_ test: Faulty) throws {
        var request = Self.request()
        test.change(&request)
        let error = #expect(throws: SquareError.self) { try request.handOff(rules: test.rules) }
        #expect(error?.number == test.number)
        #expect(error?.name.hasPrefix("SCCErrorCode") == true)
        #expect(error?.nextStep.isEmpty == false && error?.nextStep.contains("--") == false)
    }

    private static func callback(_ json: String) -> String {
        "my-app://paid?data=" + (json.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "")
    }

    @Test("a payment has its ids and the state of the request")
    func paid() throws {
        let response = try SquareResponse(
            callbackURL: Self.callback(
                #"{"status":"ok","transaction_id":"T1","client_transaction_id":"C1","state":"table 9"}"#))
        #expect(response.outcome == .paid && response.transactionID == "T1" && response.clientTransactionID == "C1")
        #expect(response.state == "table 9" && response.error == nil)
    }

    struct Unpaid: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let json: String
        let outcome: SquareResponse.Outcome
        let number: Int
    }

    @Test(
        "what shows no payment is cancelled, failed or unknown",
        arguments: [
            Unpaid(
                testDescription: "cancelled", json: #"{"status":"error","error_code":"payment_canceled"}"#,
                outcome: .cancelled, number: 1),
            Unpaid(
                testDescription: "a known error", json: #"{"status":"error","error_code":"not_logged_in"}"#,
                outcome: .failed, number: 3),
            Unpaid(
                testDescription: "an unknown error", json: #"{"status":"error","error_code":"something_new"}"#,
                outcome: .unknown, number: 0),
            Unpaid(
                testDescription: "an error with the id of a payment",
                json: #"{"status":"error","error_code":"not_logged_in","transaction_id":"T1"}"#, outcome: .unknown,
                number: 3),
        ])
    func unpaid(_ test: Unpaid) throws {
        let response = try SquareResponse(callbackURL: Self.callback(test.json))
        #expect(response.outcome == test.outcome && response.error?.number == test.number)
        #expect(response.transactionID == nil && response.error?.message.isEmpty == false)
    }

    @Test("the responses of Android")
    func androidResponses() throws {
        let start = "https://cafe.example/paid?com.squareup.pos."
        let paid = try SquareResponse(callbackURL: start + "CLIENT_TRANSACTION_ID=C1", platform: .androidWeb)
        #expect(paid.outcome == .paid && paid.clientTransactionID == "C1" && paid.transactionID == nil)
        for (code, outcome) in [
            ("TRANSACTION_CANCELED", SquareResponse.Outcome.cancelled), ("NO_RESULT", .unknown),
            ("UNEXPECTED", .unknown),
        ] {
            let url = start + "ERROR_CODE=com.squareup.pos.ERROR_\(code)"
            let response = try SquareResponse(callbackURL: url, platform: .androidWeb)
            #expect(response.outcome == outcome, "\(code)")
            #expect(response.error?.number == nil && response.error?.name == "ERROR_\(code)", "\(code)")
        }
    }

    @Test("a URL that is not a response is an error")
    func unreadable() {
        for (url, number) in [
            ("my-app://paid", 8), (Self.callback("[]"), 9), (Self.callback(#"{"status":"maybe"}"#), 10),
            (Self.callback(#"{"status":"error"}"#), 11),
        ] {
            let error = #expect(throws: SquareError.self) { try SquareResponse(callbackURL: url) }
            #expect(error?.number == number && error?.nextStep.contains("--") == false, "\(url)")
        }
    }
}
