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

    /// Room for everything in a row but the texts of its cells.
    private static func fixedSize(_ count: Int) -> Int { headSize + count * (5 + TimeText.largestSize) }

    /// The room in which `write` writes a row in any case.
    static func room(for cells: [Cell]) -> Int {
        cells.reduce(2 * fixedSize(cells.count)) { size, cell in
            switch cell {
            case .bytes(let bytes): size + bytes.count
            case .text(let text): size + text.utf8.count
            default: size
            }
        }
    }

    /// Writes a row, if there is room for it.
    ///
    /// - Parameter hasValues: whether there is a value in each column, of this row or an earlier one.
    /// - Returns: number of bytes of the row; nil when there may not be enough room.
    @inline(__always)
    static func write(
        _ cells: [Cell], to room: UnsafeMutableRawBufferPointer, _ hasValues: UnsafeMutableBufferPointer<Bool>
    ) -> Int? {
        guard let start = room.baseAddress, fixedSize(cells.count) <= room.count else { return nil }
        // A text that ends here leaves room for all other values.
        let limit = start + (room.count - fixedSize(cells.count))
        var end = start + headSize
        for place in cells.indices {
            switch cells[place] {
            case .null:
                end.storeBytes(of: Tag.null.rawValue, as: UInt8.self)
                end += 1
                continue
            case .integer(let number): write(number, at: &end)
            case .boolean(let isTrue): write(isTrue ? 1 : 0, at: &end)
            case .real(let number):
                end.storeBytes(of: Tag.real.rawValue, as: UInt8.self)
                end.storeBytes(of: number.bitPattern, toByteOffset: 1, as: UInt64.self)
                end += 9
            case .bytes(let bytes):
                guard bytes.count <= limit - end else { return nil }
                write(bytes, at: &end)
            case .text(var text):
                guard text.utf8.count <= limit - end else { return nil }
                text.withUTF8 { write(UnsafeRawBufferPointer($0), at: &end) }
            case .time(let milliseconds): TimeText.utc(milliseconds) { write($0, at: &end) }
            case .localTime(let seconds): TimeText.local(seconds) { write($0, at: &end) }
            }
            hasValues[place] = true
        }
        let length = end - start
        start.storeBytes(of: UInt32(length), as: UInt32.self)
        start.storeBytes(of: UInt32(cells.count), toByteOffset: 4, as: UInt32.self)
        return length
    }

    /// Writes a value, behind which `end` is then.
    @inline(__always)
    private static func write(_ number: Int64, at end: inout UnsafeMutableRawPointer) {
        end.storeBytes(of: Tag.integer.rawValue, as: UInt8.self)
        end.storeBytes(of: number, toByteOffset: 1, as: Int64.self)
        end += 9
    }

    @inline(__always)
    private static func write(_ text: UnsafeRawBufferPointer, at end: inout UnsafeMutableRawPointer) {
        end.storeBytes(of: Tag.text.rawValue, as: UInt8.self)
        end.storeBytes(of: UInt32(text.count), toByteOffset: 1, as: UInt32.self)
        UnsafeMutableRawBufferPointer(start: end + 5, count: text.count).copyMemory(from: text)
        end += 5 + text.count
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

/// Rows in memory, in the form of `SQLiteRow`, one after the other.
final class SQLiteRowBuffer: @unchecked Sendable {
    // Unchecked: one thread at a time has it. That which writes its rows to the database gets it from the one that adds them,
    // which waits for the end of that before it uses the rows again.
    private var memory = UnsafeMutableRawBufferPointer(start: nil, count: 0)
    /// Number of bytes of the rows.
    private(set) var size = 0
    /// Number of rows.
    private(set) var count = 0

    private static let firstSize = 1 << 14
    /// A buffer that had a larger row than usual does not keep its memory.
    private static let keptSize = 1 << 20

    deinit { memory.deallocate() }

    var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: memory[..<size]) }

    /// - Parameter hasValues: whether there is a value in each column; at least as many as there are cells.
    @inline(__always)
    func append(_ cells: [Cell], _ hasValues: inout [Bool]) {
        hasValues.withUnsafeMutableBufferPointer { hasValues in
            while true {
                let room = UnsafeMutableRawBufferPointer(rebasing: memory[size...])
                if let length = SQLiteRow.write(cells, to: room, hasValues) {
                    size += length
                    count += 1
                    return
                }
                grow(to: size + SQLiteRow.room(for: cells))
            }
        }
    }

    private func grow(to wanted: Int) {
        let new = UnsafeMutableRawBufferPointer.allocate(
            byteCount: max(2 * memory.count, wanted, Self.firstSize), alignment: 8)
        new.copyMemory(from: bytes)
        memory.deallocate()
        memory = new
    }

    func removeAll() {
        (size, count) = (0, 0)
        guard memory.count > Self.keptSize else { return }
        memory.deallocate()
        memory = UnsafeMutableRawBufferPointer(start: nil, count: 0)
    }
}
