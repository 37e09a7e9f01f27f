internal import CloverProcesses

/// One candidate of `$BROWSER`: a program and its arguments.
struct BrowserCommand: Equatable {
    /// At least one, the program first.
    let words: [String]

    /// The candidates of a `$BROWSER` variable, in order.
    ///
    /// They are separated by colons.
    static func candidates(_ variable: String) -> [BrowserCommand] {
        variable.split(separator: ":").map { BrowserCommand(words: CommandWords.split(String($0)).words) }
            .filter { !$0.words.isEmpty }
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
}
