package import CloverOutput

/// Capabilities of the terminal. The default has none, as without a terminal.
package struct TerminalCapabilities: Sendable {
    /// Whether the terminal supports sequences that move the cursor and clear lines, that is, is not `dumb`.
    package var movesCursor = false
    package var isColored = false
    /// Whether the terminal can show characters beyond ASCII.
    package var isUnicode = false
    /// Current size of the terminal at standard output; nil without one or when unknown.
    package var outputSize: @Sendable () -> TerminalExtent? = { nil }
    /// Current size of the terminal at standard error.
    package var errorSize: @Sendable () -> TerminalExtent? = { nil }
    /// Whether another program of our pipeline writes our output to the terminal.
    package var isSharedWithReader: @Sendable () -> Bool = { false }
    package var hasProgram: @Sendable (_ name: String) -> Bool = { _ in false }
    /// Starts a pager with a shell command; nil when that fails, because output without a pager is still output.
    package var startPager: @Sendable (_ line: String) -> PagerPipe? = { _ in nil }

    /// Takes the terminal for a live view and restores it on any event that would leave the view's screen behind. `begin`
    /// and `end` are the sequences that enter and leave that screen.
    package var enterAlternateScreen: @Sendable (_ begin: String, _ end: String) -> AlternateScreen = { _, _ in
        AlternateScreen()
    }

    package init() {}

    /// Capabilities by environment variables.
    ///
    /// `NO_COLOR` counts when it is not empty (no-color.org). Without `TERM`, the terminal is treated as dumb.
    package init(variables: [String: String], isOutputTerminal: Bool) {
        let name = variables["TERM", default: ""]
        movesCursor = !name.isEmpty && name != "dumb"
        isColored = isOutputTerminal && movesCursor && variables["NO_COLOR", default: ""].isEmpty
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { variables[$0] }.first { !$0.isEmpty } ?? ""
        let encoding = locale.lowercased().filter { $0 != "-" }
        isUnicode = encoding.contains("utf8")
    }
}

/// A live view's hold of the terminal, which is restored whichever way the process ends, and the signals to the view.
/// Without a terminal, it does nothing.
package struct AlternateScreen: Sendable {
    /// A signal that the view has to handle.
    package enum SignalRequest: Sendable {
        /// Ctrl-Z: stop until the shell continues the process.
        case stop
        /// Ctrl-\: end immediately.
        case quit
        /// The process was stopped by a signal that cannot be handled, and was continued.
        case redraw
    }

    /// Takes the terminal; a background process stops until it gets it. Returns false when that is not possible now, or
    /// when the process is about to end: try again a little later.
    package var take: @Sendable () -> Bool = { true }
    /// Restores the terminal if it was taken.
    package var give: @Sendable () -> Void = {}
    /// The pending signal, if any; each is returned once.
    package var wish: @Sendable () -> SignalRequest? = { nil }
    /// Handles a signal, with the terminal restored meanwhile; returns when the process continues.
    package var obey: @Sendable (SignalRequest) -> Void = { _ in }
    /// Ends the view and restores the previous signal handling.
    package var release: @Sendable () -> Void = {}

    package init() {}
}

/// The pager for long tables.
package struct PagerChoice: Sendable, Equatable {
    /// Shell command; nil for no pager.
    package let command: String?
    /// A requested pager that is not installed.
    package let missing: String?

    /// Quits when everything fits the screen, shows colours, and leaves the text on the screen.
    private static let usual = "less -FRX"

    /// `CLOVER_PAGER` takes precedence over `PAGER`; an empty value, or `cat`, means none. Without either it is less(1),
    /// where it is installed.
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

    /// Whether the word needs no shell quoting.
    private static func isPlain(_ word: String) -> Bool {
        word.allSatisfy { $0.isLetter || $0.isNumber || "/._+-".contains($0) }
    }
}

extension CommandEnvironment {
    /// On a terminal that can show one, sends further output through a pager once it exceeds the screen. `endPaging` of
    /// the output ends that.
    package func startPaging() async {
        guard terminal.isOutputTerminal, screen.movesCursor, let rows = screen.outputSize()?.rows, !isPagerUnwanted
        else {
            return
        }
        let pager = PagerChoice(variables: variables, hasProgram: screen.hasProgram)
        let messages = diagnostics
        guard let command = pager.command else {
            if let missing = pager.missing {
                messages.notice("pager '\(missing)' not found; to use none, add --no-pager")
            }
            return
        }
        let start = screen.startPager
        await standardOutput.startPaging(rows: rows) {
            // Before the pager draws anything, so that messages do not appear in the middle of it.
            messages.screen.hold()
            guard let pipe = start(command) else {
                messages.screen.release()
                return nil
            }
            return PagerPipe(descriptor: pipe.descriptor, terminate: pipe.terminate) {
                await pipe.finish()
                messages.screen.release()
            }
        }
    }
}
