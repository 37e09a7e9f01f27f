import CloverCalendar
import CloverJSON
import CloverOutput
import Testing

@Suite("Tables")
struct TableWriterTests {
    private func lines(
        _ columns: [TableWriter.Column], _ rows: [[TableWriter.Cell]], width: Int?, hasHeader: Bool = true
    ) -> [String] {
        var table = TableWriter(columns: columns, terminalWidth: width, hasHeader: hasHeader)
        return rows.flatMap { table.add($0) } + table.finish()
    }

    @Test("align columns under titles in capital letters, numbers at the right")
    func alignment() {
        let columns = [
            TableWriter.Column("id"), TableWriter.Column("total", alignment: .byContent),
            TableWriter.Column("note", alignment: .byContent), TableWriter.Column("price", alignment: .trailing),
        ]
        let rows: [[TableWriter.Cell]] = [
            ["A", TableWriter.Cell("7", isNumber: true), TableWriter.Cell("1", isNumber: true), "$1"],
            ["BCD", TableWriter.Cell("1234567", isNumber: true), "x", "$10.00"],
            ["E", "", "", ""],
        ]
        #expect(
            lines(columns, rows, width: nil) == [
                "ID     TOTAL  NOTE   PRICE",
                "A          7  1         $1",
                "BCD  1234567  x     $10.00",
                "E",
            ])
    }

    @Test("count wide, combining and joined characters as the terminal draws them")
    func displayWidths() {
        let names = ["Zoë", "Zoe\u{308}", "漢字", "한글", "한\u{AE00}", "👩‍👩‍👧", "🇩🇪", "👍🏽", "✈️", "é̂", "ｶﾞ", "Å", "ไทย"]
        let widths = names.map { DisplayWidth.of($0) }
        #expect(widths == [3, 3, 4, 4, 4, 2, 2, 2, 2, 1, 2, 1, 3])
        let table = lines(
            [TableWriter.Column("name"), TableWriter.Column("n")],
            names.map { [TableWriter.Cell($0), "|"] }, width: 80)
        for (index, line) in table.dropFirst().enumerated() {
            #expect(DisplayWidth.of(String(line.dropLast())) == 6, "\(names[index])")
        }
    }

    @Test("strip terminal control sequences and keep words apart")
    func controlCharacters() {
        let text = "a\u{1B}[31mb\u{7}c\u{85}d\r\ne\tf\u{202E}g\u{2066}h\u{200F}i\u{9B}j\u{FEFF}k\u{2028}l"
        #expect(lines([TableWriter.Column("x\u{1B}y")], [[.init(text)]], width: 80) == ["X", "abc d e fghik l"])
    }

    @Test("fit the terminal: the widest give first, values that may not be cut stay whole")
    func fitting() {
        let columns = [
            TableWriter.Column("id", canShrink: false), TableWriter.Column("name"), TableWriter.Column("note"),
        ]
        let rows: [[TableWriter.Cell]] = [
            ["0123456789ABC", "a name of some length", "a note that goes on and on and on"]
        ]
        let all = lines(columns, rows, width: 80)
        #expect(all[1] == "0123456789ABC  a name of some length  a note that goes on and on and on")
        #expect(lines(columns, rows, width: 60)[1] == "0123456789ABC  a name of some length  a note that goes on a…")
        #expect(lines(columns, rows, width: 50)[1] == "0123456789ABC  a name of some …  a note that goes…")
        #expect(lines(columns, rows, width: 30)[1] == "0123456789ABC  a nam…  a note…")
        for width in 13...90 {
            for line in lines(columns, rows, width: width) { #expect(DisplayWidth.of(line) <= width, "\(width)") }
        }
    }

    @Test("cut between user-perceived characters only")
    func cutting() {
        let columns = [TableWriter.Column("n")]
        #expect(lines(columns, [["漢字漢字"]], width: 6)[1] == "漢字…")
        #expect(lines(columns, [["漢字漢字"]], width: 7)[1] == "漢字漢…")
        #expect(lines(columns, [["漢字漢字"]], width: 8)[1] == "漢字漢字")
        #expect(lines(columns, [["ae\u{301}ae\u{301}ae\u{301}"]], width: 5)[1] == "ae\u{301}ae\u{301}…")
        #expect(lines(columns, [["👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧"]], width: 5)[1] == "👩‍👩‍👧👩‍👩‍👧…")
        #expect(lines(columns, [["abc"]], width: 1)[1] == "…")
    }

    @Test("leave out columns on the right when nothing else helps, and say which")
    func hidden() {
        let columns = ["one", "two", "three", "four"].map { TableWriter.Column($0, canShrink: false) }
        var table = TableWriter(columns: columns, terminalWidth: 12)
        let text = table.add(["1", "2", "3", "4"]) + table.finish()
        #expect(text == ["ONE  TWO", "1    2"])
        #expect(table.hiddenTitles == ["three", "four"])
    }

    @Test("show what may not be cut whole, also where the terminal has less room than it takes")
    func uncut() {
        let columns = [
            TableWriter.Column("id", canShrink: false), TableWriter.Column("note", importance: .usual),
        ]
        #expect(lines(columns, [["0123456789ABC", "x"]], width: 8) == ["ID", "0123456789ABC"])
        let keyed = [
            TableWriter.Column("n", canShrink: false, importance: .key),
            TableWriter.Column("id", canShrink: false, importance: .key), TableWriter.Column("state", canShrink: false),
        ]
        #expect(lines(keyed, [["12", "0123456789", "open"]], width: 8) == ["N   ID", "12  0123456789"])
    }

    @Test("never cut a number: a column of numbers stays whole or goes, also when a longer one comes late")
    func numbers() {
        let columns = [
            TableWriter.Column("id", canShrink: false), TableWriter.Column("stock", alignment: .byContent),
            TableWriter.Column("note", alignment: .byContent),
        ]
        let number = TableWriter.Cell("1234567890123", isNumber: true)
        let rows: [[TableWriter.Cell]] = [["ABC", number, "a note of some length"], ["DEF", number, number]]
        for width in 1...60 {
            let shown = lines(columns, rows, width: width).dropFirst().joined(separator: "\n")
            #expect(!shown.replacing("1234567890123", with: "").contains { $0.isNumber }, "\(width): \(shown)")
        }
        #expect(lines(columns, rows, width: 33)[2] == "DEF  1234567890123  1234567890123")
        #expect(lines(columns, rows, width: 32) == ["ID           STOCK", "ABC  1234567890123", "DEF  1234567890123"])
        #expect(lines([TableWriter.Column("n")], [[number]], width: 5) == ["N", "1234567890123"])

        let prices = [TableWriter.Column("n"), TableWriter.Column("price", alignment: .trailing, canShrink: false)]
        var table = TableWriter(columns: prices, terminalWidth: 20)
        for _ in 0..<TableWriter.rowLimit { _ = table.add([TableWriter.Cell("1", isNumber: true), "$1.00"]) }
        let late = table.add([TableWriter.Cell("12345678", isNumber: true), "$1,234,567.00"])
        #expect(late == ["12345678  $1,234,567.00"])
    }

    @Test("never cut anything where there is no terminal")
    func noTerminal() {
        let long = String(repeating: "x", count: 5000)
        #expect(
            lines([TableWriter.Column("a"), TableWriter.Column("b")], [[.init(long), "y"]], width: nil)[1] == long
                + "  y")
    }

    @Test("have only titles without rows, or nothing at all")
    func empty() {
        #expect(lines([TableWriter.Column("a"), TableWriter.Column("b")], [], width: nil) == ["A  B"])
        #expect(lines([TableWriter.Column("a")], [], width: nil, hasHeader: false) == [])
    }

    @Test("fill short rows and leave out what has no column")
    func rowLengths() {
        #expect(
            lines([TableWriter.Column("a"), TableWriter.Column("b")], [["1"], ["1", "2", "3"]], width: nil) == [
                "A  B", "1", "1  2",
            ])
    }

    @Test("hold back a bounded number of rows; later ones keep to the widths")
    func bounded() {
        var table = TableWriter(columns: [TableWriter.Column("a"), TableWriter.Column("b")], terminalWidth: 20)
        for _ in 1..<TableWriter.rowLimit { #expect(table.add(["123", "4"]).isEmpty) }
        #expect(table.add(["123", "4"]).count == TableWriter.rowLimit + 1)
        #expect(table.add(["12345", "4"]) == ["12…  4"])
        #expect(table.finish().isEmpty)
        var byBytes = TableWriter(columns: [TableWriter.Column("a")], terminalWidth: nil)
        let long = String(repeating: "y", count: TableWriter.byteLimit / 4)
        #expect(byBytes.add([.init(long)]).isEmpty && byBytes.add([.init(long)]).isEmpty)
        #expect(byBytes.add([.init(long)]).isEmpty)
        #expect(byBytes.add([.init(long)]).count == 5)
    }

    @Test("fill up the cells of a line, except at its end")
    func cells() {
        var table = TableWriter(
            columns: [TableWriter.Column("a"), TableWriter.Column("b", alignment: .trailing)], terminalWidth: 80)
        let lines = table.add(["xyz", "1"]) + table.finish()
        #expect(lines == ["A    B", "xyz  1"])
    }

    @Test("of records show headings, money and times for a person")
    func records() async throws {
        var layout = RecordLayout(
            format: .table,
            columns: [
                RecordColumn(try FieldPath(parsing: "id")),
                RecordColumn(try FieldPath(parsing: "createdTime"), kind: .time(.milliseconds)),
                RecordColumn(try FieldPath(parsing: "employee.name")),
                RecordColumn(try FieldPath(parsing: "lineItems.elements.length"), heading: "items"),
                RecordColumn(
                    try FieldPath(parsing: "total"), kind: .money(currency: try FieldPath(parsing: "currency"))),
            ])
        layout.money = .signed(.usDollar)
        layout.times = .short(try TimeZoneRules(named: "America/New_York"))
        layout.terminalWidth = 80
        let result = try await FormatRun.run(
            layout,
            [
                [
                    #"{"id":"4F2M8Q0ZC6H1T","currency":"USD","createdTime":1795245243120,"employee":{"name":"Zo\u00eb A."},"lineItems":{"elements":[1,2]},"total":7421}"#,
                    #"{"id":"9XK3T7B2N5PWA","createdTime":1795245003120,"total":5}"#,
                ]
            ])
        #expect(
            result.text == """
                ID             CREATED           EMPLOYEE NAME  ITEMS   TOTAL
                4F2M8Q0ZC6H1T  2026-11-21 02:14  Zoë A.             2  $74.21
                9XK3T7B2N5PWA  2026-11-21 02:10                         $0.05

                """)
        #expect(result.report.results == 2 && result.hidden.isEmpty)
        layout.terminalWidth = 25
        let narrow = try await FormatRun.run(layout, [[#"{"id":"A","createdTime":0,"total":1}"#]])
        #expect(narrow.hidden == ["employee name", "items", "total"])
    }

    @Test("the least important columns are hidden first: empty, then optional, then usual ones")
    func importance() {
        let columns = [
            TableWriter.Column("id", canShrink: false), TableWriter.Column("title", importance: .optional),
            TableWriter.Column("employee", importance: .usual), TableWriter.Column("note", importance: .optional),
            TableWriter.Column("total", alignment: .trailing, canShrink: false),
        ]
        let rows: [[TableWriter.Cell]] = [["0123456789ABC", "", "Zoë Abernathy", "no onions", "$12.90"]]
        #expect(lines(columns, rows, width: nil)[0] == "ID             EMPLOYEE       NOTE        TOTAL")
        #expect(lines(columns, rows, width: 47)[1] == "0123456789ABC  Zoë Abernathy  no onions  $12.90")
        #expect(lines(columns, rows, width: 46)[1] == "0123456789ABC  Zoë Abernathy  $12.90")
        #expect(lines(columns, rows, width: 35)[1] == "0123456789ABC  Zoë Abernat…  $12.90")
        #expect(lines(columns, rows, width: 34)[1] == "0123456789ABC  $12.90")
        #expect(
            lines(columns, [["A", "#7", "", "", "$1"]], width: 80) == [
                "ID  TITLE  EMPLOYEE  TOTAL", "A   #7                  $1",
            ])
        var table = TableWriter(columns: columns, terminalWidth: 30)
        _ = table.add(rows[0]) + table.finish()
        #expect(table.hiddenTitles == ["employee", "note"])
    }

    @Test("styled values have no sequences around spaces or at a line's end")
    func styles() {
        var table = TableWriter(
            columns: [
                TableWriter.Column("id"), TableWriter.Column("state"), TableWriter.Column("n", alignment: .trailing),
            ], terminalWidth: 20, isColored: true)
        let row: [TableWriter.Cell] = [
            TableWriter.Cell("AB", style: .faint), TableWriter.Cell("x", style: .bad),
            TableWriter.Cell("7", style: .good),
        ]
        let styled = table.add(row) + table.finish()
        #expect(
            styled == [
                "\u{1B}[1mID  STATE  N\u{1B}[0m",
                "\u{1B}[2mAB\u{1B}[0m  \u{1B}[31mx\u{1B}[0m      \u{1B}[32m7\u{1B}[0m",
            ])
        var last = TableWriter(
            columns: [TableWriter.Column("a")], terminalWidth: nil, hasHeader: false, isColored: true)
        let lines = last.add([TableWriter.Cell("x", style: .warning)]) + last.add(["longer"]) + last.finish()
        #expect(lines == ["\u{1B}[33mx\u{1B}[0m", "longer"])
    }

    @Test("objects and lists in a cell are named, and JSON only where nothing names them")
    func nested() async throws {
        let layout = try FormatRun.layout(.table, "a")
        let rows: [(json: String, shown: String)] = [
            (#"{"elements":[{"id":"1","name":"Latte"},{"id":"2","name":"B\u00e4gel"}]}"#, "Latte, Bägel"),
            (#"{"elements":[{"name":"a"},{"name":"b"},{"name":"c"},{"name":"d"},{"name":"e"}]}"#, "a, b, c, +2"),
            (#"[{"label":"Cash"}]"#, "Cash"), (#"{"elements":[]}"#, ""), (#"{"id":"X1","name":"Zoë"}"#, "Zoë"),
            (#"{"id":"X1"}"#, "X1"), (#"{"x": 1}"#, #"{"x":1}"#), (#"[1, 2]"#, "[1,2]"),
            (#"{"elements":[{"name":"a"},{"x":1}]}"#, #"{"elements":[{"name":"a"},{"x":1}]}"#),
        ]
        for row in rows {
            let text = try await FormatRun.text(layout, ["{\"a\":\(row.json)}"])
            #expect(text == "A\n\(row.shown)\n", "\(row.json)")
        }
    }

    @Test("a reference is shown by its name where it came with one, and by its id otherwise")
    func names() async throws {
        var layout = RecordLayout(format: .table)
        layout.columns = [
            RecordColumn(
                try FieldPath(parsing: "employee.id"), heading: "employee",
                namePath: try FieldPath(parsing: "employee.name"))
        ]
        let text = try await FormatRun.text(
            layout,
            [
                #"{"employee":{"id":"E1","name":"Zo\u00eb"}}"#, #"{"employee":{"id":"E2"}}"#,
                #"{"employee":{"name":"","id":"E3"}}"#, "{}",
            ])
        #expect(text == "EMPLOYEE\nZoë\nE2\nE3\n\n")
    }

    @Test("characters without a column and those with two are in the table in order")
    func widthTable() {
        #expect(DisplayWidth.of("\u{301}") == 0 && DisplayWidth.of("\u{200B}") == 0 && DisplayWidth.of("\u{AD}") == 1)
        #expect(DisplayWidth.of("中") == 2 && DisplayWidth.of("Ａ") == 2 && DisplayWidth.of("😀") == 2)
        #expect(DisplayWidth.of("\u{20000}") == 2 && DisplayWidth.of("…") == 1 && DisplayWidth.of("") == 0)
    }
}
