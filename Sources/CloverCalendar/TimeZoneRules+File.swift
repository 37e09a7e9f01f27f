extension TimeZoneRules {
    /// Reads the contents of a compiled zone file (tzfile(5), RFC 9636).
    ///
    /// Returns nil if the file is malformed or counts leap seconds, because its time is then not Unix time.
    init?(file bytes: [UInt8], name: String) {
        var reader = Reader(bytes: bytes)
        guard let first = reader.header() else { return nil }
        var header = first
        var timeSize = 4
        if first.version >= 2 {
            // The first part has 32-bit times for old readers; the second covers all times.
            guard reader.skip(first.size(timeSize: 4)), let second = reader.header() else { return nil }
            header = second
            timeSize = 8
        }
        guard header.leaps == 0, header.types > 0 else { return nil }
        var transitions: [Int] = []
        for _ in 0..<header.times {
            guard let time = reader.integer(size: timeSize) else { return nil }
            guard transitions.last.map({ $0 < time }) ?? true else { return nil }
            transitions.append(time)
        }
        var indexes: [Int] = []
        for _ in 0..<header.times {
            guard let index = reader.byte(), index < header.types else { return nil }
            indexes.append(Int(index))
        }
        var types: [Int] = []
        for _ in 0..<header.types {
            // The offset, whether it is summer time, and the index of its abbreviation.
            guard let offset = reader.integer(size: 4), reader.skip(2), abs(offset) < 1_000_000 else { return nil }
            types.append(offset)
        }
        guard reader.skip(header.letters + header.standardMarks + header.universalMarks) else { return nil }
        var future: RecurringRules?
        if timeSize == 8 {
            guard let text = reader.footer() else { return nil }
            if !text.isEmpty {
                guard let parsed = RecurringRules(parsing: text) else { return nil }
                future = parsed
            }
        }
        self.init(
            name: name, transitions: transitions, offsets: indexes.map { types[$0] }, firstOffset: types[0],
            future: future)
    }

    private struct Header {
        var version: Int
        var universalMarks: Int
        var standardMarks: Int
        var leaps: Int
        var times: Int
        var types: Int
        var letters: Int

        /// The size in bytes of the part that follows.
        func size(timeSize: Int) -> Int {
            times * (timeSize + 1) + types * 6 + letters + leaps * (timeSize + 4) + standardMarks + universalMarks
        }
    }

    private struct Reader {
        let bytes: [UInt8]
        var offset = 0

        mutating func header() -> Header? {
            guard bytes.count - offset >= 44, bytes[offset..<offset + 4].elementsEqual("TZif".utf8) else { return nil }
            let version = bytes[offset + 4]
            offset += 20
            var counts: [Int] = []
            for _ in 0..<6 {
                // Larger counts do not fit into a zone file.
                guard let count = integer(size: 4), (0...1 << 20).contains(count) else { return nil }
                counts.append(count)
            }
            return Header(
                version: version == 0 ? 1 : Int(version &- 0x30), universalMarks: counts[0], standardMarks: counts[1],
                leaps: counts[2], times: counts[3], types: counts[4], letters: counts[5])
        }

        mutating func byte() -> UInt8? {
            guard offset < bytes.count else { return nil }
            defer { offset += 1 }
            return bytes[offset]
        }

        /// A signed big-endian integer.
        mutating func integer(size: Int) -> Int? {
            guard bytes.count - offset >= size else { return nil }
            var value: Int = bytes[offset] & 0x80 == 0 ? 0 : -1
            for byte in bytes[offset..<offset + size] { value = value << 8 | Int(byte) }
            offset += size
            return value
        }

        mutating func skip(_ count: Int) -> Bool {
            guard bytes.count - offset >= count else { return false }
            offset += count
            return true
        }

        /// The text between two line feeds.
        mutating func footer() -> [UInt8]? {
            guard byte() == 0x0A, let end = bytes[offset...].firstIndex(of: 0x0A) else { return nil }
            return Array(bytes[offset..<end])
        }
    }
}
