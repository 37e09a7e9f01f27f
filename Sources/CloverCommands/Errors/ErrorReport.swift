import CloverCore

/// A failure as the user sees it: what failed, on what, why; the next thing to do; and the exit status.
struct ErrorReport: Sendable, Equatable {
    /// A stable word for programs, such as `not_found`.
    var code: String
    var status: ExitStatus
    /// One line, lower-case, no stop.
    var message: String
    /// The next thing to do, a line each.
    var hints: [String] = []
    /// The service's status, when it answered.
    var http: Int?
    /// The path that was asked for.
    var path: String?
    /// What the software that it is about calls it; nil for our own errors.
    var foreign: ForeignError?

    /// The message, its middle left out when somebody typed a page of text.
    private var shortMessage: String {
        guard message.count > Self.longestMessage else { return message }
        return message.prefix(Self.longestMessage - 200) + " ... " + message.suffix(195)
    }

    private static let longestMessage = 1200

    /// `clover: message` with its hints indented below.
    var text: String {
        (["clover: " + shortMessage] + hints.map { "  " + $0 }).map(Diagnostics.printable).joined(separator: "\n")
            + "\n"
    }

    /// One JSON line: `{"error":{...}}`.
    var json: String { "{\"error\":\(facts.json)}\n" }

    /// The same for whoever puts it into other output.
    var facts: FailureFacts {
        var facts = FailureFacts(
            code: code, status: status.rawValue, message: shortMessage, hints: hints, http: http, path: path)
        facts.foreign = foreign
        return facts
    }
}
