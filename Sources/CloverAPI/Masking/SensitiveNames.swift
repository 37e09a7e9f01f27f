internal import CBytes
import CloverHTTP
import Glibc

/// The names of sensitive fields, from the catalogue and from `SensitiveName`, with a quick JSON search whose cost does
/// not depend on the number of names.
struct SensitiveNames: Sendable {
    static let all = SensitiveNames(TableText(ModelTable.sensitiveNames).texts)

    /// How to treat a field, judged by its name alone.
    enum Sensitivity {
        case harmless, sensitive
        /// Sensitive if the value looks like a card number or token; many harmless fields have such names.
        case card
    }

    /// The names of card numbers and tokens in charges and customers (Clover: ecommerce API), and of a card's expiry in `extra`
    /// of a payment (recorded).
    private static let cardNames: Set<String> = cards.union(["number", "exp", "expirationdate"])
    /// The names of objects that are cards, or lists of them, folded.
    private static let cards: Set<String> = ["card", "cards", "source", "sources", "defaultsource"]
    /// What such an object has of its number, its holder and its expiry, folded; elsewhere, most of these names are harmless.
    private static let cardFacts: Set<String> = [
        "number", "pan", "tk", "name", "cardholdername", "firstname", "lastname", "exp", "expmonth", "expyear",
        "expirationdate",
    ]
    /// The names of a card's expiry in the source of a charge (recorded), folded.
    private static let expiryNames: Set<String> = ["expmonth", "expyear"]

    /// The catalogue's names, folded.
    private let names: Set<String>
    private let ends: NameSuffixFilter

    private init(_ names: [String]) {
        self.names = Set(names.map { SensitiveName.folded($0) })
        ends = NameSuffixFilter(
            whole: self.names.union(SensitiveName.wholeNames).union(Self.cardNames).union(Self.expiryNames).sorted(),
            endings: SensitiveName.allEndings)
    }

    /// Classifies a field by name, in any spelling, where no model applies.
    func verdict(of name: String) -> Sensitivity {
        let folded = SensitiveName.folded(name)
        if Self.cardNames.contains(folded) { return .card }
        return names.contains(folded) || Self.expiryNames.contains(folded) || SensitiveName.isSensitive(name)
            ? .sensitive : .harmless
    }

    /// Whether an object of this name is a card, or a list of cards, where no model says what it is.
    static func isCard(_ name: String) -> Bool { cards.contains(SensitiveName.folded(name)) }

    /// Whether a member of a card has its number, its holder or its expiry.
    static func isCardFact(_ name: String) -> Bool { cardFacts.contains(SensitiveName.folded(name)) }

    /// Whether the JSON may have a member with a sensitive name, in any spelling. False only if it has none.
    func mayOccur(in json: UnsafeRawBufferPointer) -> Bool {
        guard let start = json.baseAddress else { return false }
        return hasEscapedCharacter(start, json.count) || hasSensitiveName(start, json)
    }

    /// Whether a `\u` escape occurs: `\u0070` may encode a character of a name; no other escape can.
    private func hasEscapedCharacter(_ start: UnsafeRawPointer, _ count: Int) -> Bool {
        var next = 0
        while let found = memchr(start + next, Int32(UInt8(ascii: "\\")), count - next) {
            next = start.distance(to: UnsafeRawPointer(found)) + 1
            if next < count, start.load(fromByteOffset: next, as: UInt8.self) == UInt8(ascii: "u") { return true }
        }
        return false
    }

    /// Checks every colon after a quotation mark or white space. Values have colons too, and searching for single
    /// colons costs more than scanning all bytes.
    private func hasSensitiveName(_ start: UnsafeRawPointer, _ json: UnsafeRawBufferPointer) -> Bool {
        var index = 1
        while index + 64 <= json.count {
            var colons = clover_name_ends(start + index)
            while colons != 0 {
                if endsName(json, at: index + colons.trailingZeroBitCount) { return true }
                colons &= colons &- 1
            }
            index += 64
        }
        while index < json.count {
            if json[index] == UInt8(ascii: ":"), endsName(json, at: index) { return true }
            index += 1
        }
        return false
    }

    /// Whether the colon follows a sensitive name.
    @inline(__always)
    private func endsName(_ json: UnsafeRawBufferPointer, at colon: Int) -> Bool {
        var end = colon
        while end > 0, Self.isSpace(json[end - 1]) { end -= 1 }
        guard end > 4, json[end - 1] == UInt8(ascii: "\""), ends.mayFit(json, before: end - 1) else { return false }
        return isSensitiveName(endingAt: end - 1, in: json)
    }

    /// Rarely called.
    @inline(never)
    private func isSensitiveName(endingAt end: Int, in json: UnsafeRawBufferPointer) -> Bool {
        guard let start = json[..<end].lastIndex(of: UInt8(ascii: "\"")) else { return false }
        return verdict(of: String(decoding: json[start + 1..<end], as: UTF8.self)) != .harmless
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
    }
}

