import CloverReports
import CloverTestSupport
import Testing

@Suite("HTML pages")
struct OutputPageTests {
    /// Tests/Browser opens this page.
    @Test("a page is as recorded")
    func snapshot() throws {
        let tables = [OutputTables.days, OutputTables.hours, OutputTables.items]
        try Snapshot.check(ReportPage.html(tables, proof: "complete: 12 requests"), "page")
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
