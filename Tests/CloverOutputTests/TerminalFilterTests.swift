import CloverOutput
import CloverSystem
import Testing

@Suite("Output for a terminal")
struct TerminalFilterTests {
    private func pass(_ text: String, _ form: TerminalFilter.Form) -> String {
        var filter = TerminalFilter(form)
        return String(decoding: filter.pass(Array(text.utf8)), as: UTF8.self)
    }

    @Test("of text keeps line breaks and tabs, marks control characters, and removes bidirectional marks")
    func text() {
        #expect(pass("a\tb\nc\r\nd", .text) == "a\tb\nc\r\nd")
        #expect(pass("x\u{1B}[31my\u{7}\u{9B}2Jz\rw", .text) == "x?[31my??2Jz?w")
        #expect(pass("1\u{202E}2\u{2066}3\u{200F}4\u{FEFF}5", .text) == "12345")
        #expect(pass("Zoë 漢字 👩‍👩‍👧", .text) == "Zoë 漢字 👩‍👩‍👧")
    }

    @Test("of JSON writes them as escapes, which mean the same")
    func json() {
        #expect(pass(#"{"a":"\#u{9B}x\#u{202E}\#u{7F}"}"#, .json) == #"{"a":"\u009bx\u202e\u007f"}"#)
        #expect(pass("{\r\n\t\"a\":1}\n", .json) == "{\r\n\t\"a\":1}\n")
        #expect(pass("\"\u{E0001}\"\n", .json) == "\"\\udb40\\udc01\"\n")
        #expect(pass("{}\r", .json) == "{}")
    }

    @Test("is the same however it is cut into pieces", arguments: [TerminalFilter.Form.text, .json])
    func pieces(_ form: TerminalFilter.Form) {
        let text = "a\u{9B}b\u{202E}c\r\nZoë\u{85}漢👍🏽\u{1B}]0;t\u{7}\n"
        let whole = pass(text, form)
        for size in 1...5 {
            var filter = TerminalFilter(form)
            var result: [UInt8] = []
            var rest = Array(text.utf8)[...]
            while !rest.isEmpty {
                result += filter.pass(Array(rest.prefix(size)))
                rest = rest.dropFirst(size)
            }
            #expect(String(decoding: result, as: UTF8.self) == whole, "\(size)")
        }
    }

    @Test("a styled line is cut by what it shows, and its styles end with it")
    func cut() {
        let line = "ab" + TextStyle.good.applied(to: "漢字") + "cd"
        #expect(StyledText.cut(line, to: 80) == line)
        #expect(StyledText.cut(line, to: 5) == "ab\u{1B}[32m漢\u{1B}[0m")
        #expect(StyledText.cut(line, to: 0) == "\u{1B}[32m\u{1B}[0m")
    }

    @Test(
        "a line that is cut has no piece of a number",
        arguments: [
            (line: "at once   12 of  160", shown: "at once   12 of  "),
            (line: "at once   12 of  16", shown: "at once   12 of  16"),
            (line: "abcdefghijklmn 41,200 records", shown: "abcdefghijklmn "),
            (line: "abcdefghijklm 123456.75", shown: "abcdefghijklm "),
            (line: "abcdefghijklmnopqr. 12", shown: "abcdefghijklmnopqr."),
            (line: "\u{1B}[32m0123456789\u{1B}[0m 012345678901", shown: "\u{1B}[32m0123456789\u{1B}[0m "),
        ])
    func cutNumbers(_ row: (line: String, shown: String)) {
        #expect(StyledText.cut(row.line, to: 19) == row.shown)
    }

    @Test("state words have their colors, whatever their case")
    func states() {
        let states: [(word: String, style: TextStyle?)] = [
            ("SUCCESS", .good), ("locked", .good), ("open", .warning), ("FAIL", .bad), ("declined", .bad), ("x", nil),
            ("", nil),
        ]
        for state in states { #expect(ColumnMeaning.state.style(of: state.word) == state.style, "\(state.word)") }
        #expect(ColumnMeaning.identifier.style(of: "x") == .faint && ColumnMeaning.plain.style(of: "ok") == nil)
    }
}
