internal import CBytes

/// Finds the end of an object or array in the form that services usually send: without white space, escapes and control
/// characters.
///
/// What it accepts is valid JSON (RFC 8259), checked 64 bytes at a time; for everything else it returns nil, and
/// `JSONValueChecker` decides. Checking byte by byte would cost more than all the rest of a run.
enum CompactRecordScanner {
    /// - Parameter bytes: the opening bracket is at `start`; the received bytes end at `end`.
    /// - Returns: the offset after the closing bracket; nil if it must be checked otherwise.
    static func end(of bytes: UnsafeRawPointer, from start: Int, to end: Int) -> Int? {
        var offset = start
        /// The open brackets, innermost in the lowest bit: 1 is an object.
        var kinds: UInt64 = 0
        var depth = 0
        /// The end of the last non-ASCII character that was checked.
        var characterEnd = start
        // The state before the block, in the lowest bit, except for the first two, which are all ones or zeros.
        var inString: UInt64 = 0
        var inObject: UInt64 = 0
        var before = Before()
        while offset + 64 <= end {
            let block = clover_tokens_of(bytes + offset)
            if block.odd != 0 { return nil }
            var high = block.high
            while high != 0 {
                let place = offset + high.trailingZeroBitCount
                if place >= characterEnd {
                    let size = characterSize(in: bytes, at: place, end)
                    if size == 0 { return nil }
                    characterEnd = place + size
                }
                high &= high &- 1
            }
            // From each opening quote to the byte before the closing one.
            let strings = NestedValue.parity(block.quotes) ^ inString
            var opening: UInt64 = 0
            var closing: UInt64 = 0
            // Positions inside an object. A bracket belongs to the value around it.
            var objects = inObject
            var all = UInt64.max
            var left = block.brackets & ~strings
            while left != 0 {
                let place = left.trailingZeroBitCount
                let bit = left & (0 &- left)
                let byte = bytes.load(fromByteOffset: offset + place, as: UInt8.self)
                // Bit 1 is set in opening brackets only, bit 5 in braces only.
                let kind = UInt64(byte &>> 5) & 1
                let upToHere = bit | (bit &- 1)
                if byte & 2 != 0 {
                    if depth == 64 { return nil }
                    opening |= bit
                    kinds = kinds &<< 1 | kind
                    depth &+= 1
                } else {
                    if kinds & 1 != kind { return nil }
                    closing |= bit
                    kinds &>>= 1
                    depth &-= 1
                    if depth == 0 {
                        all = upToHere
                        break
                    }
                }
                objects = objects & upToHere | (0 &- (kinds & 1)) & ~upToHere
                left &= left &- 1
            }
            let places = Places(
                strings: strings, quotes: block.quotes, opening: opening, closing: closing,
                commas: block.commas & ~strings, colons: block.colons & ~strings, objects: objects)
            if before.faults(of: places) & all != 0 { return nil }
            let words = before.wordStarts & all
            if words != 0, !areWords(words, places.words, block.digits, bytes, offset, end) { return nil }
            if all != .max || depth == 0 {
                return offset + (64 - all.leadingZeroBitCount)
            }
            inString = UInt64(bitPattern: Int64(bitPattern: strings) >> 63)
            inObject = 0 &- (kinds & 1)
            before.move(past: places)
            offset += 64
        }
        return nil
    }

    /// The positions of tokens in a block, as bit masks.
    private struct Places {
        /// From each opening quote to the byte before the closing one.
        let strings: UInt64
        let quotes: UInt64
        let opening: UInt64
        let closing: UInt64
        let commas: UInt64
        let colons: UInt64
        /// Directly inside an object.
        let objects: UInt64

        var firstQuotes: UInt64 { quotes & strings }
        var lastQuotes: UInt64 { quotes & ~strings }
        /// Numbers, `true`, `false`, `null`, and anything that is not JSON.
        var words: UInt64 { ~(strings | lastQuotes | opening | closing | commas | colons) }
        /// Positions that must be followed by a value, a name, or a closing bracket right after an opening one.
        var asking: UInt64 { opening | commas | colons }
        /// The last bytes of values and names.
        var ends: UInt64 { lastQuotes | closing | words }
    }

    /// The state at the end of the previous block, in the lowest bit of each mask.
    private struct Before {
        private var asking: UInt64 = 1
        private var opening: UInt64 = 0
        private var commas: UInt64 = 0
        private var ends: UInt64 = 0
        private var words: UInt64 = 0
        private var inName: UInt64 = 0
        private var nameEnds: UInt64 = 0
        /// Of the block that was checked last.
        private(set) var wordStarts: UInt64 = 0
        private var nextInName: UInt64 = 0
        private var ownNameEnds: UInt64 = 0

