import CloverRecords

/// Tracks the timestamps of records in a window that is read in time order, in milliseconds since 1970.
struct WalkedTimes {
    /// The time field.
    let field: String
    /// The latest time of a known record; nil if there is none.
    private(set) var last: Int64?
    /// The number of known records with that time.
    private(set) var hadAtLast = 0

    /// The times of the first and last record of the current page.
    private(set) var pageFirst: Int64?
    private(set) var pageLast: Int64?
    /// Every record of the page has a time, and none is earlier than the one before it.
    private(set) var isOrdered = true
    /// The first record of the page was known before.
    private(set) var beginsKnown = false
    /// It is the record that the window began with.
    private(set) var beginsAnew = false
    private var hasBegun = false

    init(field: String) {
        self.field = field
    }

    mutating func beginPage() {
        beginPageAgain()
        (beginsKnown, beginsAnew) = (false, false)
        hasBegun = false
    }

    /// The same page is read again from its start; its first record remains the one of the first attempt.
    mutating func beginPageAgain() {
        (pageFirst, pageLast, isOrdered) = (nil, nil, true)
    }

    /// The time of each record; nil for those without one.
    func times(of batch: RecordBatch) -> [Int64?] {
        batch.records.map { record in batch.value(of: field, in: record).flatMap { Int64($0) } }
    }

    /// Adds a received part of the page, by the times of its records.
    mutating func see(_ times: [Int64?], beginsKnown: Bool, beginsAnew: Bool) {
        if !hasBegun { (self.beginsKnown, self.beginsAnew) = (beginsKnown, beginsAnew) }
        hasBegun = true
        for time in times {
            guard let time, time >= pageLast ?? .min else {
                isOrdered = false
                return
            }
            pageFirst = pageFirst ?? time
            pageLast = time
        }
    }

    /// Adds the records that were not known before.
    mutating func have(_ times: [Int64?]) {
        for case let time? in times where time >= last ?? .min {
            hadAtLast = time == last ? hadAtLast + 1 : 1
            last = time
        }
    }
}
