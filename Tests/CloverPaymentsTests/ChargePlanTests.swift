import CloverHTTP
import CloverJSON
import CloverOutput
import CloverPayments
import Testing

@Suite("What a rail can do")
struct ChargePlanTests {
    private static func plan(_ rail: PaymentRail, _ minorUnits: Int64 = 1250) -> ChargePlan {
        ChargePlan(rail: rail, amount: Money(minorUnits: minorUnits, currency: .usDollar))
    }

    struct Refused: CustomTestStringConvertible, Sendable {
        let testDescription: String
        var rail = PaymentRail.payDisplay
        var minorUnits: Int64 = 1250
        var environment = "us"
        let change: @Sendable (inout ChargePlan) -> Void
        let isExpected: @Sendable (PaymentPlanError) -> Bool
    }

    @Test(
        "a plan that the rail does not support is refused",
        arguments: [
            Refused(testDescription: "nothing", minorUnits: 0, change: { _ in }) {
                if case .amountOutOfRange = $0 { true } else { false }
            },
            Refused(
                testDescription: "more than ecommerce takes", rail: .ecommerce, minorUnits: 100_000_000,
                change: { _ in }
            ) { if case .amountOutOfRange = $0 { true } else { false } },
            Refused(testDescription: "more than a device takes", minorUnits: 1_000_000_000, change: { _ in }) {
                if case .amountOutOfRange = $0 { true } else { false }
            },
            Refused(
                testDescription: "a tip on an auth",
                change: {
                    $0.type = .auth
                    $0.tip = 100
                }
            ) { $0 == .tipOnAdjustable(.auth) },
            Refused(
                testDescription: "a tip on a pre-authorization",
                change: {
                    $0.type = .preauth
                    $0.tip = 0
                }
            ) { $0 == .tipOnAdjustable(.preauth) },
            Refused(
                testDescription: "a tip on an ecommerce pre-authorization", rail: .ecommerce,
                change: {
                    $0.type = .preauth
                    $0.tip = 100
                }
            ) { $0 == .tipOnHold },
            Refused(testDescription: "an adjustable ecommerce charge", rail: .ecommerce, change: { $0.type = .auth }) {
                $0 == .adjustableEcommerce
            },
            Refused(testDescription: "ecommerce in Europe", rail: .ecommerce, environment: "eu", change: { _ in }) {
                $0 == .noEcommerce(environment: "eu")
            },
            Refused(testDescription: "more tax than amount", change: { $0.tax = 1251 }) {
                if case .partOutOfRange(name: "tax", _) = $0 { true } else { false }
            },
            Refused(testDescription: "a long reference", change: { $0.reference = "1234567890123" }) {
                $0 == .tooLong(option: "--reference", limit: 12)
            },
            Refused(
                testDescription: "a long external id for ecommerce", rail: .ecommerce,
                change: { $0.externalID = "1234567890123" }
            ) { $0 == .tooLong(option: "--external-id", limit: 12) },
            Refused(testDescription: "an external id that is a path", change: { $0.externalID = "../x" }) {
                $0 == .malformedKey(option: "--external-id")
            },
            Refused(testDescription: "a key with a line break", change: { $0.idempotencyKey = "a\r\nb" }) {
                $0 == .malformedKey(option: "--idempotency-key")
            },
            Refused(testDescription: "a description on a device", change: { $0.description = "x" }) {
                $0 == .optionNotOnRail(option: "--description", .payDisplay)
            },
            Refused(testDescription: "a long wait", change: { $0.timeout = 301 }) {
                $0 == .timeoutOutOfRange(limit: 300)
            },
        ])
    func refused(_ row: Refused) {
        var plan = Self.plan(row.rail, row.minorUnits)
        row.change(&plan)
        #expect {
            try plan.check(environment: row.environment)
        } throws: { error in
            (error as? PaymentPlanError).map(row.isExpected) ?? false
        }
    }

    @Test("the largest amounts are accepted", arguments: PaymentRail.allCases.filter(\.isCharge))
    func largest(_ rail: PaymentRail) throws {
        try Self.plan(rail, rail.amountRange.upperBound).check(environment: "us")
        try Self.plan(rail, 1).check(environment: "us")
    }

    @Test("the journal keeps the body of an ecommerce charge without its source")
    func ecommerceBody() throws {
        var plan = Self.plan(.ecommerce)
        plan.type = .preauth
        plan.externalID = "INV-1"
        plan.tax = 50
        let operation = try plan.operation(environment: "us", merchantID: "M", now: 0)
        #expect(
            operation.request.body
                == #"{"amount":1250,"capture":false,"currency":"usd","ecomind":"ecom","external_reference_id":"INV-1","tax_amount":50}"#
        )
        #expect(operation.externalID == "INV-1")
    }

    @Test("a device request encodes the type in two fields", arguments: ChargeType.allCases)
    func deviceBody(_ type: ChargeType) throws {
        var plan = Self.plan(.payDisplay)
        plan.type = type
        plan.externalID = "E1"
        let operation = try plan.operation(environment: "us", merchantID: "M", now: 0)
        #expect(
            operation.request.body
                == #"{"amount":1250,"capture":\#(type.isCaptured),"externalPaymentId":"E1","final":\#(type.isFinal)}"#)
    }

    @Test("IDs are unique and fit their rail", arguments: [PaymentRail.ecommerce, .payDisplay, .reader])
    func identifiers(_ rail: PaymentRail) throws {
        let made = try (0..<1000).map { _ in
            try Self.plan(rail).operation(environment: "us", merchantID: "M", now: 1_700_000_000_000)
        }
        #expect(Set(made.map(\.id)).count == 1000)
        #expect(Set(made.map(\.idempotencyKey)).count == 1000)
        #expect(Set(made.compactMap(\.externalID)).count == 1000)
        #expect(made.allSatisfy { ($0.externalID?.count ?? 99) <= rail.maximumExternalIDLength && $0.id.count == 28 })
        #expect(made[0].id.hasPrefix("c_01HF7YAT00"))
    }

    @Test("a device address is https with the device port")
    func deviceAddress() throws {
        #expect(try DeviceAddress.base("192.168.1.20") == "https://192.168.1.20:12346")
        #expect(try DeviceAddress.base("https://192.168.1.20:12346/connect") == "https://192.168.1.20:12346")
        #expect(try DeviceAddress.base("http://127.0.0.1:8080") == "http://127.0.0.1:8080")
        for text in ["", "http://192.168.1.20", "ftp://x", "https://user@host"] {
            #expect(throws: PaymentPlanError.malformedDeviceAddress) { try DeviceAddress.base(text) }
        }
    }
}