/// A cheap test of the last bytes of a JSON name, which rules out most names that are not in a set.
///
/// Bytes are compared by their lower five bits, which ignores case; `_` and `-` are skipped.
struct NameSuffixFilter: Sendable {
    /// Up to the last eight bytes of a name, the last one lowest. For a short name this includes the opening quote.
    private struct Pattern: Sendable {
        let mask: UInt64
        let value: UInt64

        func fits(_ end: UInt64) -> Bool { end & mask == value }
    }

    /// One bit per hash of the last four bytes of each name: most harmless names already differ in these.
    private var isThere = [UInt64](repeating: 0, count: 1 << 9)
    /// Buckets by the last three bytes; a dictionary lookup would cost more than everything else.
    private var patterns = [[Pattern]](repeating: [], count: 256)

    /// - Parameters:
    ///   - whole: folded names.
    ///   - endings: suffixes of folded names, three bytes or more.
    init(whole: [String], endings: [String]) {
        for name in whole { add([UInt8(ascii: "\"")] + Array(name.utf8)) }
        for ending in endings { add(Array(ending.utf8)) }
    }

    private mutating func add(_ bytes: [UInt8]) {
        var value: UInt64 = 0
        for byte in bytes.suffix(8) { value = value << 8 | UInt64(byte & 0x1F) }
        let count = min(bytes.count, 8)
        let mask: UInt64 = (0..<count).reduce(0) { $0 | 0x1F << UInt64(8 * $1) }
        patterns[Self.tail(of: value) & 255].append(Pattern(mask: mask, value: value))
        // With only three bytes, any byte may precede them.
        for first in count < 4 ? 0..<32 : Int(value >> 24 & 0x1F)..<Int(value >> 24 & 0x1F) + 1 {
            let hash = Self.hash(UInt32(first) << 24 | UInt32(truncatingIfNeeded: value) & 0x1F_1F1F)
            isThere[hash >> 6] |= 1 << UInt64(hash & 63)
        }
    }

    /// Hash of four bytes, the last one lowest (Knuth, multiplicative hashing).
    @inline(__always)
    private static func hash(_ end: UInt32) -> Int { Int(((end & 0x1F1F_1F1F) &* 0x9E37_79B1) &>> 17) }

    /// Whether the name whose closing quote is at `end` may be in the set. False only if it is certainly not.
    ///
    /// - Parameter end: four or more.
    @inline(__always)
    func mayFit(_ json: UnsafeRawBufferPointer, before end: Int) -> Bool {
        let last = UInt32(bigEndian: json.loadUnaligned(fromByteOffset: end - 4, as: UInt32.self))
        let hash = Self.hash(last)
        let isLikely = isThere[hash &>> 6] &>> UInt64(hash & 63) & 1 != 0
        guard isLikely || Self.hasSeparator(last) else { return false }
        return fits(json, before: end)
    }

    @inline(never)
    private func fits(_ json: UnsafeRawBufferPointer, before end: Int) -> Bool {
        var value: UInt64 = 0
        var count: UInt64 = 0
        var index = end
        while count < 8, index > 0 {
            index -= 1
            let byte = json[index]
            if Self.isSeparator(byte) { continue }
            value |= UInt64(byte & 0x1F) << (8 * count)
            count += 1
            if byte == UInt8(ascii: "\"") { break }
        }
        return patterns[Self.tail(of: value) & 255].contains { $0.fits(value) }
    }

    private static func tail(of end: UInt64) -> Int {
        Int(end >> 16 & 0x1F) << 10 | Int(end >> 8 & 0x1F) << 5 | Int(end & 0x1F)
    }

    /// Whether one of the four bytes is a separator; rarely true when none is.
    @inline(__always)
    private static func hasSeparator(_ bytes: UInt32) -> Bool {
        let (first, second) = (bytes ^ 0x5F5F_5F5F, bytes ^ 0x2D2D_2D2D)
        let zeros = (first &- 0x0101_0101) & ~first | (second &- 0x0101_0101) & ~second
        return zeros & 0x8080_8080 != 0
    }

    @inline(__always)
    private static func isSeparator(_ byte: UInt8) -> Bool { byte == UInt8(ascii: "_") || byte == UInt8(ascii: "-") }
}

/// Recognizes payment card numbers (ISO/IEC 7812-1).
enum CardNumber {
    /// Whether the text is 12 to 19 digits, optionally separated by spaces, hyphens or quotation marks, with a valid
    /// check digit (Luhn).
    static func isLikely(_ text: some Collection<UInt8>) -> Bool {
        var digits: [Int] = []
        for byte in text {
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): digits.append(Int(byte) - 0x30)
            case UInt8(ascii: " "), UInt8(ascii: "-"), UInt8(ascii: "\""): continue
            default: return false
            }
        }
        guard (12...19).contains(digits.count) else { return false }
        let sum = digits.reversed().enumerated().reduce(0) { sum, digit in
            let doubled = digit.offset.isMultiple(of: 2) ? digit.element : 2 * digit.element
            return sum + (doubled > 9 ? doubled - 9 : doubled)
        }
        return sum.isMultiple(of: 10)
    }
}
