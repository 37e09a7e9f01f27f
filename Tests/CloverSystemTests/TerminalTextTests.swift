import CloverSystem
import Testing

@Suite("Text for a terminal")
struct TerminalTextTests {
    @Test(
        "escape sequences and bidirectional marks are removed",
        arguments: [
            ("\u{1B}[31mred\u{1B}[0m", "red"), ("a\u{1B}[1;38;5;196mb", "ab"), ("a\u{9B}31mb", "ab"),
            ("\u{1B}]0;title\u{7}x", "x"), ("\u{1B}]8;;http://e\u{1B}\\link\u{1B}]8;;\u{1B}\\", "link"),
            ("\u{1B}Pdata\u{1B}\\x", "x"), ("\u{1B}(Bx", "x"), ("\u{1B}7x\u{1B}cy", "xy"), ("\u{9D}2;t\u{9C}x", "x"),
            ("a\u{1B}", "a"), ("a\u{1B}[", "a"), ("a\u{1B}[31", "a"), ("\u{1B}\u{1B}[31mx", "x"),
            ("\u{1B}]0;never ends", "0;never ends"), ("a\u{1B}[31\u{E9}", "a\u{E9}"),
            ("evil\u{202E}fdp.exe\u{2066}\u{2069}\u{200F}", "evilfdp.exe"), ("p\u{200B}in\u{E0041}", "pin"),
            ("family 👩‍👩‍👧 Zoë نام‌ها", "family 👩‍👩‍👧 Zoë نام‌ها"), ("plain [31m text", "plain [31m text"),
        ])
    func sequences(_ text: String, _ shown: String) {
        #expect(TerminalText.line(text) == shown)
        #expect(TerminalText.message(text) == shown)
    }

    @Test("other control characters are marked in a message and removed from a table")
    func others() {
        #expect(TerminalText.message("a\u{7}b\nc") == "a?b?c")
        #expect(TerminalText.line("a\u{7}b\nc") == "ab c")
    }
}
