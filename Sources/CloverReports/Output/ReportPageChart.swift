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
        guard let data = ChartData(table) else { return nil }
        let heading = data.title
        switch data.form {
        case .bars(let bars):
            guard bars.count > 1, bars.contains(where: { $0.value != 0 }) else { return nil }
            if data.isOverTime, bars.count <= columnLimit, bars.count > 4 {
                return figure(heading, caption: "", columns(bars))
            }
            let shown = Array(bars.prefix(barLimit))
            let caption = shown.count < bars.count ? ", the first \(shown.count) of \(bars.count) rows" : ""
            return figure(heading, caption: caption, self.bars(shown))
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

    private static func bars(_ bars: [ChartData.Bar]) -> (height: Int, body: String) {
        let (line, labelWidth, valueWidth) = (26.0, 220.0, 130.0)
        let room = Double(width) - labelWidth - valueWidth - 20
        let greatest = Double(bars.reduce(0) { max($0, $1.value.magnitude) })
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

    private static func columns(_ bars: [ChartData.Bar]) -> (height: Int, body: String) {
        let (left, top, height) = (4.0, 22.0, 200.0)
        let greatest = max(0, bars.map(\.value).max() ?? 0)
        let least = min(0, bars.map(\.value).min() ?? 0)
        let scale = height / max(1, Double(greatest) - Double(least))
        let zero = top + Double(greatest) * scale
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
        for place in stride(from: 0, to: bars.count, by: every) {
            let middle = left + (Double(place) + 0.5) * step
            let half = Double(min(widest, 24)) * 3.5
            let anchor = middle < half ? "start" : middle > Double(width) - half ? "end" : "middle"
            let x = anchor == "start" ? 0 : anchor == "end" ? Double(width) : middle
            let label = bars[place].label
            let short = DisplayWidth.of(label) > 24 ? DisplayWidth.cut(label, to: 24) : label
            body += """
                <text class="soft" x="\(number(x))" y="\(number(top + height + 18))" text-anchor="\(anchor)">\
                \(ReportPage.escaped(short))</text>

                """
        }
        if let high = bars.firstIndex(where: { $0.value == greatest }), greatest > 0 {
            let middle = left + (Double(high) + 0.5) * step
            let x = min(max(middle, 45), Double(width) - 45)
            body += """
                <text x="\(number(x))" y="14" text-anchor="middle">\(ReportPage.escaped(bars[high].text))</text>

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
