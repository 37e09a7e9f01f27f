/// A row that waits on this machine for SQLite: its length in bytes and the number of its values, four bytes each, and the
/// values, each after its tag.
enum SQLiteRow {
    /// The bytes before the values.
    static let headSize = 8

    /// What precedes a value.
    private enum Tag: UInt8 {
        case null, integer, real, text
    }

    enum Value {
        case null
        case integer(Int64)
        case real(Double)
        /// UTF-8 text inside the row.
        case text(UnsafeRawBufferPointer)

        /// Number of bytes with the tag.
        @inline(__always)
        var size: Int {
            switch self {
            case .null: 1
            case .integer, .real: 9
            case .text(let text): 5 + text.count
            }
        }
    }

    /// Makes a row at the beginning of a buffer, which grows as needed.
    ///
    /// - Parameter body: gets the place of each column, and its value.
    /// - Returns: number of bytes of the row.
    @inline(__always)
    static func write(_ cells: [Cell], to buffer: inout [UInt8], _ body: (Int, Value) -> Void) -> Int {
        var limit = headSize
        for cell in cells { limit += largestSize(of: cell) }
        if buffer.count < limit { buffer = [UInt8](repeating: 0, count: 2 * limit) }
        return buffer.withUnsafeMutableBytes { bytes in
            guard let start = bytes.baseAddress else { return 0 }
            var end = start + headSize
            for place in cells.indices { body(place, write(cells[place], at: &end)) }
            let length = end - start
            start.storeBytes(of: UInt32(length), as: UInt32.self)
            start.storeBytes(of: UInt32(cells.count), toByteOffset: 4, as: UInt32.self)
            return length
        }
    }

    /// The most bytes that the value of a cell takes.
    @inline(__always)
    private static func largestSize(of cell: Cell) -> Int {
        switch cell {
        case .null: 1
        case .integer, .boolean, .real: 9
        case .bytes(let bytes): 5 + bytes.count
        case .text(let text): 5 + text.utf8.count
        case .time, .localTime: 5 + TimeText.largestSize
        }
    }

    /// Writes a value, behind which `end` is then.
    @inline(__always)
    private static func write(_ cell: Cell, at end: inout UnsafeMutableRawPointer) -> Value {
        switch cell {
        case .null:
            end.storeBytes(of: Tag.null.rawValue, as: UInt8.self)
            end += 1
            return .null
        case .integer(let number): return write(number, at: &end)
        case .boolean(let isTrue): return write(isTrue ? 1 : 0, at: &end)
        case .real(let number):
            end.storeBytes(of: Tag.real.rawValue, as: UInt8.self)
            end.storeBytes(of: number.bitPattern, toByteOffset: 1, as: UInt64.self)
            end += 9
            return .real(number)
        case .bytes(let bytes): return write(bytes, at: &end)
        case .text(var text): return text.withUTF8 { write(UnsafeRawBufferPointer($0), at: &end) }
        case .time(let milliseconds): return TimeText.utc(milliseconds) { write($0, at: &end) }
        case .localTime(let seconds): return TimeText.local(seconds) { write($0, at: &end) }
        }
    }

    @inline(__always)
    private static func write(_ number: Int64, at end: inout UnsafeMutableRawPointer) -> Value {
        end.storeBytes(of: Tag.integer.rawValue, as: UInt8.self)
        end.storeBytes(of: number, toByteOffset: 1, as: Int64.self)
        end += 9
        return .integer(number)
    }

    @inline(__always)
    private static func write(_ text: UnsafeRawBufferPointer, at end: inout UnsafeMutableRawPointer) -> Value {
        end.storeBytes(of: Tag.text.rawValue, as: UInt8.self)
        end.storeBytes(of: UInt32(text.count), toByteOffset: 1, as: UInt32.self)
        let inside = UnsafeMutableRawBufferPointer(start: end + 5, count: text.count)
        inside.copyMemory(from: text)
        end += 5 + text.count
        return .text(UnsafeRawBufferPointer(inside))
    }

    /// The value whose tag is at a place.
    @inline(__always)
    static func value(of row: UnsafeRawBufferPointer, at start: Int) -> Value {
        switch Tag(rawValue: row[start]) {
        case .null, nil: return .null
        case .integer: return .integer(row.loadUnaligned(fromByteOffset: start + 1, as: Int64.self))
        case .real: return .real(Double(bitPattern: row.loadUnaligned(fromByteOffset: start + 1, as: UInt64.self)))
        case .text:
            let size = Int(row.loadUnaligned(fromByteOffset: start + 1, as: UInt32.self))
            return .text(UnsafeRawBufferPointer(rebasing: row[start + 5..<start + 5 + size]))
        }
    }

    /// A row whose values are read in the order of its columns, as SQLite asks for them.
    struct Reader {
        private let row: UnsafeRawBufferPointer
        private let count: Int
        /// The next column, and where its value is.
        private var (next, start) = (0, SQLiteRow.headSize)

        /// - Parameter row: stays as long as the reader.
        init(_ row: UnsafeRawBufferPointer) {
            self.row = row
            count = Int(row.loadUnaligned(fromByteOffset: 4, as: UInt32.self))
        }

        /// The value of a column; null for one that the table got after the row.
        @inline(__always)
        mutating func value(_ column: Int) -> Value {
            guard column < count else { return .null }
            if column < next { (next, start) = (0, SQLiteRow.headSize) }
            while true {
                let value = SQLiteRow.value(of: row, at: start)
                start += value.size
                next += 1
                if next > column { return value }
            }
        }
    }
}
