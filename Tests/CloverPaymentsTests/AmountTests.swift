import CloverOutput
import CloverPayments
import Testing

@Suite("Amounts of money as people type them")
struct AmountTests {
    struct Accepted: CustomTestStringConvertible, Sendable {
        let text: String
        let code: String
        let minorUnits: Int64
        var testDescription: String { "\(text) \(code)" }
    }

    @Test(
        "An amount with all decimals is exact",
        arguments: [
            Accepted(text: "12.50", code: "USD", minorUnits: 1250), Accepted(text: "0.01", code: "USD", minorUnits: 1),
            Accepted(text: "0.00", code: "USD", minorUnits: 0), Accepted(text: "1250", code: "JPY", minorUnits: 1250),
            Accepted(text: "1.250", code: "KWD", minorUnits: 1250),
            Accepted(text: "1.2500", code: "CLF", minorUnits: 12500),
            Accepted(text: "12.50", code: "usd", minorUnits: 1250),
            Accepted(text: "0.29", code: "EUR", minorUnits: 29),
            Accepted(text: "92233720368547758.07", code: "USD", minorUnits: .max),
        ])
    func major(_ row: Accepted) throws {
        let currency = try AmountText.currency(row.code)
        #expect(try AmountText.major(row.text, in: currency).minorUnits == row.minorUnits)
    }

    struct Refused: CustomTestStringConvertible, Sendable {
        let text: String
        var code = "USD"
        let error: AmountError
        var testDescription: String { "'\(text)' \(code)" }
    }

    private static let dollar = Currency.usDollar

    @Test(
        "an ambiguous or invalid amount is refused with its reason",
        arguments: [
            Refused(text: "", error: .empty), Refused(text: "12", error: .ambiguous(dollar)),
            Refused(text: "12.5", error: .ambiguous(dollar)), Refused(text: "0", error: .ambiguous(dollar)),
            Refused(text: "12.505", error: .tooManyDecimals(dollar)),
            Refused(text: "1,250.00", error: .separator(",")), Refused(text: "12,50", error: .separator(",")),
            Refused(text: "1'250.00", error: .separator("'")), Refused(text: "1_250.00", error: .separator("_")),
            Refused(text: "-12.50", error: .sign), Refused(text: "+12.50", error: .sign),
            Refused(text: "\u{2212}12.50", error: .sign), Refused(text: " 12.50", error: .space),
            Refused(text: "12.50\n", error: .space), Refused(text: "1 250.00", error: .space),
            Refused(text: "1\u{A0}250.00", error: .space), Refused(text: "$12.50", error: .currencySign),
            Refused(text: "12.50USD", error: .currencySign), Refused(text: "12.50€", error: .currencySign),
            Refused(text: "1e3", error: .notation), Refused(text: "1.25E+1", error: .notation),
            Refused(text: "1e-3", error: .notation), Refused(text: "0x10", error: .notation),
            Refused(text: "١٢.٥٠", error: .foreignDigit), Refused(text: "\u{FF11}\u{FF12}.50", error: .foreignDigit),
            Refused(text: "½", error: .foreignDigit), Refused(text: ".50", error: .misplacedPoint),
            Refused(text: "12.", error: .misplacedPoint), Refused(text: "1.2.3", error: .misplacedPoint),
            Refused(text: ".", error: .misplacedPoint), Refused(text: "012.50", error: .leadingZero),
            Refused(text: "00.50", error: .leadingZero), Refused(text: "12.50%", error: .notNumber),
            Refused(text: "92233720368547758.08", error: .tooLarge),
            Refused(text: "99999999999999999999999.00", error: .tooLarge),
        ])
    func refused(_ row: Refused) throws {
        let currency = try AmountText.currency(row.code)
        #expect(throws: row.error) { try AmountText.major(row.text, in: currency) }
    }

    @Test("Decimals follow the currency")
    func decimals() throws {
        let yen = try AmountText.currency("JPY")
        #expect(throws: AmountError.tooManyDecimals(yen)) { try AmountText.major("12.50", in: yen) }
        let dinar = try AmountText.currency("KWD")
        #expect(throws: AmountError.ambiguous(dinar)) { try AmountText.major("12.50", in: dinar) }
        #expect(throws: AmountError.unknownCurrency("XYZ")) { try AmountText.currency("XYZ") }
    }

    @Test("an amount in the smallest unit is a whole number")
    func minor() throws {
        #expect(try AmountText.minor("1250", in: Self.dollar).minorUnits == 1250)
        #expect(throws: AmountError.fraction) { try AmountText.minor("12.50", in: Self.dollar) }
        #expect(throws: AmountError.leadingZero) { try AmountText.minor("0125", in: Self.dollar) }
        #expect(throws: AmountError.tooLarge) { try AmountText.minor("9223372036854775808", in: Self.dollar) }
    }

    @Test("An amount is shown with all decimals of its currency")
    func shown() throws {
        #expect("\(Money(minorUnits: 5, currency: Self.dollar))" == "0.05 USD")
        #expect("\(Money(minorUnits: -1250, currency: Self.dollar))" == "-12.50 USD")
        #expect("\(Money(minorUnits: 7, currency: try AmountText.currency("JPY")))" == "7 JPY")
        #expect("\(Money(minorUnits: 7, currency: try AmountText.currency("KWD")))" == "0.007 KWD")
        #expect(Money(minorUnits: .min, currency: Self.dollar).majorText == "-92233720368547758.08")
    }
}

@Suite("Types and states of charges")
struct ChargeRuleTests {
    @Test("each pair of request fields means one type; final without capture is invalid")
    func pairs() {
        for type in ChargeType.allCases {
            #expect(ChargeType(isFinal: type.isFinal, isCaptured: type.isCaptured) == type)
        }
        #expect(ChargeType(isFinal: true, isCaptured: false) == nil)
    }

    @Test("only the permitted states follow a state", arguments: OperationState.allCases, OperationState.allCases)
    func transitions(from: OperationState, to: OperationState) {
        let permitted: [OperationState: Set<OperationState>] = [
            // Its charge may have been made on another machine under the same key.
            .created: [.sent, .approved, .declined, .cancelled, .failed, .unknown],
            // A request that a rate limit refused was not carried out.
            .sent: [.created, .sent, .approved, .declined, .cancelled, .failed, .unknown],
            .unknown: [.sent, .approved, .declined, .cancelled, .failed, .unknown],
        ]
        #expect(from.permits(to) == permitted[from, default: []].contains(to))
    }

    @Test("a final state permits no other", arguments: OperationState.allCases)
    func finality(_ state: OperationState) {
        #expect(state.isFinal == !OperationState.allCases.contains { state.permits($0) })
    }
}
