/// Tab-separated values, one record per line; tab, line feed, carriage return and backslash are written `\t`, `\n`,
/// `\r` and `\\`, like jq's `@tsv`.
struct TSVRows: RowEncoder {
    private var cells: CellReader
    private let columns: [RecordColumn]
    private let hasHeader: Bool

    init(_ columns: [RecordColumn], cells: CellReader, hasHeader: Bool) {
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
