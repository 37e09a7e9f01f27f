internal import CBytes

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

    /// Positions of `"`.
    @inline(__always)
    var quotes: UInt64 { structure.quotes }

    /// Positions of `{ } [ ]`.
    @inline(__always)
    var brackets: UInt64 { structure.brackets }

    @inline(__always)
    var hasBackslash: Bool { structure.backslash != 0 }

    /// False only if there is no byte below U+0020, and so no line break.
    @inline(__always)
    var mayHaveControl: Bool { structure.control != 0 }

    /// Positions of backslashes.
    @inline(__always)
    func backslashes() -> UInt64 {
        places(of: UInt8(ascii: "\\"))
    }

    /// Positions of line feeds and carriage returns.
    func lineBreaks() -> UInt64 {
        places(of: UInt8(ascii: "\n")) | places(of: UInt8(ascii: "\r"))
    }

    /// Positions of bytes below U+0020.
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
