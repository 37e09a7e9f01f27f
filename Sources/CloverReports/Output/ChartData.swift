import CloverCalendar
import CloverOutput
import CloverSystem

/// What a chart of a report shows: one number for each row, or for each hour of the week.
struct ChartData {
    struct Bar {
        var label: String
        var value: Int64
        /// The value for people.
        var text: String
    }

    /// The bars of one period of a comparison, or of one shop.
    struct Group {
        /// Empty if there is one group.
        var title: String
        var bars: [Bar]
    }

    /// Hours across, days of the week down.
    struct Grid {
        /// What it is of, such as a shop; empty if there is one grid.
        var title: String
        /// The hours shown, without a gap.
        var hours: ClosedRange<Int>
        /// One row for each day, from Monday; nil without a sale.
        var days: [[Int64?]]

        var greatest: Int64 { days.joined().reduce(0) { max($0, $1 ?? 0) } }

        /// 0 for nothing, then 1 to 4: each level has about a quarter of the hours, so that one large order does not
        /// make all others look alike.
        func level(_ value: Int64?, _ limits: [Int64]) -> Int {
            guard let value, value > 0 else { return 0 }
            return 1 + (limits.firstIndex { value <= $0 } ?? 3)
        }

        /// The greatest values of the levels 1 to 4; empty if nothing was sold.
        var limits: [Int64] {
            let values = days.joined().compactMap(\.self).filter { $0 > 0 }.sorted()
            guard !values.isEmpty else { return [] }
            return (1...4).map { values[(values.count * $0 + 3) / 4 - 1] }
        }
    }

    enum Form {
        case bars([Group])
        case grids([Grid])
    }

    /// The column whose numbers are shown; of a report with a single row, the first of them.
    let measure: Int
    /// Its heading, or what the bars of a single row are.
    let title: String
    let form: Form
    /// Whether the rows follow each other in time, so that their order says something.
    let isOverTime: Bool
    /// Whether labels are times, which all look the same when their ends are cut off.
    let hasTimes: Bool

    /// - Parameter table: of one currency; see `byCurrency`.
    /// - Returns: nil if the table has no number or no row.
    init?(_ table: ReportTable) {
        let columns = table.columns
        let count = columns.firstIndex { $0.kind == .count && $0.name != "hour" }
        guard let measure = table.leadingAmount ?? count else { return nil }
        let rows = table.rows.dropLast(table.summaryRows)
        guard !rows.isEmpty else { return nil }
        self.measure = measure
        let writer = ReportValueText(table)
        let keys = Self.keys(columns)
        let amounts = columns.indices.filter { columns[$0].kind == .money }
        // One bar would say nothing.
        if rows.count == 1, let row = rows.first, keys.isEmpty, amounts.count > 1 {
            (title, isOverTime, hasTimes) = ("AMOUNTS", false, false)
            let bars = amounts.map {
                Bar(label: columns[$0].heading, value: row[$0].number ?? 0, text: writer.text(row, $0))
            }
            form = .bars([Group(title: "", bars: bars)])
            return
        }
        title = columns[measure].heading
        if let day = columns.firstIndex(where: { $0.name == "weekday" }),
            let hour = columns.firstIndex(where: { $0.name == "hour" })
        {
            (isOverTime, hasTimes) = (true, true)
            let grids = Self.grids(rows, day, hour, measure, columns)
            guard !grids.isEmpty else { return nil }
            form = .grids(grids)
            return
        }
        isOverTime = keys.last.map { ["day", "week", "month", "hour"].contains(columns[$0].name) } ?? false
        // Each period or shop has its own bars: its name in front of every label would leave no room for the rest.
        let group = keys.count > 1 ? keys.prefix(1).first { ["period", "shop"].contains(columns[$0].name) } : nil
        let own = group == nil ? keys : Array(keys.dropFirst())
        var groups: [Group] = []
        for row in rows {
            let title = group.map { writer.text(row, $0) } ?? ""
            let label = own.map { Self.label(row[$0], columns[$0], writer) }.filter { !$0.isEmpty }
            // An item may have an empty name; a row of zeros has none.
            let isNameless = label.isEmpty && own.contains { row[$0] != .none }
            let bar = Bar(
                label: isNameless ? ReportTable.nameless : label.isEmpty ? table.period : label.joined(separator: ", "),
                value: row[measure].number ?? 0, text: writer.text(row, measure))
            if groups.last?.title != title { groups.append(Group(title: title, bars: [])) }
            groups[groups.count - 1].bars.append(bar)
        }
        hasTimes = own.contains { ["period", "day", "week", "month", "hour", "time"].contains(columns[$0].name) }
        // Rows may be in the order of another column. Times stay in theirs.
        if !hasTimes {
            for place in groups.indices { groups[place].bars.sort { $0.value > $1.value } }
        }
        form = .bars(groups)
    }

    /// The columns that say what a row stands for: all before the first measure, without identifiers if there is a
    /// name.
    private static func keys(_ columns: [ReportTable.Column]) -> [Int] {
        let leading = columns.indices.prefix { index in
            switch columns[index].kind {
            case .text, .identifier, .date, .time: true
            case .count: columns[index].name == "hour"
            case .money, .quantity, .percent: false
            }
        }
        let named = leading.filter { columns[$0].kind != .identifier && columns[$0].name != "revenue" }
        return named.isEmpty ? Array(leading) : named
    }

    private static func label(
        _ value: ReportTable.Value, _ column: ReportTable.Column, _ writer: ReportValueText
    ) -> String {
        guard column.name == "hour", let hour = value.number else { return writer.text(value, column.kind) }
        return (hour < 10 ? "0" : "") + "\(hour):00"
    }

    private static func grids(
        _ rows: ArraySlice<[ReportTable.Value]>, _ day: Int, _ hour: Int, _ measure: Int,
        _ columns: [ReportTable.Column]
    ) -> [Grid] {
        let used: [Int64] = rows.compactMap { $0[hour].number }.filter { (0...23).contains($0) }
        guard let first = used.min(), let last = used.max() else { return [] }
        let hours = Int(first)...Int(last)
        var titles: [String] = []
        var grids: [String: Grid] = [:]
        for row in rows {
            let title = row.prefix(Swift.min(day, hour)).compactMap(\.string).joined(separator: ", ")
            if grids[title] == nil {
                titles.append(title)
                let empty = [Int64?](repeating: nil, count: hours.count)
                grids[title] = Grid(
                    title: TerminalText.line(title), hours: hours,
                    days: CalendarDate.weekdays.map { _ in empty })
            }
            guard let name = row[day].string, let place = CalendarDate.weekdays.firstIndex(of: name),
                let number = row[hour].number, let value = row[measure].number, hours.contains(Int(number))
            else { continue }
            let column = Int(number) - hours.lowerBound
            let sum = (grids[title]?.days[place][column] ?? 0) + value
            grids[title]?.days[place][column] = sum
        }
        return titles.compactMap { grids[$0] }
    }
}

extension ReportTable.Value {
    /// An id or a name; empty for none.
    static func identifier(_ text: String) -> ReportTable.Value { text.isEmpty ? .none : .text(text) }

    var number: Int64? { if case .integer(let number) = self { number } else { nil } }
    var string: String? { if case .text(let text) = self { text } else { nil } }
}
