import CloverRecords

/// What is met in one round over records that are read again and again: how many different ones that were known before.
struct RoundCount {
    /// Different records that were known before the round.
    private(set) var met = 0
    /// The page that is read begins with the record with which the round began.
    private(set) var beginsAnew = false
    /// A record has no id.
    private(set) var hasNameless = false
    /// In the first round nothing is counted: there may be any number of them.
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
    ///   - isPageStart: the page's first record is the batch's.
    ///   - isKnown: whether a record was had before this page.
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
