import CloverCalendar
import CloverSystem

/// Writes reports as one HTML page that needs nothing else: styles, charts and the script that sorts its tables are
/// inside, and it loads nothing from a network.
///
/// The page follows the reader's choice of light or dark, and prints in dark on light. Every text is escaped.
package enum ReportPage {
    /// - Parameter proof: how complete the report is, such as `complete: 12 requests`; empty for nothing.
    package static func html(_ tables: [ReportTable], proof: String = "") -> String {
        let title = tables.first.map { "\($0.title), \($0.period)" } ?? "Report"
        var page = """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width, initial-scale=1">
            <meta name="color-scheme" content="light dark">
            <meta http-equiv="Content-Security-Policy" \
            content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
            <title>\(escaped(title))</title>
            <style>
            \(ReportPageParts.style)
            </style>
            </head>
            <body>
            <main>

            """
        for (place, table) in tables.enumerated() {
            page += section(table, isFirst: place == 0, proof: place == 0 ? proof : "")
        }
        return page + "</main>\n<script>\n\(ReportPageParts.script)\n</script>\n</body>\n</html>\n"
    }

    /// A text between tags or in a quoted attribute, without control characters and bidirectional marks.
    static func escaped(_ text: String) -> String {
        var result = ""
        for character in TerminalText.line(text).unicodeScalars {
            switch character {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "'": result += "&#39;"
            default: result.unicodeScalars.append(character)
            }
        }
        return result
    }

    private static func section(_ table: ReportTable, isFirst: Bool, proof: String) -> String {
        let level = isFirst ? "h1" : "h2"
        var html = "<section>\n<header>\n<\(level)>\(escaped(table.title))</\(level)>\n"
        html += "<p class=\"period\">\(escaped(table.period))</p>\n"
        let facts = [table.clock, table.currency, proof].filter { !$0.isEmpty }.map { "<span>\(escaped($0))</span>" }
        html += "<p class=\"facts\">\(facts.joined())</p>\n"
        if !table.findings.isEmpty {
            html += "<ul class=\"findings\">\n"
            html += table.findings.map { "<li>\(escaped($0))</li>\n" }.joined() + "</ul>\n"
        }
        if !table.sentences.isEmpty {
            html += "<ul class=\"notes\">\n"
            html += table.sentences.map { "<li>\(escaped($0))</li>\n" }.joined() + "</ul>\n"
        }
        html += "</header>\n"
        if let chart = ReportPageChart.svg(table) { html += chart }
        return html + self.table(table) + "</section>\n"
    }

    // MARK: Tables

    private static func table(_ table: ReportTable) -> String {
        let writer = ReportValueText(table)
        let shown = table.shownColumns
        let isWide = shown.count >= 12
        var html = "<div class=\"scroll\" tabindex=\"0\">\n<table\(isWide ? " class=\"wide\"" : "")>\n<thead><tr>"
        for column in shown {
            let name = table.columns[column]
            html += "<th scope=\"col\"\(name.kind.isNumber ? " class=\"n\"" : "")>"
            html += "<button type=\"button\">\(escaped(name.heading))</button></th>"
        }
        html += "</tr></thead>\n<tbody>\n"
        for (place, row) in table.rows.enumerated() {
            let isSum = place >= table.rows.count - table.summaryRows
            html += line(row, table, shown, writer, isSum ? " class=\"sum\"" : "")
        }
        if table.rows.isEmpty { html += "<tr><td colspan=\"\(max(1, shown.count))\">No rows</td></tr>\n" }
        html += "</tbody>\n"
        if !table.totals.isEmpty {
            html += "<tfoot>\n"
            for total in table.totals {
                var values = total
                if let first = shown.first, values[first] == .none { values[first] = .text("Total") }
                html += line(values, table, shown, writer, "")
            }
            html += "</tfoot>\n"
        }
        return "<p class=\"hint\">More columns: scroll to the right \u{2192}</p>\n" + html + "</table>\n</div>\n"
    }

    private static func line(
        _ row: [ReportTable.Value], _ table: ReportTable, _ shown: [Int], _ writer: ReportValueText,
        _ attributes: String
    ) -> String {
        let row = table.named(row)
        let cells = shown.map { column -> String in
            let kind = table.columns[column].kind
            let text = escaped(writer.text(row, column))
            switch row[column] {
            case .none: return "<td></td>"
            // A name is isolated, so that one from right to left does not move its neighbours.
            case .text: return "<td><bdi>\(text)</bdi></td>"
            case .integer(let number):
                let style = (number < 0 ? ["n", "minus"] : kind.isNumber ? ["n"] : []).joined(separator: " ")
                return "<td\(style.isEmpty ? "" : " class=\"\(style)\"") data-v=\"\(number)\">\(text)</td>"
            }
        }
        return "<tr\(attributes)>\(cells.joined())</tr>\n"
    }
}

