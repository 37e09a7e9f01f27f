/// Bytes of a secret, to be searched for. A search looks at few bytes of the text: it skips nearly as many at a time as
/// the secret is long (Horspool 1980; memmem(3) does the same, but is hidden without `_GNU_SOURCE`).
struct SecretPattern: Sendable {
    let bytes: [UInt8]
    /// How far the pattern moves on when its last byte lies on a byte of the text.
    private let shifts: [Int]

    init(bytes: [UInt8]) {
        self.bytes = bytes
        var shifts = [Int](repeating: bytes.count, count: 256)
        for (index, byte) in bytes.dropLast().enumerated() { shifts[Int(byte)] = bytes.count - 1 - index }
        self.shifts = shifts
    }

    /// The shortest piece of a secret that is hidden when only a part of it is repeated, in bytes.
    private static let shortestPiece = 10

    /// The secret as it is, and as JSON (`\/`, `\u003d`) and addresses (`%3D`) spell it.
    static func spellings(of secret: Secret) -> [SecretPattern] {
        let plain = Array(secret.exposed.utf8)
        let written = [
            plain,
            plain.flatMap { $0 == UInt8(ascii: "/") ? [UInt8(ascii: "\\"), $0] : jsonEscape($0) ?? [$0] },
            // Some writers of JSON escape what has a meaning in HTML.
            plain.flatMap { "<>&='".utf8.contains($0) ? Array("\\u00\(hexadecimal($0).lowercased())".utf8) : [$0] },
            plain.flatMap { isUnreserved($0) ? [$0] : Array("%\(hexadecimal($0))".utf8) },
        ]
        return Array(Set(written)).map(SecretPattern.init(bytes:))
    }

    /// All pieces of the spellings that are long enough to be told from other text.
    static func pieces(of spellings: [SecretPattern]) -> [SecretPattern] {
        Array(
            Set(
                spellings.flatMap { spelling in
                    let width = min(spelling.bytes.count, shortestPiece)
                    return (0...(spelling.bytes.count - width)).map { Array(spelling.bytes[$0..<($0 + width)]) }
                })
        ).map(SecretPattern.init(bytes:))
    }

    /// Where the pattern stands.
    func ranges(in text: UnsafeRawBufferPointer) -> [Range<Int>] {
        guard !bytes.isEmpty else { return [] }
        var found: [Range<Int>] = []
        let last = bytes.count - 1
        bytes.withUnsafeBufferPointer { bytes in
            shifts.withUnsafeBufferPointer { shifts in
                var end = last
                while end < text.count {
                    let byte = text[end]
                    if byte == bytes[last], text[end - last..<end].elementsEqual(bytes[..<last]) {
                        found.append(end - last..<end + 1)
                        end += 1
                    } else {
                        end += shifts[Int(byte)]
                    }
                }
            }
        }
        return found
    }

    private static func jsonEscape(_ byte: UInt8) -> [UInt8]? {
        byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") ? [UInt8(ascii: "\\"), byte] : nil
    }

    private static func hexadecimal(_ byte: UInt8) -> String {
        (byte < 16 ? "0" : "") + String(byte, radix: 16, uppercase: true)
    }

    /// What an address may hold as it is (RFC 3986, section 2.3).
    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"):
            true
        default: "-._~".utf8.contains(byte)
        }
    }
}
