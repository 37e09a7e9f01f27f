import CloverRecords

/// The times of the records of a window that is walked by them, in milliseconds since 1970.
struct WalkedTimes {
    /// The member with the time.
    let field: String
    /// The latest time of a record that was had; nil when there was none.
    private(set) var last: Int64?
    /// How many records of that time were had.
    private(set) var hadAtLast = 0

    /// Of the page that is read: the first record's time and the last one's.
    private(set) var pageFirst: Int64?
    private(set) var pageLast: Int64?
    /// Each record of the page has a time, and none is earlier than the one before it.
    private(set) var isOrdered = true
    /// The page's first record was had before.
    private(set) var beginsKnown = false
    /// It is the one with which the window began.
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

    /// The same page is read again from its start. What it began with the first time is what counts.
    mutating func beginPageAgain() {
        (pageFirst, pageLast, isOrdered) = (nil, nil, true)
    }

    /// The time of each record; nil for those without one.
    func times(of batch: RecordBatch) -> [Int64?] {
        batch.records.map { record in batch.value(of: field, in: record).flatMap { Int64($0) } }
    }

    /// A part of the page as it came, by the times of its records.
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

    /// What of it was not had before.
    mutating func have(_ times: [Int64?]) {
        for case let time? in times where time >= last ?? .min {
            hadAtLast = time == last ? hadAtLast + 1 : 1
            last = time
        }
    }
}
