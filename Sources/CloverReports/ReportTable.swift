import CloverOutput

/// A finished report: typed rows under named columns, whatever they are then written as.
package struct ReportTable: Sendable, Equatable {
    /// What it shows, such as `Sales`.
    package var title: String
    /// The period in words, such as `October 2026` or `2026-10-01 to 2026-10-15`.
    package var period: String
    /// The name of the time zone, and the time of day at which days begin if it is not midnight: `America/New_York,
    /// days from 04:00`.
    package var clock: String
    /// ISO 4217 code of every amount; empty if it is unknown, or if the column `currency` has that of each row.
    package var currency: String
    /// The time zone alone.
    package var zone: String
    /// What readers must know about every report of this kind: one sentence each.
    package var notes: [String] = []
    /// What readers must know about these numbers.
    package var remarks: [String] = []
    package var columns: [Column]
    package var rows: [[Value]]
    /// The sums of the columns that can be added, one for each currency and for what is no revenue; none if the report has a single row that is its
    /// total.
    package var totals: [[Value]]
    /// How many of the last rows are sums or changes of others, which a chart leaves out.
    package var summaryRows = 0
    /// What does not add up: one sentence each, with the ids.
    package var findings: [String] = []
    /// What is each shop's own in a report of several, by the name in the column `shop`; none in a report of one.
    package private(set) var shops: [String: Shop] = [:]

    /// What may differ among the shops of a report.
    package struct Shop: Sendable, Equatable {
        package var period: String
        /// As `ReportTable.clock`.
        package var clock: String
        package var zone: String
    }

    package struct Column: Sendable, Equatable {
        /// Key in JSON, CSV and TSV, in camelCase: `grossSales`.
        package var name: String
        /// Heading in tables, workbooks and pages, in capitals: `GROSS`.
        package var heading: String
        package var kind: Kind

        package init(_ name: String, _ heading: String, _ kind: Kind) {
            self.name = name
            self.heading = heading
            self.kind = kind
        }
    }

    package enum Kind: Sendable, Equatable {
        case text
        /// An identifier of the service. Tables show the name beside it instead.
        case identifier
        case count
        /// An integer in the currency's minor unit.
        case money
        /// Thousandths of a piece or of a unit.
        case quantity
        /// Millionths: 0.125 is 125,000. JSON has the ratio times 100, as percent.
        case percent
        /// A date, in days since 1970-01-01: JSON has `2026-10-01`.
        case date
        /// An instant, in milliseconds since 1970: JSON has ISO 8601 in the shop's zone.
        case time
    }

    /// A value of a cell; which cases a column may hold follows from its kind.
    package enum Value: Sendable, Equatable {
        case text(String)
        /// For counts, money, quantities, percents, dates and times, in the unit of the column's kind.
        case integer(Int64)
        /// Nothing to show; JSON has null.
        case none
    }

    package init(
        title: String, period: String, clock: String, zone: String, currency: String, notes: [String] = [],
        remarks: [String] = [], columns: [Column], rows: [[Value]], total: [Value]? = nil
    ) {
        self.title = title
        self.period = period
        self.clock = clock
        self.zone = zone
        self.currency = currency
        self.notes = notes
        self.remarks = remarks
        self.columns = columns
        self.rows = rows
        totals = total.map { [$0] } ?? []
    }

    /// Period, clock and time zone of a row: those of its shop.
    package func shop(of row: [Value]) -> Shop {
        let own = shops.isEmpty ? nil : row.first?.string.flatMap { shops[$0] }
        return own ?? Shop(period: period, clock: clock, zone: zone)
    }

    /// Whether the rows have more than one time zone.
    package var hasSeveralZones: Bool { Set(shops.values.map(\.zone)).count > 1 }

    /// Takes over what is each shop's own from the tables of shops, and names in remarks what differs.
    mutating func addShops(_ tables: [(name: String, table: ReportTable)]) {
        let pairs = tables.map { ($0.name, Shop(period: $0.table.period, clock: $0.table.clock, zone: $0.table.zone)) }
        shops = Dictionary(pairs) { first, _ in first }
        guard Set(pairs.map(\.1.clock)).count > 1 else { return }
        clock = "each shop's own days"
        let periods = pairs.map(\.1.period).reduce(into: [String]()) { if !$0.contains($1) { $0.append($1) } }
        period = periods.joined(separator: " or ")
        for (name, shop) in pairs {
            remarks.append(
                "\(name): times and days are in \(shop.clock)" + (periods.count > 1 ? ", \(shop.period)." : "."))
        }
    }
}

extension ReportTable {
    /// The only total.
    package var total: [Value]? { totals.count == 1 ? totals[0] : nil }

    /// The place of the column with the currency of each row, in a report of shops with different ones.
    package var currencyColumn: Int? { columns.firstIndex { $0.name == "currency" } }

    /// The place of the amount that says most, such as net sales: a chart shows it, and a narrow table keeps it.
    package var leadingAmount: Int? {
        let names = ["netSales", "amountCollected", "grossSales", "tips", "amount", "tax"]
        return names.lazy.compactMap { name in columns.firstIndex { $0.name == name && $0.kind == .money } }.first
            ?? columns.firstIndex { $0.kind == .money }
    }

    /// ISO 4217 code of the amounts of a row; empty if unknown.
    package func currency(of row: [Value]) -> String { currencyColumn.map { row[$0].string ?? "" } ?? currency }

    /// An amount for people: `$12.50`, `12.50 SEK`; in minor units if the currency is unknown.
    package static func moneyText(_ amount: Int64, _ currency: String) -> String {
        do {
            return try Currency(code: currency).text(amount)
        } catch {
            return "\(amount) \(currency)"
        }
    }
}
