package import CloverHTTP
import CloverJSON
import CloverSystem
import Synchronization

/// Writes messages for the user to standard error, never data.
package struct Diagnostics: Sendable {
    package enum Level: Int, Sendable, Comparable {
        case quiet, normal, verbose

        package static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
    }

    package enum Style: Sendable {
        /// `clover: message`
        case text
        /// One JSON object per line.
        case json
    }

    package var level: Level
    package var style = Style.text
    package var debugParts: DebugParts = []
    /// Secrets to remove from all messages.
    package let mask = SecretMask()
    /// The screen that messages share with progress lines.
    package let screen: MessageScreen
    private let warned = Warned()

    private final class Warned: Sendable {
        private let texts = Mutex<Set<String>>([])

        func isNews(_ text: String) -> Bool { texts.withLock { $0.insert(text).inserted } }
    }

    /// - Parameters:
    ///   - isBehind: whether earlier output is still unread.
    ///   - write: takes a whole line, line end included. It must not block.
    package init(
        level: Level = .normal, isBehind: @escaping @Sendable () -> Bool = { false },
        write: @escaping @Sendable (String) -> Void
    ) {
        self.level = level
        screen = MessageScreen(write: write, isBehind: isBehind)
    }

    private func write(_ text: String) { screen.write(text) }

    /// Something the user should know although nothing failed; `--quiet` suppresses it.
    package func notice(_ text: String) {
        if level >= .normal { write(text, json: "{\"notice\":{\"message\":\(JSONString.quoted(text))}}") }
    }

    /// Something that the user must do now for the command to continue; always shown.
    package func request(_ text: String) {
        write(text, json: "{\"request\":{\"message\":\(JSONString.quoted(text))}}")
    }

    /// An address to open, on a separate line, so that it can be copied whole; always shown.
    package func address(_ text: String) {
        switch style {
        case .text: write(hidden(Self.printable(text)) + "\n")
        case .json: write(hidden("{\"request\":{\"address\":\(JSONString.quoted(text))}}") + "\n")
        }
    }

    /// Progress details; shown with `--verbose`.
    package func detail(_ text: String) {
        if level >= .verbose { write(text, json: "{\"detail\":{\"message\":\(JSONString.quoted(text))}}") }
    }

    /// A message with a special JSON form.
    ///
    /// - Parameters:
    ///   - json: the whole line.
    ///   - level: the lowest level that shows it.
    package func report(_ text: String, json: String, from level: Level) {
        if self.level >= level { write(text, json: json) }
    }

    /// A line of `--debug`, if its part was requested.
    func debug(_ line: @autoclosure () throws -> DebugLine) rethrows {
        guard !debugParts.isEmpty else { return }
        let line = try line()
        guard debugParts.contains(line.part) else { return }
        switch style {
        case .text: write(hidden(Self.printable(line.plain)) + "\n")
        case .json: write(hidden(line.json) + "\n")
        }
    }

    /// A failed part of a run that continues; always shown.
    ///
    /// - Parameters:
    ///   - code: a stable code for programs.
    ///   - status: the exit status of the run because of this failure.
    package func failure(_ text: String, code: String, status: Int32) {
        let message = JSONString.quoted(text)
        write(
            text,
            json: "{\"error\":{\"code\":\(JSONString.quoted(code)),\"status\":\(status),\"message\":\(message)}}")
    }

    /// A failed part of a run that continues, with a special JSON form; always shown.
    func failure(_ text: String, json: String) { write(text, json: json) }

    /// Something about a request that the user must know, although it may not be a failure; always shown.
    package func warning(_ text: String) {
        write(text, json: "{\"warning\":{\"message\":\(JSONString.quoted(text))}}")
    }

    /// A warning that several parts of a run may give, and that is shown once.
    package func warnOnce(_ text: String) {
        if warned.isNews(text) { warning(text) }
    }

    /// The body of a service's response, on a separate line; always shown.
    ///
    /// - Parameter status: the response's status.
    func answer(_ body: String, status: Int) {
        switch style {
        case .text: write(hidden(Self.printable(body)) + "\n")
        case .json: write(hidden("{\"answer\":{\"http\":\(status),\"body\":\(JSONString.quoted(body))}}") + "\n")
        }
    }

    /// Writes bytes unchanged, such as those that a jq program sends to standard error.
    package func pass(_ bytes: [UInt8]) {
        write(String(decoding: bytes, as: UTF8.self))
    }

    /// Writes the report of the error that ends the command, line ends included.
    package func write(report: String) {
        write(hidden(report))
    }

    /// The text without secrets, and without anything that looks like a card number, even one not from this run.
    private func hidden(_ text: String) -> String { CardNumberRedaction.redacted(mask.masked(text)) }

    private func write(_ text: String, json: String) {
        switch style {
        case .text: write(hidden("clover: " + Self.printable(text)) + "\n")
        case .json: write(hidden(json) + "\n")
        }
    }

    /// The line without control characters, which could move the cursor or hide text: parts of messages come from the
    /// network.
    package static func printable(_ line: String) -> String { TerminalText.message(line) }
}

extension Diagnostics {
    /// Reports the failure of one input line in a run that continues; always shown. As JSON it has the same facts as a
    /// failure that ends the program, and the line number: `{"error":{"line":2,"code":...}}`.
    package func failure(_ facts: FailureDetails, line: Int) {
        var located = facts
        located.message = "line \(line): \(facts.message)"
        located.line = line
        failure(located.message, json: "{\"error\":\(located.json)}")
    }

    /// Reports the failure of one of several items, with its hints below it.
    package func failure(_ facts: FailureDetails, of name: String) {
        var named = facts
        named.message = "\(name): \(facts.message)"
        switch style {
        case .text:
            let lines = ["clover: " + named.message] + facts.hints.map { "  " + $0 }
            write(report: lines.map(Self.printable).joined(separator: "\n") + "\n")
        case .json: failure(named.message, json: "{\"error\":\(named.json)}")
        }
    }
}

/// Quotes words of commands that users copy into a shell.
package enum ShellWord {
    /// The text as one shell word, in quotes if necessary.
    package static func quoted(_ text: String) -> String {
        let isPlain = text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "-"),
                UInt8(ascii: "_"), UInt8(ascii: "+"), UInt8(ascii: ","), UInt8(ascii: "@"), UInt8(ascii: ":"), 0x80...:
                true
            default: false
            }
        }
        return isPlain && !text.isEmpty ? text : "'" + text.replacing("'", with: #"'\''"#) + "'"
    }
}
