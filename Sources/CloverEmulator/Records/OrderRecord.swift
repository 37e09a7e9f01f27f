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
