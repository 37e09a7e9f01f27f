import CloverSquare
import Testing

@Suite("Lines of requests")
struct RequestLineTests {
    private func answer(_ line: String, _ profile: SquareProfile = .pointOfSale354) -> String {
        let read = SquareRequestLine(line.utf8)
        return SquareOutputLine.request(id: read.id, read.handOff(profile: profile, platform: .ios))
    }

    /// A line with one more member, or one that replaces another.
    private static func line(_ more: String) -> String {
        #"{"clientId":"a","amount":1250,"currency":"USD","callbackUrl":"my-app://","# + more + "}"
    }

    @Test("every key goes to its place")
    func everyKey() {
        let line = SquareRequestLine(
            (#"{"id":"r1","clientId":"app","amount":5,"currency":"EUR","callbackUrl":"a://b","state":"s","notes":"n","#
                + #""locationId":"l","customerId":"c","tenders":["CASH","CREDIT_CARD"],"clearDefaultFees":true,"#
                + #""autoReturn":true,"disableKeyedIn":true,"skipReceipt":true}"#).utf8)
        var expected = SquareRequestDraft()
        expected.clientID = "app"
        expected.amount = 5
        expected.currency = "EUR"
        expected.callbackURL = "a://b"
        expected.state = "s"
        expected.notes = "n"
        expected.locationID = "l"
        expected.customerID = "c"
        expected.tenders = .init([.card, .cash])
        expected.clearDefaultFees = true
        expected.autoReturn = true
        expected.disableKeyedIn = true
        expected.skipReceipt = true
        #expect(line.draft == expected)
        #expect(line.id == .string("r1"))
        #expect(line.unknownKeys.isEmpty)
    }

    @Test(
        "absent and null are not given",
        arguments: ["{}", #"{"id":null,"clientId":null,"amount":null,"tenders":null}"#])
    func absent(line: String) {
        let read = SquareRequestLine(line.utf8)
        #expect(read.draft == SquareRequestDraft())
        #expect(read.id == .null)
        #expect(read.draft.tenders == .all)
    }

    @Test("an output line, byte for byte")
    func ok() {
        #expect(
            answer(Self.line(#""id":7,"state":"a/b","tenders":["CASH"]"#))
                == #"{"id":7,"ok":true,"url":"square-commerce-v1://payment/create?data="#
                + "%7B%22amount_money%22%3A%7B%22amount%22%3A1250%2C%22currency_code%22%3A%22USD%22%7D%2C"
                + "%22callback_url%22%3A%22my-app%3A%5C%2F%5C%2Fsquare_request%22%2C%22client_id%22%3A%22a%22%2C"
                + "%22options%22%3A%7B%22auto_return%22%3Afalse%2C%22clear_default_fees%22%3Afalse%2C"
                + "%22disable_cnp%22%3Afalse%2C%22skip_receipt%22%3Afalse%2C"
                + "%22supported_tender_types%22%3A%5B%22CASH%22%5D%7D%2C%22sdk_version%22%3A%223.5.0%22%2C"
                + "%22state%22%3A%22a%5C%2Fb%22%2C%22version%22%3A%221.3%22%7D\","
                + #""data":{"amount_money":{"amount":1250,"currency_code":"USD"},"#
                + #""callback_url":"my-app://square_request","client_id":"a","options":{"auto_return":false,"#
                + #""clear_default_fees":false,"disable_cnp":false,"skip_receipt":false,"#
                + #""supported_tender_types":["CASH"]},"sdk_version":"3.5.0","state":"a/b","version":"1.3"}}"#)
    }

    @Test("a refusal, byte for byte")
    func refused() {
        #expect(
            answer(#"{"id":"r","clientId":"a","amount":0,"currency":"USD","callbackUrl":"my-app://"}"#)
                == #"{"id":"r","ok":false,"error":{"domain":"SCCErrorDomain","number":5,"#
                + #""name":"SCCErrorCodeInvalidRequestAmount","#
                + #""message":"the amount is 0, but the minimum of pos-3.5.4 is 1","#
                + #""remedy":"specify a whole number in the currency's smallest unit, at least 1"}}"#)
    }

    struct Row: Sendable, CustomTestStringConvertible {
        var line: String
        var number: Int
        var message: String
        var testDescription: String { "\(line.prefix(100)): \(number)" }
    }

    private static func faulty(_ line: String, _ number: Int, _ message: String) -> Row {
        Row(line: line, number: number, message: message)
    }

    @Test(
        "what cannot be used is refused, with the SDK's code where it has one",
        arguments: [
            faulty("", 0, "the line is not a JSON object"), faulty("[]", 0, "the line is not a JSON object"),
            faulty("x", 0, "the line is not a JSON object"), faulty("{", 0, "the line is not a JSON object"),
            faulty(#"{"amount":1,}"#, 0, "the line is not a JSON object"),
            faulty(line(#""amount":12.5"#), 5, "amount is not a whole number of 64 bits"),
            faulty(line(#""amount":1e-2"#), 5, "amount is not a whole number of 64 bits"),
            faulty(line(#""amount":9223372036854775808"#), 5, "amount is not a whole number of 64 bits"),
            faulty(line(#""amount":1e400"#), 5, "amount is not a whole number of 64 bits"),
            faulty(line(#""amount":-5.00"#), 5, "the amount is -5, but the minimum of pos-3.5.4 is 1"),
            faulty(line(#""amount":-0"#), 5, "the amount is 0, but the minimum of pos-3.5.4 is 1"),
            faulty(line(#""amount":0e9"#), 5, "the amount is 0, but the minimum of pos-3.5.4 is 1"),
            faulty(line(#""amount":"1250""#), 5, "amount is text, not a number"),
            faulty(line(#""amount":true"#), 5, "amount is a boolean, not a number"),
            faulty(line(#""currency":840"#), 1, "currency is a number, not text"),
            faulty(line(#""clientId":[]"#), 3, "clientId is an array, not text"),
            faulty(line(#""callbackUrl":{}"#), 4, "callbackUrl is an object, not text"),
            faulty(line(#""state":1"#), 0, "state is a number, not text"),
            faulty(line(#""notes":false"#), 0, "notes is a boolean, not text"),
            faulty(line(#""locationId":1"#), 0, "locationId is a number, not text"),
            faulty(line(#""customerId":1"#), 0, "customerId is a number, not text"),
            faulty(line(#""autoReturn":1"#), 0, "autoReturn is a number, not true or false"),
            faulty(line(#""clearDefaultFees":"yes""#), 0, "clearDefaultFees is text, not true or false"),
            faulty(line(#""disableKeyedIn":0"#), 0, "disableKeyedIn is a number, not true or false"),
            faulty(line(#""skipReceipt":[]"#), 0, "skipReceipt is an array, not true or false"),
            faulty(line(#""tenders":"CASH""#), 0, #"tenders is neither "ALL" nor an array of names"#),
            faulty(line(#""tenders":7"#), 0, #"tenders is neither "ALL" nor an array of names"#),
            faulty(
                line(#""tenders":["CASH","KEYED_IN_CARD"]"#), 0,
                "tenders contains a value that is not a tender "
                    + "(CREDIT_CARD, CASH, OTHER, SQUARE_GIFT_CARD, CARD_ON_FILE, PAYPAY)"),
            faulty(
                line(#""state":"\ud83d""#), 7,
                "the request cannot be written as JSON: a text contains an unpaired surrogate"),
        ])
    func faults(row: Row) throws {
        let line = SquareRequestLine(row.line.utf8)
        guard case .failure(let failure) = line.handOff(profile: .pointOfSale354, platform: .ios) else {
            Issue.record("the line was taken")
            return
        }
        #expect(failure.code.rawValue == row.number)
        #expect(failure.message == row.message)
    }

    @Test("a whole number is accepted in any spelling, and an unusual one is reported")
    func amounts() {
        func draft(_ amount: String) -> SquareRequestLine { SquareRequestLine(#"{"amount":\#(amount)}"#.utf8) }
        let rows: [(spelling: String, amount: Int)] = [
            ("1.0", 1), ("12.00", 12), ("1e2", 100), ("1E+2", 100), ("1.25e3", 1250), ("1250e-1", 125), ("-0", 0),
            ("0.0", 0), ("-5.00", -5), ("9.223372036854775807e18", .max), ("-9223372036854775808.0", .min),
            ("0.000001e6", 1), ("0e999999999999999999999", 0),
        ]
        for row in rows {
            let line = draft(row.spelling)
            #expect(line.draft.amount == row.amount && line.draft.faults.isEmpty, "\(row.spelling)")
            #expect(line.amountSpelling == row.spelling)
        }
        #expect(draft("1250").amountSpelling == nil)
        let none = [
            "0.5", "1.05e1", "1e19", "9.223372036854775808e18", "1e999999999999999999999", "-1e-1",
            "1e-999999999999999999999",
        ]
        for spelling in none {
            let line = draft(spelling)
            #expect(line.draft.amount == nil && line.draft.faults.count == 1, "\(spelling)")
        }
    }

    @Test("faults keep the SDK's order: a missing application id comes before an amount of the wrong type")
    func order() {
        let line = SquareRequestLine(#"{"amount":"1","currency":"USD"}"#.utf8)
        #expect(refusal(of: line.draft, .pointOfSale354) == 3)
    }

    @Test("tenders: ALL, none, any order, and a newer one under an old SDK")
    func tenders() {
        func mask(_ value: String) -> UInt {
            SquareRequestLine(Self.line(#""tenders":"# + value).utf8).draft.tenders.rawValue
        }
        #expect(mask(#""ALL""#) == .max)
        #expect(mask("[]") == 0)
        #expect(mask(#"["PAYPAY","CREDIT_CARD"]"#) == 33)
        #expect(
            answer(Self.line(#""tenders":["PAYPAY","CASH"]"#), .register21).contains(
                #""supported_tender_types":["CASH"]"#))
    }

    @Test("any id comes back as it was, also from a refused line")
    func ids() {
        for id in [#""a/b\"\\""#, "1", "-0", "1e400", "null", "[1,{\"a\":true}]", #""\ud800""#, "\"é☕️\""] {
            #expect(answer(#"{"id":"# + id + "}").hasPrefix(#"{"id":"# + id + #","ok":false,"#))
        }
    }

    @Test("the last of two members with one name counts, and unknown names are listed")
    func names() {
        let line = SquareRequestLine(#"{"amount":1,"callbackURL":"a://","amount":2,"note":"n","id":1}"#.utf8)
        #expect(line.draft.amount == 2)
        #expect(line.unknownKeys == ["callbackURL", "note"])
        #expect(line.draft.callbackURL == nil)
    }

    @Test("a line that is not UTF-8 is not JSON")
    func bytes() {
        let bytes = Array(#"{"state":""#.utf8) + [0xFF] + Array("\"}".utf8)
        #expect(refusal(of: SquareRequestLine(bytes).draft, .pointOfSale354) == 0)
    }
}
