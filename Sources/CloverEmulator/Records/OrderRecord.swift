/// One order with all that belongs to it, as plain numbers; made by `OrderBook`, turned into JSON by `OrderWriter`.
///
/// A value is reused for many orders in a row: its arrays keep their memory.
package struct OrderRecord: Sendable {
    /// The states come back in mixed spelling (recorded answers of the service).
    package enum State: Int, Sendable {
        case open, locked, paid, paidInCapitals
    }

    package enum PaymentState: Int, Sendable {
        case open, paid, partiallyPaid, refunded, partiallyRefunded
    }

    package enum PayType: Int, Sendable {
        case full, splitGuest, splitCustom
    }

    package enum Title: Sendable, Equatable {
        case none
        case table(Int)
        case number(Int)
        case customer
    }

    /// Order number from 0, the oldest.
    package var number = 0
    package var id = Identifier(number: 0)
    /// Milliseconds since 1970, as all times here.
    package var createdTime = 0
    package var clientCreatedTime = 0
    package var modifiedTime = 0
    package var employee = 0
    package var device = 0
    package var orderType = 0
    /// Number of the customer; nil for most orders.
    package var customer: Int?
    package var state = State.open
    package var paymentState = PaymentState.open
    package var payType: PayType?
    package var isTaxRemoved = false
    package var isManual = false
    package var title = Title.none
    /// Place in the shop's list of notes.
    package var note: Int?
    package var hasExternalReference = false
    package var lines: [LineRecord] = []
    /// The modifications of all lines, each line's in one run.
    package var modifications: [ModificationRecord] = []
    package var discounts: [DiscountRecord] = []
    package var payments: [PaymentRecord] = []
    package var refund: RefundRecord?
    /// Cents: lines with modifications and line discounts, before order discounts and tax.
    package var subtotal = 0
    /// Cents taken off by order discounts, positive.
    package var discountTotal = 0
    /// Cents of tax for each of the shop's tax rates.
    package var taxes = TaxAmounts()
    /// Cents, tax included.
    package var total = 0

    package init() {}
}

/// One line of an order. The service keeps one line for each unit sold; only goods sold by weight have a quantity.
package struct LineRecord: Sendable {
    /// Place of the item on the menu; nil for a line keyed in by hand.
    package var item: Int?
    /// Place in the list of custom line names, when there is no item.
    package var customName = 0
    /// Cents a unit, without modifications.
    package var price = 0
    /// Thousandths of a unit for goods sold by weight; nil otherwise (Clover iOS SDK, line items).
    package var unitQuantity: Int?
    /// Run in the order's `modifications`.
    package var modifications = 0..<0
    package var discount: DiscountRecord?
    /// Place of the tax rate.
    package var taxRate = 0
    package var isRefunded = false
    package var isPrinted = true
    /// Milliseconds after the order's creation.
    package var delay = 0
    /// Cents with quantity, modifications and the line's own discount.
    package var net = 0
    /// `net` less this line's share of the order discounts: what is taxed.
    package var taxable = 0

    package init() {}
}

/// A modification of a line: a modifier of the menu as it was chosen.
package struct ModificationRecord: Sendable {
    package var group: Int
    /// Place within the group.
    package var modifier: Int
    /// Cents.
    package var amount: Int
}

/// A discount on a line or an order.
package struct DiscountRecord: Sendable {
    /// Place in the shop's catalogue of discounts.
    package var catalogue: Int
    /// Whole percent, or nil when `amount` says what is taken off.
    package var percentage: Int?
    /// Negative cents; the service refuses positive ones (live sandbox notes).
    package var amount: Int?
    /// Cents taken off, positive.
    package var value: Int
}

/// A payment of an order.
package struct PaymentRecord: Sendable {
    /// Place in the shop's list of tenders.
    package var tender = 0
    /// Cents, tax included, tip not included (Clover documentation, card present payments).
    package var amount = 0
    package var taxAmount = 0
    package var tipAmount = 0
    /// Cents handed over, for cash.
    package var cashTendered: Int?
    /// Milliseconds since 1970.
    package var createdTime = 0
    package var modifiedTime = 0
    package var card: CardRecord?

    package init() {}
}

