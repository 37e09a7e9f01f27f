import CBytes
import CloverSystem
import Glibc
import Synchronization

/// Removes known secrets from text and data of any origin: a service may repeat a token in its response, and a user may
/// have typed one into a path.
package final class SecretMask: Sendable {
    private let entries = Mutex<[Entry]>([])
    /// Secrets that are too short to be looked for within words.
    private let codes = Mutex<[SecretMatcher]>([])

    /// Shorter secrets would hide harmless text.
    private static let shortest = 6

    package init() {}

    /// - Parameter secrets: hidden, however short they are.
    package convenience init(hiding secrets: [Secret]) {
        self.init()
        entries.withLock { $0 = secrets.filter { !$0.exposed.isEmpty }.map(Entry.init) }
    }

    package func hide(_ secret: Secret) {
        guard secret.exposed.utf8.count >= Self.shortest else { return }
        entries.withLock { entries in
            if !entries.contains(where: { $0.secret == secret }) { entries.append(Entry(secret)) }
        }
    }

    /// Hides a short secret, such as a card's security code, wherever it stands alone: not within a longer word or number.
    package func hide(code: Secret) {
        guard !code.exposed.isEmpty else { return }
        codes.withLock { $0.append(SecretMatcher(bytes: Array(code.exposed.utf8))) }
    }

    /// The text with `(redacted)` in place of every secret, and of every longer part of one, because text may have been
    /// truncated within a secret.
    package func masked(_ text: String) -> String {
        let entries = entries.withLock { $0 }
        let codes = codes.withLock { $0 }
        guard !entries.isEmpty || !codes.isEmpty else { return text }
        var text = text
        return text.withUTF8 { bytes in
            let bytes = UnsafeRawBufferPointer(bytes)
            let found = SecretRanges.joined(
                entries.flatMap { entry in entry.pieces.flatMap { $0.ranges(in: bytes) } }
                    + codes.flatMap { code in code.ranges(in: bytes).filter { Self.standsAlone($0, in: bytes) } })
            return String(
                decoding: SecretRanges.replaced(found, in: bytes) { _ in Array("(redacted)".utf8) }, as: UTF8.self)
        }
    }

    private static func standsAlone(_ range: Range<Int>, in bytes: UnsafeRawBufferPointer) -> Bool {
        func isWord(_ place: Int) -> Bool {
            guard bytes.indices.contains(place) else { return false }
            let byte = bytes[place]
            return byte &- 0x30 < 10 || (byte | 0x20) &- 0x61 < 26
        }
        return !isWord(range.lowerBound - 1) && !isWord(range.upperBound)
    }

    /// The positions of whole secrets, in order and disjoint: as they are, and as JSON and URLs spell them. Costs one
    /// fast search for each.
    package func ranges(in bytes: UnsafeRawBufferPointer) -> [Range<Int>] {
        let entries = entries.withLock { $0 }
        return SecretRanges.joined(entries.flatMap { entry in entry.spellings.flatMap { $0.ranges(in: bytes) } })
    }

    /// Length in bytes of the longest spelling of a secret; 0 if there is none.
    package var longest: Int { entries.withLock { $0.lazy.flatMap(\.spellings).map(\.bytes.count).max() ?? 0 } }

    private struct Entry: Sendable {
        let secret: Secret
        let spellings: [SecretMatcher]
        let pieces: [SecretMatcher]

        init(_ secret: Secret) {
            self.secret = secret
            let spellings = SecretMatcher.spellings(of: secret)
            self.spellings = spellings
            pieces = SecretMatcher.pieces(of: spellings)
        }
    }
}

/// A byte pattern of a secret to search for. The search checks the first and the last byte at 64 positions at once.
/// Skipping by the pattern's length on a mismatch (Horspool 1980) is slower, because the digits of tokens occur
/// everywhere in records.
struct SecretMatcher: Sendable {
    let bytes: [UInt8]

    /// Minimum length in bytes of a part of a secret that is hidden.
    private static let shortestPiece = 10

