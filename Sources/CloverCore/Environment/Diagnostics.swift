package import CloverHTTP
import CloverRecords

/// Lines for the person who runs the command, on standard error. Data never goes here.
package struct Diagnostics: Sendable {
    package enum Level: Int, Sendable, Comparable {
        case quiet, normal, verbose

        package static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }
    }

    package enum Style: Sendable {
        /// `clover: message`
        case text
        /// One JSON object a line.
        case json
    }

    package var level: Level
    package var style = Style.text
    /// What `--debug` shows.
    package var debugParts: DebugParts = []
    /// What is never shown, whoever says it.
    package let mask = SecretMask()
    /// Where the lines go, and what else is shown there.
    package let screen: MessageScreen

    /// - Parameters:
    ///   - isBehind: what was written before still waits for its reader.
    ///   - write: takes a whole line, line end included. It must not wait for a reader.
    package init(
        level: Level = .normal, isBehind: @escaping @Sendable () -> Bool = { false },
        write: @escaping @Sendable (String) -> Void
    ) {
        self.level = level
        screen = MessageScreen(write: write, isBehind: isBehind)
    }

    private func write(_ text: String) { screen.write(text) }

    /// Something the user should know although nothing failed; `--quiet` leaves it out.
    package func notice(_ text: String) {
        if level >= .normal { say(text, json: "{\"notice\":{\"message\":\(JSONText.string(text))}}") }
    }

    /// Something that a person has to do now for the command to go on; always shown.
    package func request(_ text: String) {
        say(text, json: "{\"request\":{\"message\":\(JSONText.string(text))}}")
    }

    /// An address to open, on a line of its own, so that it can be copied whole; always shown.
    package func address(_ text: String) {
        switch style {
        case .text: write(hidden(Self.printable(text)) + "\n")
        case .json: write(hidden("{\"request\":{\"address\":\(JSONText.string(text))}}") + "\n")
        }
    }

    /// What the command does on the way; shown with `--verbose`.
    package func detail(_ text: String) {
        if level >= .verbose { say(text, json: "{\"detail\":{\"message\":\(JSONText.string(text))}}") }
    }

    /// Something with a form of its own in JSON.
    ///
    /// - Parameters:
    ///   - json: the whole line.
    ///   - level: shown from this level on.
    package func report(_ text: String, json: String, from level: Level) {
        if self.level >= level { say(text, json: json) }
    }

    /// A line of `--debug`, when its part was asked for.
    func debug(_ line: @autoclosure () throws -> DebugLine) rethrows {
        guard !debugParts.isEmpty else { return }
        let line = try line()
        guard debugParts.contains(line.part) else { return }
        switch style {
        case .text: write(hidden(Self.printable(line.plain)) + "\n")
        case .json: write(hidden(line.json) + "\n")
        }
    }

    /// A failed part of a run that goes on; always shown.
    ///
    /// - Parameters:
    ///   - code: a stable word for programs.
    ///   - status: the exit status that the run will end with because of it.
    package func failure(_ text: String, code: String, status: Int32) {
        let message = JSONText.string(text)
        say(
            text,
            json: "{\"error\":{\"code\":\(JSONText.string(code)),\"status\":\(status),\"message\":\(message)}}")
    }

    /// The same with a form of its own in JSON.
    func failure(_ text: String, json: String) { say(text, json: json) }

    /// What happened to a request that somebody has to know of, although it may be no failure; always shown.
    package func warning(_ text: String) {
        say(text, json: "{\"warning\":{\"message\":\(JSONText.string(text))}}")
    }

    /// What the service said, in its own words, on a line of its own; always shown.
    ///
    /// - Parameter status: of the answer.
    func answer(_ body: String, status: Int) {
        switch style {
        case .text: write(hidden(Self.printable(body)) + "\n")
        case .json: write(hidden("{\"answer\":{\"http\":\(status),\"body\":\(JSONText.string(body))}}") + "\n")
        }
    }

    /// Bytes that a jq program sends to standard error, as they are.
    package func pass(_ bytes: [UInt8]) {
        write(String(decoding: bytes, as: UTF8.self))
    }

    /// The report of the error that ends the command, line ends included.
    package func write(report: String) {
        write(hidden(report))
    }

    /// Without what is never shown, and without what looks like a card's number, which may be none of this run's.
    private func hidden(_ text: String) -> String { CardNumberText.redacted(mask.masked(text)) }

    private func say(_ text: String, json: String) {
        switch style {
        case .text: write(hidden("clover: " + Self.printable(text)) + "\n")
        case .json: write(hidden(json) + "\n")
        }
    }

    /// Control characters could move the cursor or hide text; some of a message comes from the network.
    package static func printable(_ line: String) -> String { TerminalText.message(line) }
}
