import CloverCalendar
import CloverOutput

/// Draws a report in terminal characters: bars, a line of the other amounts over time, or a map of the week's hours.
///
/// Everything can be read without colors: the number is beside each bar, and the shades of a map have a key.
package enum ReportChart {
    /// The most bars of a report whose rows are not times; the rest is one line.
    private static let barLimit = 40
    private static let gap = "  "

    /// The lines, at most `width` columns wide; none if the report has no numbers.
    ///
    /// - Parameter width: of the terminal, in columns; at least 30 are used.
    package static func lines(_ table: ReportTable, width: Int, isColored: Bool) -> [String] {
        // Amounts of different currencies cannot be compared.
        let tables = table.byCurrency
        return tables.reduce(into: []) { lines, table in
            let chart = self.lines(table, tables.count > 1 ? table.currency : "", width, isColored)
            lines += (lines.isEmpty || chart.isEmpty ? [] : [""]) + chart
        }
    }

    private static func lines(
        _ table: ReportTable, _ currency: String, _ width: Int, _ isColored: Bool
    ) -> [String] {
        guard let data = ChartData(table) else { return [] }
        let width = max(30, width)
        let heading = currency.isEmpty ? data.title : "\(data.title), \(currency)"
        func strong(_ text: String) -> String { isColored ? TextStyle.strong.applied(to: text) : text }
        switch data.form {
        case .bars(let groups):
            let limit = data.isOverTime ? Int.max : barLimit
            let shape = BarShape(groups.flatMap { $0.bars.prefix(limit) }, width, keepsLabels: data.hasTimes)
            var lines: [String] = []
            for group in groups {
                let title = group.title.isEmpty ? heading : "\(heading), \(group.title)"
                lines += (lines.isEmpty ? [] : [""]) + [strong(TableText.cut(title, to: width))]
                lines += group.bars.prefix(limit).flatMap { self.bar($0, shape, isColored) }
                let rest = group.bars.dropFirst(limit)
                guard !rest.isEmpty else { continue }
                let sum = rest.reduce(0) { $0 + $1.value }
                let text = ReportValueText(table).text(.integer(sum), table.columns[data.measure].kind)
                lines.append(TableText.cut("and \(rest.count) more: \(text)", to: width))
            }
            return lines + (data.isOverTime ? trends(table, data, width, strong) : [])
        case .grids(let grids):
            return grids.flatMap { grid -> [String] in
                let title = grid.title.isEmpty ? heading : "\(heading), \(grid.title)"
                return [strong(TableText.cut(title, to: width))] + map(grid, table, data.measure, width, isColored)
            }
        }
    }

    // MARK: Bars

    /// What the bars of a chart have in common, so that they can be compared.
    private struct BarShape {
        let width: Int
        let labelWidth: Int
        let valueWidth: Int
        let barWidth: Int
        let greatest: UInt64
        /// Whether each label has a separate line, because times are not cut.
        let hasLabelLines: Bool

        private static let leastBar = 8

        init(_ bars: [ChartData.Bar], _ width: Int, keepsLabels: Bool) {
            self.width = width
            valueWidth = bars.reduce(0) { max($0, DisplayWidth.of($1.text)) }
            greatest = bars.reduce(0) { max($0, $1.value.magnitude) }
            let labels = bars.reduce(0) { max($0, DisplayWidth.of($1.label)) }
            let room = width - valueWidth - 2 * gap.count
            // Names leave half of the rest to the bars.
            let half = max(6, room / 2)
            hasLabelLines = keepsLabels && labels > half && labels > room - Self.leastBar
            labelWidth = hasLabelLines ? 0 : keepsLabels ? labels : min(labels, half)
            barWidth = max(1, room - labelWidth)
        }
    }

    private static func bar(_ bar: ChartData.Bar, _ shape: BarShape, _ isColored: Bool) -> [String] {
        let value = String(repeating: " ", count: max(0, shape.valueWidth - DisplayWidth.of(bar.text))) + bar.text
        var drawn = self.bar(bar.value, of: shape.greatest, width: shape.barWidth)
        if isColored { drawn = (bar.value < 0 ? TextStyle.bad : .good).applied(to: drawn) }
        guard !shape.hasLabelLines else {
            return [TableText.cut(bar.label, to: shape.width), TableText.trimmed(gap + value + gap + drawn)]
        }
        let label = TableText.padded(TableText.cut(bar.label, to: shape.labelWidth), to: shape.labelWidth)
        return [TableText.trimmed(label + gap + value + gap + drawn)]
    }

    /// Eighths of a character for a value above 0, whole shaded characters below.
    static func bar(_ value: Int64, of greatest: UInt64, width: Int) -> String {
        guard value != 0, greatest > 0 else { return "" }
        let eighths = max(1, Int((Double(value.magnitude) / Double(greatest) * Double(width * 8)).rounded()))
        if value < 0 { return String(repeating: "░", count: max(1, (eighths + 4) / 8)) }
        let parts = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"]
        return String(repeating: "█", count: eighths / 8) + parts[eighths % 8]
    }

    // MARK: Trends

    /// One line for each other amount that changes over time: its course, the least and the greatest value.
    private static func trends(
        _ table: ReportTable, _ data: ChartData, _ width: Int, _ strong: (String) -> String
    ) -> [String] {
        let writer = ReportValueText(table)
        let others = table.columns.indices.filter { table.columns[$0].kind == .money && $0 != data.measure }
        let rows = table.rows.dropLast(table.summaryRows)
        // Two values are no course.
        guard rows.count > 2, keyCount(table) == 1 else { return [] }
        let headings = others.reduce(0) { max($0, DisplayWidth.of(table.columns[$1].heading)) }
        let courses = others.compactMap { column -> (heading: String, values: [Int64], range: String)? in
            let values = rows.map { $0[column].number ?? 0 }
            guard let least = values.min(), let greatest = values.max(), least != greatest else { return nil }
            let range = "\(writer.text(.integer(least), .money)) to \(writer.text(.integer(greatest), .money))"
            return (TableText.padded(table.columns[column].heading, to: headings), values, range)
        }
        let ranges = courses.reduce(0) { max($0, DisplayWidth.of($1.range)) }
        let room = width - headings - 2 * gap.count - ranges
        let lines = courses.map { heading, values, range in
            // All have their courses, and all their ranges if there is room for both.
            let course = sparkline(values, width: min(room >= 8 ? room : width - headings - gap.count, values.count))
            return heading + gap + course + (room >= 8 ? gap + range : "")
        }
        return lines.isEmpty ? [] : ["", strong("OVER TIME")] + lines
    }

    /// The number of columns before the first amount or count.
    private static func keyCount(_ table: ReportTable) -> Int {
        table.columns.prefix { $0.kind != .money && ($0.kind != .count || $0.name == "hour") }.count
    }

    /// Eight heights; several values in one character are their mean.
    static func sparkline(_ values: [Int64], width: Int) -> String {
        guard !values.isEmpty, width > 0 else { return "" }
        let count = min(width, values.count)
        let means = (0..<count).map { place -> Double in
            let part = values[(place * values.count / count)..<((place + 1) * values.count / count)]
            return part.reduce(0) { $0 + Double($1) } / Double(part.count)
        }
        let least = min(0, means.min() ?? 0)
        let range = (means.max() ?? 0) - least
        let heights = Array("▁▂▃▄▅▆▇█")
        return String(means.map { heights[range > 0 ? Int((($0 - least) / range * 7).rounded()) : 0] })
    }

    // MARK: Hours

    private static let shades: [Character] = ["·", "░", "▒", "▓", "█"]

    private static func map(
        _ grid: ChartData.Grid, _ table: ReportTable, _ measure: Int, _ width: Int, _ isColored: Bool
    ) -> [String] {
        let hours = Array(grid.hours)
        let labelWidth = 3
        // A column between cells shows where one ends, if there is room for it.
        let cell = max(1, min(8, (width - labelWidth - 1) / hours.count))
        let every = cell >= 3 ? 1 : cell == 2 ? 2 : 4
        var head = String(repeating: " ", count: labelWidth + 1)
        for (place, hour) in hours.enumerated() {
            if place % every == 0 { head += TableText.padded(hour < 10 ? "0\(hour)" : "\(hour)", to: cell * every) }
        }
        var lines = [TableText.trimmed(head)]
        let limits = grid.limits
        for (day, values) in grid.days.enumerated() {
            var line = TableText.padded(String(CalendarDate.weekdays[day].prefix(labelWidth)), to: labelWidth) + " "
            for value in values {
                let level = grid.level(value, limits)
                let size = cell >= 3 ? cell - 1 : cell
                let filled = String(repeating: shades[level], count: level == 0 ? 1 : size)
                let text = TableText.padded(filled, to: cell)
                line += isColored && level > 0 ? TextStyle.good.applied(to: filled) + text.dropFirst(size) : text
            }
            lines.append(TableText.trimmed(line))
        }
        return lines + key(limits, table, measure, width)
    }

    /// What the shades mean, on as many lines as needed.
    private static func key(
        _ limits: [Int64], _ table: ReportTable, _ measure: Int, _ width: Int
    ) -> [String] {
        let writer = ReportValueText(table)
        let kind = table.columns[measure].kind
        var lines: [String] = []
        var line = "· none"
        for (place, limit) in limits.enumerated() {
            let upTo = writer.text(.integer(limit), kind)
            let part = "\(shades[place + 1]) to \(upTo)"
            if DisplayWidth.of(line) + gap.count + DisplayWidth.of(part) <= width {
                line += gap + part
            } else {
                lines.append(line)
                line = part
            }
        }
        return lines + [line]
    }
}

/// Texts of a given width.
private enum TableText {
    static func padded(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - DisplayWidth.of(text)))
    }

    static func trimmed(_ text: String) -> String {
        var text = text
        while text.last == " " { text.removeLast() }
        return text
    }

    static func cut(_ text: String, to width: Int) -> String {
        DisplayWidth.of(text) > width ? DisplayWidth.cut(text, to: width) : text
    }
}
