import CloverSquare
import Testing

@Suite("Reading request URLs")
struct RequestDataTests {
    private func url(_ json: String) -> String {
        "square-commerce-v1://payment/create?data=\(PercentEncoding.encoded(json))"
    }

    @Test("what was written is read", arguments: SquareProfile.allCases)
    func roundTrip(profile: SquareProfile) throws {
        let request = try SquareRequest(fullDraft(), profile: profile)
        let data = try SquareRequestData(url: request.handOff().url)
        #expect(data == SquareRequestData(request))
        #expect(data.json == (try request.handOff().data))
        #expect(data.merchantID == (profile == .register21 ? "L-77" : nil))
        #expect(data.locationID == (profile == .register21 ? nil : "L-77"))
        #expect(data.options?.disableKeyedIn == (profile == .register21 ? nil : true))
    }

    @Test("other writers' data: no SDK version, no options, an amount as text, numbers for booleans")
    func otherWriters() throws {
        let least = try SquareRequestData(
            url: url(#"{"client_id":"a","amount_money":{"amount":"100","currency_code":"USD"}}"#))
        #expect(least.amount == 100)
        #expect(least.sdkVersion == nil)
        #expect(least.callbackURL == nil)
        #expect(least.options == nil)
        let numbers = try SquareRequestData(
            url: url(
                #"{"client_id":"a","amount_money":{"amount":1,"currency_code":"USD"},"#
                    + #""options":{"auto_return":1,"skip_receipt":0,"supported_tender_types":["KEYED_IN_CARD"]}}"#))
        #expect(numbers.options?.autoReturn == true)
        #expect(numbers.options?.skipReceipt == false)
        #expect(numbers.options?.clearDefaultFees == nil)
        #expect(numbers.options?.tenders == ["KEYED_IN_CARD"])
    }

    struct Row: Sendable, CustomTestStringConvertible {
        var url: String
        var error: SquareRequestDataError
        var testDescription: String { url }
    }

    private static func row(_ json: String, _ error: SquareRequestDataError) -> Row {
        Row(url: "square-commerce-v1://payment/create?data=\(PercentEncoding.encoded(json))", error: error)
    }

    @Test(
        "URLs that are no request",
        arguments: [
            Row(url: "https://payment/create?data=%7B%7D", error: .otherURL),
            Row(url: "square-commerce-v1://payment/other?data=%7B%7D", error: .otherURL),
            Row(url: "square-commerce-v1://refund/create?data=%7B%7D", error: .otherURL),
            Row(url: "", error: .otherURL),
            Row(url: "square-commerce-v1://payment/create", error: .noData),
            Row(url: "square-commerce-v1://payment/create?data=%FF", error: .noData),
            row("[]", .notJSONObject), row("eyJ9", .notJSONObject), row("{}", .malformed(key: "client_id")),
            row(#"{"client_id":1}"#, .malformed(key: "client_id")),
            row(#"{"client_id":"a"}"#, .malformed(key: "amount_money")),
            row(#"{"client_id":"a","amount_money":{"amount":1.5}}"#, .malformed(key: "amount")),
            row(#"{"client_id":"a","amount_money":{"amount":"1x"}}"#, .malformed(key: "amount")),
            row(#"{"client_id":"a","amount_money":{"amount":1}}"#, .malformed(key: "currency_code")),
            row(
                #"{"client_id":"a","amount_money":{"amount":1,"currency_code":"USD"},"state":1}"#,
                .malformed(key: "state")),
            row(
                #"{"client_id":"a","amount_money":{"amount":1,"currency_code":"USD"},"options":{"auto_return":2}}"#,
                .malformed(key: "auto_return")),
            row(
                #"{"client_id":"a","amount_money":{"amount":1,"currency_code":"USD"},"#
                    + #""options":{"supported_tender_types":[1]}}"#, .malformed(key: "supported_tender_types")),
        ])
    func refusals(row: Row) {
        #expect(throws: row.error) { try SquareRequestData(url: row.url) }
    }
}
