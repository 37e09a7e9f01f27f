import CBytes
import Testing

@Suite("Masks of bytes")
struct ByteMaskTests {
    /// What makes a difference, and its neighbours in single bits.
    private static let interesting: [UInt8] =
        Array("\"\\{}[],:Yyab \n\r\t".utf8) + [0x00, 0x1F, 0x20, 0x7F, 0x80, 0xA2, 0xFB, 0xFF]

    private static let samples = makeSamples()

    private static func makeSamples() -> [[UInt8]] {
        var generator = SampleBytes(seed: 7)
        let everywhere = (0...UInt8.max).map { [UInt8](repeating: $0, count: 64) }
        let single = (0..<64).flatMap { place in
            interesting.map { byte in
                var bytes = [UInt8](repeating: UInt8(ascii: "a"), count: 64)
                bytes[place] = byte
                return bytes
            }
        }
        let mixed = (0..<300).map { _ in (0..<64).map { _ in interesting[generator.below(interesting.count)] } }
        let random = (0..<300).map { _ in (0..<64).map { _ in UInt8(generator.below(256)) } }
        return everywhere + single + mixed + random
    }

    @Test("of structural characters are those found byte by byte")
    func structure() {
        let wrong = Self.samples.filter { sample in
            let hasBackslash = sample.contains(UInt8(ascii: "\\"))
            let hasControl = sample.contains { $0 < 0x20 }
            return [clover_structure_of(sample), clover_portable_structure_of(sample)].contains { structure in
                structure.quotes != Self.places(in: sample) { $0 == UInt8(ascii: "\"") }
                    || structure.brackets != Self.places(in: sample) { "{}[]".utf8.contains($0) }
                    || (structure.backslash != 0) != hasBackslash || (structure.control != 0) != hasControl
            }
        }
        #expect(wrong == [])
    }

    @Test("of the bytes of JSON without escapes are those found byte by byte")
    func tokens() {
        let wrong = Self.samples.filter { sample in
            let quotes = Self.places(in: sample) { $0 == UInt8(ascii: "\"") }
            let brackets = Self.places(in: sample) { "{}[]".utf8.contains($0) }
            let commas = Self.places(in: sample) { $0 == UInt8(ascii: ",") }
            let colons = Self.places(in: sample) { $0 == UInt8(ascii: ":") }
            let digits = Self.places(in: sample) { "0123456789".utf8.contains($0) }
            let high = Self.places(in: sample) { $0 >= 0x80 }
            let isOdd = sample.contains { $0 < 0x20 || $0 == UInt8(ascii: "\\") }
            return [clover_tokens_of(sample), clover_portable_tokens_of(sample)].contains { tokens in
                let found = [tokens.quotes, tokens.brackets, tokens.commas, tokens.colons, tokens.digits, tokens.high]
                return found != [quotes, brackets, commas, colons, digits, high] || (tokens.odd != 0) != isOdd
            }
        }
        #expect(wrong == [])
    }

    @Test("of one byte are its places", arguments: interesting)
    func places(byte: UInt8) {
        let wrong = Self.samples.filter { sample in
            let expected = Self.places(in: sample) { $0 == byte }
            return clover_places(sample, byte) != expected || clover_portable_places(sample, byte) != expected
        }
        #expect(wrong == [])
    }

    @Test(
        "of colons behind a quotation mark or white space are those found byte by byte",
        arguments: [UInt8(ascii: "\""), UInt8(ascii: "a"), 0x20, 0xFF])
    func nameEnds(first: UInt8) {
        let wrong = Self.samples.filter { sample in
            let all = [first] + sample
            let expected =
                Self.places(in: sample) { $0 == UInt8(ascii: ":") }
                & Self.places(in: all.dropLast()) { $0 == UInt8(ascii: "\"") || $0 <= 0x20 }
            return all.withUnsafeBytes { bytes in
                guard let start = bytes.baseAddress else { return true }
                return clover_name_ends(start + 1) != expected || clover_portable_name_ends(start + 1) != expected
            }
        }
        #expect(wrong == [])
    }

    @Test("of two bytes at a distance are those found byte by byte", arguments: [0, 1, 5, 35, 64, 130])
    func pairs(distance: Int) {
        let samples = Self.samples
        for (sample, other) in zip(samples, samples.dropFirst().reversed()) {
            let bytes = sample + (other + sample + other).prefix(distance)
            let (first, second) = (bytes[distance % 64], bytes[distance % 64 + distance])
            let expected = (0..<64).reduce(UInt64(0)) { found, place in
                bytes[place] == first && bytes[place + distance] == second ? found | 1 << UInt64(place) : found
            }
            #expect(expected != 0)
            #expect(clover_pairs(bytes, first, distance, second) == expected)
            #expect(clover_portable_pairs(bytes, first, distance, second) == expected)
        }
    }

    @Test("of less than 64 bytes have nothing behind the end", arguments: 1...63)
    func ends(count: Int) {
        for sample in Self.samples.suffix(40) {
            let structure = clover_structure_of_end(sample, count)
            let below = UInt64.max >> UInt64(64 - count)
            let whole = clover_portable_structure_of(sample)
            #expect(structure.quotes == whole.quotes & below)
            #expect(structure.brackets == whole.brackets & below)
            #expect((structure.backslash != 0) == sample.prefix(count).contains(UInt8(ascii: "\\")))
            #expect((structure.control != 0) == sample.prefix(count).contains { $0 < 0x20 })
            let places = clover_portable_places(sample, UInt8(ascii: "\""))
            #expect(clover_places_in_end(sample, count, UInt8(ascii: "\"")) == places & below)
        }
    }

    @Test("a byte is counted in any number of bytes", arguments: [0, 1, 15, 16, 17, 255, 4079, 4080, 4081, 4096, 9001])
    func count(size: Int) {
        var generator = SampleBytes(seed: UInt64(size))
        let mixed = (0..<size).map { _ in UInt8(generator.below(3)) }
        let all = [UInt8](repeating: 1, count: size)
        for sample in [mixed, all] {
            let expected = sample.count { $0 == 1 }
            #expect(Int(clover_count(sample, sample.count, 1)) == expected)
            #expect(Int(clover_portable_count(sample, sample.count, 1)) == expected)
        }
    }

    private static func places(in bytes: some Sequence<UInt8>, _ isWanted: (UInt8) -> Bool) -> UInt64 {
        bytes.enumerated().reduce(0) { $0 | (isWanted($1.element) ? 1 << UInt64($1.offset) : 0) }
    }
}

/// Numbers by chance, always the same ones for the same seed (SplitMix64).
private struct SampleBytes {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func below(_ bound: Int) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return Int((mixed ^ (mixed >> 31)) % UInt64(bound))
    }
}
