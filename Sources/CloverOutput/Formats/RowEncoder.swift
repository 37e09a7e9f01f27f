import CloverJSON

/// Encodes the values found in records in one format with columns.
protocol RowEncoder: Sendable {
    /// Writes what precedes the first row, even if there will be none.
    mutating func begin(into output: inout [UInt8])

    /// Writes a row. The record's bytes are only read during the call.
    mutating func add(_ record: UnsafeRawBufferPointer, _ values: [FieldValue], into output: inout [UInt8])

    /// Ends the rows.
    mutating func end(into output: inout [UInt8])

    /// Ends an incomplete stream after at least one row: writes rows that were held back, but nothing that would make
    /// the output look complete.
    mutating func breakOff(into output: inout [UInt8])
}

/// Comma-separated values (RFC 4180): lines end with CRLF; a value with a comma, quote or line break is quoted, and its
/// quotes are doubled.
struct CSVRows: RowEncoder {
    private var cells: CellFormatter
    private let columns: [RecordColumn]
    private let hasHeader: Bool
    private let isSpreadsheetSafe: Bool

    init(_ columns: [RecordColumn], cells: CellFormatter, hasHeader: Bool, isSpreadsheetSafe: Bool) {
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

/// Tab-separated values, one record per line; tab, line feed, carriage return and backslash are written `\t`, `\n`,
/// `\r` and `\\`, like jq's `@tsv`.
struct TSVRows: RowEncoder {
    private var cells: CellFormatter
    private let columns: [RecordColumn]
    private let hasHeader: Bool

    init(_ columns: [RecordColumn], cells: CellFormatter, hasHeader: Bool) {
        self.cells = cells
        self.columns = columns
        self.hasHeader = hasHeader
    }

    mutating func begin(into output: inout [UInt8]) {
        guard hasHeader else { return }
        for (index, column) in columns.enumerated() {
            if index > 0 { output.append(0x09) }
            var name = column.path.text
            name.withUTF8 { Self.append(UnsafeRawBufferPointer($0), to: &output) }
        }
        output.append(0x0A)
    }

    mutating func add(_ record: UnsafeRawBufferPointer, _ values: [FieldValue], into output: inout [UInt8]) {
        for column in columns.indices {
            if column > 0 { output.append(0x09) }
            cells.read(column, of: record, values) { bytes, _ in Self.append(bytes, to: &output) }
        }
        output.append(0x0A)
    }

    mutating func end(into output: inout [UInt8]) {}

    mutating func breakOff(into output: inout [UInt8]) {}

    @inline(__always)
    private static func append(_ value: UnsafeRawBufferPointer, to output: inout [UInt8]) {
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

    mutating func begin(into output: inout [UInt8]) {}

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

    /// Leaves an array open, so that it is not mistaken for complete.
    mutating func breakOff(into output: inout [UInt8]) {}
}

/// Removes white space between JSON tokens.
enum CompactJSON {
    /// Appends a value that is known to be complete.
    static func append(_ json: UnsafeRawBufferPointer, to output: inout [UInt8]) {
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
