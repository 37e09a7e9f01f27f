/// One JSON object per record with the selected fields, in the given order, named by their paths.
struct JSONRows: RowEncoder {
    private var cells: CellReader
    private let isArray: Bool
    /// The text before each value: a brace or comma, the name, a colon.
    private let names: [[UInt8]]
    private var hasRows = false

    /// - Parameter isArray: writes one array of all objects instead of one line per object.
    init(_ columns: [RecordColumn], cells: CellReader, isArray: Bool) {
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
