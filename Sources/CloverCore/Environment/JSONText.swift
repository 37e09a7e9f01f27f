import CloverRecords

/// JSON strings (RFC 8259, section 7).
package enum JSONText {
    /// The text as a JSON string, quotes included.
    package static func string(_ text: String) -> String {
        var result = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": result += "\\\""
            case "\\": result += "\\\\"
            case "\n": result += "\\n"
            // In a terminal JSON is read by people too, whom what turns the writing direction would deceive.
            case _ where scalar.value <= 0xFFFF && TerminalText.steers(scalar):
                let digits = String(scalar.value, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result + "\""
    }
}
