/// A record's id in a form that is fast to compare: two records have the same key if they have the same id.
///
/// Ids of up to 15 bytes are stored as they are; Clover's have 13. Longer ones are hashed to 120 bits, with a seed that
/// differs in each process.
package struct RecordKey: Hashable, Sendable {
    package let low: UInt64
    /// The top byte encodes the length and is never zero.
    package let high: UInt64

    /// The empty slot; no id has this key.
    package static let none = RecordKey(low: 0, high: 0)

    private init(low: UInt64, high: UInt64) {
        self.low = low
        self.high = high
    }

    package init(_ id: UnsafeRawBufferPointer) {
        guard id.count <= 15 else {
            self.init(hashing: id)
            return
        }
        var low: UInt64 = 0
        var high: UInt64 = 0
        for index in stride(from: id.count - 1, through: 0, by: -1) {
            if index < 8 { low = low &<< 8 | UInt64(id[index]) } else { high = high &<< 8 | UInt64(id[index]) }
        }
        self.init(low: low, high: high, count: id.count)
    }

    /// - Parameters:
    ///   - low: the first eight bytes, the first one lowest.
    ///   - high: the following bytes.
    ///   - count: up to 15; bytes beyond it are ignored.
    package init(low: UInt64, high: UInt64, count: Int) {
        let lowBits = UInt64(8 * min(8, count))
        let highBits = UInt64(8 * max(0, count - 8))
        self.init(
            low: lowBits == 64 ? low : low & (1 &<< lowBits &- 1),
            high: high & (1 &<< highBits &- 1) | UInt64(count + 1) &<< 56)
    }

    /// The key of one version of the record, identified by its time.
    package func version(of time: Int64) -> RecordKey {
        // Odd, so that no two times have the same product.
        RecordKey(low: low ^ UInt64(bitPattern: time) &* 0x9E37_79B9_7F4A_7C15, high: high)
    }

    private init(hashing id: UnsafeRawBufferPointer) {
        var hasher = Hasher()
        hasher.combine(bytes: id)
        var other = hasher
        other.combine(1)
        self.init(
            low: UInt64(truncatingIfNeeded: hasher.finalize()),
            high: UInt64(truncatingIfNeeded: other.finalize()) | 0xFF << 56)
    }
}

extension RecordBatch {
    /// The key of the record's top-level `id`; nil if it has none, as for `id(of:)`.
    package func key(of record: Record) -> RecordKey? {
        let key = bytes.withUnsafeBytes { Self.key(at: record.range, in: $0) }
        if let key { return key }
        guard var text = id(of: record) else { return nil }
        return text.withUTF8 { RecordKey(UnsafeRawBufferPointer($0)) }
    }

    /// The key of a record that begins like Clover's, with a plain string as its id; nil for others.
    private static func key(at range: Range<Int>, in bytes: UnsafeRawBufferPointer) -> RecordKey? {
        let start = range.lowerBound + beginning.utf8CodeUnitCount
        guard range.lowerBound >= 0, start < range.upperBound, range.upperBound <= bytes.count else { return nil }
        for index in 0..<beginning.utf8CodeUnitCount
        where bytes[range.lowerBound + index] != beginning.utf8Start[index] { return nil }
        if start + 16 <= range.upperBound, let key = shortKey(bytes, start) { return key }
        var end = start
        while end < range.upperBound, bytes[end] != UInt8(ascii: "\"") {
            if bytes[end] == UInt8(ascii: "\\") { return nil }
            end += 1
        }
        return end < range.upperBound ? RecordKey(UnsafeRawBufferPointer(rebasing: bytes[start..<end])) : nil
    }

    /// The key of an id that ends within the next 16 bytes and has no backslash; nil for others. Reads eight bytes at a
    /// time, because it is called for every record.
    private static func shortKey(_ bytes: UnsafeRawBufferPointer, _ start: Int) -> RecordKey? {
        let low = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: start, as: UInt64.self))
        let high = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: start + 8, as: UInt64.self))
        let lowEnd = zeros(low ^ 0x2222_2222_2222_2222)
        let highEnd = zeros(high ^ 0x2222_2222_2222_2222)
        guard lowEnd | highEnd != 0 else { return nil }
        let count = (lowEnd != 0 ? lowEnd.trailingZeroBitCount : 64 + highEnd.trailingZeroBitCount) / 8
        // A backslash after the id is harmless, but the slow path gives the same result.
        guard zeros(low ^ 0x5C5C_5C5C_5C5C_5C5C) | zeros(high ^ 0x5C5C_5C5C_5C5C_5C5C) == 0 else { return nil }
        return RecordKey(low: low, high: high, count: count)
    }

    /// The lowest set bit is in the lowest zero byte; zero if no byte is zero.
    private static func zeros(_ word: UInt64) -> UInt64 {
        (word &- 0x0101_0101_0101_0101) & ~word & 0x8080_8080_8080_8080
    }

    private static let beginning: StaticString = "{\"id\":\""
}

/// A set of record keys, for a few thousand keys and frequent lookups: open addressing with minimal hashing.
package struct RecordKeySet: Sendable {
    package private(set) var count = 0
    /// At least half of the slots are free.
    private var places = Array(repeating: RecordKey.none, count: 64)

    package init() {}

    package func contains(_ key: RecordKey) -> Bool {
        places[place(of: key)] == key
    }

    /// - Returns: true if the key was added, false if it was already there.
    @discardableResult
    package mutating func insert(_ key: RecordKey) -> Bool {
        if 2 * (count + 1) > places.count { grow() }
        let place = place(of: key)
        guard places[place] == .none else { return false }
        count += 1
        places[place] = key
        return true
    }

    /// Removes all keys but keeps the capacity.
    package mutating func removeAll() {
        count = 0
        for place in places.indices { places[place] = .none }
    }

    /// The slot of the key, or the free slot where it belongs.
    private func place(of key: RecordKey) -> Int {
        // Ids differ in few bits: multiplying spreads them to the upper ones (Knuth, multiplicative hashing).
        let mixed = (key.low ^ key.high &* 0x9E37_79B9_7F4A_7C15) &* 0xD6E8_FEB8_6659_FD93
        var place = Int(truncatingIfNeeded: mixed &>> 32) & (places.count - 1)
        while places[place] != .none, places[place] != key { place = (place + 1) & (places.count - 1) }
        return place
    }

    private mutating func grow() {
        let known = places
        places = Array(repeating: .none, count: 2 * known.count)
        for key in known where key != .none { places[place(of: key)] = key }
    }
}
