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
    }

    /// Makes a row in place of what is in the buffer.
    static func write(_ cells: [Cell], to row: inout [UInt8]) {
        row.removeAll(keepingCapacity: true)
        append(UInt32(0), to: &row)
        append(UInt32(cells.count), to: &row)
        for cell in cells { append(cell, to: &row) }
        let length = UInt32(row.count)
        row.withUnsafeMutableBytes { $0.storeBytes(of: length, as: UInt32.self) }
    }

    private static func append(_ cell: Cell, to row: inout [UInt8]) {
        switch cell {
        case .null: row.append(Tag.null.rawValue)
        case .integer(let number): append(number, to: &row)
        case .boolean(let isTrue): append(Int64(isTrue ? 1 : 0), to: &row)
        case .real(let number):
            row.append(Tag.real.rawValue)
            withUnsafeBytes(of: number.bitPattern) { row.append(contentsOf: $0) }
        case .bytes(let bytes): append(bytes, to: &row)
        case .text(var text): text.withUTF8 { append(UnsafeRawBufferPointer($0), to: &row) }
        case .time(let milliseconds): TimeText.utc(milliseconds) { append($0, to: &row) }
        case .localTime(let seconds): TimeText.local(seconds) { append($0, to: &row) }
        }
    }

    private static func append(_ number: UInt32, to row: inout [UInt8]) {
        withUnsafeBytes(of: number) { row.append(contentsOf: $0) }
    }

    private static func append(_ number: Int64, to row: inout [UInt8]) {
        row.append(Tag.integer.rawValue)
        withUnsafeBytes(of: number) { row.append(contentsOf: $0) }
    }

    private static func append(_ text: UnsafeRawBufferPointer, to row: inout [UInt8]) {
        row.append(Tag.text.rawValue)
        append(UInt32(text.count), to: &row)
        row.append(contentsOf: text)
    }

    /// Calls `body` with the place and the value of each column that a row has.
    @inline(__always)
    static func eachValue(of row: UnsafeRawBufferPointer, _ body: (Int, Value) -> Void) {
        var start = headSize
        for _ in 0..<row.loadUnaligned(fromByteOffset: 4, as: UInt32.self) {
            let value = value(of: row, at: start)
            body(start, value)
            switch value {
            case .null: start += 1
            case .integer, .real: start += 9
            case .text(let text): start += 5 + text.count
            }
        }
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
}
