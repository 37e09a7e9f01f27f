internal import CBytes

/// Finds the end of an object or array, looking only at strings and brackets.
///
/// The state survives a chunk boundary anywhere, even after a backslash. Brackets are not matched by kind one by one;
/// at the end of the value it is checked that all brackets, and braces alone, are balanced.
struct NestedValue {
    /// The result of processing a chunk.
    enum Step {
        /// The value continues in the next chunk.
        case unfinished
        /// The last byte of the value is the one before `next`.
        case ended(next: Int)
        /// An invalid byte: a backslash outside a string, a control character inside one (RFC 8259, section 7), or a
        /// closing bracket of the wrong kind.
        case broken(at: Int)
    }

    private var depth = 1
    private var braceBalance: Int
    /// All ones inside a string, else zero: the mask that the next block starts with.
    private var inString: UInt64 = 0
    /// 1 if the previous byte was a backslash that escapes the next one.
    private var escapes: UInt64 = 0

    /// Starts after the opening bracket.
    init(openedBy bracket: UInt8) {
        braceBalance = bracket == UInt8(ascii: "{") ? 1 : 0
    }

    /// Continues from `start`, at most to `end`.
    /// - Parameter onLineBreak: called with the offset of each line break outside strings, in order.
    @inline(__always)
    mutating func advance(
        through bytes: UnsafeRawPointer,
        from start: Int,
        to end: Int,
        onLineBreak: (Int) -> Void
    ) -> Step {
        var offset = start
        while offset < end {
            let here = bytes + offset
            let count = min(64, end - offset)
            let block = count == 64 ? StructuralBlock(of: here) : StructuralBlock(of: here, count: count)
            var quotes = block.quotes
            var backslashes: UInt64 = 0
            if block.hasBackslash || escapes != 0 {
                backslashes = block.backslashes()
                quotes &= ~takeEscaped(backslashes, count: count)
            }
            // From each opening quote to the byte before the closing one.
            let strings = Self.parity(quotes) ^ inString
            var outside = ~strings
            let closing = takeBrackets(block.brackets & outside, of: here)
            if let closing { outside &= UInt64.max &>> UInt64(63 &- closing) }
            if backslashes & outside != 0 {
                return .broken(at: offset + (backslashes & outside).trailingZeroBitCount)
            }
            if block.mayHaveControl {
                let broken = block.controls() & strings & (closing.map { UInt64.max &>> UInt64(63 &- $0) } ?? .max)
                if broken != 0 { return .broken(at: offset + broken.trailingZeroBitCount) }
                var lineBreaks = block.lineBreaks() & outside
                while lineBreaks != 0 {
                    onLineBreak(offset + lineBreaks.trailingZeroBitCount)
                    lineBreaks &= lineBreaks &- 1
                }
            }
            if let closing {
                return braceBalance == 0 ? .ended(next: offset + closing + 1) : .broken(at: offset + closing)
            }
            inString = UInt64(bitPattern: Int64(bitPattern: strings) >> 63)
            offset += count
        }
        return .unfinished
    }

    /// Counts the brackets at the given positions, up to the one that closes the value.
    /// - Returns: the position of that bracket.
    @inline(__always)
    private mutating func takeBrackets(_ places: UInt64, of bytes: UnsafeRawPointer) -> Int? {
        var left = places
        while left != 0 {
            let place = left.trailingZeroBitCount
            let byte = bytes.load(fromByteOffset: place, as: UInt8.self)
            // Opening ones are 0x7B and 0x5B, closing ones 0x7D and 0x5D: bits 1 and 2 are 1 or 2. Bit 5 is set in
            // braces only.
            let step = 3 &- 2 &* Int((byte &>> 1) & 3)
            depth &+= step
            braceBalance &+= step &* Int((byte &>> 5) & 1)
            if depth == 0 { return place }
            left &= left &- 1
        }
        return nil
    }

    /// Which bytes follow a backslash that is not itself escaped; `escapes` carries over to the next block.
    ///
    /// Backslashes are rare, so they are processed one by one.
    private mutating func takeEscaped(_ backslashes: UInt64, count: Int) -> UInt64 {
        var escaped = escapes
        var left = backslashes & ~escapes
        escapes = 0
        while left != 0 {
            let place = left.trailingZeroBitCount
            left &= left &- 1
            if place == count - 1 {
                escapes = 1
            } else {
                let next: UInt64 = 1 &<< UInt64(place + 1)
                escaped |= next
                left &= ~next
            }
        }
        return escaped
    }

    /// Bit `i` of the result is the parity of the bits 0 to `i`.
    @inline(__always)
    static func parity(_ bits: UInt64) -> UInt64 {
        var result = bits
        result ^= result &<< 1
        result ^= result &<< 2
        result ^= result &<< 4
        result ^= result &<< 8
        result ^= result &<< 16
        result ^= result &<< 32
        return result
    }
}

/// The positions of JSON's structural characters in 64 bytes: bit `i` of a mask stands for byte `i`.
///
/// Measured on order pages, this is faster than `memchr` from quote to quote, because the strings are short. Only
/// quotes and brackets are located in advance; the rarer characters on demand.
struct StructuralBlock {
    private let structure: clover_structure
    private let bytes: UnsafeRawPointer
    private let count: Int

    /// `bytes` must have at least 64 bytes and outlive the block.
    @inline(__always)
    init(of bytes: UnsafeRawPointer) {
        self.bytes = bytes
        count = 64
        structure = clover_structure_of(bytes)
    }

    /// `count` is 1 to 63. Positions beyond the end are zero in every mask.
    @inline(never)
    init(of bytes: UnsafeRawPointer, count: Int) {
        self.bytes = bytes
        self.count = count
        structure = clover_structure_of_end(bytes, count)
    }

    @inline(__always)
    var quotes: UInt64 { structure.quotes }

    @inline(__always)
    var brackets: UInt64 { structure.brackets }

    @inline(__always)
    var hasBackslash: Bool { structure.backslash != 0 }

    /// False only if there is no byte below U+0020, and so no line break.
    @inline(__always)
    var mayHaveControl: Bool { structure.control != 0 }

    @inline(__always)
    func backslashes() -> UInt64 {
        places(of: UInt8(ascii: "\\"))
    }

    func lineBreaks() -> UInt64 {
        places(of: UInt8(ascii: "\n")) | places(of: UInt8(ascii: "\r"))
    }

    func controls() -> UInt64 {
        guard count == 64 else {
            return (0..<count).reduce(into: 0) { found, place in
                if bytes.load(fromByteOffset: place, as: UInt8.self) < 0x20 { found |= 1 &<< UInt64(place) }
            }
        }
        return (0..<8).reduce(into: 0) { found, part in
            let word = UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 8 * part, as: UInt64.self))
            // The top bit of each byte stays zero if the byte is below 0x20; these bits are then gathered.
            let others = ((word & 0x7F7F_7F7F_7F7F_7F7F) &+ 0x6060_6060_6060_6060) | word
            let below = (~others & 0x8080_8080_8080_8080) &>> 7
            found |= ((below &* 0x0102_0408_1020_4080) &>> 56) &<< UInt64(8 * part)
        }
    }

    @inline(__always)
    private func places(of byte: UInt8) -> UInt64 {
        count == 64 ? clover_places(bytes, byte) : clover_places_in_end(bytes, count, byte)
    }
}
