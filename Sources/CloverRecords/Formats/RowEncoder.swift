/// One format with columns: turns the values found in records into bytes.
protocol RowEncoder: Sendable {
    /// What comes before the first row, also when there will be none.
    mutating func begin(into output: inout [UInt8])

    /// A row. The record's bytes are only read during the call.
    mutating func add(_ record: UnsafeRawBufferPointer, _ values: [FieldValue], into output: inout [UInt8])

    /// There are no further rows.
    mutating func end(into output: inout [UInt8])

    /// The stream broke off after at least one row: rows that were held back still come, but nothing that would make
    /// the output look whole.
    mutating func breakOff(into output: inout [UInt8])
}
