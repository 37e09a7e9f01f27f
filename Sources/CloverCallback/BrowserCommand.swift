/// One candidate of `$BROWSER`: a program and its arguments.
struct BrowserCommand: Equatable {
    /// At least one, the program first.
    let words: [String]

    /// The candidates of a `$BROWSER` variable, in order.
    ///
    /// They are separated by colons. Words are separated by spaces; quotes, single or double, keep a word together.
    /// Nothing else of a shell is understood, and no shell is run.
    static func candidates(_ variable: String) -> [BrowserCommand] {
        variable.split(separator: ":").map { BrowserCommand(words: words(String($0))) }.filter { !$0.words.isEmpty }
    }

    /// Program and arguments for a URL: it takes the place of each `%s`, and is added at the end when there is none.
    /// `%%` stands for a percent sign and `%c` for a colon, which separates candidates.
    func arguments(for url: String) -> [String] {
        var isPlaced = false
        let result = words.map { word in
            var text = ""
            var rest = word[...]
            while let mark = rest.firstIndex(of: "%") {
                text += rest[..<mark]
                let next = rest.index(after: mark)
                switch next < rest.endIndex ? rest[next] : nil {
                case "s":
                    text += url
                    isPlaced = true
                case "c": text += ":"
                case "%": text += "%"
                case let other: text += "%" + (other.map(String.init) ?? "")
                }
                rest = next < rest.endIndex ? rest[rest.index(after: next)...] : ""
            }
            return text + rest
        }
        return isPlaced ? result : result + [url]
    }

    private static func words(_ text: String) -> [String] {
        var words: [String] = []
        var word: String?
        var quote: Character?
        for character in text {
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
        return words
    }
}
