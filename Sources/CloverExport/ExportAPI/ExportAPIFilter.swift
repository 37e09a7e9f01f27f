import CloverRecords

/// Keeps records of one piece of an export from coming twice: those that an export that had to be made again has brought
/// already, and those that the next piece begins with. Counts the others.
struct ExportAPIFilter {
    /// From the first millisecond to that at which the next piece begins.
    let piece: Range<Int64>
    /// Of the records of this piece; 30 days of them at most.
    private var seen: Set<String> = []
    /// Records so far that were made in the time of the piece, each once.
    private(set) var count = 0

    init(_ piece: Range<Int64>) {
        self.piece = piece
    }

    /// Removes what has come, and what is still to come; gives how many records those were.
    mutating func drop(from batch: inout RecordBatch) -> Int {
        var seen = seen
        let dropped = batch.removeRecords { batch, record in
            // Without an id nobody can tell, and twice is better than not at all.
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

    /// A record made at the end belongs to the next piece when that has it too, by whichever time the service goes.
    private func belongsToNext(_ batch: RecordBatch, _ record: Record) -> Bool {
        guard Self.createdTime(batch, record) == piece.upperBound else { return false }
        guard let modified = batch.value(of: "modifiedTime", in: record).flatMap({ Int64($0) }) else { return true }
        return modified >= piece.upperBound
    }

    private static func createdTime(_ batch: RecordBatch, _ record: Record) -> Int64? {
        batch.value(of: "createdTime", in: record).flatMap { Int64($0) }
    }
}
