import CloverRecords

/// Counts, in one round over records that are read repeatedly, how many distinct records were known before.
struct RoundCount {
    /// The number of distinct records that were known before the round.
    private(set) var met = 0
    /// The current page begins with the record that the round began with.
    private(set) var beginsAnew = false
    /// A record has no id.
    private(set) var hasNameless = false
    /// False in the first round, which may hold any number of records.
    private let counts: Bool
    private var first: RecordKey?
    private var seen = RecordKeySet()

    init(counts: Bool) {
        self.counts = counts
    }

    mutating func beginPage() {
        beginsAnew = false
    }

    /// - Parameters:
    ///   - isPageStart: true if the batch begins the page.
    ///   - isKnown: whether a record was known before this page.
    mutating func see(
        _ batch: RecordBatch, _ times: [Int64?], isPageStart: Bool, isKnown: (Record, Int64?) -> Bool
    ) {
        for (record, time) in zip(batch.records, times) {
            guard let time, let key = batch.key(of: record)?.version(of: time) else {
                hasNameless = true
                continue
            }
            if isPageStart, record.range == batch.records.first?.range {
                beginsAnew = first == key
                first = first ?? key
            }
            if counts, seen.insert(key), isKnown(record, time) { met += 1 }
        }
    }
}
