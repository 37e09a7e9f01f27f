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

    /// `clover: message` with its hints indented below.
    var text: String {
        (["clover: " + message] + hints.map { "  " + $0 }).map(Self.printable).joined(separator: "\n") + "\n"
    }

    /// One JSON line: `{"error":{...}}`.
    var json: String {
        var fields = [
            ("code", JSONText.string(code)), ("status", "\(status.rawValue)"), ("message", JSONText.string(message)),
        ]
        if let http { fields.append(("http", "\(http)")) }
        if let path { fields.append(("path", JSONText.string(path))) }
        if !hints.isEmpty { fields.append(("hint", JSONText.string(hints.joined(separator: "\n")))) }
        let body = fields.map { "\"\($0.0)\":\($0.1)" }.joined(separator: ",")
        return "{\"error\":{\(body)}}\n"
    }

    /// Control characters could move the cursor or hide text; some of a message comes from the network.
    private static func printable(_ line: String) -> String {
        var result = String.UnicodeScalarView()
        for scalar in line.unicodeScalars {
            result.append(scalar.properties.generalCategory == .control ? "?" : scalar)
        }
        return String(result)
    }
}

/// JSON strings (RFC 8259, section 7).
enum JSONText {
    static func string(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            case "\u{0}"..."\u{1F}", "\u{7F}":
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
