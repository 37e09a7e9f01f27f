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

/// Names of what records refer to by id.
package struct ReportNames: Sendable {
    /// Names by the id of the employee.
    package var employees: [String: String] = [:]
    /// Labels by the id of the tender.
    package var tenders: [String: String] = [:]
    /// The first category of each item, by the id of the item.
    package var categories: [String: (id: String, name: String)] = [:]

    package init() {}
}

/// A record, or a sum, that does not add up.
package struct ReportFinding: Sendable, Equatable {
    /// A stable code, such as `overpaid`.
    package var kind: String
    /// Identifiers of what it is about, by kind of record: `order`, `payment`, `refund`, `credit`, `charge`.
    package var identifiers: [String: String]
    /// The difference in the currency's minor unit, if it is about an amount.
    package var amount: Int64?
    /// One sentence for people, without the identifiers.
    package var sentence: String

    package init(_ kind: String, _ identifiers: [String: String], amount: Int64? = nil, _ sentence: String) {
        self.kind = kind
        self.identifiers = identifiers
        self.amount = amount
        self.sentence = sentence
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
