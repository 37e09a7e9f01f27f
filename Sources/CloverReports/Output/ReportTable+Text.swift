package import CloverCalendar
import CloverOutput
import CloverSystem

extension ReportTable {
    /// The number of decimals of the amounts of a row; 0 if the currency is unknown, because amounts then stay in minor
    /// units.
    func decimals(of row: [Value]) -> Int {
        let currency = currency(of: row)
        do throws(RecordFormatError) { return try Currency(code: currency).decimals } catch { return 0 }
    }

    /// The rules of the time zones of all rows, by name; UTC for one that the zone database does not have.
    package var zoneRules: [String: TimeZoneRules] {
        var rules: [String: TimeZoneRules] = [:]
        for zone in Set(shops.values.map(\.zone) + [zone]) {
            do throws(TimeZoneError) { rules[zone] = try TimeZoneRules(named: zone) } catch { rules[zone] = .utc }
        }
        return rules
    }

    /// How an item or discount without a name is shown to people.
    static let nameless = "(no name)"

    /// A row for people.
    package func named(_ row: [Value]) -> [Value] {
        zip(columns, row).map { $0.name == "name" && $1 == .text("") ? .text(Self.nameless) : $1 }
    }

    /// The columns for people: identifiers are left out where a name stands for them.
    var shownColumns: [Int] {
        let hasText = columns.contains { $0.kind == .text }
        return columns.indices.filter { columns[$0].kind != .identifier || !hasText }
    }

    /// All sentences that belong under the title.
    package var sentences: [String] { notes + remarks }
}

/// Writes values for people: `$12.50`, `1.5`, `12.5%`, `2026-10-01`.
struct ReportValueText {
    private let table: ReportTable
    private let zones: [String: TimeZoneRules]

    init(_ table: ReportTable) {
        self.table = table
        let hasTimes = table.columns.contains { $0.kind == .time }
        zones = hasTimes ? table.zoneRules : [:]
    }

    /// The value of a cell, as `text(_:_:currency:)`.
    func text(_ row: [ReportTable.Value], _ column: Int) -> String {
        text(
            row[column], table.columns[column].kind, currency: table.currency(of: row),
            zone: zones.count > 1 ? table.shop(of: row).zone : nil)
    }

    /// One line without control characters; empty for none.
    ///
    /// - Parameters:
    ///   - currency: of the row; nil for that of the table.
    ///   - zone: of the row; nil for that of the table.
    func text(
        _ value: ReportTable.Value, _ kind: ReportTable.Kind, currency: String? = nil, zone: String? = nil
    ) -> String {
        switch value {
        case .none: return ""
        case .text(let text): return TerminalText.line(text)
        case .integer(let number):
            switch kind {
            case .text, .identifier, .count: return "\(number)"
            case .money: return ReportTable.moneyText(number, currency ?? table.currency)
            case .quantity: return Self.decimal(number, places: 3)
            case .percent: return Self.decimal(number, places: 4) + "%"
            case .date: return CalendarDate.text(number)
            case .time: return (zones[zone ?? table.zone] ?? .utc).text(milliseconds: number)
            }
        }
    }

    /// A decimal number without trailing zeros: 1500 with 3 places is `1.5`.
    static func decimal(_ number: Int64, places: Int) -> String {
        let digits = String(number.magnitude)
        let padded = String(repeating: "0", count: max(0, places + 1 - digits.count)) + digits
        var fraction = padded.suffix(places)
        while fraction.last == "0" { fraction.removeLast() }
        return (number < 0 ? "-" : "") + padded.dropLast(places) + (fraction.isEmpty ? "" : "." + fraction)
    }
}
