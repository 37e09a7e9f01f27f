import CloverRecords

/// Whether the records of an export are what was asked for: objects, and of its piece's time.
///
/// Which of a record's times the service goes by it does not say, nor in which time zone its days begin. So a record is taken
/// for another time's only when it was neither made nor changed, nor anything between the two, within a day of the piece: a service
/// that gives such records has not divided by time, and every piece would have the same ones.
enum ExportAPICheck {
    private static let fields = ["createdTime", "clientCreatedTime", "modifiedTime"]
    /// Milliseconds.
    private static let grace: Int64 = 86_400_000

    /// - Parameter before: records of the same file in earlier batches.
    /// - Throws: `.notAnObject`, `.otherTime`.
    static func pass(
        _ batch: RecordBatch, of piece: Range<Int64>, _ resource: ExportAPIResource, before: Int
    ) throws(ExportError) {
        let window = PlannedWindow(field: fields[0], from: piece.lowerBound, to: piece.upperBound)
        for (index, record) in batch.records.enumerated() {
            guard batch.bytes[record.range.lowerBound] == UInt8(ascii: "{") else {
                throw .notAnObject(resource: resource.rawValue, number: before + index + 1, window)
            }
            let times = fields.compactMap { batch.value(of: $0, in: record).flatMap { Int64($0) } }
            guard let first = times.min(), let last = times.max() else { continue }
            let isEarly = last < piece.lowerBound - grace
            guard !isEarly, first < piece.upperBound + grace else {
                throw .otherTime(
                    resource: resource.rawValue, id: batch.id(of: record), time: isEarly ? last : first, window)
            }
        }
    }
}