/// The fixed parts of a page.
enum ReportPageParts {
    static let style = """
        :root { --ground: #fff; --ink: #1b1f24; --soft: #59636e; --line: #d5dae0; --band: #f5f7f9; --bar: #1a7f4b; \
        --bad: #b3261e; --grid0: #eef1f4; }
        @media (prefers-color-scheme: dark) { :root { --ground: #14181d; --ink: #e8ebee; --soft: #a0a9b3; \
        --line: #353d46; --band: #1c2229; --bar: #46b880; --bad: #ff8a80; --grid0: #232a32; } }
        * { box-sizing: border-box; }
        body { margin: 0; background: var(--ground); color: var(--ink); \
        font: 15px/1.45 system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; }
        main { max-width: 110rem; margin: 0 auto; padding: 2rem 1.25rem 3rem; }
        section + section { margin-top: 3rem; }
        h1, h2 { margin: 0; font-size: 1.7rem; line-height: 1.2; }
        h2 { font-size: 1.35rem; }
        .period { margin: .2rem 0 0; font-size: 1.1rem; }
        .facts { margin: .2rem 0 0; color: var(--soft); }
        .facts span + span::before { content: "\\00b7"; margin: 0 .4em; }
        .notes { margin: .8rem 0 0; padding-left: 1.1rem; color: var(--soft); font-size: .9rem; max-width: 50rem; }
        .findings { margin: .8rem 0 0; padding-left: 1.1rem; color: var(--bad); font-weight: 600; }
        figure { margin: 1.5rem 0 0; overflow-x: auto; max-width: 76rem; }
        figcaption { color: var(--soft); font-size: .85rem; margin-bottom: .3rem; }
        svg { display: block; width: 100%; height: auto; min-width: 50rem; }
        svg text { fill: var(--ink); font-size: 12px; }
        svg .soft { fill: var(--soft); font-size: 11px; }
        svg .bar { fill: var(--bar); }
        svg .less { fill: var(--bad); }
        svg .axis { stroke: var(--line); stroke-width: 1; }
        svg .none { fill: var(--grid0); }
        .scroll { margin-top: 1.5rem; overflow-x: auto; }
        .scroll:focus-visible { outline: 2px solid var(--bar); outline-offset: 2px; }
        .scroll.more { mask-image: linear-gradient(to right, #000 calc(100% - 4rem), transparent); }
        .hint { display: none; position: sticky; top: 0; z-index: 2; margin: 1.5rem 0 0; padding: .3rem 0; \
        background: var(--ground); color: var(--soft); font-size: .85rem; text-align: right; }
        .hint:has(+ .scroll.more) { display: block; }
        .hint:has(+ .scroll.more) + .scroll { margin-top: 0; }
        table { border-collapse: separate; border-spacing: 0; min-width: min(100%, 76rem); \
        font-variant-numeric: tabular-nums; }
        th, td { padding: .4rem .65rem; text-align: left; border-bottom: 1px solid var(--line); vertical-align: top; }
        td { overflow-wrap: anywhere; min-width: 5rem; max-width: 28rem; }
        table.wide { font-size: .8rem; }
        .wide th, .wide td { padding: .4rem .3rem; }
        .wide th { font-size: .7rem; }
        td.n, td:empty, td[data-v] { white-space: nowrap; overflow-wrap: normal; min-width: 0; }
        td.n, th.n { text-align: right; }
        td.minus { color: var(--bad); }
        th { font-size: .78rem; vertical-align: bottom; border-bottom: 2px solid var(--line); }
        th button { all: unset; cursor: pointer; font-weight: 600; color: var(--soft); }
        th:first-child, td:first-child { position: sticky; left: 0; background: var(--ground); }
        @media (max-width: 40rem) { td:first-child { max-width: 9rem; } }
        th button:focus-visible { outline: 2px solid var(--bar); outline-offset: 2px; }
        th[aria-sort] button { color: var(--ink); }
        th[aria-sort=ascending] button::after { content: " \\25b2"; }
        th[aria-sort=descending] button::after { content: " \\25bc"; }
        tbody tr:nth-child(even), tbody tr:nth-child(even) td:first-child { background: var(--band); }
        tr.sum td, tfoot td { font-weight: 600; }
        tfoot td { border-top: 2px solid var(--line); border-bottom: 0; }
        @media print { :root { --ground: #fff; --ink: #000; --soft: #444; --line: #bbb; --band: #fff; --bar: #1a7f4b; \
        --bad: #900; --grid0: #eee; color-scheme: light; } body { font-size: 10pt; } main { max-width: none; padding: 0; } \
        th, td, .wide th, .wide td { padding: .15rem .3rem; } svg { min-width: 0; } figure, .scroll { overflow: visible; } \
        .scroll.more { mask-image: none; } .hint:has(+ .scroll) { display: none; } \
        * { print-color-adjust: exact; } thead { display: table-header-group; } tr, figure { break-inside: avoid; } tfoot { display: table-row-group; } h2 { break-after: avoid; } \
        th button::after { content: "" !important; } th, td, .wide th, .wide td { font-size: 7.5pt; } @page { size: landscape; margin: 10mm; } }
        """

