import CloverSquare
import Testing

@Suite("Request URLs")
struct RequestURLTests {
    private static let scheme = "square-commerce-v1://payment/create?data="

    /// What a URL of ours says, decoded by hand.
    private func json(_ draft: SquareRequestDraft, _ profile: SquareProfile) throws -> String {
        let url = try SquareRequest(draft, profile: profile).handOff().url
        #expect(url.hasPrefix(Self.scheme))
        return try #require(PercentEncoding.decoded(url.dropFirst(Self.scheme.count)))
    }

    @Test("the newest SDK's request, byte for byte")
    func newest() throws {
        #expect(
            try json(fullDraft(), .pointOfSale354)
                == #"{"amount_money":{"amount":1250,"currency_code":"USD"},"#
                + #""callback_url":"corner-cafe:\/\/paid\/square_request","client_id":"sq0idp-app","#
                + #""customer_id":"C-12","location_id":"L-77","notes":"flat white","#
                + #""options":{"auto_return":true,"clear_default_fees":true,"disable_cnp":true,"skip_receipt":true,"#
                + #""supported_tender_types":["CREDIT_CARD","CASH"]},"#
                + #""sdk_version":"3.5.0","state":"table-9","version":"1.3"}"#)
    }

    @Test("the request of SDK 2.1, byte for byte")
    func oldest() throws {
        #expect(
            try json(fullDraft(), .register21)
                == #"{"amount_money":{"amount":1250,"currency_code":"USD"},"#
                + #""callback_url":"corner-cafe:\/\/paid","client_id":"sq0idp-app","#
                + #""customer_id":"C-12","merchant_id":"L-77","notes":"flat white","#
                + #""options":{"auto_return":true,"clear_default_fees":true,"#
                + #""supported_tender_types":["CREDIT_CARD","CASH"]},"#
                + #""sdk_version":"2.0","state":"table-9","version":"1.2"}"#)
    }

    @Test("what is not given has no key; options are always written, also when they are off")
    func absent() throws {
        #expect(
            try json(plainDraft { $0.tenders = [] }, .pointOfSale354)
                == #"{"amount_money":{"amount":1250,"currency_code":"USD"},"#
                + #""callback_url":"corner-cafe:\/\/paid\/square_request","client_id":"sq0idp-app","#
                + #""options":{"auto_return":false,"clear_default_fees":false,"disable_cnp":false,"#
                + #""skip_receipt":false,"supported_tender_types":[]},"sdk_version":"3.5.0","version":"1.3"}"#)
    }

    @Test("empty text is given, and sent", arguments: SquareProfile.allCases)
    func empty(profile: SquareProfile) throws {
        let draft = plainDraft {
            $0.state = ""
            $0.notes = ""
            $0.locationID = ""
            $0.customerID = ""
        }
        let data = try SquareRequest(draft, profile: profile).handOff().data
        #expect(data["state"] == .string(""))
        #expect(data["notes"] == .string(""))
        #expect(data["customer_id"] == .string(""))
        #expect(data[profile == .register21 ? "merchant_id" : "location_id"] == .string(""))
        #expect(data[profile == .register21 ? "location_id" : "merchant_id"] == nil)
    }

    @Test("the data given with the URL is what the URL says", arguments: SquareProfile.allCases)
    func data(profile: SquareProfile) throws {
        let handOff = try SquareRequest(fullDraft(), profile: profile).handOff()
        let text = try #require(PercentEncoding.decoded(handOff.url.dropFirst(Self.scheme.count)))
        #expect(SquareJSONParser.value(of: Array(text.utf8), dialect: .standard) == handOff.data)
    }

    struct Encoding: Sendable, CustomTestStringConvertible {
        var text: String
        var encoded: String
        var testDescription: String { text }
    }

    @Test(
        "only unreserved characters stay bare",
        arguments: [
            Encoding(text: "AZaz09-._~", encoded: "AZaz09-._~"),
            Encoding(text: " ", encoded: "%20"), Encoding(text: "+", encoded: "%2B"),
            Encoding(text: "%", encoded: "%25"), Encoding(text: "%20", encoded: "%2520"),
            Encoding(text: "\"", encoded: "%22"), Encoding(text: "{}", encoded: "%7B%7D"),
            Encoding(text: "!'()*", encoded: "%21%27%28%29%2A"),
            Encoding(text: ":/?#[]@$&,;=", encoded: "%3A%2F%3F%23%5B%5D%40%24%26%2C%3B%3D"),
            Encoding(text: "é", encoded: "%C3%A9"), Encoding(text: "e\u{301}", encoded: "e%CC%81"),
            Encoding(text: "☕️", encoded: "%E2%98%95%EF%B8%8F"), Encoding(text: "\0\n\u{7F}", encoded: "%00%0A%7F"),
        ])
    func encoding(row: Encoding) {
        #expect(PercentEncoding.encoded(row.text) == row.encoded)
        #expect(PercentEncoding.decoded(Substring(row.encoded)).map { SquareText($0) } == SquareText(row.text))
    }

    @Test("escapes in a callback are escaped again, and come back by decoding once")
    func escapedCallback() throws {
        let request = try SquareRequest(plainDraft { $0.callbackURL = "my-app://a%20b" }, profile: .register21)
        let url = try request.handOff().url
        #expect(url.contains("my-app%3A%5C%2F%5C%2Fa%2520b"))
        #expect(try SquareRequestData(url: url).callbackURL == "my-app://a%20b")
    }

    @Test("another version of the interface changes only the version")
    func apiVersion() throws {
        let request = try SquareRequest(plainDraft(), profile: .pointOfSale354)
        let other = try #require(request.withAPIVersion("1.0.9"))
        #expect(try other.handOff().data["version"] == .string("1.0.9"))
        #expect(try request.handOff().data["version"] == .string("1.3"))
        #expect(request.withAPIVersion("") == nil)
        #expect(try SquareRequest(plainDraft(), profile: .register21).withAPIVersion("1.0.9") == nil)
    }

    @Test("a web page's callback is not marked")
    func web() throws {
        let draft = plainDraft { $0.callbackURL = "https://cafe.example/paid?a=b" }
        let handOff = try SquareRequest(draft, profile: .pointOfSale354, platform: .iosWeb).handOff()
        #expect(handOff.data["callback_url"] == .string("https://cafe.example/paid?a=b"))
        #expect(handOff.url.hasPrefix(Self.scheme))
        #expect(handOff.notices.isEmpty)
        let plain = try SquareRequest(plainDraft(), profile: .pointOfSale354, platform: .iosWeb).handOff()
        #expect(plain.notices == [.callbackNotWeb])
    }

    @Test("options unknown to an old SDK are left out, with a notice")
    func notices() throws {
        let old = try SquareRequest(fullDraft { $0.tenders = .init([.card, .payPay]) }, profile: .register21).handOff()
        #expect(
            old.notices == [
                .optionLeftOut(.disableKeyedIn, .register21), .optionLeftOut(.skipReceipt, .register21),
                .tenderLeftOut(.payPay, .register21),
            ])
        #expect(old.notices.map(\.message).last == "the tender paypay is unknown to register-2.1 and is not sent")
        #expect(try SquareRequest(fullDraft(), profile: .pointOfSale354).handOff().notices.isEmpty)
        #expect(try SquareRequest(plainDraft(), profile: .register21).handOff().notices.isEmpty)
    }
}
