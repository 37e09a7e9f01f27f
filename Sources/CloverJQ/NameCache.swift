internal import CJQ
internal import Glibc

/// Caches strings of member names, which are the same in every record.
///
/// libjq strings are reference counted and never modified while shared, so one string can be used in many objects, as
/// long as all are on this thread.
final class NameCache {
    // Each entry is owned; `jv_null` marks an empty one.
    private let entries: UnsafeMutablePointer<jv>
    /// The bytes of the names, up to `longest` per entry, so that comparing needs no libjq call.
    private let texts: UnsafeMutablePointer<UInt8>
    private let lengths: UnsafeMutablePointer<Int>

    private static let count = 512
    private static let longest = 48

    init() {
        entries = .allocate(capacity: Self.count)
        for index in 0..<Self.count { (entries + index).initialize(to: jv_null()) }
        texts = .allocate(capacity: Self.count * Self.longest)
        texts.initialize(repeating: 0, count: Self.count * Self.longest)
        lengths = .allocate(capacity: Self.count)
        lengths.initialize(repeating: -1, count: Self.count)
    }

    deinit {
        for index in 0..<Self.count { jv_free(entries[index]) }
        entries.deallocate()
        texts.deallocate()
        lengths.deallocate()
    }

    /// The string for a name, owned by the caller.
    func name(_ bytes: UnsafeBufferPointer<UInt8>) -> jv {
        guard let start = bytes.baseAddress, !bytes.isEmpty else { return jv_string_empty(0) }
        if bytes.count > Self.longest { return Self.text(start, bytes.count) }
        let place = Self.place(start, bytes.count)
        let text = texts + place * Self.longest
        if lengths[place] != bytes.count || memcmp(text, start, bytes.count) != 0 {
            jv_free(entries[place])
            entries[place] = Self.text(start, bytes.count)
            text.update(from: start, count: bytes.count)
            lengths[place] = bytes.count
        }
        return jv_copy(entries[place])
    }

    private static func text(_ start: UnsafePointer<UInt8>, _ count: Int) -> jv {
        start.withMemoryRebound(to: CChar.self, capacity: count) { jv_string_sized($0, Int32(count)) }
    }

    /// FNV-1a; the service has few names, and they may differ at any position.
    private static func place(_ start: UnsafePointer<UInt8>, _ count: Int) -> Int {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for index in 0..<count {
            hash = (hash ^ UInt64(start[index])) &* 0x0000_0100_0000_01B3
        }
        return Int(truncatingIfNeeded: (hash >> 20) & UInt64(Self.count - 1))
    }
}