@Suite("A follow-up under an earlier idempotency key")
struct FollowUpKeyTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let earlier: FollowUpPlan
        let now: FollowUpPlan
        var rail = PaymentRail.payDisplay
        /// Refunded in part before the earlier operation.
        var refunded: Int64?
        let isSame: Bool
    }

    private static func plan(
        _ kind: OperationKind, _ amount: Int64? = nil, tip: Int64? = nil, reason: String? = nil, email: String? = nil,
        phone: String? = nil
    ) -> FollowUpPlan {
        var plan = FollowUpPlan(kind)
        plan.amount = amount
        plan.tip = tip
        plan.reason = reason
        plan.email = email
        plan.phone = phone
        return plan
    }

    static let rows = [
        Row(
            testDescription: "the same refund", earlier: plan(.refund, 100), now: plan(.refund, 100), isSame: true),
        Row(
            testDescription: "another amount", earlier: plan(.refund, 100), now: plan(.refund, 200), isSame: false),
        Row(
            testDescription: "a part, then the whole", earlier: plan(.refund, 100), now: plan(.refund), isSame: false),
        Row(testDescription: "the whole again", earlier: plan(.refund), now: plan(.refund), isSame: true),
        Row(
            testDescription: "the whole, written out", earlier: plan(.refund), now: plan(.refund, 1000), isSame: true),
        Row(
            testDescription: "the rest again", earlier: plan(.refund), now: plan(.refund), refunded: 300, isSame: true),
        Row(
            testDescription: "the rest, then the whole amount", earlier: plan(.refund), now: plan(.refund, 1000),
            refunded: 300, isSame: false),
        Row(
            testDescription: "another reason", earlier: plan(.refund, 100, reason: "duplicate"),
            now: plan(.refund, 100, reason: "fraudulent"), rail: .ecommerce, isSame: false),
        Row(
            testDescription: "the same reason", earlier: plan(.refund, 100, reason: "duplicate"),
            now: plan(.refund, 100, reason: "duplicate"), rail: .ecommerce, isSame: true),
        Row(
            testDescription: "a reason later", earlier: plan(.refund, 100),
            now: plan(.refund, 100, reason: "duplicate"), rail: .ecommerce, isSame: false),
        Row(testDescription: "another tip", earlier: plan(.tip, tip: 100), now: plan(.tip, tip: 200), isSame: false),
        Row(testDescription: "the same tip", earlier: plan(.tip, tip: 100), now: plan(.tip, tip: 100), isSame: true),
        Row(
            testDescription: "another capture", earlier: plan(.capture, 900), now: plan(.capture, 800), isSame: false),
        Row(
            testDescription: "a capture with another tip", earlier: plan(.capture, tip: 100), now: plan(.capture),
            isSame: false),
        Row(
            testDescription: "the same capture", earlier: plan(.capture, tip: 100), now: plan(.capture, tip: 100),
            isSame: true),
        Row(
            testDescription: "another increment", earlier: plan(.increment, 100), now: plan(.increment, 200),
            isSame: false),
        Row(
            testDescription: "another kind", earlier: plan(.increment, 100), now: plan(.capture, 100), isSame: false),
        Row(testDescription: "the same void", earlier: plan(.void), now: plan(.void), isSame: true),
        Row(
            testDescription: "a receipt for someone else", earlier: plan(.receipt, email: "a@x.example"),
            now: plan(.receipt, email: "b@x.example"), isSame: false),
        Row(
            testDescription: "the same receipt", earlier: plan(.receipt, phone: "+15555550100"),
            now: plan(.receipt, phone: "+15555550100"), isSame: true),
    ]

    @Test("it is the earlier one only with the same amount, tip, reason and address", arguments: rows)
    func asks(_ row: Row) throws {
        var request = OperationRequest(path: "/v1/payments", body: "{}")
        request.type = [.capture, .increment].contains(row.earlier.kind) ? .preauth : .auth
        let charge = PaymentOperation(
            id: "c_1", kind: .charge, rail: row.rail, environment: "us", merchantID: "M", idempotencyKey: "k",
            amount: Money(minorUnits: 1000, currency: .usDollar), request: request, now: 0
        ).settled(.approved, JournalFixture.outcome(1000))
        let before = row.refunded.map {
            JournalFixture.operation(
                .refund, "r_0", "c_1", $0, OperationRequest(path: "/", body: "{}"), approved: $0)
        }
        let earlier = try row.earlier.operation(on: charge, after: [before].compactMap(\.self), now: 1)
        #expect(row.now.asks(for: earlier, on: charge, after: [before].compactMap(\.self)) == row.isSame)
    }
}

