/// Text with the sequences of `TextStyle` in it.
package enum StyledText {
    /// As much of a line as fits so many columns. Its styles stay, and end with it. A number of which only the beginning
    /// fits is left out: it would be another number.
    package static func cut(_ line: String, to width: Int) -> String {
        var result = ""
        var used = 0
        var isInSequence = false
        // What there was before the number that is being read.
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
            // What follows may still switch a style off.
            if used <= width { result.append(character) }
        }
        return result
    }
}
