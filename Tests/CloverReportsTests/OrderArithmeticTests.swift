import CloverJSON
import CloverReports
import Testing

/// Amounts worked out by hand. All are in cents.
@Suite("Order arithmetic")
struct OrderArithmeticTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        var lines: String
        var rest = ""
        /// What the lines add up to after their own discounts.
        var subtotal: Int64
        /// The total without tax.
        var total: Int64
        var shares: [Int64]?
    }

    static let rows = [
        // 333 * 1.5 = 499.5, rounded up to 500; the modification of 100 is not multiplied.
        Row(
            testDescription: "a unit quantity, and a modification",
            lines: #"{"price":333,"unitQty":1500,"modifications":{"elements":[{"amount":100}]}}"#, subtotal: 600,
            total: 600),
        // 10 % of 1005 is 100.5, rounded up to 101; twice, each of the whole: 1005 - 202.
        Row(
            testDescription: "percentages add up and do not compound",
            lines: #"{"price":1005,"discounts":{"elements":[{"percentage":10},{"percentage":10}]}}"#, subtotal: 803,
            total: 803),
        // Percentages come first, whatever the order: 1000 - 100 - 50.
        Row(
            testDescription: "an amount before a percentage",
            lines: #"{"price":1000,"discounts":{"elements":[{"amount":-50},{"percentage":10}]}}"#, subtotal: 850,
            total: 850),
        // 12.5 % of 800.
        Row(
            testDescription: "a percentage with decimals",
            lines: #"{"price":800,"discounts":{"elements":[{"percentageDecimal":125000}]}}"#, subtotal: 700, total: 700),
        // 60 % + 60 % would be 120 %: never below 0.
        Row(
            testDescription: "discounts above the price",
            lines: #"{"price":500,"discounts":{"elements":[{"percentage":60},{"percentage":60}]}}"#, subtotal: 0,
            total: 0),
        Row(
            testDescription: "an amount above the price",
            lines: #"{"price":500,"discounts":{"elements":[{"amount":-900}]}}"#, subtotal: 0, total: 0),
        // 10 % of 1000 off the order, shared 2 : 1 of 700 and 300: 70 and 30.
        Row(
            testDescription: "a discount on the order", lines: #"{"price":700},{"price":300}"#,
            rest: #","discounts":{"elements":[{"percentage":10}]}"#, subtotal: 1000, total: 900, shares: [70, 30]),
        // 100 shared among three equal lines: 33 each, and the first gets the cent that is left.
        Row(
            testDescription: "a share that does not divide", lines: #"{"price":500},{"price":500},{"price":500}"#,
            rest: #","discounts":{"elements":[{"amount":-100}]}"#, subtotal: 1500, total: 1400, shares: [34, 33, 33]),
        // 7 of 100 and 200: 2.33 and 4.67; the larger remainder gets the cent.
        Row(
            testDescription: "the largest remainder", lines: #"{"price":100},{"price":200}"#,
            rest: #","discounts":{"elements":[{"amount":-7}]}"#, subtotal: 300, total: 293, shares: [2, 5]),
        // 10 % of 995 is 99.5 -> 100, and 5 % is 49.75 -> 50.
        Row(
            testDescription: "two percentages on the order, each rounded alone", lines: #"{"price":995}"#,
            rest: #","discounts":{"elements":[{"percentage":10},{"percentage":5}]}"#, subtotal: 995, total: 845),
        Row(
            testDescription: "a discount above the order", lines: #"{"price":995}"#,
            rest: #","discounts":{"elements":[{"amount":-2000}]}"#, subtotal: 995, total: 0, shares: [995]),
        // 18 % of 900 after the discount: 162.
        Row(
            testDescription: "a service charge, after the discount", lines: #"{"price":1000}"#,
            rest: #","discounts":{"elements":[{"percentage":10}]},"serviceCharge":{"percentageDecimal":180000}"#,
            subtotal: 1000, total: 1062),
        // 12.5 % of 333 is 41.625 -> 42.
        Row(
            testDescription: "a service charge that is rounded", lines: #"{"price":333}"#,
            rest: #","serviceCharge":{"percentageDecimal":125000}"#, subtotal: 333, total: 375),
        Row(
            testDescription: "a service charge in whole percent", lines: #"{"price":1000}"#,
            rest: #","serviceCharge":{"percentage":15}"#, subtotal: 1000, total: 1150),
        // A fee is not discounted, and not part of the subtotal.
        Row(
            testDescription: "an order fee", lines: #"{"price":1000},{"price":250,"isOrderFee":true}"#,
            rest: #","discounts":{"elements":[{"percentage":10}]}"#, subtotal: 1000, total: 1150),
        Row(
            testDescription: "an exchanged line", lines: #"{"price":1000},{"price":400,"exchanged":true}"#,
            subtotal: 1000, total: 1000),
        // A refunded line stays in the total before refunds.
        Row(
            testDescription: "a refunded line", lines: #"{"price":1000},{"price":400,"refunded":true}"#,
            subtotal: 1400, total: 1400),
        Row(
            testDescription: "a gift card is in the total", lines: #"{"price":1000},{"price":2500,"isRevenue":false}"#,
            subtotal: 3500, total: 3500),
        Row(
            testDescription: "negative prices and modifications count as nothing",
            lines: #"{"price":-300},{"price":500,"modifications":{"elements":[{"amount":-50}]}}"#, subtotal: 500,
            total: 500),
        Row(
            testDescription: "but count in a manual transaction", lines: #"{"price":-300},{"price":500}"#,
            rest: #","manualTransaction":true"#, subtotal: 200, total: 200),
        // 0.333 of 1999 is 665.667 -> 666.
        Row(
            testDescription: "a part of a unit", lines: #"{"price":1999,"unitQty":333}"#, subtotal: 666, total: 666),
        // 2.5 * 199 = 497.5 -> 498; 15 % of 498 is 74.7 -> 75; 498 - 75 = 423.
        Row(
            testDescription: "a unit quantity with a discount",
            lines: #"{"price":199,"unitQty":2500,"discounts":{"elements":[{"percentage":15}]}}"#, subtotal: 423,
            total: 423),
        Row(testDescription: "nothing", lines: "", subtotal: 0, total: 0),
    ]

    @Test("amounts to the cent, as worked out by hand", arguments: rows)
    func amounts(_ row: Row) throws {
        let order = try Self.order(#"{"id":"O","lineItems":{"elements":[\#(row.lines)]}\#(row.rest)}"#)
        let sums = OrderArithmetic(order)
        #expect(sums.subtotal == row.subtotal)
        #expect(sums.totals.all == row.total)
        if let shares = row.shares { #expect(sums.lines.map { $0?.share } == shares) }
    }

    @Test("without refunded lines, discounts and charges are taken of what was kept")
    func kept() throws {
        let order = try Self.order(
            #"{"id":"O","lineItems":{"elements":[{"price":1000},{"price":500,"refunded":true}]},"#
                + #""discounts":{"elements":[{"percentage":10}]},"serviceCharge":{"percentageDecimal":100000}}"#)
        // 1000 - 100 = 900, and 10 % of that is 90. Before the refund: 1500 - 150 = 1350, and 135.
        #expect(OrderArithmetic(order).totals == (1485, 990))
    }

    @Test("products are rounded half up, also below zero and beyond 64 bits")
    func rounding() {
        #expect(Rounding.halfUp(1, times: 1, over: 2) == 1)
        #expect(Rounding.halfUp(-1, times: 1, over: 2) == 0)
        #expect(Rounding.halfUp(-3, times: 1, over: 2) == -1)
        #expect(Rounding.halfUp(-5, times: 1, over: 3) == -2)
        #expect(Rounding.halfUp(1_000_000_000_000, times: 1_000_000_000, over: 1_000_000_000) == 1_000_000_000_000)
    }

    @Test("shares add up to the whole, whatever the weights")
    func shares() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<1000 {
            let weights = (0..<Int.random(in: 1...9, using: &random)).map { _ in
                Int64.random(in: 0...1_000_000_000_000, using: &random)
            }
            let amount = Int64.random(in: -1_000_000_000_000...1_000_000_000_000, using: &random)
            #expect(Rounding.shares(of: amount, in: weights).reduce(0, +) == amount)
        }
    }

    @Test(
        "an amount that is not an integer, or absurd, is refused with its field",
        arguments: [
            (#"{"id":"O","lineItems":{"elements":[{"price":1.5}]}}"#, "lineItems.price"),
            (#"{"id":"O","lineItems":{"elements":[{"price":"9"}]}}"#, "lineItems.price"),
            (#"{"id":"O","total":9000000000000000000}"#, "total"), (#"{"total":1}"#, "id"), ("[]", ""),
            (#"{"id":"O","discounts":{"elements":[{"percentage":1e3}]}}"#, "discounts.percentage"),
            (#"{"id":"O","payments":{"elements":[{"id":"P","amount":1,"result":"SUCCESS"}]}}"#, "payments.createdTime"),
        ])
    func refused(_ text: String, _ field: String) {
        let error = #expect(throws: ReportRecordError.self) { _ = try Self.order(text) }
        #expect(error?.field == field)
    }

    /// - Parameter text: lines that begin with their price get an id.
    static func order(_ text: String) throws -> OrderRecord {
        let text = text.replacing(#"{"price""#, with: #"{"id":"L","price""#)
        return try Array(text.utf8).withUnsafeBytes { try OrderRecord(JSONView($0), .client) }
    }
}
