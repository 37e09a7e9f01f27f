import Glibc

/// The names of all sensitive fields that the catalogue knows, and a quick look for them in JSON that costs the same for
/// any number of names.
struct SensitiveNames: Sendable {
    static let all = SensitiveNames(TableText(ModelTable.sensitiveNames).texts)

    /// What many harmless fields are called too: they count only where the model says so.
    private static let ambiguous: Set<String> = ["number"]

    private let names: Set<String>
    private let bytes: [[UInt8]]
    /// A bit for each pair of bytes with which a name ends.
    private var tails = [UInt64](repeating: 0, count: 1 << 10)

    private init(_ names: [String]) {
        self.names = Set(names)
        bytes = names.map { Array($0.utf8) }
        for name in bytes where name.count > 1 {
            let tail = Self.tail(name[name.count - 2], name[name.count - 1])
            tails[tail >> 6] |= 1 << UInt64(tail & 63)
        }
    }

    /// Whether it is the name of a sensitive field of any model.
    func contains(_ name: String) -> Bool { names.contains(name) }

    /// Whether a field of this name is sensitive in an object of which nothing is known.
    func isSensitive(_ name: String) -> Bool {
        names.contains(name) && !Self.ambiguous.contains(name)
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

    /// Whether one of the names, quotes included, ends in front of the colon.
    @inline(__always)
    private func endsName(_ json: UnsafeRawBufferPointer, at colon: Int) -> Bool {
        var end = colon
        while end > 0, Self.isSpace(json[end - 1]) { end -= 1 }
        guard end > 3, json[end - 1] == UInt8(ascii: "\"") else { return false }
        let tail = Self.tail(json[end - 3], json[end - 2])
        guard tails[tail >> 6] & 1 << UInt64(tail & 63) != 0 else { return false }
        return bytes.contains { name in
            let first = end - 1 - name.count
            return first > 0 && json[first - 1] == UInt8(ascii: "\"") && json[first..<end - 1].elementsEqual(name)
        }
    }

    private static func tail(_ last: UInt8, _ after: UInt8) -> Int { Int(last) << 8 | Int(after) }

    private static func isSpace(_ byte: UInt8) -> Bool {
        byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D
    }
}
