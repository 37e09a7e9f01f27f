import CloverJSON

/// Encodes the values found in records in one format with columns.
protocol RowEncoder: Sendable {
    /// Writes what precedes the first row, even if there will be none.
    mutating func begin(into output: inout [UInt8])

    /// Writes a row. The record's bytes are only read during the call.
    mutating func add(_ record: UnsafeRawBufferPointer, _ values: [FieldValue], into output: inout [UInt8])

    mutating func end(into output: inout [UInt8])

    /// Ends an incomplete stream after at least one row: writes rows that were held back, but nothing that would make
    /// the output look complete.
    mutating func breakOff(into output: inout [UInt8])
}

extension RowEncoder {
    mutating func begin(into output: inout [UInt8]) {}
    mutating func end(into output: inout [UInt8]) {}
    mutating func breakOff(into output: inout [UInt8]) {}
}

/// Rows of values on lines.
///
/// Comma-separated values (RFC 4180): lines end with CRLF; a value with a comma, quote or line break is quoted, and its
/// quotes are doubled. Tab-separated values: tab, line feed, carriage return and backslash are written `\t`, `\n`, `\r`
/// and `\\`, like jq's `@tsv`.
struct DelimitedRows: RowEncoder {
    private var cells: CellFormatter
    private let columns: [RecordColumn]
    private let hasHeader: Bool
    private let values: ValueEncoder

    private let csv: CSVStyle

    /// - Parameter csv: nil writes tab-separated values.
    init(
        _ columns: [RecordColumn], cells: CellFormatter, hasHeader: Bool, csv: CSVStyle?,
        isSpreadsheetSafe: Bool = false
    ) {
        self.cells = cells
        self.columns = columns
        self.hasHeader = hasHeader
        self.csv = csv ?? CSVStyle()
        values = ValueEncoder(
            isCSV: csv != nil, separator: csv?.separator ?? 0x09, isSpreadsheetSafe: isSpreadsheetSafe,
            isSingle: columns.count == 1)
    }

    mutating func begin(into output: inout [UInt8]) {
        if csv.hasByteOrderMark { output.append(contentsOf: [0xEF, 0xBB, 0xBF]) }
        guard hasHeader else { return }
        for (index, column) in columns.enumerated() {
            if index > 0 { output.append(values.separator) }
            var name = column.path.text
            name.withUTF8 { values.append(UnsafeRawBufferPointer($0), isText: true, to: &output) }
        }
        values.endLine(of: &output)
    }

    mutating func add(_ record: UnsafeRawBufferPointer, _ found: [FieldValue], into output: inout [UInt8]) {
        // Copied, because the closure may not access `self` while `cells` is in use.
        let values = values
        let hasDecimalComma = csv.hasDecimalComma
        for column in columns.indices {
            if column > 0 { output.append(values.separator) }
            cells.read(column, of: record, found) { value, kind in
                if hasDecimalComma, kind == .number, value.contains(UInt8(ascii: ".")) {
                    value.map { $0 == UInt8(ascii: ".") ? UInt8(ascii: ",") : $0 }.withUnsafeBytes {
                        values.append($0, isText: false, to: &output)
                    }
                } else {
                    values.append(value, isText: kind == .text, to: &output)
                }
            }
        }
        values.endLine(of: &output)
    }

    private struct ValueEncoder: Sendable {
        let isCSV: Bool
        let separator: UInt8
        let isSpreadsheetSafe: Bool
        /// True for the only value of a line. If empty, it is quoted in csv, because readers would skip an empty line.
        let isSingle: Bool

        func endLine(of output: inout [UInt8]) {
            if isCSV { output.append(0x0D) }
            output.append(0x0A)
        }

        @inline(__always)
        func append(_ value: UnsafeRawBufferPointer, isText: Bool, to output: inout [UInt8]) {
            if isCSV { appendQuoted(value, isText: isText, to: &output) } else { appendEscaped(value, to: &output) }
        }

        @inline(__always)
        private func appendQuoted(_ value: UnsafeRawBufferPointer, isText: Bool, to output: inout [UInt8]) {
            guard !value.isEmpty else {
                if isSingle { output.append(contentsOf: [UInt8(ascii: "\""), UInt8(ascii: "\"")]) }
                return
            }
            let isGuarded = isSpreadsheetSafe && isText && Self.startsFormula(value)
            let needsQuotes = value.contains { byte in
                byte == separator || byte == UInt8(ascii: "\"") || byte == 0x0D || byte == 0x0A
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

        @inline(__always)
        private func appendEscaped(_ value: UnsafeRawBufferPointer, to output: inout [UInt8]) {
            guard value.contains(where: { $0 < 0x0E || $0 == UInt8(ascii: "\\") }) else {
                output.append(contentsOf: value)
                return
            }
            for byte in value {
                let letter: UInt8
                switch byte {
                case 0x09: letter = UInt8(ascii: "t")
                case 0x0A: letter = UInt8(ascii: "n")
                case 0x0D: letter = UInt8(ascii: "r")
                case UInt8(ascii: "\\"): letter = byte
                default:
                    output.append(byte)
                    continue
                }
                output.append(UInt8(ascii: "\\"))
                output.append(letter)
            }
        }
    }
}

/// One JSON object per record with the selected fields, in the given order, named by their paths.
struct JSONRows: RowEncoder {
    private var cells: CellFormatter
    private let isArray: Bool
    /// The text before each value: a brace or comma, the name, a colon.
    private let names: [[UInt8]]
    private var hasRows = false

    /// - Parameter isArray: writes one array of all objects instead of one line per object.
    init(_ columns: [RecordColumn], cells: CellFormatter, isArray: Bool) {
        self.cells = cells
        self.isArray = isArray
        names = columns.enumerated().map { index, column in
            var bytes: [UInt8] = [UInt8(ascii: index == 0 ? "{" : ","), UInt8(ascii: "\"")]
            // A path has no control characters.
            for byte in column.path.text.utf8 {
                if byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\") { bytes.append(UInt8(ascii: "\\")) }
                bytes.append(byte)
            }
            return bytes + [UInt8(ascii: "\""), UInt8(ascii: ":")]
        }
    }

    mutating func add(_ record: UnsafeRawBufferPointer, _ values: [FieldValue], into output: inout [UInt8]) {
        if isArray { output.append(UInt8(ascii: hasRows ? "," : "[")) }
        hasRows = true
        for column in names.indices {
            output.append(contentsOf: names[column])
            cells.appendJSON(column, of: record, values, to: &output)
        }
        output.append(UInt8(ascii: "}"))
        if !isArray { output.append(UInt8(ascii: "\n")) }
    }

    mutating func end(into output: inout [UInt8]) {
        if isArray { output.append(contentsOf: (hasRows ? "]\n" : "[]\n").utf8) }
    }
}
