/// Makes ids out of a record's kind and place, and finds the place back, so that no table of ids is needed.
///
/// Kind (8 bits) and place (56 bits) make one 64-bit number, which two keyed bijective mixes scramble. A bijection
/// cannot give two records the same id.
package struct IdentifierScheme: Sendable {
    private let before: UInt64
    private let after: UInt64

    package init(seed: UInt64) {
        before = SeededRandom.mix(seed ^ 0xA076_1D64_78BD_642F)
        after = SeededRandom.mix(seed ^ 0xE703_7ED1_A0B4_28DB)
    }

    /// The id of a record. `place` is below 2^56.
    @inline(__always)
    package func identifier(_ kind: RecordKind, _ place: Int) -> Identifier {
        let plain = UInt64(kind.rawValue) << 56 | UInt64(place)
        return Identifier(number: SeededRandom.mix(plain ^ before) ^ after)
    }

    /// The place of the record of that kind with this id; nil when the text is no id or one of another kind. The
    /// caller checks whether such a place exists.
    package func place(of text: some StringProtocol, kind: RecordKind) -> Int? {
        guard let identifier = Identifier(text) else { return nil }
        let plain = Self.unmix(identifier.number ^ after) ^ before
        guard UInt8(plain >> 56) == kind.rawValue else { return nil }
        return Int(plain & 0x00FF_FFFF_FFFF_FFFF)
    }

    /// The inverse of `SeededRandom.mix`: each xor-shift undone by repeating it, each factor by its inverse mod 2^64.
    private static func unmix(_ value: UInt64) -> UInt64 {
        var plain = value
        plain ^= (plain >> 31) ^ (plain >> 62)
        plain = plain &* 0x3196_42B2_D24D_8EC3
        plain ^= (plain >> 27) ^ (plain >> 54)
        plain = plain &* 0x96DE_1B17_3F11_9089
        plain ^= (plain >> 30) ^ (plain >> 60)
        return plain
    }
}
