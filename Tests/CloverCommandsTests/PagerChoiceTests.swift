import CloverCore
import Testing

@Suite("Choice of a pager")
struct PagerChoiceTests {
    struct Row: Sendable, CustomTestStringConvertible {
        let variables: [String: String]
        var programs = ["less", "more"]
        let command: String?
        var missing: String?
        var testDescription: String { "\(variables) with \(programs)" }
    }

    @Test(
        "CLOVER_PAGER overrides PAGER, which overrides less",
        arguments: [
            Row(variables: [:], command: "less -FRX"), Row(variables: [:], programs: [], command: nil),
            Row(variables: ["PAGER": "more -s"], command: "more -s"),
            Row(variables: ["PAGER": "more", "CLOVER_PAGER": "less"], command: "less"),
            Row(variables: ["PAGER": ""], command: nil), Row(variables: ["CLOVER_PAGER": ""], command: nil),
            Row(variables: ["CLOVER_PAGER": "  "], command: nil), Row(variables: ["PAGER": " cat "], command: nil),
            Row(variables: ["PAGER": "most"], command: nil, missing: "most"),
            // What only a shell can tell is left to the shell.
            Row(variables: ["PAGER": "FOO=1 most"], command: "FOO=1 most"),
        ])
    func choice(_ row: Row) {
        let choice = PagerChoice(variables: row.variables, hasProgram: { row.programs.contains($0) })
        #expect(choice.command == row.command)
        #expect(choice.missing == row.missing)
    }

    @Test("a terminal's capabilities come from environment variables")
    func abilities() {
        func screen(_ variables: [String: String], isTerminal: Bool = true) -> TerminalCapabilities {
            TerminalCapabilities(variables: variables, isOutputTerminal: isTerminal)
        }
        #expect(screen(["TERM": "xterm"]).isColored && screen(["TERM": "xterm"]).movesCursor)
        #expect(!screen(["TERM": "xterm"], isTerminal: false).isColored)
        #expect(
            !screen(["TERM": "xterm", "NO_COLOR": "1"]).isColored
                && screen(["TERM": "xterm", "NO_COLOR": ""]).isColored)
        #expect(!screen(["TERM": "dumb"]).movesCursor && !screen([:]).movesCursor)
        #expect(screen(["LANG": "de_DE.UTF-8"]).isUnicode && screen(["LC_ALL": "", "LANG": "C.utf8"]).isUnicode)
        for variables in [
            ["LC_CTYPE": "UTF-8"], ["LANG": "C.UTF-8"], ["LANG": "de_DE.utf8@euro"],
            ["LC_CTYPE": "C.UTF-8", "LANG": "C"],
            ["LC_ALL": "", "LC_CTYPE": "en_US.UTF8", "LANG": "POSIX"],
        ] { #expect(screen(variables).isUnicode, "\(variables)") }
        for variables in [
            ["LANG": "C"], ["LC_ALL": "POSIX"], ["LANG": "de_DE.ISO-8859-15@euro"],
            ["LC_ALL": "C", "LC_CTYPE": "UTF-8"],
            ["LC_CTYPE": "C", "LANG": "C.UTF-8"], ["LANG": "de_DE@euro"],
        ] { #expect(!screen(variables).isUnicode, "\(variables)") }
        #expect(!screen(["LC_ALL": "C", "LANG": "C.UTF-8"]).isUnicode && !screen([:]).isUnicode)
    }
}
