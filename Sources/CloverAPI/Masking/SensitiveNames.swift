internal import CBytes
import CloverHTTP
import Glibc

/// The names of sensitive fields, those that the catalogue knows and those that `SensitiveName` tells, and a quick look
/// for them in JSON that costs the same for any number of names.
struct SensitiveNames: Sendable {
    static let all = SensitiveNames(TableText(ModelTable.sensitiveNames).texts)

    /// What a name says of a field in an object of which nothing is known.
    enum Verdict {
        case harmless, sensitive
        /// A card's number or token, if it looks like one: many harmless fields are called so too.
        case card
    }

    /// What the number and the token of a card are called where charges are made (Clover: ecommerce API).
    private static let cardNames: Set<String> = ["number", "source"]

    /// Folded names of the catalogue.
    private let names: Set<String>
    private let ends: NameEnds

    private init(_ names: [String]) {
        self.names = Set(names.map { SensitiveName.folded($0) })
        ends = NameEnds(
            whole: self.names.union(SensitiveName.wholeNames).union(Self.cardNames).sorted(),
            endings: SensitiveName.allEndings)
    }

    /// What a field of this name is, whatever spelling it has, where no model tells.
    func verdict(of name: String) -> Verdict {
        let folded = SensitiveName.folded(name)
        if Self.cardNames.contains(folded) { return .card }
        return names.contains(folded) || SensitiveName.isSensitive(name) ? .sensitive : .harmless
    }

    /// Whether JSON may have a member of one of these names: false only when it has none, however it is spelled.
    func mayStand(in json: UnsafeRawBufferPointer) -> Bool {
        guard let start = json.baseAddress else { return false }
        return hasEscapedCharacter(start, json.count) || hasSensitiveName(start, json)
    }

    /// `\u0070` may stand for a character of a name; no other escape can.
    private func hasEscapedCharacter(_ start: UnsafeRawPointer, _ count: Int) -> Bool {
        var next = 0
        while let found = memchr(start + next, Int32(UInt8(ascii: "\\")), count - next) {
            next = start.distance(to: UnsafeRawPointer(found)) + 1
            if next < count, start.load(fromByteOffset: next, as: UInt8.self) == UInt8(ascii: "u") { return true }
        }
        return false
    }

    /// Looks at every colon behind a quotation mark or white space: values have colons too, and finding each one by itself
    /// costs more than looking at all bytes.
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

    /// Whether the name in front of the colon, if it is one, is sensitive.
    @inline(__always)
    private func endsName(_ json: UnsafeRawBufferPointer, at colon: Int) -> Bool {
        var end = colon
        while end > 0, Self.isSpace(json[end - 1]) { end -= 1 }
        guard end > 4, json[end - 1] == UInt8(ascii: "\""), ends.mayFit(json, before: end - 1) else { return false }
        return isSensitiveName(endingAt: end - 1, in: json)
    }

    /// Few names get here.
    @inline(never)
    private func isSensitiveName(endingAt end: Int, in json: UnsafeRawBufferPointer) -> Bool {
        guard let start = json[..<end].lastIndex(of: UInt8(ascii: "\"")) else { return false }
        return verdict(of: String(decoding: json[start + 1..<end], as: UTF8.self)) != .harmless
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
    }
}
