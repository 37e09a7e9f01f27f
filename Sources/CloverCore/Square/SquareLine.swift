import CloverRecords

/// A line of JSON on standard output.
package enum SquareLine {
    /// Prints it with the control characters that JSON allows in a string as escapes: a state is text from elsewhere, and
    /// U+009B moves the cursor of some terminals. The value is the same.
    package static func print(_ line: String, in environment: CommandEnvironment) async throws {
        var text = ""
        for scalar in line.unicodeScalars {
            switch scalar {
            case "\u{7F}"..."\u{9F}": text += "\\u00" + String(scalar.value, radix: 16)
            default: text.unicodeScalars.append(scalar)
            }
        }
        try await environment.standardOutput.write(Array((text + "\n").utf8))
    }
}
