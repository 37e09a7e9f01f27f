import CloverCalendar
import CloverOutput

/// The chart of a report as an SVG image inside a page: columns over time, bars for the largest rows, or a map of
/// hours.
enum ReportPageChart {
    private static let width = 960
    /// The most bars of a report whose rows are not times.
    private static let barLimit = 20
    /// More columns would be lines.
    private static let columnLimit = 400

    /// - Returns: nil if there is nothing to compare.
    static func svg(_ table: ReportTable) -> String? {
        // Amounts of different currencies cannot be compared.
        let tables = table.byCurrency
        let charts = tables.compactMap { svg($0, tables.count > 1 ? $0.currency : "") }
        return charts.isEmpty ? nil : charts.joined()
    }

    private static func svg(_ table: ReportTable, _ currency: String) -> String? {
        guard let data = ChartData(table) else { return nil }
        let heading = currency.isEmpty ? data.title : "\(data.title), \(currency)"
        switch data.form {
        case .bars(let groups):
            let all = groups.flatMap(\.bars)
            guard all.count > 1, all.contains(where: { $0.value != 0 }) else { return nil }
            let range = (all.reduce(0) { min($0, $1.value) }, all.reduce(0) { max($0, $1.value) })
            return groups.map { group in
                let (bars, title) = (group.bars, group.title.isEmpty ? "" : ", \(group.title)")
                if data.isOverTime, bars.count <= columnLimit, bars.count > 4 {
                    return figure(heading, caption: title, columns(bars, range))
                }
                let shown = Array(bars.prefix(barLimit))
                let rest = shown.count < bars.count ? ", the first \(shown.count) of \(bars.count) rows" : ""
                return figure(heading, caption: title + rest, self.bars(shown, range))
            }.joined()
        case .grids(let grids):
            let writer = ReportValueText(table)
            let images = grids.filter { $0.greatest > 0 }.map { grid in
                figure(
                    heading, caption: grid.title.isEmpty ? "" : ", \(grid.title)",
                    map(grid, writer, table.columns[data.measure].kind))
            }
            return images.isEmpty ? nil : images.joined()
        }
    }

    private static func figure(_ heading: String, caption: String, _ image: (height: Int, body: String)) -> String {
        let name = ReportPage.escaped(heading + caption)
        return """
            <figure>
            <figcaption>\(name)</figcaption>
            <svg viewBox="0 0 \(width) \(image.height)" role="img" aria-label="\(name)">
            \(image.body)</svg>
            </figure>

            """
    }

    /// One decimal is enough for a coordinate.
    private static func number(_ value: Double) -> String {
        let tenths = Int((value * 10).rounded())
        return tenths % 10 == 0 ? "\(tenths / 10)" : "\(tenths < 0 ? "-" : "")\(abs(tenths) / 10).\(abs(tenths) % 10)"
    }

    // MARK: Bars

    /// - Parameter range: the least and the greatest value of all bars that are compared.
    private static func bars(
        _ bars: [ChartData.Bar], _ range: (least: Int64, greatest: Int64)
    ) -> (height: Int, body: String) {
        let (line, labelWidth, valueWidth) = (26.0, 220.0, 130.0)
        let room = Double(width) - labelWidth - valueWidth - 20
        let greatest = Double(max(range.least.magnitude, range.greatest.magnitude))
        var body = ""
        for (place, bar) in bars.enumerated() {
            let top = Double(place) * line
            let size = max(bar.value == 0 ? 0 : 1, Double(bar.value.magnitude) / greatest * room)
            let label = ReportPage.escaped(
                DisplayWidth.of(bar.label) > 30 ? DisplayWidth.cut(bar.label, to: 30) : bar.label)
            body += """
                <text x="\(number(labelWidth))" y="\(number(top + 17))" text-anchor="end" unicode-bidi="isolate">\(label)\
                <title>\(ReportPage.escaped(bar.label))</title></text>
                <rect class="\(bar.value < 0 ? "less" : "bar")" x="\(number(labelWidth + 10))" y="\(number(top + 4))" \
                width="\(number(size))" height="18" rx="2"/>
                <text x="\(number(labelWidth + 18 + size))" y="\(number(top + 17))">\(ReportPage.escaped(bar.text))</text>

                """
        }
        return (Int(Double(bars.count) * line), body)
    }

    // MARK: Columns

