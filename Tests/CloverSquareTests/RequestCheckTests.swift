import CloverSquare
import Testing

@Suite("Checks of requests")
struct RequestCheckTests {
    struct Amount: Sendable, CustomTestStringConvertible {
        var amount: Int?
        /// The code of the refusal under 2.1 and under 3.5.4.
        var register: Int?
        var pointOfSale: Int?
        var testDescription: String { amount.map(String.init) ?? "none" }
    }

    @Test(
        "where an amount is refused",
        arguments: [
            Amount(amount: -100, register: 5, pointOfSale: 5), Amount(amount: -1, register: 5, pointOfSale: 5),
            Amount(amount: 0, register: nil, pointOfSale: 5), Amount(amount: 1, register: nil, pointOfSale: nil),
            Amount(amount: 99, register: nil, pointOfSale: nil), Amount(amount: nil, register: 5, pointOfSale: 5),
            Amount(amount: .max, register: nil, pointOfSale: nil), Amount(amount: .min, register: 5, pointOfSale: 5),
        ])
    func amounts(row: Amount) {
        let draft = plainDraft { $0.amount = row.amount }
        #expect(refusal(of: draft, .register21) == row.register)
        #expect(refusal(of: draft, .pointOfSale354) == row.pointOfSale)
        guard let amount = row.amount else { return }
        for profile in SquareProfile.allCases {
            #expect((try? SquareMoney(amount: amount, currencyCode: "USD", profile: profile))?.amount == amount)
        }
    }

    struct Currency: Sendable, CustomTestStringConvertible {
        var code: SquareText?
        var register: Int?
        var pointOfSale: Int?
        var testDescription: String { code.map { "'\($0)'" } ?? "none" }
    }

    @Test(
        "currencies",
        arguments: [
            Currency(code: "USD", register: nil, pointOfSale: nil),
            Currency(code: "CAD", register: nil, pointOfSale: nil),
            Currency(code: "JPY", register: nil, pointOfSale: nil),
            Currency(code: "AUD", register: nil, pointOfSale: nil),
            Currency(code: "EUR", register: 2, pointOfSale: nil), Currency(code: "usd", register: 2, pointOfSale: nil),
            Currency(code: "USD ", register: 2, pointOfSale: nil), Currency(code: " ", register: 2, pointOfSale: nil),
            Currency(code: "no code", register: 2, pointOfSale: nil), Currency(code: "", register: 1, pointOfSale: 1),
            Currency(code: nil, register: 1, pointOfSale: 1),
        ])
    func currencies(row: Currency) throws {
        let draft = plainDraft { $0.currency = row.code }
        #expect(refusal(of: draft, .register21) == row.register)
        #expect(refusal(of: draft, .pointOfSale354) == row.pointOfSale)
        if let code = row.code, row.pointOfSale == nil {
            let money = try SquareMoney(amount: 1, currencyCode: code, profile: .pointOfSale354)
            #expect(money.currencyCode == code)
        }
    }

    struct Client: Sendable {
        var id: SquareText?
        var code: Int?
    }

    @Test(
        "application ids",
        arguments: [
            Client(id: nil, code: 3), Client(id: "", code: 3), Client(id: " ", code: nil), Client(id: "a", code: nil),
        ],
        SquareProfile.allCases)
    func clients(row: Client, profile: SquareProfile) {
        #expect(refusal(of: plainDraft { $0.clientID = row.id }, profile) == row.code)
    }

    @Test(
        "callback URLs that are refused",
        arguments: [
            nil, "", "//myCallback", "myCallback", "/a:b", "?a:b", "://x", ":x", "1app://x", "my app://x",
            "my-app://a b",
            "my_app://x", "my-app://caf\u{E9}", "my-app://x?a=50%", "my-app://x?a=%zz", "my-app://x?a=%4",
            "my-app://\"x\"",
            "my-app://x#a#b", "my-app://x\n", "my-app://{x}", "my-app://☕️",
        ] as [String?], SquareProfile.allCases)
    func badCallbacks(callback: String?, profile: SquareProfile) {
        #expect(refusal(of: plainDraft { $0.callbackURL = callback.map { SquareText($0) } }, profile) == 4)
    }

