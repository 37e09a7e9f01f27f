import CloverCore

/// A failure as the user sees it: what failed, on what, and why; what to do next; and the exit status.
struct ErrorReport: Sendable, Equatable {
    /// A stable identifier for programs, such as `not_found`.
    var code: String
    var status: ExitStatus
    /// One line, lower-case, without a full stop.
    var message: String
    /// What to do next, one step a line.
    var hints: [String] = []
    /// The HTTP status, if the service responded.
    var http: Int?
    /// The requested path.
    var path: String?
    /// The error's identity in the software that defines it; nil for clover's own errors.
    var foreign: ForeignError?

    /// The message; the middle of a very long one is left out, such as one that repeats a page of input.
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

    /// The same contents, to embed into other output.
    var facts: FailureFacts {
        var facts = FailureFacts(
            code: code, status: status.rawValue, message: shortMessage, hints: hints, http: http, path: path)
        facts.foreign = foreign
        return facts
    }
}
