/// The hashes of the rows of an SQLite database, from which their sums are made (`TableDigest`). Databases keep the sums, so
/// that the hashes never change.
enum SQLiteHash {
    /// A hash of an integer. The seed is that of the column.
    static func of(_ number: Int64, _ seed: UInt64) -> UInt64 { mixed(seed ^ UInt64(bitPattern: number)) }

    static func of(_ number: Double, _ seed: UInt64) -> UInt64 { mixed(~seed ^ number.bitPattern) }

    static func of(_ bytes: UnsafeRawBufferPointer, _ seed: UInt64) -> UInt64 {
        var hash = seed &+ UInt64(bytes.count)
        var start = 0
        while start + 8 <= bytes.count {
            hash = mixed(hash ^ bytes.loadUnaligned(fromByteOffset: start, as: UInt64.self))
            start += 8
        }
        while start < bytes.count {
            hash = mixed(hash ^ UInt64(bytes[start]))
            start += 1
        }
        return mixed(hash)
    }

    /// Spreads each bit over all others (the finalizer of SplitMix64).
    static func mixed(_ number: UInt64) -> UInt64 {
        var number = number &+ 0x9E37_79B9_7F4A_7C15
        number = (number ^ (number >> 30)) &* 0xBF58_476D_1CE4_E5B9
        number = (number ^ (number >> 27)) &* 0x94D0_49BB_1331_11EB
        return number ^ (number >> 31)
    }
}
