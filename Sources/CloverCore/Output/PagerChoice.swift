/// Which pager long tables go through.
package struct PagerChoice: Sendable, Equatable {
    /// A line of shell; nil for none.
    package let command: String?
    /// A pager that was asked for, but is not there.
    package let missing: String?

    /// Quits by itself when all fits the screen, shows colours, and leaves what was read on the screen.
    private static let usual = "less -FRX"

    /// `CLOVER_PAGER` before `PAGER`; one that is empty, or `cat`, means none. Without either it is less(1), where it is
    /// installed.
    package init(variables: [String: String], hasProgram: (String) -> Bool) {
        let chosen = variables["CLOVER_PAGER"] ?? variables["PAGER"]
        let line = chosen.map(Self.trimmed) ?? Self.usual
        let program = line.split(separator: " ").first.map(String.init) ?? ""
        if program.isEmpty || program == "cat" {
            command = nil
            missing = nil
        } else if Self.isPlain(program), !hasProgram(program) {
            command = nil
            missing = chosen == nil ? nil : program
        } else {
            command = line
            missing = nil
        }
    }

    private static func trimmed(_ text: String) -> String {
        String(text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }

    /// Whether a shell takes the word as it is.
    private static func isPlain(_ word: String) -> Bool {
        word.allSatisfy { $0.isLetter || $0.isNumber || "/._+-".contains($0) }
    }
}
