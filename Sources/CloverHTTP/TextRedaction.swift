/// Takes the values of secret names out of text that has no form to rely on: words of a service, JSON inside of a
/// string, a page of HTML.
package struct TextRedaction {
    /// What takes the place of a secret.
    package static let mark = "(redacted)"

    private let bytes: [UInt8]
    private let isSecret: (String) -> Bool

    /// The text with `(redacted)` in place of every value that follows a secret name and `:` or `=`, quoted or not, and
    /// of what follows `Bearer` and `Basic`. Prose behind a colon stays: `token: expired`.
    ///
    /// - Parameter isSecret: whether the name is a secret's, besides those of `SensitiveName`.
    package static func redacted(_ text: String, isSecret: (String) -> Bool = { _ in false }) -> String {
        withoutActuallyEscaping(isSecret) { isSecret in
            TextRedaction(bytes: Array(text.utf8), isSecret: { SensitiveName.isSensitive($0) || isSecret($0) }).run()
        }
    }

    private func run() -> String {
        var shown: [UInt8] = []
        var copied = 0
        var index = 0
        while index < bytes.count {
            guard Self.isWord(bytes[index]) else {
                index += 1
                continue
            }
            let start = index
            while index < bytes.count, Self.isWord(bytes[index]) { index += 1 }
            guard let value = value(behind: start..<index), !value.isEmpty else { continue }
            shown += bytes[copied..<value.lowerBound]
            shown += Self.mark.utf8
            copied = value.upperBound
            index = copied
        }
        guard copied > 0 else { return String(decoding: bytes, as: UTF8.self) }
        return String(decoding: shown + bytes[copied...], as: UTF8.self)
    }

    /// The value that belongs to the word; nil when it is no secret's name, or only speaks of one.
    private func value(behind word: Range<Int>) -> Range<Int>? {
        let name = String(decoding: bytes[word], as: UTF8.self)
        if ["bearer", "basic"].contains(name.lowercased()) {
            let start = afterSpace(word.upperBound)
            let end = bytes[start...].firstIndex { !Self.isCredential($0) } ?? bytes.count
            if start > word.upperBound, end - start >= Self.shortestCredential { return start..<end }
        }
        guard name.utf8.count <= Self.longestName, isSecret(name) else { return nil }
        var place = afterSpace(afterQuote(word.upperBound))
        guard let separator = separator(at: &place) else { return nil }
        let start = afterSpace(place)
        guard start < bytes.count, !bytes[start...].starts(with: Self.mark.utf8) else { return nil }
        let opening = afterQuote(start)
        if opening > start { return opening..<endOfQuoted(from: opening, quote: bytes[start..<opening]) }
        if bytes[start] == UInt8(ascii: "{") || bytes[start] == UInt8(ascii: "[") {
            return start..<endOfBrackets(from: start)
        }
        let end = bytes[start...].firstIndex { Self.isDelimiter($0) } ?? bytes.count
        let value = bytes[start..<end]
        let isProse = separator == UInt8(ascii: ":") && value.allSatisfy { Self.isLetter($0) || $0 == 0x2E }
        return isProse ? nil : start..<end
    }

    private static let shortestCredential = 12
    private static let longestName = 100

    /// `:`, `=`, or `=` as addresses write it; nil for anything else.
    private func separator(at place: inout Int) -> UInt8? {
        guard place < bytes.count else { return nil }
        if bytes[place...].starts(with: "%3D".utf8) || bytes[place...].starts(with: "%3d".utf8) {
            place += 3
            return UInt8(ascii: "=")
        }
        guard bytes[place] == UInt8(ascii: ":") || bytes[place] == UInt8(ascii: "=") else { return nil }
        place += 1
        return bytes[place - 1]
    }

    private func afterSpace(_ start: Int) -> Int {
        bytes[min(start, bytes.count)...].firstIndex { $0 != 0x20 && $0 != 0x09 && $0 != 0x0A && $0 != 0x0D }
            ?? bytes.count
    }

    /// Behind a quotation mark, with the backslashes before it in JSON inside of JSON; `start` where there is none.
    private func afterQuote(_ start: Int) -> Int {
        var index = start
        while index < bytes.count, bytes[index] == UInt8(ascii: "\\") { index += 1 }
        guard index < bytes.count, bytes[index] == UInt8(ascii: "\"") || bytes[index] == UInt8(ascii: "'") else {
            return start
        }
        return index + 1
    }

    /// Before the mark that closes what `quote` opened, or at the end.
    private func endOfQuoted(from start: Int, quote: ArraySlice<UInt8>) -> Int {
        guard let mark = quote.last else { return start }
        let depth = quote.count - 1
        var index = start
        var backslashes = 0
        while index < bytes.count {
            if bytes[index] == UInt8(ascii: "\\") {
                backslashes += 1
            } else {
                if bytes[index] == mark, backslashes <= depth { return index - backslashes }
                backslashes = 0
            }
            index += 1
        }
        return bytes.count
    }

    /// Behind the bracket that closes the one at `start`, or the end.
    private func endOfBrackets(from start: Int) -> Int {
        var depth = 0
        for index in start..<bytes.count {
            switch bytes[index] {
            case UInt8(ascii: "{"), UInt8(ascii: "["): depth += 1
            case UInt8(ascii: "}"), UInt8(ascii: "]"):
                depth -= 1
                if depth == 0 { return index + 1 }
            default: break
            }
        }
        return bytes.count
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    private static func isWord(_ byte: UInt8) -> Bool {
        isLetter(byte) || isDigit(byte) || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
    }

    /// What a token is made of (RFC 6750, section 2.1).
    private static func isCredential(_ byte: UInt8) -> Bool { isWord(byte) || ".~+/=".utf8.contains(byte) }

    private static func isDelimiter(_ byte: UInt8) -> Bool { byte <= 0x20 || ",;&}])\"'<>\\".utf8.contains(byte) }
}
