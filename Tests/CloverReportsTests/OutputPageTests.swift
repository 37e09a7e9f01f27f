import CloverReports
import CloverTestSupport
import Testing

@Suite("HTML pages")
struct OutputPageTests {
    /// Tests/Browser opens this page.
    @Test("a page is as recorded")
    func snapshot() throws {
        let tables = [OutputTables.days, OutputTables.hours, OutputTables.items, OutputTables.wide]
        try Snapshot.check(ReportPage.html(tables, proof: "complete: 12 requests"), "page")
    }

    @Test(
        "a table of many columns has smaller text, and each table has a place for the hint that it goes on to the right"
    )
    func wide() {
        let page = ReportPage.html([OutputTables.days, OutputTables.wide])
        #expect(page.ranges(of: "<table>").count == 1 && page.ranges(of: #"<table class="wide">"#).count == 1)
        let hint = #/<p class="hint">More columns: [^<]*<\/p>\n<div class="scroll" tabindex="0">/#
        #expect(page.matches(of: hint).count == 2)
    }

    @Test("texts are escaped wherever they are")
    func escaping() {
        var table = OutputTables.items
        table.title = "<b>&\"'"
        table.period = "</title><script>"
        table.notes = ["<img src=x onerror=alert(1)>"]
        table.clock = "<i>"
        table.columns[1].heading = "\"><script>"
        let page = ReportPage.html([table], proof: "<u>")
        #expect(page.components(of: "<script>") == 1)
        for text in ["<b>", "<img", "<i>", "<u>", "alert(1)</script>", "\u{202E}", "\u{1B}"] {
            #expect(!page.contains(text), "\(text)")
        }
        #expect(page.contains("&lt;b&gt;&amp;&quot;&#39;"))
        #expect(page.contains("&lt;script&gt;alert(1)&lt;/script&gt;"))
    }

    @Test("a page needs nothing from a network")
    func selfContained() {
        let page = ReportPage.html([OutputTables.days, OutputTables.hours])
        for text in ["http:", "https:", "src=", "@import", "url("] { #expect(!page.contains(text), "\(text)") }
        #expect(page.contains("default-src 'none'"))
    }

    @Test("ids are left out where names stand for them, and amounts have the currency's decimals")
    func columns() {
        let page = ReportPage.html([OutputTables.items])
        #expect(!page.contains("ITEM0"))
        #expect(page.contains("<td class=\"n\" data-v=\"1234567\">1234.567 KWD</td>"))
        #expect(page.contains("<tfoot>\n<tr><td><bdi>Total</bdi></td>"))
    }

    @Test("the days below a chart do not overlap, however many there are", arguments: [31, 90, 400])
    func days(_ count: Int) {
        let rows = (0..<count).map { [ReportTable.Value.integer(Int64(20_000 + $0)), .integer(100)] }
        let columns: [ReportTable.Column] = [.init("day", "DAY", .date), .init("netSales", "NET", .money)]
        let page = ReportPage.html([OutputTables.table("Sales", columns, rows)])
        // A day has ten characters of about 7 px.
        let label = #/<text class="soft" x="([0-9.]+)" y="[0-9.]+" text-anchor="([a-z]+)">[0-9]{4}-[0-9]{2}-[0-9]{2}/#
        let starts = page.matches(of: label).map { match in
            (Double(match.1) ?? 0) - (match.2 == "start" ? 0 : match.2 == "end" ? 70 : 35)
        }
        #expect(starts.count >= 5 && starts.allSatisfy { $0 >= 0 }, "\(starts)")
        #expect(zip(starts, starts.dropFirst()).allSatisfy { $1 - $0 >= 70 }, "\(starts)")
    }

    @Test("a report without rows says so")
    func empty() {
        let table = OutputTables.table("Tips", [.init("name", "NAME", .text), .init("tips", "TIPS", .money)], [])
        let page = ReportPage.html([table])
        #expect(page.contains("No rows"))
        #expect(!page.contains("<svg"))
    }
}

extension String {
    fileprivate func components(of text: String) -> Int { ranges(of: text).count }
}
