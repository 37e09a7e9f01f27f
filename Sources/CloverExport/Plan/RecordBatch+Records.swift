package import CloverJSON

extension RecordBatch {
    /// Appends a record of another batch.
    package mutating func append(_ record: Record, of batch: RecordBatch) {
        batch.bytes.withUnsafeBytes { append(UnsafeRawBufferPointer(rebasing: $0[record.range])) }
    }

    /// The records, each with its merchant in the form of Clover's own references, `"merchant":{"id":"M"}`, as first member.
    package func tagged(merchant: String) -> RecordBatch {
        prefixed(by: Array("{\"merchant\":{\"id\":\(JSONString.quoted(merchant))}".utf8))
    }

    /// The records, each with further members at its start. One that is not an object stays unchanged.
    ///
    /// - Parameter start: a brace and members, without a trailing comma.
    package func prefixed(by start: [UInt8]) -> RecordBatch {
        var result = RecordBatch()
        result.bytes.reserveCapacity(bytes.count + records.count * (start.count + 1))
        bytes.withUnsafeBytes { bytes in
            for record in records {
                Self.prefixed(UnsafeRawBufferPointer(rebasing: bytes[record.range]), with: start)
                    .withUnsafeBytes { result.append($0) }
            }
        }
        return result
    }
}
