import CloverRecords

/// Keeps records of one piece of an export from coming twice: those that an export that had to be made again has brought
/// already, and those that the next piece begins with.
struct ExportAPIFilter {
    /// The millisecond at which the next piece begins.
    let end: Int64
    /// Of the records of this piece; 30 days of them at most.
    private var seen: Set<String> = []

    init(end: Int64) {
        self.end = end
    }

    /// Removes what has come, and what is still to come; gives how many records those were.
    mutating func drop(from batch: inout RecordBatch) -> Int {
        var seen = seen
        defer { self.seen = seen }
        return batch.removeRecords { batch, record in
            // Without an id nobody can tell, and twice is better than not at all.
            guard let id = batch.id(of: record) else { return false }
            if belongsToNext(batch, record) { return true }
            return !seen.insert(id).inserted
        }
    }

    /// A record made at the end belongs to the next piece when that has it too, by whichever time the service goes.
    private func belongsToNext(_ batch: RecordBatch, _ record: Record) -> Bool {
        guard batch.value(of: "createdTime", in: record).flatMap({ Int64($0) }) == end else { return false }
        guard let modified = batch.value(of: "modifiedTime", in: record).flatMap({ Int64($0) }) else { return true }
        return modified >= end
    }
}
