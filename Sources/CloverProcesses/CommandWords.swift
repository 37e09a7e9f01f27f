/// A command line that a user wrote into a setting or a variable.
package enum CommandWords {
    /// Splits a line into a program and its arguments: spaces and tabs separate words, quotes, single or double, keep a
    /// word together. Nothing else of a shell is understood, and no shell is run.
    ///
    /// - Returns: the words, maybe none, and whether every quote has an end.
    package static func split(_ line: String) -> (words: [String], isClosed: Bool) {
        var words: [String] = []
        var word: String?
        var quote: Character?
        for character in line {
            if character == quote {
                quote = nil
            } else if quote != nil {
                word = (word ?? "") + String(character)
            } else if character == "\"" || character == "'" {
                quote = character
                word = word ?? ""
            } else if character == " " || character == "\t" {
                if let whole = word { words.append(whole) }
                word = nil
            } else {
                word = (word ?? "") + String(character)
            }
        }
        if let word { words.append(word) }
        return (words, quote == nil)
    }
}
