/// The paging state of a list that is sorted by time, oldest first. No input or output.
///
/// Each page requests the records from the last one's time on, and drops those already known. Nothing depends on a
/// record's offset: rows that are removed, or that change and so leave the range, shift no page, and newer rows come
/// later. Only if more records share one timestamp than a page holds are these read by offset.
///
/// No page shows that it is the last one, because the service may have cut it. The end is reached if nothing is at the
/// offset of the next record. But an offset counts earlier records, of which some may have been removed. So the records
/// before it are read once more: if they are as many as the offset, there were no others at the time of the check.
///
/// Pages are prefetched from guessed times. A guess is used if it is no later than what has been read by then, so that
/// a wrong one costs a request but never a record.
struct TimePaginator: Sendable, Equatable {
    /// A page to request, from this time on.
    struct Step: Sendable, Equatable {
        var from: Int64
        var page: RecordQuery.Page
        /// The number of the check at the end; 0 for none. An earlier request for the same page proves nothing.
        var look = 0
    }

    struct Answer: Sendable, Equatable {
        var received: Int
        var new: Int
        /// The times of the first and last record; nil if the page is empty.
        var first: Int64?
        var last: Int64?
        /// Every record has a time, and none is earlier than the one before it.
        var isOrdered = true
        var beginsKnown = false
        /// The first record is the one that the list began with.
        var beginsAtFirstRecord = false
    }

    enum Outcome: Sendable, Equatable {
        case continues
        /// The service does not sort by time; only the first page was read.
        case isUnordered
        /// The service stopped sorting by time.
        case lostOrder
        /// All records with this timestamp must be read by offset, followed by `skipTimestamp`.
        case instant(Int64)
        /// Every check finds another record after the last one.
        case endless
    }

    /// The next page to read; nil at the end of the list.
    private(set) var step: Step?
    /// The server's page cap, if below the requested size.
    private(set) var cap: Int?

    private let to: Int64
    private let pageSize: Int
    private let trickleLimit: Int
    private var purpose = Purpose.page
    /// The time of the last known record, and how many known records have it.
    private var last: Int64?
    private var knownAtLast = 0
    /// True if the service returns its first record whatever the offset.
    private var ignoresPlaces = false
    /// True if the last page began with the record that the list began with.
    private var beganAnew = false
    /// The number of checks at the end so far.
    private var looks = 0
    /// The maximum number of records from the last one's time on, at the time of the check.
    private var countAtEnd = 0
    private var shortCount: Int?
    /// The most records on any page of this list; a page with fewer does not reveal the page cap.
    private(set) var largestPage: Int
    /// True if there is a record after the last one that its page did not include.
    private var isHidden = false
    /// Consecutive short pages, and full pages, that brought almost nothing new: rows created while reading.
    private var trickles = 0
    private var tinyPages = 0
    /// The time of the last record when an earlier range was read again.
    private var steppedBackAt: Int64?

    /// The start times of prefetched pages, earliest first.
    private var guesses: [Int64] = []
    /// The time range that a full page covers, in milliseconds; nil before the first one.
    private var span: Double?
    /// The distance between guesses, as a share of `span`.
    private var reach = Self.usualReach
    private var fullPages = 0

    private enum Purpose: Sendable, Equatable {
        case page
        /// Checks for a record after the last one.
        case proof
        /// There was none: reads the records before that offset again.
        case confirmation
        /// Reads a slightly earlier range again.
        case stepBack
        /// The service ignores offsets: requests what is later.
        case behind
    }

    /// The tolerance for rounded times: the service's filters and responses may round differently.
    static let rounding: Int64 = 2000
    private static let maximumTrickles = 60
    /// Pages this small may be intended by the service.
    private static let maximumTinyPages = 10_000
    private static let usualReach = 0.8

    /// - Parameters:
    ///   - cap: the page cap known from another range of the same list.
    ///   - largestPage: the largest page of another range.
    init(_ window: TimeWindow, pageSize: Int, cap: Int? = nil, largestPage: Int = 0) {
        to = window.to
        self.largestPage = largestPage
        self.pageSize = pageSize
        self.cap = cap
        trickleLimit = max(1, min(pageSize / 16, 15))
        step = Step(from: window.from, page: RecordQuery.Page(offset: 0, limit: pageSize))
    }

    /// True if a record in the response means that the list has not ended.
    var expectsEnd: Bool { purpose == .proof }

    mutating func ahead(_ count: Int) -> [Step] {
        guard let step, purpose == .page, let span, span >= 1, fullPages > 0 else { return [] }
        while guesses.count < min(count, 2 * fullPages) {
            let base = guesses.last ?? step.from
            // The service's times may be arbitrary numbers.
            let (guess, isBeyond) = base.addingReportingOverflow(max(1, Int64(min(span * reach, 9e18))))
            guard !isBeyond, guess < to else { break }
            guesses.append(guess)
        }
        return guesses.prefix(count).map { Step(from: $0, page: step.page) }
    }