        /// Positions with a token that cannot follow what precedes it.
        @inline(__always)
        mutating func faults(of places: Places) -> UInt64 {
            let firstQuotes = places.firstQuotes
            wordStarts = places.words & ~(places.words &<< 1 | words)
            let starts = firstQuotes | places.opening | wordStarts
            let behindOpening = places.opening &<< 1 | opening
            let behindEnds = places.ends &<< 1 | ends
            var faults = starts & ~(places.asking &<< 1 | asking)
            faults |= (places.commas | places.colons | places.closing) & ~behindEnds & ~(places.closing & behindOpening)
            // In objects, names come first, and colons come only after names.
            let wanted = places.objects & (behindOpening | places.commas &<< 1 | commas)
            faults |= starts & wanted & ~firstQuotes
            // The addition carries through the strings of names and stops at their closing quotes.
            let (first, firstOverflow) = places.strings.addingReportingOverflow(firstQuotes & wanted)
            let (sum, overflow) = first.addingReportingOverflow(inName)
            ownNameEnds = sum & ~places.strings
            nextInName = firstOverflow || overflow ? 1 : 0
            faults |= places.colons ^ (ownNameEnds &<< 1 | nameEnds)
            return faults
        }

        /// Makes the block that was checked last the previous one.
        @inline(__always)
        mutating func move(past places: Places) {
            asking = places.asking &>> 63
            opening = places.opening &>> 63
            commas = places.commas &>> 63
            ends = places.ends &>> 63
            words = places.words &>> 63
            inName = nextInName
            nameEnds = ownNameEnds &>> 63
        }
    }

    /// Whether a number, `true`, `false` or `null` begins at each of these positions.
    @inline(__always)
    private static func areWords(
        _ starts: UInt64, _ words: UInt64, _ digits: UInt64, _ bytes: UnsafeRawPointer, _ offset: Int, _ end: Int
    ) -> Bool {
        var left = starts
        while left != 0 {
            let place = left.trailingZeroBitCount
            left &= left &- 1
            let count = (~(words &>> UInt64(place))).trailingZeroBitCount
            let isNumber = ~(digits &>> UInt64(place)) & (1 &<< UInt64(count) &- 1) == 0
            let first = bytes.load(fromByteOffset: offset + place, as: UInt8.self)
            // Most are whole numbers.
            if isNumber, place + count < 64, count == 1 || first != UInt8(ascii: "0") { continue }
            if place + count < 64, offset + place + 5 <= end {
                let last = bytes.loadUnaligned(fromByteOffset: offset + place + (count == 5 ? 1 : 0), as: UInt32.self)
                switch UInt32(littleEndian: last) {
                case 0x6575_7274, 0x6C6C_756E: if count == 4 { continue }
                case 0x6573_6C61: if count == 5, first == UInt8(ascii: "f") { continue }
                default: break
                }
            }
            let all = UnsafeRawBufferPointer(start: bytes, count: end)
            // White space after a word counts as part of it here.
            guard let last = JSONValueChecker.wordEnd(in: all, from: offset + place), last < end, all[last] > 0x20
            else {
                return false
            }
        }
        return true
    }

    /// The size in bytes of the non-ASCII character at `place` (RFC 3629, section 4); 0 if it is invalid.
    private static func characterSize(in bytes: UnsafeRawPointer, at place: Int, _ end: Int) -> Int {
        let lead = bytes.load(fromByteOffset: place, as: UInt8.self)
        let size = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4
        guard place + size <= end, lead >= 0xC2, lead < 0xF5 else { return 0 }
        let second = bytes.load(fromByteOffset: place + 1, as: UInt8.self)
        let least: UInt8 = lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80
        let most: UInt8 = lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF
        guard second >= least, second <= most else { return 0 }
        for index in 2..<max(size, 2) where bytes.load(fromByteOffset: place + index, as: UInt8.self) & 0xC0 != 0x80 {
            return 0
        }
        return size
    }
}

/// Removes white space between JSON tokens.
package enum CompactJSON {
    /// Appends a value that is known to be complete.
    package static func append(_ json: UnsafeRawBufferPointer, to output: inout [UInt8]) {
        var start = 0
        var offset = 0
        var isInString = false
        while offset < json.count {
            let byte = json[offset]
            if byte == UInt8(ascii: "\"") {
                isInString.toggle()
            } else if isInString {
                if byte == UInt8(ascii: "\\") { offset += 1 }
            } else if byte <= 0x20 {
                output.append(contentsOf: UnsafeRawBufferPointer(rebasing: json[start..<offset]))
                start = offset + 1
            }
            offset += 1
        }
        output.append(contentsOf: UnsafeRawBufferPointer(rebasing: json[start...]))
    }
}