@Suite("Cards that are typed in")
struct CardDataTests {
    private static let good = #"{"number":"4242 4242-42424242","exp_month":"7","exp_year":2030,"cvv":"123"}"#

    @Test("card data never prints")
    func printing() throws {
        let card = try CardData(json: Array(Self.good.utf8))
        #expect(card.number.exposed == "4242424242424242")
        #expect(
            "\(card) \(String(reflecting: card)) \(Mirror(reflecting: card).children.count)"
                == "(redacted) (redacted) 0")
    }

    @Test(
        "an error names the faulty field without its value",
        arguments: [
            ("not json", CardData.Fault.notJSON), ("{}", .missing(field: "number")),
            (#"{"number":"4242424242424242"}"#, .missing(field: "exp_month")),
            (#"{"number":"42424242","exp_month":"1","exp_year":"30","cvv":"123"}"#, .number),
            (#"{"number":"4242424242424241","exp_month":"1","exp_year":"30","cvv":"123"}"#, .checkDigit),
            (#"{"number":"٤242424242424242","exp_month":"1","exp_year":"30","cvv":"123"}"#, .number),
            (#"{"number":"4242424242424242","exp_month":"13","exp_year":"30","cvv":"123"}"#, .month),
            (#"{"number":"4242424242424242","exp_month":"1","exp_year":"030","cvv":"123"}"#, .year),
            (#"{"number":"4242424242424242","exp_month":"1","exp_year":"30","cvv":"12"}"#, .securityCode),
        ])
    func faults(_ json: String, _ fault: CardData.Fault) {
        #expect(throws: fault) { try CardData(json: Array(json.utf8)) }
    }

    @Test("a card is valid to the end of its month")
    func expiry() throws {
        try CardData.checkExpiry(month: "11", year: "26", now: (2026, 11))
        try CardData.checkExpiry(month: "1", year: "2027", now: (2026, 12))
        #expect(throws: CardData.Fault.expired) {
            try CardData.checkExpiry(month: "10", year: "26", now: (2026, 11))
        }
        #expect(throws: CardData.Fault.expired) {
            try CardData.checkExpiry(month: "12", year: "2025", now: (2026, 1))
        }
        #expect(throws: CardData.Fault.month) { try CardData.checkExpiry(month: "0", year: "30", now: (2026, 1)) }
    }

    @Test("a security code has four digits on an American Express card, and three on others")
    func securityCode() throws {
        try CardData.checkCode("123", ofCard: "4242 4242 4242 4242")
        try CardData.checkCode("1234", ofCard: "378282246310005")
        #expect(throws: CardData.Fault.securityCodeLength(3)) {
            try CardData.checkCode("1234", ofCard: "4242424242424242")
        }
        #expect(throws: CardData.Fault.securityCodeLength(4)) {
            try CardData.checkCode("123", ofCard: "378282246310005")
        }
    }
}

@Suite("Codes of refusals")
struct RefusalCodeTests {
    /// Clover: ecommerce API response codes, and their appendix.
    private static let documented = """
        amount_too_large, amount_too_small, api_key_expired, card_declined, card_on_file_missing, \
        charge_already_captured, charge_already_refunded, charge_disputed, charge_exceeds_source_limit, \
        charge_expired_for_capture, country_unsupported, email_invalid, expired_card, incorrect_address, incorrect_cvc, \
        incorrect_number, incorrect_zip, invalid_card_type, invalid_charge_amount, invalid_convenience_fee, invalid_cvc, \
        invalid_expiry_month, invalid_expiry_year, invalid_number, invalid_request, invalid_tax_amount, \
        invalid_tip_amount, invalid_wallet_type, missing, order_already_paid, order_creation_failed, \
        order_required_settings, order_status_invalid, parameter_invalid_empty, parameter_invalid_integer, \
        parameter_invalid_string_blank, parameter_invalid_string_empty, parameter_missing, parameter_unknown, \
        postal_code_invalid, processing_error, rate_limit, resource_missing, token_already_used, \
        api_connection_error, api_error, authentication_error, card_error, idempotency_error, invalid_request_error, \
        rate_limit_error, validation_error, RESOURCE_CONFLICT, BAD_REQUEST, TERMINAL_BUSY, TERMINAL_UNAVAILABLE, \
        TERMINAL_GENERAL, FAIL, CANCEL, ERROR, DUPLICATE, UNSUPPORTED, READER_ERROR, CARD_ERROR, READER_TIMEOUT, \
        COMMUNICATION_ERROR, LOW_BATTERY, PARTIAL_AUTH_REJECTED, DUPLICATE_TRANSACTION_REJECTED, \
        MULTIPLE_CONTACT_LESS_CARD_DETECTED_ERROR, CONTACT_LESS_FAILED_TRY_CONTACT_ERROR, offline
        """.split(separator: ", ").map(String.init)

    @Test("each code has a meaning in plain words", arguments: documented)
    func words(_ code: String) throws {
        let meaning = try #require(PaymentErrorCode.meaning(of: code))
        // A clause without the jargon of the code.
        #expect(meaning.words.count >= 15)
        #expect(!meaning.words.contains("_"))
        #expect(!meaning.words.lowercased().contains("parameter"))
        #expect(meaning.words.last != ".")
    }

    @Test("an undocumented code has no meaning")
    func unknown() {
        #expect(PaymentErrorCode.meaning(of: "no_such_code") == nil)
    }
}
