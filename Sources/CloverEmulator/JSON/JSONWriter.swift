import Glibc
import Synchronization

/// Writes JSON text into a growing buffer without intermediate values, at the speed of copying.
///
/// The caller writes structure and separators. Text passed to `string` is escaped as RFC 8259 section 7 requires;
/// everything else is copied unchanged. The writer owns the memory and frees it.
package struct JSONWriter: ~Copyable {
    private var base: UnsafeMutablePointer<UInt8>
    private var capacity: Int
    /// Bytes written so far.
    package private(set) var count = 0

    package init(capacity: Int = 4096) {
        self.capacity = max(capacity, 64)
        base = UnsafeMutablePointer<UInt8>.allocate(capacity: self.capacity)
    }

    deinit {
        base.deallocate()
    }

    /// Discards the content and keeps the memory.
    package mutating func removeAll() {
        count = 0
    }

    /// Removes bytes from the end, such as a trailing comma.
    package mutating func removeLast(_ bytes: Int = 1) {
        count -= min(bytes, count)
    }

    /// The bytes, valid during the call.
    package func withBytes<Result>(_ body: (UnsafeRawBufferPointer) throws -> Result) rethrows -> Result {
        try body(UnsafeRawBufferPointer(start: base, count: count))
    }

    /// A copy of the bytes.
    package func bytes() -> [UInt8] {
        Array(UnsafeBufferPointer(start: base, count: count))
    }

    /// The last byte written; 0 before the first.
    package var last: UInt8 { count > 0 ? base[count - 1] : 0 }

    @inline(__always)
    package mutating func reserve(_ bytes: Int) {
        if count + bytes > capacity { grow(by: bytes) }
    }

    @inline(never)
    private mutating func grow(by bytes: Int) {
        capacity = max(capacity * 2, count + bytes)
        let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
        larger.update(from: base, count: count)
        base.deallocate()
        base = larger
    }

    /// One byte.
    @inline(__always)
    package mutating func byte(_ value: UInt8) {
        reserve(1)
        base[count] = value
        count += 1
    }

    /// Encoded JSON text.
    @inline(__always)
    package mutating func raw(_ text: StaticString) {
        let length = text.utf8CodeUnitCount
        reserve(length)
        memcpy(base + count, text.utf8Start, length)
        count += length
    }

    /// Encoded JSON bytes.
    @inline(__always)
    package mutating func raw(_ fragment: Fragment) {
        reserve(fragment.count)
        memcpy(base + count, fragment.start, fragment.count)
        count += fragment.count
    }

    /// Encoded JSON bytes.
    package mutating func raw(_ bytes: [UInt8]) {
        bytes.withUnsafeBufferPointer { source in
            reserve(source.count)
            if let start = source.baseAddress { (base + count).update(from: start, count: source.count) }
            count += source.count
        }
    }

    /// Encoded JSON text.
    package mutating func raw(_ text: String) {
        var text = text
        text.withUTF8 { source in
            reserve(source.count)
            if let start = source.baseAddress { (base + count).update(from: start, count: source.count) }
            count += source.count
        }
    }

    /// The 13 characters of an id, without quotes.
    @inline(__always)
    package mutating func identifier(_ identifier: Identifier) {
        reserve(Identifier.length)
        identifier.write(to: base + count)
        count += Identifier.length
    }

    /// An integer in decimal.
    @inline(__always)
    package mutating func integer(_ value: Int) {
        reserve(20)
        if value < 0 {
            base[count] = UInt8(ascii: "-")
            count += 1
        }
        var left = value.magnitude
        var digits = 1
        var bound: UInt = 10
        while digits < 20, left >= bound {
            digits += 1
            let (next, overflow) = bound.multipliedReportingOverflow(by: 10)
            if overflow { break }
            bound = next
        }
        var position = count + digits - 1
        while left >= 10 {
            let (quotient, digit) = left.quotientAndRemainder(dividingBy: 10)
            base[position] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: digit)
            left = quotient
            position -= 1
        }
        base[position] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: left)
        count += digits
    }

    /// A quoted, escaped string.
    package mutating func string(_ text: String) {
        var text = text
        text.withUTF8 { source in
            reserve(source.count * 6 + 2)
            var position = count
            base[position] = UInt8(ascii: "\"")
            position += 1
            for character in source {
                if character >= 0x20, character != UInt8(ascii: "\""), character != UInt8(ascii: "\\") {
                    base[position] = character
                    position += 1
                } else {
                    position = escape(character, at: position)
                }
            }
            base[position] = UInt8(ascii: "\"")
            count = position + 1
        }
    }

    private func escape(_ character: UInt8, at start: Int) -> Int {
        var position = start
        func put(_ value: UInt8) {
            base[position] = value
            position += 1
        }
        put(UInt8(ascii: "\\"))
        switch character {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): put(character)
        case UInt8(ascii: "\n"): put(UInt8(ascii: "n"))
        case UInt8(ascii: "\r"): put(UInt8(ascii: "r"))
        case UInt8(ascii: "\t"): put(UInt8(ascii: "t"))
        default:
            put(UInt8(ascii: "u"))
            put(UInt8(ascii: "0"))
            put(UInt8(ascii: "0"))
            put(UInt8(ascii: "0") + (character >> 4))
            let low = character & 0x0F
            put(low < 10 ? UInt8(ascii: "0") + low : UInt8(ascii: "a") + low - 10)
        }
        return position
    }
}

/// A piece of encoded JSON inside a `FragmentArena`, valid as long as the arena.
///
/// Unchecked: the bytes are never written after the arena has returned the fragment, so any thread may read them.
package struct Fragment: @unchecked Sendable {
    package let start: UnsafePointer<UInt8>
    package let count: Int
}

/// Stores pieces of encoded JSON (names, ids, small objects) at fixed addresses, so that page rendering copies them
/// without reference counting. Pieces live as long as the arena; the shop owns it and outlives every request.
package final class FragmentArena: Sendable {
    private struct Block: @unchecked Sendable {
        // Unchecked: written once before the fragment is returned, then only read until the arena frees it.
        let start: UnsafeMutablePointer<UInt8>
    }

    private let blocks = Mutex<[Block]>([])

    package init() {}

    deinit {
        blocks.withLock { list in
            for block in list { block.start.deallocate() }
            list.removeAll()
        }
    }

    /// Copies bytes to a fixed address.
    package func keep(_ bytes: [UInt8]) -> Fragment {
        let start = UnsafeMutablePointer<UInt8>.allocate(capacity: max(bytes.count, 1))
        bytes.withUnsafeBufferPointer { source in
            if let from = source.baseAddress { start.initialize(from: from, count: source.count) }
        }
        blocks.withLock { $0.append(Block(start: start)) }
        return Fragment(start: start, count: bytes.count)
    }

    /// Encodes a value at a fixed address.
    package func keep(_ value: JSONValue) -> Fragment {
        var writer = JSONWriter(capacity: 512)
        value.write(to: &writer)
        return keep(writer.bytes())
    }
}
