internal import CJQ
internal import Glibc

/// Converts between Swift strings and libjq values.
///
/// libjq's convention: a function consumes its arguments unless it is `jv_copy` or documented otherwise, and the caller
/// owns the result.
enum JQValue {
    /// A string value, owned by the caller.
    static func string(_ text: String) -> jv {
        var text = text
        return text.withUTF8 { bytes in
            bytes.withMemoryRebound(to: CChar.self) { jv_string_sized($0.baseAddress ?? emptyText, Int32($0.count)) }
        }
    }

    /// Parses one JSON value, owned by the caller; nil if the text is anything else.
    static func parse(_ text: String) -> jv? {
        let value = jv_parse(text)
        if jv_is_valid(value) != 0 { return value }
        jv_free(value)
        return nil
    }

    /// The text of a string value, which is consumed.
    static func text(consuming value: jv) -> String {
        defer { jv_free(value) }
        return withBytes(of: value) { String(decoding: $0, as: UTF8.self) }
    }

    /// The text of a string, or another value as JSON. Consumes the value.
    static func plainText(consuming value: jv) -> String {
        jv_get_kind(value) == JV_KIND_STRING ? text(consuming: value) : text(consuming: jv_dump_string(value, 0))
    }

    /// The bytes of a string value, which is not consumed. They are valid UTF-8 and may contain NUL.
    static func withBytes<Result>(of string: jv, _ body: (UnsafeRawBufferPointer) -> Result) -> Result {
        let count = Int(jv_string_length_bytes(jv_copy(string)))
        return body(UnsafeRawBufferPointer(start: jv_string_value(string), count: count))
    }

    private static var emptyText: UnsafePointer<CChar> {
        // A static string's bytes live as long as the process.
        UnsafeRawPointer(StaticString("").utf8Start).assumingMemoryBound(to: CChar.self)
    }
}

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
