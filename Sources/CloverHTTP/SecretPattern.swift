internal import CBytes
internal import Glibc

/// Bytes of a secret, to be searched for. A search looks for its first and its last byte in 64 places at once. To skip as
/// many bytes as the secret is long where one differs (Horspool 1980) takes longer: the digits of which tokens are made
/// stand all over in records.
struct SecretPattern: Sendable {
    let bytes: [UInt8]

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
        guard let start = text.baseAddress, let first = bytes.first, let last = bytes.last else { return [] }
        let distance = bytes.count - 1
        var found: [Range<Int>] = []
        bytes.withUnsafeBytes { bytes in
            guard let pattern = bytes.baseAddress else { return }
            func look(at place: Int) {
                guard memcmp(start + place, pattern, bytes.count) == 0 else { return }
                found.append(place..<place + bytes.count)
            }
            var place = 0
            while place + 64 + distance <= text.count {
                var pairs = clover_pairs(start + place, first, distance, last)
                while pairs != 0 {
                    look(at: place + pairs.trailingZeroBitCount)
                    pairs &= pairs &- 1
                }
                place += 64
            }
            while place + distance < text.count {
                if text[place] == first { look(at: place) }
                place += 1
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
