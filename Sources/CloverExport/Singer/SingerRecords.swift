package import CloverRecords

/// Puts records into RECORD messages. Their bytes stay as they are.
package struct SingerRecords: Sendable {
    private let start: [UInt8]

    package init(_ stream: SingerStream) {
        start = Array(#"{"type":"RECORD","stream":"\#(stream.name)","record":"#.utf8)
    }

    /// The messages of a batch, a line each.
    ///
    /// - Parameter extracted: when the records came, as an instant of RFC 3339.
    package func messages(_ batch: RecordBatch, extracted: String) -> [UInt8] {
        let end = Array(#","time_extracted":"\#(extracted)"}"#.utf8) + [UInt8(ascii: "\n")]
        var result: [UInt8] = []
        result.reserveCapacity(batch.bytes.count + batch.records.count * (start.count + end.count))
        for record in batch.records {
            result += start
            result += batch.bytes[record.range]
            result += end
        }
        return result
    }
}