/// The card side of a payment. The numbers are made up; the first six digits are those of public test cards.
package struct CardRecord: Sendable {
    /// Place in `CardText.types`.
    package var type: Int
    /// Place in `CardText.entries`.
    package var entry: Int
    /// 0 to 9999.
    package var last4: Int
    /// Six digits the processor gave.
    package var authCode: Int
    package var isClosed: Bool
}

/// Names for card payments (card type and entry type enumerations of the Clover SDKs).
package enum CardText {
    /// Card types and the first six digits of a public test card of that type.
    package static let types: [(name: StaticString, first6: StaticString)] = [
        ("VISA", "411111"), ("MC", "555555"), ("AMEX", "371449"), ("DISCOVER", "601111"),
    ]

    package static let entries: [StaticString] = ["EMV_CONTACTLESS", "EMV_CONTACT", "SWIPED", "KEYED"]

    /// The type for a draw out of 100, with the shares these cards have in the trade.
    @inline(__always)
    package static func type(forDraw draw: Int) -> Int {
        draw < 50 ? 0 : draw < 78 ? 1 : draw < 92 ? 2 : 3
    }
}

/// A refund of an order's first payment, whole or of one line.
package struct RefundRecord: Sendable {
    /// Cents, tax included, positive; never more than the payment.
    package var amount: Int
    package var taxAmount: Int
    /// Place of the refunded line; nil when the whole payment went back.
    package var line: Int?
    /// Milliseconds since 1970.
    package var createdTime: Int
    package var employee: Int
}

/// What is taxed, and the tax, for each of the shop's three tax rates. A value without heap memory, because one is made
/// for every order.
package struct TaxAmounts: Sendable {
    /// Cents a rate applies to.
    package var taxable = (0, 0, 0)
    /// Cents of tax.
    package var tax = (0, 0, 0)

    package init() {}

    /// All tax in cents.
    package var total: Int { tax.0 + tax.1 + tax.2 }

    package func taxable(_ rate: Int) -> Int {
        rate == 0 ? taxable.0 : rate == 1 ? taxable.1 : taxable.2
    }

    package func tax(_ rate: Int) -> Int {
        rate == 0 ? tax.0 : rate == 1 ? tax.1 : tax.2
    }

    package mutating func add(_ cents: Int, toRate rate: Int) {
        switch rate {
        case 0: taxable.0 += cents
        case 1: taxable.1 += cents
        default: taxable.2 += cents
        }
    }

    /// Computes the tax of each rate, rounded half up to a cent. 10,000,000 is 100 % (live sandbox notes).
    package mutating func compute(rates: (Int, Int, Int)) {
        tax.0 = (taxable.0 * rates.0 + 5_000_000) / 10_000_000
        tax.1 = (taxable.1 * rates.1 + 5_000_000) / 10_000_000
        tax.2 = (taxable.2 * rates.2 + 5_000_000) / 10_000_000
    }
}

/// How the parts of an order are numbered for their ids: the order's number in the high 32 bits of the 56, a counter of
/// 24 bits within the order below.
package enum OrderPlaces {
    /// Place of part `part` (below 2^24) of an order.
    @inline(__always)
    package static func place(order: Int, part: Int) -> Int {
        order << 24 | part
    }

    /// Order and part of a place.
    package static func split(_ place: Int) -> (order: Int, part: Int) {
        (place >> 24, place & 0xFF_FFFF)
    }

    /// The part number of a line that was taken off its order; lines of an order have lower ones.
    static let voidedPart = 0x1000

    /// The part number of something on a line: a discount is 0, modifications count from 1.
    @inline(__always)
    package static func part(line: Int, entry: Int) -> Int {
        (line + 1) << 8 | entry
    }
}
