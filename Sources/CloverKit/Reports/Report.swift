import CloverCalendar
import CloverReports

/// What a shop sold in a period, in the shop's own business days.
///
/// A report is complete, and its totals agree with its records; otherwise `Shop.report(_:period:by:timeZone:)` throws. The names of
/// the columns are in <doc:ReportColumns>.
///
/// ```swift
/// let report = try await shop.report(.tips, period: .yesterday)
/// print(report.columns.map(\.heading), report.currency ?? "")
/// for row in report.rows {
///     print(row["name"] ?? .empty, row.money("tips")?.minorUnits ?? 0)
/// }
/// if let total = report.totals.first { print(total.money("tips")?.minorUnits ?? 0) }
/// for note in report.notes { print(note) }
/// ```
public struct Report: Sendable, Hashable {
    /// What it shows.
    public let name: Name
    /// What a row stands for; nil for the report's own rows.
    public let grouping: Grouping?
    /// The first business day, such as `2026-10-01`.
    public let firstDay: String
    /// The last business day, which is included. The current day may not be over.
    public let lastDay: String
    /// The time zone of the days, such as `America/New_York`.
    public let timeZone: String
    /// ISO 4217 code of the amounts; nil if Clover does not say.
    public let currency: String?
    /// The columns, in their order.
    public let columns: [Column]
    /// The rows, in their order; at least one. A report of days, weeks, months or hours of the clock (`.hour`) has a row for each of
    /// them, and sales without a grouping have one row. Other reports with nothing to show have one row, whose names, ids and times
    /// are `.empty` and whose amounts are 0.
    public let rows: [Row]
    /// The sums of the columns that can be added, also if there is only one row; none for sales without a grouping, whose only row
    /// is the total. Items and categories have a second one, for what is not revenue, if there is any.
    public let totals: [Row]
    /// What readers must know about these numbers: one sentence each. Some name reports and commands as the program does, such as
    /// 'report tenders' and 'clover reconcile'.
    public let notes: [String]

    /// The reports.
    ///
    /// ```swift
    /// let names: [Report.Name] = [
    ///     .sales, .items, .categories, .employees, .tenders, .taxes, .tips, .discounts, .refunds, .hours,
    /// ]
    /// for name in names { print(name, try await shop.report(name, period: .thisMonth).columns.map(\.name)) }
    /// ```
    public enum Name: String, Sendable, Hashable, CaseIterable {
        /// Gross and net sales, tax, tips and the amount collected.
        case sales
        /// Sales by item.
        case items
        /// Sales by the first category of each item.
        case categories
        /// Payments and refunds by employee.
        case employees
        /// Payments and refunds by tender.
        case tenders
        /// Tax by rate.
        case taxes
        /// Tips, by employee unless grouped otherwise.
        case tips
        /// Discounts by name.
        case discounts
        /// Refunds and manual refunds.
        case refunds
        /// Sales by weekday and hour.
        case hours
    }

    /// What a row stands for, where a report can be divided in several ways.
    ///
    /// ```swift
    /// for grouping: Report.Grouping in [.employee, .tender, .day, .week, .month] {
    ///     print(try await shop.report(.tips, period: .lastMonth, by: grouping).grouping ?? .day)
    /// }
    /// print(try await shop.report(.sales, period: .today, by: .hour).rows.count)
    /// ```
    public enum Grouping: String, Sendable, Hashable, CaseIterable {
        /// A business day.
        case day
        /// A week, from Monday.
        case week
        /// A month.
        case month
        /// An hour of the clock.
        case hour
        /// An employee.
        case employee
        /// A tender.
        case tender
    }

    /// A column.
    ///
    /// ```swift
    /// for column in try await shop.report(.sales, period: .thisWeek).columns { print(column.name, column.heading) }
    /// ```
    public struct Column: Sendable, Hashable {
        /// The key of the column in each row, such as `grossSales`.
        public let name: String
        /// A heading in capitals, such as `GROSS`.
        public let heading: String
    }

