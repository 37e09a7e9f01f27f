import CloverCalendar

/// What a row of sums is for.
enum RowKey: Hashable {
    case total
    /// The first day of the day, week or month, in days since 1970-01-01.
    case date(Int64)
    /// From 0 to 23, by the shop's clock.
    case hour(Int)
    /// From Monday (0), and the hour.
    case weekdayHour(Int, Int)
    /// The id of an employee or of a tender; empty for none.
    case identifier(String)

    /// Nil where the report has no row for the event: a sale has no tender.
    init?(_ request: ReportRequest, _ moment: BusinessMoment, employee: String, tender: String?) {
        switch request.grouping ?? request.report.ownGrouping {
        case .day: self = .date(moment.date)
        case .week: self = .date(moment.date - Int64(CalendarDate.weekday(moment.date)))
        case .month: self = .date(CalendarDate.startOfMonth(moment.date))
        case .hour where request.report == .hours:
            self = .weekdayHour(CalendarDate.weekday(moment.date), moment.hour)
        case .hour: self = .hour(moment.hour)
        case .employee: self = .identifier(employee)
        case .tender:
            guard let tender else { return nil }
            self = .identifier(tender)
        case nil: self = .total
        }
    }
}

extension ReportName {
    /// What the rows stand for without `--by`.
    var ownGrouping: ReportGrouping? {
        switch self {
        case .employees, .tips: .employee
        case .tenders: .tender
        case .hours: .hour
        case .sales, .items, .categories, .taxes, .discounts, .refunds: nil
        }
    }

    /// What its rows can be divided by.
    package var groupings: [ReportGrouping] {
        switch self {
        case .sales: [.day, .week, .month, .hour]
        case .tips: [.employee, .tender, .day, .week, .month]
        case .refunds: [.day, .week, .month, .employee, .tender]
        case .taxes: [.month]
        case .items, .categories, .employees, .tenders, .discounts, .hours: []
        }
    }

    var hasItems: Bool { self == .items || self == .categories }
}

/// What a row of the items report is for: the item, or without one the line's name.
struct ItemKey: Hashable {
    var item: String
    var name: String
    var isRevenue: Bool

    init(_ item: String?, _ name: String, isRevenue: Bool) {
        self.item = item ?? ""
        self.name = item == nil ? name : ""
        self.isRevenue = isRevenue
    }
}

struct ItemRow: Equatable {
    /// The name on the latest sale.
    var name = ""
    /// Thousandths.
    var quantity: Int64 = 0
    var lines: Int64 = 0
    var gross: Int64 = 0
    var discounts: Int64 = 0
    var refunds: Int64 = 0
    private var namedOn = Int64.min

    var net: Int64 { gross - discounts - refunds }

    mutating func add(_ line: OrderRecord.Line, _ amounts: OrderArithmetic.Line, at date: Int64) {
        rename(line.name, date)
        quantity += line.unitQuantity ?? 1000
        lines += 1
        gross += amounts.gross
        discounts += amounts.gross - amounts.paid
    }

    mutating func refund(_ amount: Int64, name: String, at date: Int64) {
        rename(name, date)
        refunds += amount
    }

    mutating func add(_ other: ItemRow) {
        quantity += other.quantity
        lines += other.lines
        gross += other.gross
        discounts += other.discounts
        refunds += other.refunds
    }

    private mutating func rename(_ name: String, _ date: Int64) {
        guard date > namedOn || date == namedOn && name < self.name else { return }
        self.name = name
        namedOn = date
    }
}
