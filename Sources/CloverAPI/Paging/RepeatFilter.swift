import CloverRecords

/// Drops records that were delivered before: rows that moved to a later page while we were paging, and the beginning
/// of a page that is read again after it was cut off.
///
/// It remembers the ids of the newest pages only, because rows shift by few places between two pages; memory stays
/// the same for any number of records. Records without an id pass, but for those of a page that is read again, which are
/// told by their place.
struct RepeatFilter {
    /// One more than the pages that may be in flight.
    private static let pagesKept = 6

    private var pages: [Set<String>] = [[]]
    /// Records without an id: those of this page that have passed, and those still to drop of a page read again.
    private var namelessPassed = 0
    private var namelessToDrop = 0

    mutating func beginPage() {
        pages.append([])
        if pages.count > Self.pagesKept { pages.removeFirst() }
        namelessPassed = 0
        namelessToDrop = 0
    }

    /// The page that was begun last is read again from its start.
    mutating func beginPageAgain() {
        namelessToDrop = namelessPassed
    }

    /// Removes known records from the batch and remembers the others.
    mutating func drop(from batch: inout RecordBatch) {
        let ids = batch.records.map { batch.id(of: $0) }
        var repeated = Set<Int>()
        for (index, id) in ids.enumerated() {
            guard let id else {
                if namelessToDrop > 0 {
                    namelessToDrop -= 1
                    repeated.insert(index)
                } else {
                    namelessPassed += 1
                }
                continue
            }
            if pages.contains(where: { $0.contains(id) }) {
                repeated.insert(index)
            } else {
                pages[pages.count - 1].insert(id)
            }
        }
        guard !repeated.isEmpty else { return }
        var index = -1
        batch.removeRecords { _, _ in
            index += 1
            return repeated.contains(index)
        }
    }
}
