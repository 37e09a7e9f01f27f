import CloverJSON

/// Removes duplicate records of one piece: those that an earlier attempt already delivered, and those with which the next
/// piece begins. Counts the others.
struct ExportAPIFilter {
    /// Time of the piece, in milliseconds since 1970.
    let piece: Range<Int64>
    /// Ids of the records of this piece, which has at most 30 days.
    private var seen: Set<String> = []
    /// Number of distinct records so far that were created within the piece.
    private(set) var count = 0

    init(_ piece: Range<Int64>) {
        self.piece = piece
    }

    /// Removes duplicates, and records that the next piece will have, and returns their number.
    mutating func drop(from batch: inout RecordBatch) -> Int {
        var seen = seen
        let dropped = batch.removeRecords { batch, record in
            // Keep a record without an id: a duplicate is better than a missing record.
            guard let id = batch.id(of: record) else { return false }
            if belongsToNext(batch, record) { return true }
            return !seen.insert(id).inserted
        }
        self.seen = seen
        count += batch.records.count { record in
            Self.createdTime(batch, record).map { piece.contains($0) } ?? true
        }
        return dropped
    }

    /// Whether a record created at the end of the piece is also in the next one, whichever time the service selects by.
    private func belongsToNext(_ batch: RecordBatch, _ record: Record) -> Bool {
        guard Self.createdTime(batch, record) == piece.upperBound else { return false }
        guard let modified = batch.value(of: "modifiedTime", in: record).flatMap({ Int64($0) }) else { return true }
        return modified >= piece.upperBound
    }

    private static func createdTime(_ batch: RecordBatch, _ record: Record) -> Int64? {
        batch.value(of: "createdTime", in: record).flatMap { Int64($0) }
    }
}

/// Checks that the records of an export are objects and belong to the time of its piece.
///
/// The service does not document which of a record's times it selects by, or in which time zone its days begin. So a record
/// counts as wrong only when the span from its creation to its last modification is more than a day away from the piece: a
/// service that returns such records does not select by time, and every piece would have the same ones.
enum ExportAPIValidator {
    private static let fields = ["createdTime", "clientCreatedTime", "modifiedTime"]
    /// Tolerance in milliseconds.
    private static let grace: Int64 = 86_400_000

    /// Checks a batch.
    ///
    /// - Parameter before: number of records of the same file in earlier batches.
    /// - Throws: `.notAnObject`, `.wrongTime`.
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
                throw .wrongTime(
                    resource: resource.rawValue, id: batch.id(of: record), time: isEarly ? last : first, window)
            }
        }
    }
}
