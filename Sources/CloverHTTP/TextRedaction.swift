/// Removes the values of secret names from free text: messages of a service, JSON inside a string, an HTML page.
package struct TextRedaction {
    /// Replaces a secret.
    package static let mark = "(redacted)"

    private let bytes: [UInt8]
    private let isSecret: (String) -> Bool

    /// The text with `(redacted)` in place of every value that follows a secret name and `:` or `=`, quoted or not, and
    /// of what follows `Bearer` and `Basic`, and of card tokens under any name. Prose after a colon stays: `token: expired`.
    ///
    /// - Parameter isSecret: names that are secret besides those of `SensitiveName`.
    package static func redacted(_ text: String, isSecret: (String) -> Bool = { _ in false }) -> String {
        let shown = withoutActuallyEscaping(isSecret) { isSecret in
            TextRedaction(bytes: Array(text.utf8), isSecret: { SensitiveName.isSensitive($0) || isSecret($0) }).run()
        }
        // The prefix of card tokens (Clover: ecommerce API, tokens). A new one is returned as `id`.
        return shown.contains("clv_") ? shown.replacing(/clv_[\w-]+/, with: mark) : shown
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

    /// The value that belongs to the word; nil if the word is not a secret's name, or is only part of prose.
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

    /// `:`, `=`, or `=` as URLs encode it; nil for anything else.
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

    /// The position after a quotation mark, including the backslashes before it in nested JSON; `start` if there is
    /// none.
    private func afterQuote(_ start: Int) -> Int {
        var index = start
        while index < bytes.count, bytes[index] == UInt8(ascii: "\\") { index += 1 }
        guard index < bytes.count, bytes[index] == UInt8(ascii: "\"") || bytes[index] == UInt8(ascii: "'") else {
            return start
        }
        return index + 1
    }

    /// The position before the mark that closes `quote`, or the end.
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

    /// The position after the bracket that closes the one at `start`, or the end.
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

    fileprivate static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    private static func isWord(_ byte: UInt8) -> Bool {
        isLetter(byte) || isDigit(byte) || byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-")
    }

    /// Characters of a token (RFC 6750, section 2.1).
    private static func isCredential(_ byte: UInt8) -> Bool { isWord(byte) || ".~+/=".utf8.contains(byte) }

    private static func isDelimiter(_ byte: UInt8) -> Bool { byte <= 0x20 || ",;&}])\"'<>\\".utf8.contains(byte) }
}

/// Removes anything that looks like a payment card number from text: a service or a driver may repeat one that Clover
/// has never seen.
package enum CardNumberRedaction {
    /// Lengths of card numbers (ISO/IEC 7812-1), and the first digits of payment cards.
    private static let lengths = 13...19
    private static let firstDigits: ClosedRange<UInt8> = UInt8(ascii: "2")...UInt8(ascii: "6")
    /// Number of digits before a space or dash within a number, as printed on cards. Dates have fewer, identifiers more.
    private static let groupLengths = 4...6

    /// The text with `(redacted)` in place of each number with the right length, first digit and check digit.
    package static func redacted(_ text: String) -> String {
        var text = text
        return text.withUTF8 { bytes in
            let bytes = UnsafeRawBufferPointer(bytes)
            let found = ranges(in: bytes)
            guard !found.isEmpty else { return String(decoding: bytes, as: UTF8.self) }
            return String(
                decoding: SecretRanges.replaced(found, in: bytes) { _ in Array(TextRedaction.mark.utf8) }, as: UTF8.self
            )
        }
    }

    private static func ranges(in bytes: UnsafeRawBufferPointer) -> [Range<Int>] {
        var found: [Range<Int>] = []
        var index = 0
        while index < bytes.count {
            guard isDigit(bytes[index]) else {
                index += 1
                continue
            }
            let groups = groups(in: bytes, from: index)
            index = groups[groups.count - 1].upperBound
            // The digits of a fraction are not a card number.
            if groups[0].lowerBound > 0, bytes[groups[0].lowerBound - 1] == UInt8(ascii: ".") { continue }
            found += numbers(of: groups, in: bytes)
        }
        return found
    }

    /// The digits from `start`, with those that follow after a single space or dash.
    private static func groups(in bytes: UnsafeRawBufferPointer, from start: Int) -> [Range<Int>] {
        var groups: [Range<Int>] = []
        var first = start
        while true {
            let end = bytes[first...].firstIndex { !isDigit($0) } ?? bytes.count
            groups.append(first..<end)
            guard end + 1 < bytes.count, isSeparator(bytes[end]), isDigit(bytes[end + 1]) else { return groups }
            first = end + 1
        }
    }

    /// The groups that are a card number, alone or with those that follow: other numbers may stand beside it.
    private static func numbers(of groups: [Range<Int>], in bytes: UnsafeRawBufferPointer) -> [Range<Int>] {
        var found: [Range<Int>] = []
        var first = 0
        while first < groups.count {
            let last = (first..<groups.count).last { last in
                let digits = bytes[groups[first].lowerBound..<groups[last].upperBound].filter(isDigit)
                return isCardNumber(digits) && (first == last || isPrinted(groups[first...last], in: bytes))
            }
            if let last { found.append(groups[first].lowerBound..<groups[last].upperBound) }
            first = (last ?? first) + 1
        }
        return found
    }

    /// Whether the groups may be one number as printed on a card, and not a part of an identifier such as a UUID.
    private static func isPrinted(_ groups: ArraySlice<Range<Int>>, in bytes: UnsafeRawBufferPointer) -> Bool {
        guard groups.dropLast().allSatisfy({ groupLengths.contains($0.count) }), let first = groups.first,
            let last = groups.last, last.count <= groupLengths.upperBound
        else { return false }
        let before = first.lowerBound > 0 ? bytes[first.lowerBound - 1] : 0
        let after = last.upperBound < bytes.count ? bytes[last.upperBound] : 0
        return !TextRedaction.isLetter(before) && !TextRedaction.isLetter(after)
    }

    private static func isCardNumber(_ digits: [UInt8]) -> Bool {
        guard lengths.contains(digits.count), let first = digits.first, firstDigits.contains(first) else {
            return false
        }
        var sum = 0
        for (place, byte) in digits.reversed().enumerated() {
            let digit = Int(byte - UInt8(ascii: "0"))
            let doubled = digit * 2
            sum += place.isMultiple(of: 2) ? digit : doubled > 9 ? doubled - 9 : doubled
        }
        return sum.isMultiple(of: 10)
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    private static func isSeparator(_ byte: UInt8) -> Bool { byte == UInt8(ascii: " ") || byte == UInt8(ascii: "-") }
}
