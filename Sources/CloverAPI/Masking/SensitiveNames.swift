internal import CBytes
import CloverHTTP
import Glibc

/// The names of sensitive fields, from the catalogue and from `SensitiveName`, with a quick JSON search whose cost does
/// not depend on the number of names.
struct SensitiveNames: Sendable {
    static let all = SensitiveNames(TableText(ModelTable.sensitiveNames).texts)

    /// How to treat a field, judged by its name alone.
    enum Verdict {
        case harmless, sensitive
        /// Sensitive if the value looks like a card number or token; many harmless fields have such names.
        case card
    }

    /// The names of card numbers and tokens in charges (Clover: ecommerce API).
    private static let cardNames: Set<String> = ["number", "source"]

    /// The catalogue's names, folded.
    private let names: Set<String>
    private let ends: NameEnds

    private init(_ names: [String]) {
        self.names = Set(names.map { SensitiveName.folded($0) })
        ends = NameEnds(
            whole: self.names.union(SensitiveName.wholeNames).union(Self.cardNames).sorted(),
            endings: SensitiveName.allEndings)
    }

    /// Classifies a field by name, in any spelling, where no model applies.
    func verdict(of name: String) -> Verdict {
        let folded = SensitiveName.folded(name)
        if Self.cardNames.contains(folded) { return .card }
        return names.contains(folded) || SensitiveName.isSensitive(name) ? .sensitive : .harmless
    }

    /// Whether the JSON may have a member with a sensitive name, in any spelling. False only if it has none.
    func mayStand(in json: UnsafeRawBufferPointer) -> Bool {
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
