/// The functions by which PostgreSQL tells hash partitions apart, from which the sums of rows are made (`TableDigest`), for
/// rows that are still on this machine (PostgreSQL: `src/common/hashfn.c`, which is Bob Jenkins's lookup3).
enum PostgreSQLHash {
    /// `hashtextextended` of UTF-8 text, with a collation that takes no two texts for equal.
    static func ofText(_ bytes: UnsafeRawBufferPointer, _ seed: Int64) -> UInt64 {
        var state = State(length: bytes.count, seed: UInt64(bitPattern: seed))
        var (place, rest) = (0, bytes.count)
        while rest >= 12 {
            state.a &+= bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self)
            state.b &+= bytes.loadUnaligned(fromByteOffset: place + 4, as: UInt32.self)
            state.c &+= bytes.loadUnaligned(fromByteOffset: place + 8, as: UInt32.self)
            state.mix()
            place += 12
            rest -= 12
        }
        for number in 0..<rest {
            let byte = UInt32(bytes[place + number])
            switch number {
            case 0..<4: state.a &+= byte << UInt32(8 * number)
            case 4..<8: state.b &+= byte << UInt32(8 * (number - 4))
            // The lowest byte is that of the length.
            default: state.c &+= byte << UInt32(8 * (number - 7))
            }
        }
        return state.final()
    }

    /// `hashint8extended`.
    static func of(_ number: Int64, _ seed: Int64) -> UInt64 {
        let (low, high) = (UInt32(truncatingIfNeeded: number), UInt32(truncatingIfNeeded: number >> 32))
        var state = State(length: 4, seed: UInt64(bitPattern: seed))
        state.a &+= low ^ (number >= 0 ? high : ~high)
        return state.final()
    }

    /// `hashfloat8extended`.
    static func of(_ number: Double, _ seed: Int64) -> UInt64 {
        if number == 0 { return UInt64(bitPattern: seed) }
        return withUnsafeBytes(of: (number.isNaN ? Double.nan : number).bitPattern) { ofText($0, seed) }
    }

    private struct State {
        var a, b, c: UInt32

        init(length: Int, seed: UInt64) {
            a = 0x9E37_79B9 &+ UInt32(truncatingIfNeeded: length) &+ 3_923_095
            b = a
            c = a
            guard seed != 0 else { return }
            a &+= UInt32(truncatingIfNeeded: seed >> 32)
            b &+= UInt32(truncatingIfNeeded: seed)
            mix()
        }

        @inline(__always)
        mutating func mix() {
            Self.mix(&a, &c, b, 4)
            Self.mix(&b, &a, c, 6)
            Self.mix(&c, &b, a, 8)
            Self.mix(&a, &c, b, 16)
            Self.mix(&b, &a, c, 19)
            Self.mix(&c, &b, a, 4)
        }

        mutating func final() -> UInt64 {
            Self.end(&c, b, 14)
            Self.end(&a, c, 11)
            Self.end(&b, a, 25)
            Self.end(&c, b, 16)
            Self.end(&a, c, 4)
            Self.end(&b, a, 14)
            Self.end(&c, b, 24)
            return UInt64(b) << 32 | UInt64(c)
        }

        @inline(__always)
        private static func mix(_ one: inout UInt32, _ other: inout UInt32, _ third: UInt32, _ bits: UInt32) {
            one &-= other
            one ^= rotated(other, bits)
            other &+= third
        }

        @inline(__always)
        private static func end(_ one: inout UInt32, _ other: UInt32, _ bits: UInt32) {
            one ^= other
            one &-= rotated(other, bits)
        }

        @inline(__always)
        private static func rotated(_ number: UInt32, _ bits: UInt32) -> UInt32 {
            (number << bits) | (number >> (32 - bits))
        }
    }
}