    /// A cell.
    ///
    /// ```swift
    /// func text(_ value: Report.Value) -> String {
    ///     switch value {
    ///     case .text(let text), .day(let text): text
    ///     case .count(let number): "\(number)"
    ///     case .money(let amount): "\(amount.minorUnits)"
    ///     case .thousandths(let quantity): "\(Double(quantity) / 1000)"
    ///     case .millionths(let ratio): "\(Double(ratio) / 10_000) %"
    ///     case .time(let time): "\(time.date)"
    ///     case .empty: ""
    ///     }
    /// }
    /// let report = try await shop.report(.items, period: .yesterday)
    /// for row in report.rows { print(report.columns.map { text(row[$0.name] ?? .empty) }) }
    /// ```
    public enum Value: Sendable, Hashable {
        /// A name, an id, or a month such as `2026-10`.
        case text(String)
        /// A number: of records or days, or the hour of the day.
        case count(Int64)
        /// An amount in the minor unit of the report's currency.
        case money(Money)
        /// A quantity in thousandths of a piece or unit.
        case thousandths(Int64)
        /// A ratio in millionths: 0.125 is 125,000.
        case millionths(Int64)
        /// A business day, or the first one of a week, such as `2026-10-01`.
        case day(String)
        /// An instant.
        case time(Timestamp)
        /// Unknown, or nothing to show.
        case empty
    }

    /// A row, or a total.
    ///
    /// ```swift
    /// for row in try await shop.report(.tenders, period: .yesterday).rows { print(row.values.keys.sorted()) }
    /// ```
    public struct Row: Sendable, Hashable {
        /// The cells by the names of their columns.
        public let values: [String: Value]

        /// The cell of a column; nil if the report has no such column.
        ///
        /// ```swift
        /// for row in try await shop.report(.sales, period: .today).rows {
        ///     if case .money(let net) = row["netSales"] { print(net.minorUnits) }
        /// }
        /// ```
        public subscript(column: String) -> Value? { values[column] }

        /// The amount of a column, in minor units; nil if there is no such column, or if it holds no amount.
        ///
        /// ```swift
        /// let days = try await shop.report(.sales, period: .lastWeek, by: .day).rows
        /// print(days.compactMap { $0.money("netSales")?.minorUnits }.max() ?? 0)
        /// ```
        public func money(_ column: String) -> Money? {
            guard case .money(let amount) = values[column] else { return nil }
            return amount
        }
    }

    /// A record, or a sum, that does not add up.
    public struct Finding: Sendable, Hashable {
        /// A stable code, such as `overpaid`.
        public let kind: String
        /// The ids of the records that it is about, by `order`, `payment`, `refund` or `credit`.
        public let identifiers: [String: String]
        /// The difference in minor units; nil if it is not about an amount.
        public let amount: Money?
        /// One sentence, without the ids.
        public let sentence: String
    }

    /// A report whose numbers are not proved, because records contradict each other or cannot be read.
    ///
    /// ```swift
    /// do {
    ///     print(try await shop.report(.sales, period: .yesterday).rows.count)
    /// } catch let error as Report.Unproved {
    ///     for finding in error.findings {
    ///         print(finding.kind, finding.identifiers, finding.amount?.minorUnits ?? 0, finding.sentence)
    ///     }
    ///     print(error.nextStep)
    ///     print("without proof:", error.report.rows.first?.money("netSales")?.minorUnits ?? 0)
    /// }
    /// ```
    public struct Unproved: Error, Sendable, Hashable, CustomStringConvertible {
        /// The numbers without proof.
        public let report: Report
        /// Why they are not proved; at least one.
        public let findings: [Finding]

        /// What to do next.
        public var nextStep: String {
            "look at the records that the findings name; 'clover reconcile' for the same days shows more of the orders"
        }

        public var description: String {
            "the report does not add up: "
                + findings.map { finding in
                    let ids = finding.identifiers.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }
                    return (ids.isEmpty ? "" : ids.joined(separator: ", ") + ": ") + finding.sentence
                }.joined(separator: "; ") + "; " + nextStep
        }
    }
}

