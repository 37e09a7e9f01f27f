/// A cheap test of the last bytes of a JSON name, which rules out most names that are not in a set.
///
/// Bytes are compared by their lower five bits, which ignores case; `_` and `-` are skipped.
struct NameEnds: Sendable {
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
