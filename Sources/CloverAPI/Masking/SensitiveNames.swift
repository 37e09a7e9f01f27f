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
        // `\u0070` may stand for a character of a name; no other escape can.
        isAnywhere(UInt8(ascii: "\\"), in: json) { $0 + 1 < json.count && json[$0 + 1] == UInt8(ascii: "u") }
            || isAnywhere(UInt8(ascii: ":"), in: json) { endsName(json, at: $0) }
    }

    /// Whether the byte is somewhere where the condition holds.
    @inline(__always)
    private func isAnywhere(
        _ byte: UInt8, in json: UnsafeRawBufferPointer, where condition: (Int) -> Bool
    ) -> Bool {
        guard let start = json.baseAddress else { return false }
        var next = 0
        while let found = memchr(start + next, Int32(byte), json.count - next) {
            let place = start.distance(to: UnsafeRawPointer(found))
            if condition(place) { return true }
            next = place + 1
        }
        return false
    }

    /// Whether the name in front of the colon, if it is one, is sensitive.
    @inline(__always)
    private func endsName(_ json: UnsafeRawBufferPointer, at colon: Int) -> Bool {
        var end = colon
        while end > 0, Self.isSpace(json[end - 1]) { end -= 1 }
        guard end > 3, json[end - 1] == UInt8(ascii: "\""), ends.mayFit(json, before: end - 1) else { return false }
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