extension Report {
    /// Business days, as people name them.
    ///
    /// ```swift
    /// let week = try await shop.report(.sales, period: .lastWeek, by: .day)
    /// let october = try await shop.report(.sales, period: "2026-10")
    /// let days = try await shop.report(.sales, period: Report.Period("2026-10-01..2026-10-15"))
    /// print(week.firstDay, week.lastDay, october.timeZone, days.rows.count)
    /// ```
    public struct Period: Sendable, Hashable, ExpressibleByStringLiteral {
        /// A word such as `last-week` or `this-quarter`, a year (`2026`), a quarter (`2026-Q3`), a month (`2026-10`), a day (`2026-10-01`), or
        /// two of these joined by `..`, both included.
        public let text: String

        /// Days by a text: a word, which is `today`, `yesterday`, `this-week`, `last-week`, `this-month`, `last-month`, `this-quarter`,
        /// `last-quarter`, `this-year` or `last-year`; or as in `text`. Weeks begin on Monday. A period that is not over ends today.
        ///
        /// - Parameter text: see `text`; it is not checked here: `Shop.report(_:period:by:timeZone:)` throws for one that is no period.
        public init(_ text: String) { self.text = text }

        /// Days by a string literal, like `init(_:)`.
        ///
        /// - Parameter value: see `init(_:)`.
        public init(stringLiteral value: String) { text = value }

        /// The current day until now.
        public static let today = Period("today")
        /// The day before the current one.
        public static let yesterday = Period("yesterday")
        /// From Monday until now.
        public static let thisWeek = Period("this-week")
        /// The whole week before, from Monday.
        public static let lastWeek = Period("last-week")
        /// From the first day of the month until now.
        public static let thisMonth = Period("this-month")
        /// The whole month before.
        public static let lastMonth = Period("last-month")
    }
}

extension Report {
    init(_ table: ReportTable, _ request: ReportRequest, _ name: Name, _ grouping: Grouping?) {
        self.name = name
        self.grouping = grouping
        firstDay = CalendarDate.text(request.period.first)
        lastDay = CalendarDate.text(request.period.last)
        timeZone = table.zone
        currency = table.currency.isEmpty ? nil : table.currency
        columns = table.columns.map { Column(name: $0.name, heading: $0.heading) }
        rows = table.rows.map { Row($0, table.columns) }
        totals = table.totals.map { Row($0, table.columns) }
        notes = table.notes + table.remarks
    }
}

extension Report.Row {
    init(_ cells: [ReportTable.Value], _ columns: [ReportTable.Column]) {
        var values: [String: Report.Value] = [:]
        for (cell, column) in zip(cells, columns) { values[column.name] = Report.Value(cell, column.kind) }
        self.values = values
    }
}

extension Report.Value {
    init(_ cell: ReportTable.Value, _ kind: ReportTable.Kind) {
        switch (cell, kind) {
        case (.none, _): self = .empty
        case (.text(let text), _): self = .text(text)
        case (.integer(let number), .money): self = .money(Money(minorUnits: number))
        case (.integer(let number), .quantity): self = .thousandths(number)
        case (.integer(let number), .percent): self = .millionths(number)
        case (.integer(let number), .date): self = .day(CalendarDate.text(number))
        case (.integer(let number), .time): self = .time(Timestamp(milliseconds: number))
        case (.integer(let number), .count), (.integer(let number), .text), (.integer(let number), .identifier):
            self = .count(number)
        }
    }
}

extension Report.Finding {
    init(_ finding: ReportFinding) {
        kind = finding.kind
        identifiers = finding.identifiers
        amount = finding.amount.map { Money(minorUnits: $0) }
        sentence = finding.sentence
    }
}

extension Report.Name {
    var internalName: ReportName {
        switch self {
        case .sales: .sales
        case .items: .items
        case .categories: .categories
        case .employees: .employees
        case .tenders: .tenders
        case .taxes: .taxes
        case .tips: .tips
        case .discounts: .discounts
        case .refunds: .refunds
        case .hours: .hours
        }
    }
}
