import CloverJSON
import CloverSystem
import Glibc

/// Encodes JSON strings (RFC 8259, section 7).
package enum JSONText {
    /// The text as a JSON string, quotes included.
    package static func string(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            // People read JSON on terminals, too, where characters that change the writing direction would mislead them.
            case _ where scalar.value <= 0xFFFF && TerminalText.steers(scalar):
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}

/// Builds a JSON object on one line, with its fields in the order in which they were added.
package struct JSONLine: Sendable {
    private var fields: [String] = []

    package init() {}

    /// Adds a string, or null.
    package mutating func add(_ name: String, _ value: String?) {
        fields.append("\(JSONText.string(name)):\(value.map { JSONText.string($0) } ?? "null")")
    }

    /// Adds true, false, or null.
    package mutating func add(_ name: String, _ value: Bool?) {
        fields.append("\(JSONText.string(name)):\(value.map { "\($0)" } ?? "null")")
    }

    /// Adds a whole number, or null.
    package mutating func add(_ name: String, _ value: Int64?) {
        fields.append("\(JSONText.string(name)):\(value.map { "\($0)" } ?? "null")")
    }

    package mutating func add(_ name: String, _ values: [String]) {
        fields.append("\(JSONText.string(name)):[\(values.map { JSONText.string($0) }.joined(separator: ","))]")
    }

    /// Adds a value that is already JSON.
    package mutating func add(_ name: String, json: String) {
        fields.append("\(JSONText.string(name)):\(json)")
    }

    /// The object without a line break.
    package var text: String { "{" + fields.joined(separator: ",") + "}" }
}

/// Formats times for clover's own JSON and tables.
package enum InstantText {
    /// ISO 8601 in UTC with milliseconds, such as `2026-11-21T07:14:03.120Z`, from milliseconds since 1970.
    package static func utc(milliseconds: Int64) -> String {
        let (seconds, rest) = milliseconds.flooredDivision(by: 1000)
        let parts = parts(seconds, gmtime_r)
        return "\(parts.date)T\(parts.time).\(padded(Int(rest), 3))Z"
    }

    /// ISO 8601 in UTC with milliseconds, from seconds since 1970.
    package static func utc(seconds: Int64) -> String {
        utc(milliseconds: seconds &* 1000)
    }

    private static func parts(
        _ seconds: Int64, _ split: (UnsafePointer<time_t>, UnsafeMutablePointer<tm>) -> UnsafeMutablePointer<tm>?
    ) -> (date: String, time: String) {
        var time = time_t(seconds)
        var fields = tm()
        // Fails only for years that do not fit into an int.
        guard split(&time, &fields) != nil else { return ("?", "?") }
        let date =
            "\(padded(Int(fields.tm_year) + 1900, 4))-\(padded(Int(fields.tm_mon) + 1, 2))-"
            + padded(Int(fields.tm_mday), 2)
        let clock =
            "\(padded(Int(fields.tm_hour), 2)):\(padded(Int(fields.tm_min), 2)):\(padded(Int(fields.tm_sec), 2))"
        return (date, clock)
    }

    private static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}

extension Int64 {
    /// The quotient, rounded down, and a remainder that is never negative.
    fileprivate func flooredDivision(by divisor: Int64) -> (Int64, Int64) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
