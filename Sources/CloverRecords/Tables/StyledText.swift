/// Text with the sequences of `TextStyle` in it.
package enum StyledText {
    /// As much of a line as fits so many columns. Its styles stay, and end with it.
    package static func cut(_ line: String, to width: Int) -> String {
        var result = ""
        var used = 0
        var isInSequence = false
        for character in line {
            if character == "\u{1B}" { isInSequence = true }
            if isInSequence {
                result.append(character)
                if character == "m" { isInSequence = false }
                continue
            }
            used += DisplayWidth.of(character)
            // What follows may still switch a style off.
            if used <= width { result.append(character) }
        }
        return result
    }
}