    /// Processes a page.
    ///
    /// - Parameter knownAtLast: the number of known records with the time of the last one.
    mutating func read(_ answer: Answer, last newest: Int64?, knownAtLast: Int) -> Outcome {
        guard let step else { return .continues }
        let before = last
        if purpose == .behind, answer.new == 0 { return end() }
        guard answer.isOrdered, (answer.first ?? step.from) >= step.from - Self.rounding else {
            return end(before == nil ? .isUnordered : .lostOrder)
        }
        (last, self.knownAtLast, beganAnew) = (newest, knownAtLast, answer.beginsAtFirstRecord)
        if answer.new > 0 { ignoresPlaces = false }
        if purpose == .confirmation, answer.received == 0 || answer.received - answer.new >= countAtEnd {
            // The records known now were there at the time of the check, and there was room for no others.
            return end()
        }
        if let before, step.from <= before, !answer.beginsKnown, purpose == .page, steppedBackAt != before {
            // The record was changed or removed, or the service sorts by something other than its time.
            guesses = []
            purpose = .stepBack
            steppedBackAt = before
            self.step = Step(from: before - Self.rounding, page: step.page)
            return .continues
        }
        purpose = .page
        guard let last, answer.received > 0 || step.from <= last else {
            // Nothing from here on.
            return end()
        }
        largestPage = max(largestPage, answer.received)
        let isFull = answer.received >= min(step.page.limit, cap ?? .max)
        if isFull { return readFull(answer, step, last) }
        guesses = []
        fullPages = 0
        return readShort(answer, step, last)
    }

    /// Processes a record where the list should have ended.
    ///
    /// - Parameter isFirst: true if it is the record that the list began with: the service ignores offsets.
    mutating func foundRecordAfterEnd(isFirst: Bool) {
        guard let last else { return }
        // A round number may equally be the size of pages that never change.
        ignoresPlaces = isFirst && beganAnew && (shortCount ?? 0) % 100 != 0
        isHidden = !ignoresPlaces
        next(last)
    }

    /// Processes an empty response where the next record would be.
    mutating func confirmEnd() {
        guard let step else { return }
        countAtEnd = step.page.offset
        check(.confirmation, Step(from: step.from, page: RecordQuery.Page(offset: 0, limit: pageSize)))
    }

    /// Continues after all records of the timestamp were read.
    mutating func skipTimestamp(_ instant: Int64) {
        (isHidden, ignoresPlaces) = (false, false)
        guesses = []
        if instant < to, instant + 1 < to { next(instant + 1) } else { step = nil }
    }

    private mutating func readFull(_ answer: Answer, _ step: Step, _ last: Int64) -> Outcome {
        isHidden = false
        fullPages += 1
        if answer.new > 0 { tinyPages = answer.new > trickleLimit ? 0 : tinyPages + 1 }
        guard tinyPages <= Self.maximumTinyPages else { return end(.endless) }
        if let first = answer.first, let end = answer.last {
            let covered = Double(end) - Double(first)
            span = span.map { 0.6 * $0 + 0.4 * covered } ?? covered
        }
        if answer.new == 0, step.from >= last { return instant(last) }
        let usable = guesses.prefix { $0 <= last }.count
        if answer.new > 0, usable > 0 {
            let guess = guesses[usable - 1]
            guesses.removeFirst(usable)
            reach = min(0.95, reach + 0.01)
            next(guess)
        } else {
            if !guesses.isEmpty { reach = max(0.4, reach - 0.1) }
            guesses.removeFirst(usable)
            next(last)
        }
        return .continues
    }

    private mutating func readShort(_ answer: Answer, _ step: Step, _ last: Int64) -> Outcome {
        if answer.new > 0 {
            if let shortCount {
                // More followed a page of the same short size, which reveals the service's page cap.
                // Not if rows created while reading are all that arrives.
                if shortCount == answer.received, answer.received == largestPage, answer.new > 1 {
                    cap = answer.received
                }
            }
            shortCount = answer.received
            trickles = answer.new > trickleLimit ? 0 : trickles + 1
            isHidden = false
            guard trickles <= Self.maximumTrickles else { return end(.endless) }
            if cap == answer.received {
                next(last)
                return .continues
            }
        } else if isHidden {
            return instant(last)
        } else if ignoresPlaces {
            // That may be the whole list, or as much as fits on one page.
            guard last + 1 < to else { return end() }
            check(.behind, Step(from: last + 1, page: RecordQuery.Page(offset: 0, limit: pageSize)))
            return .continues
        }
        // Fewer than known: the others were removed, or the page was cut among them.
        let place = answer.new == 0 && step.from == last ? min(answer.received, knownAtLast) : knownAtLast
        check(.proof, Step(from: last, page: RecordQuery.Page(offset: place, limit: pageSize)))
        return .continues
    }

    private mutating func check(_ purpose: Purpose, _ step: Step) {
        looks += 1
        self.purpose = purpose
        self.step = step
        self.step?.look = looks
    }

    private mutating func instant(_ instant: Int64) -> Outcome {
        guesses = []
        return .instant(instant)
    }

    private mutating func end(_ outcome: Outcome = .continues) -> Outcome {
        step = nil
        return outcome
    }

    private mutating func next(_ from: Int64) {
        purpose = .page
        step = Step(from: from, page: RecordQuery.Page(offset: 0, limit: pageSize))
    }
}