    @Test(
        "callback URLs that are taken",
        arguments: [
            "corner-cafe://", "corner-cafe://pay", "http://cafe.example", "https://cafe.example/paid?x=1#y", "a:",
            "a+b-c.d9://x", "corner-cafe:pay", "my-app://x?a=%20&b=100%25", "my-app://[::1]:80/a;b,c", "MY-APP://X",
        ], SquareProfile.allCases)
    func goodCallbacks(callback: String, profile: SquareProfile) {
        #expect(refusal(of: plainDraft { $0.callbackURL = SquareText(callback) }, profile) == nil)
    }

    /// What is wrong with a draft; each breaks one thing.
    enum Breach: Int, CaseIterable, Sendable {
        case currencyMissing = 1
        case currencyUnsupported = 2
        case clientID = 3
        case callback = 4
        case amount = 5
        case surrogate = 7

        func apply(to draft: inout SquareRequestDraft) {
            switch self {
            case .currencyMissing: draft.currency = ""
            case .currencyUnsupported: draft.currency = "EUR"
            case .clientID: draft.clientID = nil
            case .callback: draft.callbackURL = "no scheme"
            case .amount: draft.amount = -1
            case .surrogate: draft.notes = SquareText(units: [0x61, 0xD83D])
            }
        }
    }

    @Test("of any two breaches the SDK's first is reported: money, application id, amount, callback, JSON")
    func order() {
        let order: [Breach] = [.currencyMissing, .currencyUnsupported, .clientID, .amount, .callback, .surrogate]
        for (place, first) in order.enumerated() {
            for second in order[place...] where first != .currencyMissing || second != .currencyUnsupported {
                let draft = plainDraft {
                    first.apply(to: &$0)
                    second.apply(to: &$0)
                }
                #expect(refusal(of: draft, .register21) == first.rawValue, "\(first), \(second)")
            }
        }
    }

    @Test("without an amount there is no money whose currency could be wrong")
    func noMoney() {
        let draft = plainDraft {
            $0.amount = nil
            $0.currency = nil
        }
        #expect(refusal(of: draft, .register21) == 5)
        #expect(refusal(of: plainDraft { ($0.amount, $0.clientID) = (nil, nil) }, .register21) == 3)
    }

    struct Place: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var put: @Sendable (SquareText, inout SquareRequestDraft) -> Void
    }

    @Test(
        "half of a surrogate pair has no JSON, wherever it is",
        arguments: [
            Place(testDescription: "application id") { $1.clientID = $0 },
            Place(testDescription: "state") { $1.state = $0 }, Place(testDescription: "notes") { $1.notes = $0 },
            Place(testDescription: "location") { $1.locationID = $0 },
            Place(testDescription: "customer") { $1.customerID = $0 },
        ], SquareProfile.allCases)
    func surrogates(place: Place, profile: SquareProfile) {
        #expect(refusal(of: plainDraft { place.put(SquareText(units: [0xDC00]), &$0) }, profile) == 7)
        #expect(refusal(of: plainDraft { place.put(SquareText(units: [0xD83D, 0xDE00]), &$0) }, profile) == nil)
    }

    @Test("an unpaired surrogate in a currency is refused by the list, or by the JSON; in a callback it is not a URL")
    func surrogatesElsewhere() {
        let currency = plainDraft { $0.currency = SquareText(units: [0xD800]) }
        #expect(refusal(of: currency, .register21) == 2)
        #expect(refusal(of: currency, .pointOfSale354) == 7)
        let callback = plainDraft { $0.callbackURL = SquareText(units: Array("my-app://".utf16) + [0xD800]) }
        #expect(refusal(of: callback, .pointOfSale354) == 4)
    }

    @Test("a failure says what, on what, and what to do")
    func words() {
        #expect(
            throws: SquareFailure(
                .invalidRequestAmount, profile: .pointOfSale354,
                message: "the amount is 0, but the minimum of pos-3.5.4 is 1")
        ) {
            try SquareRequest(plainDraft { $0.amount = 0 }, profile: .pointOfSale354)
        }
        #expect(
            throws: SquareFailure(
                .invalidRequestCallbackURL, profile: .register21,
                message: "the callback URL contains a character that must be written as %20")
        ) {
            try SquareRequest(plainDraft { $0.callbackURL = "my-app://a b" }, profile: .register21)
        }
    }
}
