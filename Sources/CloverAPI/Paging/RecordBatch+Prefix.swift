import CloverRecords

extension RecordBatch {
    /// Drops everything after the first `count` records.
    mutating func keep(first count: Int) {
        guard count < records.count else { return }
        let kept = max(count, 0)
        bytes.removeSubrange(records[kept].range.lowerBound...)
        records.removeSubrange(kept...)
    }
}