    private static func columns(
        _ bars: [ChartData.Bar], _ range: (least: Int64, greatest: Int64)
    ) -> (height: Int, body: String) {
        let (left, top, height) = (4.0, 22.0, 200.0)
        let scale = height / max(1, Double(range.greatest) - Double(range.least))
        let zero = top + Double(range.greatest) * scale
        let greatest = bars.reduce(0) { max($0, $1.value) }
        let step = (Double(width) - 2 * left) / Double(bars.count)
        var body = ""
        for (place, bar) in bars.enumerated() {
            let size = max(bar.value == 0 ? 0 : 1, Double(bar.value.magnitude) * scale)
            body += """
                <rect class="\(bar.value < 0 ? "less" : "bar")" x="\(number(left + Double(place) * step + step * 0.12))" \
                y="\(number(bar.value < 0 ? zero : zero - size))" width="\(number(step * 0.76))" height="\(number(size))">\
                <title>\(ReportPage.escaped("\(bar.label): \(bar.text)"))</title></rect>

                """
        }
        body += "<line class=\"axis\" x1=\"0\" x2=\"\(width)\" y1=\"\(number(zero))\" y2=\"\(number(zero))\"/>\n"
        // Labels that do not touch each other: about 7 px for a character.
        let widest = bars.reduce(0) { max($0, DisplayWidth.of($1.label)) }
        let every = max(1, Int((Double(min(widest, 24) * 7 + 12) / step).rounded(.up)))
        // Where the last label ends: the first and the last one are moved into the picture.
        var end = 0.0
        for place in stride(from: 0, to: bars.count, by: every) {
            let half = Double(min(widest, 24)) * 3.5
            let middle = min(max(left + (Double(place) + 0.5) * step, half), Double(width) - half)
            if place > 0, middle - half < end { continue }
            end = middle + half
            let label = bars[place].label
            let short = DisplayWidth.of(label) > 24 ? DisplayWidth.cut(label, to: 24) : label
            body += """
                <text class="soft" x="\(number(middle))" y="\(number(top + height + 18))" text-anchor="middle">\
                \(ReportPage.escaped(short))</text>

                """
        }
        if let high = bars.firstIndex(where: { $0.value == greatest }), greatest > 0 {
            let middle = left + (Double(high) + 0.5) * step
            let x = min(max(middle, 45), Double(width) - 45)
            body += """
                <text x="\(number(x))" y="\(number(zero - Double(greatest) * scale - 8))" text-anchor="middle">\(ReportPage.escaped(bars[high].text))</text>

                """
        }
        return (Int(top + height + 26), body)
    }

    // MARK: Hours

    private static let opacities = ["0.25", "0.5", "0.75", "1"]

    private static func map(
        _ grid: ChartData.Grid, _ writer: ReportValueText, _ kind: ReportTable.Kind
    ) -> (height: Int, body: String) {
        let (left, top, line) = (90.0, 20.0, 28.0)
        let step = min(64, (Double(width) - left) / Double(grid.hours.count))
        var body = ""
        for (place, hour) in grid.hours.enumerated() {
            body += """
                <text class="soft" x="\(number(left + (Double(place) + 0.5) * step))" y="13" text-anchor="middle">\
                \(hour < 10 ? "0" : "")\(hour)</text>

                """
        }
        let limits = grid.limits
        for (day, values) in grid.days.enumerated() {
            let y = top + Double(day) * line
            let name = CalendarDate.weekdays[day]
            body += "<text x=\"\(number(left - 10))\" y=\"\(number(y + 18))\" text-anchor=\"end\">\(name)</text>\n"
            for (place, value) in values.enumerated() {
                let level = grid.level(value, limits)
                let style = level == 0 ? "class=\"none\"" : "class=\"bar\" fill-opacity=\"\(opacities[level - 1])\""
                let hour = grid.hours.lowerBound + place
                let text = "\(name) \(hour < 10 ? "0" : "")\(hour):00: \(writer.text(.integer(value ?? 0), kind))"
                body += """
                    <rect \(style) x="\(number(left + Double(place) * step + 1))" y="\(number(y + 1))" \
                    width="\(number(step - 2))" height="\(number(line - 2))" rx="3">\
                    <title>\(ReportPage.escaped(text))</title></rect>

                    """
            }
        }
        let key = top + 7 * line + 18
        let steps = limits.map { ReportPage.escaped(writer.text(.integer($0), kind)) }.joined(separator: ", ")
        body += """
            <text class="soft" x="\(number(left))" y="\(number(key))">From faint to strong: up to \(steps).</text>

            """
        return (Int(key + 8), body)
    }
}