    /// The secret as it is, and as JSON (`\/`, `\u003d`) and URLs (`%3D`) spell it.
    static func spellings(of secret: Secret) -> [SecretMatcher] {
        let plain = Array(secret.exposed.utf8)
        let written = [
            plain,
            plain.flatMap { $0 == UInt8(ascii: "/") ? [UInt8(ascii: "\\"), $0] : jsonEscape($0) ?? [$0] },
            // Some JSON writers escape characters that are special in HTML.
            plain.flatMap { "<>&='".utf8.contains($0) ? Array("\\u00\([$0].hexadecimalDigits)".utf8) : [$0] },
            Array(PercentCoding.encode(secret.exposed).utf8),
        ]
        return Array(Set(written)).map(SecretMatcher.init(bytes:))
    }

    /// All parts of the spellings that are long enough to be distinct from other text.
    static func pieces(of spellings: [SecretMatcher]) -> [SecretMatcher] {
        Array(
            Set(
                spellings.flatMap { spelling in
                    let width = min(spelling.bytes.count, shortestPiece)
                    return (0...(spelling.bytes.count - width)).map { Array(spelling.bytes[$0..<($0 + width)]) }
                })
        ).map(SecretMatcher.init(bytes:))
    }

    func ranges(in text: UnsafeRawBufferPointer) -> [Range<Int>] {
        guard let start = text.baseAddress, let first = bytes.first, let last = bytes.last else { return [] }
        let distance = bytes.count - 1
        var found: [Range<Int>] = []
        bytes.withUnsafeBytes { bytes in
            guard let pattern = bytes.baseAddress else { return }
            func check(at place: Int) {
                guard memcmp(start + place, pattern, bytes.count) == 0 else { return }
                found.append(place..<place + bytes.count)
            }
            var place = 0
            while place + 64 + distance <= text.count {
                var pairs = clover_pairs(start + place, first, distance, last)
                while pairs != 0 {
                    check(at: place + pairs.trailingZeroBitCount)
                    pairs &= pairs &- 1
                }
                place += 64
            }
            while place + distance < text.count {
                if text[place] == first { check(at: place) }
                place += 1
            }
        }
        return found
    }

    private static func jsonEscape(_ byte: UInt8) -> [UInt8]? {
        byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") ? [UInt8(ascii: "\\"), byte] : nil
    }
}

/// Removes the run's own secrets from text that arrives in chunks, including secrets split across chunks.
package struct MaskedStream {
    private let mask: SecretMask
    /// The end of the text so far, in which a secret may have begun.
    private var held: [UInt8] = []
    package private(set) var hasMasked = false

    package init(_ mask: SecretMask) {
        self.mask = mask
    }

    /// Adds a chunk, and returns the text that may be passed on.
    package mutating func pass(_ chunk: [UInt8]) -> [UInt8] {
        let all = masked(held + chunk)
        let length = max(0, all.count - max(0, mask.longest - 1))
        held = Array(all[length...])
        return Array(all[..<length])
    }

    /// Returns the rest.
    package mutating func finish() -> [UInt8] {
        defer { held = [] }
        return held
    }

    private mutating func masked(_ text: [UInt8]) -> [UInt8] {
        text.withUnsafeBytes { bytes in
            let found = mask.ranges(in: bytes)
            guard !found.isEmpty else { return text }
            hasMasked = true
            return SecretRanges.replaced(found, in: bytes) { _ in Array("[masked]".utf8) }
        }
    }
}

/// Ranges of text that must not be shown.
package enum SecretRanges {
    /// The ranges in order, with touching ranges merged.
    package static func joined(_ ranges: [Range<Int>]) -> [Range<Int>] {
        guard ranges.count > 1 else { return ranges }
        var joined: [Range<Int>] = []
        for range in ranges.sorted(by: { $0.lowerBound < $1.lowerBound }) {
            if let last = joined.last, range.lowerBound <= last.upperBound {
                joined[joined.count - 1] = last.lowerBound..<max(last.upperBound, range.upperBound)
            } else {
                joined.append(range)
            }
        }
        return joined
    }

    /// The bytes with each range replaced.
    ///
    /// - Parameter ranges: in order and disjoint.
    package static func replaced(
        _ ranges: [Range<Int>], in bytes: UnsafeRawBufferPointer, with replacement: (Range<Int>) -> [UInt8]
    ) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(bytes.count + 16 * ranges.count)
        var next = 0
        for range in ranges {
            result += bytes[next..<range.lowerBound]
            result += replacement(range)
            next = range.upperBound
        }
        return result + bytes[next...]
    }
}