    /// Sorts a table by the column whose heading is pressed: numbers by their value, texts by the reader's language.
    /// Rows that are sums stay last. A table that goes on to the right of its place says so.
    static let script = """
        for (const table of document.querySelectorAll("table")) {
          const body = table.tBodies[0];
          const heads = [...table.tHead.rows[0].cells];
          heads.forEach((head, column) => head.firstChild.addEventListener("click", () => {
            const isNumber = head.classList.contains("n");
            const before = head.getAttribute("aria-sort");
            const way = before ? (before === "ascending" ? "descending" : "ascending") : isNumber ? "descending" : "ascending";
            heads.forEach(other => other.removeAttribute("aria-sort"));
            head.setAttribute("aria-sort", way);
            const sign = way === "ascending" ? 1 : -1;
            const rows = [...body.rows];
            const sums = rows.filter(row => row.classList.contains("sum"));
            const key = row => { const cell = row.cells[column], value = cell.dataset.v;
              return value === undefined ? cell.textContent : BigInt(value); };
            const compare = (a, b) => {
              if (a === "" || b === "") return a === b ? 0 : a === "" ? sign : -sign;
              if (typeof a === "bigint" && typeof b === "bigint") return a < b ? -1 : a > b ? 1 : 0;
              return String(a).localeCompare(String(b), undefined, { numeric: true });
            };
            body.append(...rows.filter(row => !sums.includes(row)).sort((a, b) => sign * compare(key(a), key(b))), ...sums);
          }));
        }
        for (const place of document.querySelectorAll(".scroll")) {
          const look = () => place.classList.toggle("more", place.scrollLeft + place.clientWidth < place.scrollWidth - 1);
          place.addEventListener("scroll", look, { passive: true });
          new ResizeObserver(look).observe(place);
        }
        """
}
