package import CloverRecords

/// What the program can do with the terminal. By itself it can nothing, as without one.
package struct ScreenAccess: Sendable {
    /// The terminal understands sequences that move the cursor and clear lines: it is none of those called `dumb`.
    package var movesCursor = false
    /// Values may stand out by colours.
    package var isColored = false
    /// Characters beyond ASCII are drawn as what they are.
    package var isUnicode = false
    /// The size of the terminal that standard output is, now; nil when it is none or does not tell.
    package var outputSize: @Sendable () -> TerminalExtent? = { nil }
    /// The size of the terminal that standard error is, now.
    package var errorSize: @Sendable () -> TerminalExtent? = { nil }
    /// Another program of our pipeline writes to the terminal what it reads from us.
    package var isSharedWithReader: @Sendable () -> Bool = { false }
    /// Whether there is a program of this name to run.
    package var hasProgram: @Sendable (_ name: String) -> Bool = { _ in false }
    /// Starts a pager by a line of shell; nil when that fails. Throws nothing: output without a pager is still output.
    package var startPager: @Sendable (_ line: String) -> PagerPipe? = { _ in nil }

    /// Hears, as long as a live view has the terminal, of what would leave its screen behind: `begin` takes the terminal,
    /// `end` gives it back.
    package var holdView: @Sendable (_ begin: String, _ end: String) -> ViewHold = { _, _ in ViewHold() }

    package init() {}

    /// What variables say of the terminal.
    ///
    /// `NO_COLOR` counts when it is not empty (no-color.org). A terminal without a name in `TERM` is taken for a dumb one.
    package init(variables: [String: String], isOutputTerminal: Bool) {
        let name = variables["TERM", default: ""]
        movesCursor = !name.isEmpty && name != "dumb"
        isColored = isOutputTerminal && movesCursor && variables["NO_COLOR", default: ""].isEmpty
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { variables[$0] }.first { !$0.isEmpty } ?? ""
        let encoding = locale.lowercased().filter { $0 != "-" }
        isUnicode = encoding.contains("utf8")
    }
}
