/// Comma-separated values (RFC 4180): lines end with CRLF; a value with a comma, quote or line break is quoted, and its
/// quotes are doubled.
struct CSVRows: RowEncoder {
    private var cells: CellReader
    private let columns: [RecordColumn]
    private let hasHeader: Bool
    private let isSpreadsheetSafe: Bool

    init(_ columns: [RecordColumn], cells: CellReader, hasHeader: Bool, isSpreadsheetSafe: Bool) {
        self.cells = cells
        self.columns = columns
        self.hasHeader = hasHeader
        self.isSpreadsheetSafe = isSpreadsheetSafe
    }

    mutating func begin(into output: inout [UInt8]) {
        guard hasHeader else { return }
        for (index, column) in columns.enumerated() {
            if index > 0 { output.append(UInt8(ascii: ",")) }
            var name = column.path.text
            name.withUTF8 { append(UnsafeRawBufferPointer($0), isText: true, to: &output) }
        }
        output.append(contentsOf: [0x0D, 0x0A])
    }

    mutating func add(_ record: UnsafeRawBufferPointer, _ values: [FieldValue], into output: inout [UInt8]) {
        // Copied, because the closure may not access `self` while `cells` is in use.
        let encoder = (isSpreadsheetSafe: isSpreadsheetSafe, isSingle: columns.count == 1)
        for column in columns.indices {
            if column > 0 { output.append(UInt8(ascii: ",")) }
            cells.read(column, of: record, values) { bytes, kind in
                Self.append(
                    bytes, isText: kind == .text, isSpreadsheetSafe: encoder.isSpreadsheetSafe,
                    isSingle: encoder.isSingle, to: &output)
            }
        }
        output.append(UInt8(ascii: "\r"))
        output.append(UInt8(ascii: "\n"))
    }

    mutating func end(into output: inout [UInt8]) {}

    mutating func breakOff(into output: inout [UInt8]) {}

    private func append(_ value: UnsafeRawBufferPointer, isText: Bool, to output: inout [UInt8]) {
        Self.append(
            value, isText: isText, isSpreadsheetSafe: isSpreadsheetSafe, isSingle: columns.count == 1, to: &output)
    }

    /// - Parameter isSingle: true for the only value of a line. If empty, it is quoted, because readers would skip an
    ///   empty line.
    @inline(__always)
    private static func append(
        _ value: UnsafeRawBufferPointer, isText: Bool, isSpreadsheetSafe: Bool, isSingle: Bool,
        to output: inout [UInt8]
    ) {
        guard !value.isEmpty else {
            if isSingle { output.append(contentsOf: [UInt8(ascii: "\""), UInt8(ascii: "\"")]) }
            return
        }
        let isGuarded = isSpreadsheetSafe && isText && startsFormula(value)
        let needsQuotes = value.contains { byte in
            byte == UInt8(ascii: ",") || byte == UInt8(ascii: "\"") || byte == 0x0D || byte == 0x0A
        }
        guard needsQuotes else {
            if isGuarded { output.append(UInt8(ascii: "'")) }
            output.append(contentsOf: value)
            return
        }
        output.append(UInt8(ascii: "\""))
        if isGuarded { output.append(UInt8(ascii: "'")) }
        var start = 0
        for (offset, byte) in value.enumerated() where byte == UInt8(ascii: "\"") {
            output.append(contentsOf: UnsafeRawBufferPointer(rebasing: value[start...offset]))
            start = offset
        }
        output.append(contentsOf: UnsafeRawBufferPointer(rebasing: value[start...]))
        output.append(UInt8(ascii: "\""))
    }

    /// Includes the full-width forms of the four signs, which some programs treat like the plain ones.
    private static func startsFormula(_ value: UnsafeRawBufferPointer) -> Bool {
        switch value[0] {
        case UInt8(ascii: "="), UInt8(ascii: "+"), UInt8(ascii: "-"), UInt8(ascii: "@"), 0x09, 0x0A, 0x0D: true
        // U+FF1D, U+FF0B, U+FF0D, U+FF20.
        case 0xEF where value.count >= 3:
            value[1] == 0xBC && [0x9D, 0x8B, 0x8D, 0xA0].contains(value[2])
        default: false
        }
    }
}
