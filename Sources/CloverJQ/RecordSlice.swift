internal import CloverRecords

/// Consecutive records of one batch, processed by one worker.
struct RecordSlice: Sendable {
    /// Shared with the other slices of the batch.
    let batch: RecordBatch
    /// Indices in `batch.records`.
    let records: Range<Int>
    /// The index in the stream of the first record.
    let firstIndex: Int
    /// The slot of its results.
    var sequence = 0

    /// The size of the records in bytes, including newlines.
    var size: Int {
        guard let first = records.first, let last = records.last else { return 0 }
        return batch.records[last].range.upperBound + 1 - batch.records[first].range.lowerBound
    }

    /// Divides a batch into slices of about `size` bytes, each with at least one record.
    static func cut(_ batch: RecordBatch, size: Int, firstIndex: Int) -> [RecordSlice] {
        var slices: [RecordSlice] = []
        var start = 0
        for (index, record) in batch.records.enumerated() {
            let isFull = record.range.upperBound - batch.records[start].range.lowerBound >= size
            if isFull || index == batch.records.count - 1 {
                slices.append(
                    RecordSlice(batch: batch, records: start..<(index + 1), firstIndex: firstIndex + start))
                start = index + 1
            }
        }
        return slices
    }

    /// The failure of one of the records.
    /// - Parameter index: an index in `batch.records`.
    func failure(at index: Int, message: String) -> ResultPart.Event {
        .failure(
            RecordFailure(
                index: firstIndex + index - records.lowerBound, id: batch.id(of: batch.records[index]), message: message
            ))
    }
}
