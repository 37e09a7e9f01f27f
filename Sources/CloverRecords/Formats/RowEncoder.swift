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
