import CloverHTTP

/// One line that a person or a program handed in, such as a token.
enum InputLine {
    /// The first line without surrounding white space; nil when it is empty.
    static func first(of input: [UInt8]) -> Secret? {
        let line = input.prefix { $0 != UInt8(ascii: "\n") }
        let isBlank: (UInt8) -> Bool = {
            $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") || $0 == UInt8(ascii: "\r")
        }
        var text = line.drop(while: isBlank)
        while let last = text.last, isBlank(last) { text.removeLast() }
        return text.isEmpty ? nil : Secret(String(decoding: text, as: UTF8.self))
    }
}
