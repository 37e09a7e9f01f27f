/// Text with the escape sequences of `TextStyle`.
package enum StyledText {
    /// Truncates a line to a number of columns. Style sequences are kept. A number that does not fit completely is
    /// omitted, because its beginning would be a different number.
    package static func cut(_ line: String, to width: Int) -> String {
        var result = ""
        var used = 0
        var isInSequence = false
        // The result before the number that is being read.
        var beforeNumber: String?
        for character in line {
            if character == "\u{1B}" { isInSequence = true }
            if isInSequence {
                beforeNumber = nil
                result.append(character)
                if character == "m" { isInSequence = false }
                continue
            }
            let wasFull = used > width
            used += DisplayWidth.of(character)
            if character.isASCII && character.isNumber || beforeNumber != nil && (character == "." || character == ",")
            {
                if used > width, !wasFull, let beforeNumber { result = beforeNumber }
                beforeNumber = beforeNumber ?? result
            } else {
                beforeNumber = nil
            }
            // Later sequences may still reset a style.
            if used <= width { result.append(character) }
        }
        return result
    }
}
