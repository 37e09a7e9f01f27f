import CloverSquare
import Testing

@Suite("Android's web")
struct AndroidTests {
    private static let prefix = "com.squareup.pos."

    private func handOff(_ draft: SquareRequestDraft) throws -> SquareHandOff {
        try SquareRequest(draft, profile: .pointOfSale354, platform: .androidWeb).handOff()
    }

    @Test("a full request, byte for byte")
    func full() throws {
        let handOff = try handOff(
            fullDraft {
                $0.callbackURL = "https://cafe.example/paid"
                $0.fallbackURL = "https://cafe.example/app"
                $0.state = "a;b=\"c\""
            })
        #expect(
            handOff.url
                == "intent:#Intent;action=com.squareup.pos.action.CHARGE;package=com.squareup;"
                + "S.browser_fallback_url=https%3A%2F%2Fcafe.example%2Fapp;"
                + "S.com.squareup.pos.WEB_CALLBACK_URI=https%3A%2F%2Fcafe.example%2Fpaid;"
                + "S.com.squareup.pos.CLIENT_ID=sq0idp-app;S.com.squareup.pos.API_VERSION=v2.0;"
                + "i.com.squareup.pos.TOTAL_AMOUNT=1250;S.com.squareup.pos.CURRENCY_CODE=USD;"
                + "S.com.squareup.pos.TENDER_TYPES=com.squareup.pos.TENDER_CARD%2Ccom.squareup.pos.TENDER_CASH;"
                + "S.com.squareup.pos.NOTE=flat%20white;S.com.squareup.pos.LOCATION_ID=L-77;"
                + "S.com.squareup.pos.CUSTOMER_ID=C-12;S.com.squareup.pos.REQUEST_METADATA=a%3Bb%3D%22c%22;"
                + "l.com.squareup.pos.AUTO_RETURN_TIMEOUT_MS=3200;end")
        #expect(
            handOff.data.written()
                == #"{"action":"com.squareup.pos.action.CHARGE","package":"com.squareup","#
                + #""browser_fallback_url":"https://cafe.example/app","#
                + #""com.squareup.pos.WEB_CALLBACK_URI":"https://cafe.example/paid","#
                + #""com.squareup.pos.CLIENT_ID":"sq0idp-app","com.squareup.pos.API_VERSION":"v2.0","#
                + #""com.squareup.pos.TOTAL_AMOUNT":1250,"com.squareup.pos.CURRENCY_CODE":"USD","#
                + #""com.squareup.pos.TENDER_TYPES":"com.squareup.pos.TENDER_CARD,com.squareup.pos.TENDER_CASH","#
                + #""com.squareup.pos.NOTE":"flat white","com.squareup.pos.LOCATION_ID":"L-77","#
                + #""com.squareup.pos.CUSTOMER_ID":"C-12","com.squareup.pos.REQUEST_METADATA":"a;b=\"c\"","#
                + #""com.squareup.pos.AUTO_RETURN_TIMEOUT_MS":3200}"#)
        #expect(
            handOff.notices == [
                .optionNotOnAndroid(.clearDefaultFees), .optionNotOnAndroid(.disableKeyedIn),
                .optionNotOnAndroid(.skipReceipt),
            ])
    }

    @Test("empty ids are left out; empty text is not; the callback is not marked")
    func empty() throws {
        let data = try handOff(
            plainDraft {
                ($0.locationID, $0.customerID, $0.state, $0.notes) = ("", "", "", "")
            }
        ).data
        #expect(data["com.squareup.pos.LOCATION_ID"] == nil)
        #expect(data["com.squareup.pos.CUSTOMER_ID"] == nil)
        #expect(data["com.squareup.pos.REQUEST_METADATA"] == .string(""))
        #expect(data["com.squareup.pos.NOTE"] == .string(""))
        #expect(data["com.squareup.pos.AUTO_RETURN_TIMEOUT_MS"] == nil)
        #expect(data["com.squareup.pos.WEB_CALLBACK_URI"] == .string("corner-cafe://paid"))
    }

    struct Tenders: Sendable {
        var tenders: SquareTenderSet
        var names: String
        var version: SquareText
    }

    @Test(
        "tenders in Android's order; PayPay asks for the interface that has it",
        arguments: [
            Tenders(tenders: .all, names: "TENDER_CARD TENDER_CARD_ON_FILE TENDER_CASH TENDER_OTHER", version: "v2.0"),
            Tenders(
                tenders: .init([.other, .cash, .cardOnFile]), names: "TENDER_CARD_ON_FILE TENDER_CASH TENDER_OTHER",
                version: "v2.0"),
            Tenders(tenders: .init([.squareGiftCard]), names: "TENDER_CARD", version: "v2.0"),
            Tenders(tenders: .init([.card, .squareGiftCard]), names: "TENDER_CARD", version: "v2.0"),
            Tenders(tenders: .init([.payPay, .card]), names: "TENDER_CARD TENDER_PAYPAY", version: "v2.1"),
            Tenders(
                tenders: .init(SquareTender.allCases),
                names: "TENDER_CARD TENDER_CARD_ON_FILE TENDER_CASH TENDER_OTHER TENDER_PAYPAY", version: "v2.1"),
        ])
    func tenders(row: Tenders) throws {
        let handOff = try handOff(plainDraft { $0.tenders = row.tenders })
        let names = row.names.split(separator: " ").map { Self.prefix + $0 }.joined(separator: ",")
        #expect(handOff.data["com.squareup.pos.TENDER_TYPES"] == .string(SquareText(names)))
        #expect(handOff.data["com.squareup.pos.API_VERSION"] == .string(row.version))
        #expect(handOff.notices.contains(.giftCardsAllowCards) == (row.tenders == .init([.squareGiftCard])))
    }

    struct Check: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var code: Int?
        var apply: @Sendable (inout SquareRequestDraft) -> Void
    }

    @Test(
        "what Android refuses",
        arguments: [
            Check(testDescription: "nothing", code: nil) { _ in },
            Check(testDescription: "zero", code: nil) { $0.amount = 0 },
            Check(testDescription: "negative", code: 5) { $0.amount = -1 },
            Check(testDescription: "32 bits", code: nil) { $0.amount = 2_147_483_647 },
            Check(testDescription: "more than 32 bits", code: 5) { $0.amount = 2_147_483_648 },
            Check(testDescription: "no amount", code: 5) { $0.amount = nil },
            Check(testDescription: "no application id", code: 3) { $0.clientID = "" },
            Check(testDescription: "no callback", code: 4) { $0.callbackURL = nil },
            Check(testDescription: "no currency", code: 1) { $0.currency = "" },
            Check(testDescription: "no tender", code: 0) { $0.tenders = [] },
            Check(testDescription: "no known tender", code: 0) { $0.tenders = .init(rawValue: 64) },
            Check(testDescription: "notes of 500", code: nil) {
                $0.notes = SquareText(String(repeating: "😀", count: 250))
            },
            Check(testDescription: "notes of 501", code: 0) {
                $0.notes = SquareText(String(repeating: "a", count: 501))
            },
            Check(testDescription: "half of a pair", code: 7) { $0.state = SquareText(units: [0xD800]) },
        ])
    func checks(row: Check) {
        #expect(refusal(of: plainDraft(row.apply), .pointOfSale354, .androidWeb) == row.code)
    }

    @Test("responses: error code, ids, state; an error has no ids")
    func responses() throws {
        let success = try SquareAndroidResponse(
            url: "https://c.example/?x=1&com.squareup.pos.CLIENT_TRANSACTION_ID=C%2B+1&"
                + "com.squareup.pos.SERVER_TRANSACTION_ID=T&com.squareup.pos.REQUEST_METADATA=%7B%22a%22%3A1%7D",
            profile: .pointOfSale354)
        #expect(success.isSuccess)
        #expect(success.clientTransactionID == "C++1")
        #expect(success.transactionID == "T")
        #expect(success.state == #"{"a":1}"#)
        let failure = try SquareAndroidResponse(
            url: "https://c.example/?com.squareup.pos.ERROR_CODE=com.squareup.pos.ERROR_TRANSACTION_CANCELED&"
                + "com.squareup.pos.ERROR_DESCRIPTION=gone&com.squareup.pos.CLIENT_TRANSACTION_ID=C&"
                + "com.squareup.pos.REQUEST_METADATA=s",
            profile: .pointOfSale354)
        #expect(!failure.isSuccess)
        #expect(failure.clientTransactionID == nil)
        #expect(failure.state == "s")
        #expect(
            failure.reportedError?.json.written()
                == #"{"domain":"com.squareup.pos","number":null,"name":"ERROR_TRANSACTION_CANCELED","#
                + #""wire":"com.squareup.pos.ERROR_TRANSACTION_CANCELED","#
                + #""message":"the payment was cancelled in the Square app; the app says: gone","#
                + #""remedy":"send the request again when the payer wants to pay"}"#)
    }

    @Test(
        "URLs that are no response",
        arguments: [
            "https://c.example/", "https://c.example/?data=%7B%22status%22%3A%22ok%22%7D",
            "https://c.example/?CLIENT_TRANSACTION_ID=C", "https://c.example/?com.squareup.pos.CLIENT_TRANSACTION_ID=",
            "https://c.example/?com.squareup.pos.REQUEST_METADATA=s",
        ])
    func noResponse(url: String) {
        #expect(
            failureCode { () throws(SquareFailure) in
                _ = try SquareAndroidResponse(url: url, profile: .pointOfSale354)
            } == 8)
    }

    @Test(
        "every error of the app has its name",
        arguments: [
            "ERROR_DISABLED", "ERROR_CUSTOMER_MANAGEMENT_NOT_SUPPORTED", "ERROR_INVALID_CUSTOMER_ID",
            "ERROR_GIFT_CARDS_NOT_SUPPORTED", "ERROR_ILLEGAL_LOCATION_ID", "ERROR_INSUFFICIENT_CARD_BALANCE",
            "ERROR_INVALID_REQUEST", "ERROR_NO_EMPLOYEE_LOGGED_IN", "ERROR_NO_NETWORK", "ERROR_NO_RESULT",
            "ERROR_TRANSACTION_ALREADY_IN_PROGRESS", "ERROR_TRANSACTION_CANCELED", "ERROR_UNAUTHORIZED_CLIENT_ID",
            "ERROR_UNEXPECTED", "UNSUPPORTED_API_VERSION", "ERROR_USER_NOT_ACTIVATED", "ERROR_USER_NOT_LOGGED_IN",
        ])
    func errors(name: String) throws {
        func error(_ wire: String) throws -> SquareAndroidError {
            let response = try SquareAndroidResponse(
                url: "a://b?com.squareup.pos.ERROR_CODE=\(wire)", profile: .pointOfSale354)
            return try #require(response.error)
        }
        #expect(try error(Self.prefix + name).name == name)
        #expect(try error(name).name == "UNKNOWN")
        #expect(try error(Self.prefix + name).message != error(name).message)
    }
}
