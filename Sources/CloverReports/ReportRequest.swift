package import CloverCalendar

/// Which report, over which days, in which rows.
package struct ReportRequest: Sendable, Equatable {
    package var report: ReportName
    /// What a row stands for, where the report can be divided in several ways; nil for the report's own rows.
    package var grouping: ReportGrouping?
    package var calendar: BusinessCalendar
    package var period: Period
    /// ISO 4217 code.
    package var currency: String
    /// Takes the day of a record from the server's clock, not the client's.
    package var usesServerClock: Bool
    /// The lists that are not read: what depends on them is unknown.
    package var omitted: Set<ReportOmission>
    /// Whether the table also has the columns that are 0 in shops and periods of another kind, such as the tax that prices
    /// contain.
    package var hasAllColumns = false

    package init(
        _ report: ReportName, by grouping: ReportGrouping? = nil, calendar: BusinessCalendar, period: Period,
        currency: String, usesServerClock: Bool = false, omitted: Set<ReportOmission> = []
    ) {
        self.report = report
        self.grouping = grouping
        self.calendar = calendar
        self.period = period
        self.currency = currency
        self.usesServerClock = usesServerClock
        self.omitted = omitted
    }
}

/// Lists that a report can do without.
package enum ReportOmission: String, CaseIterable, Sendable {
    case refunds, credits, names
}

package enum ReportName: String, CaseIterable, Sendable {
    case sales, items, categories, employees, tenders, taxes, tips, discounts, refunds, hours
}

/// What a row of a report stands for.
package enum ReportGrouping: String, CaseIterable, Sendable {
    case day, week, month, hour, employee, tender
}

/// A record, or a sum, that does not add up.
package struct ReportFinding: Sendable, Equatable {
    /// A stable code, such as `overpaid`: the raw value of a `Kind`.
    package var kind: String
    /// Identifiers of what it is about, by kind of record: `order`, `payment`, `refund`, `credit`, `charge`.
    package var identifiers: [String: String]
    /// The difference in the currency's minor unit, if it is about an amount.
    package var amount: Int64?
    /// ISO 4217 code of the amount; nil for the shop's currency.
    package var currency: String?
    /// One sentence for people, without the identifiers.
    package var sentence: String

    package init(
        _ kind: Kind, _ identifiers: [String: String], amount: Int64? = nil, currency: String? = nil, _ sentence: String
    ) {
        self.kind = kind.rawValue
        self.identifiers = identifiers
        self.amount = amount
        self.currency = currency
        self.sentence = sentence
    }

    /// Every kind of finding, in the order in which they are explained.
    package enum Kind: String, CaseIterable, Sendable {
        case partlyPaid = "partly_paid"
        case overpaid
        case paidTwice = "paid_twice"
        case totalDiffers = "total_differs"
        case totalMissing = "total_missing"
        case lineItemsMissing = "line_items_missing"
        case taxDiffers = "tax_differs"
        case currencyDiffers = "currency_differs"
        case paymentNotListed = "payment_not_listed"
        case paymentNotInOrder = "payment_not_in_order"
        case refundAbovePayment = "refund_above_payment"
        case refundWithoutPayment = "refund_without_payment"
        case refundOfUnpaidPayment = "refund_of_unpaid_payment"
        case refundOfUnknownPayment = "refund_of_unknown_payment"
        case refundLineDiffers = "refund_line_differs"
        case refundWithoutOrder = "refund_without_order"
        case creditWithoutOrder = "credit_without_order"
        case paymentWithoutOrder = "payment_without_order"
        case undecidedPayment = "undecided_payment"
        case clockDiffers = "clock_differs"
        case chargeUnknown = "charge_unknown"
        case chargeWithoutPayment = "charge_without_payment"
        case chargePaidAfterAll = "charge_paid_after_all"
        case chargeNotVoided = "charge_not_voided"
        case chargeNotRefunded = "charge_not_refunded"
        case chargeAmountDiffers = "charge_amount_differs"
        case unreadableRecord = "unreadable_record"
        /// Rows of a report that are not the whole; no finding of a reconciliation.
        case doesNotAddUp = "does_not_add_up"

        package static var ofReconciliation: [Kind] { allCases.filter { $0 != .doesNotAddUp } }
    }

    init(unreadable error: ReportRecordError) {
        let article = ["order", "employee", "item"].contains(error.record) ? "an" : "a"
        self.init(
            .unreadableRecord, error.identifier.map { [error.record: $0] } ?? [:],
            error.field.isEmpty
                ? "\(article) \(error.record) is not an object, and was left out"
                : "\(article) \(error.record) has no usable '\(error.field)', and was left out")
    }
}

extension ReportName {
    /// A heading, such as `Sales`.
    package var title: String { rawValue.prefix(1).uppercased() + rawValue.dropFirst() }
}

extension ReportRequest {
    /// `Sales by day`.
    package var title: String { report.title + (grouping.map { " by \($0.rawValue)" } ?? "") }

    /// `2026-10-01`, or `2026-10-01 to 2026-10-15`.
    package var periodText: String {
        let first = CalendarDate.text(period.first)
        return period.first == period.last ? first : "\(first) to \(CalendarDate.text(period.last))"
    }

    /// `America/New_York, days from 04:00`.
    package var clockText: String {
        let minute = calendar.startMinute
        guard minute > 0 else { return calendar.zone.name }
        func two(_ number: Int) -> String { (number < 10 ? "0" : "") + String(number) }
        return "\(calendar.zone.name), days from \(two(minute / 60)):\(two(minute % 60))"
    }
}
