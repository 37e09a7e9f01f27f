/// The id of a record in a form that is quick to compare: two records have the same key when they have the same id.
///
/// Ids of up to 15 bytes are kept as they are; Clover's have 13. Longer ones are hashed to 120 bits, with a seed that is
/// another in each process.
package struct RecordKey: Hashable, Sendable {
    let low: UInt64
    /// The topmost byte tells the length, and is never zero.
    let high: UInt64

    /// No id has this key.
    static let none = RecordKey(low: 0, high: 0)

    private init(low: UInt64, high: UInt64) {
        self.low = low
        self.high = high
    }

    init(_ id: UnsafeRawBufferPointer) {
        guard id.count <= 15 else {
            self.init(hashing: id)
            return
        }
        var low: UInt64 = 0
        var high = UInt64(id.count + 1)
        for index in stride(from: id.count - 1, through: 0, by: -1) {
            if index < 8 { low = low &<< 8 | UInt64(id[index]) } else { high = high &<< 8 | UInt64(id[index]) }
        }
        self.init(low: low, high: high &<< UInt64(8 * min(7, 15 - id.count)))
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
    /// The key of the record's top-level `id`; nil when it has none, as `id(of:)` has it.
    package func key(of record: Record) -> RecordKey? {
        let key = bytes.withUnsafeBytes { Self.key(at: record.range, in: $0) }
        if let key { return key }
        guard var text = id(of: record) else { return nil }
        return text.withUTF8 { RecordKey(UnsafeRawBufferPointer($0)) }
    }

    /// Of a record that begins as Clover's do, with a plain string as its id.
    private static func key(at range: Range<Int>, in bytes: UnsafeRawBufferPointer) -> RecordKey? {
        let start = range.lowerBound + beginning.utf8CodeUnitCount
        guard range.lowerBound >= 0, start < range.upperBound, range.upperBound <= bytes.count else { return nil }
        for index in 0..<beginning.utf8CodeUnitCount
        where bytes[range.lowerBound + index] != beginning.utf8Start[index] { return nil }
        var end = start
        while end < range.upperBound, bytes[end] != UInt8(ascii: "\"") {
            if bytes[end] == UInt8(ascii: "\\") { return nil }
            end += 1
        }
        return end < range.upperBound ? RecordKey(UnsafeRawBufferPointer(rebasing: bytes[start..<end])) : nil
    }

    private static let beginning: StaticString = "{\"id\":\""
}
