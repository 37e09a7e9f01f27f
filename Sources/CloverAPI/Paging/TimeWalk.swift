/// Where the reading of a list stands that the service gives in the order of time, the oldest first. No input or output.
///
/// The next page asks for the records from the last one's time on, and what was had of them is dropped. Nothing depends on
/// a record's place in the list: rows that go, or that change and so leave the range, shift no page, and rows that
/// come later are behind. Only where more records have one and the same time than a page holds are these read by their places.
///
/// No page tells that it is the last one: the service may have cut it. What tells is that nothing is where the next record
/// would be. But a place counts the records in front of it, of which some may have gone. So what is there of them is read
/// once more: when they are as many as the place counts, no others were there at the moment of the look.
///
/// Pages are asked for ahead from guessed times. A guess is used when it is no later than what has been read by then, so that
/// a wrong one costs a request and never a record.
struct TimeWalk: Sendable, Equatable {
    /// A page that is asked for: from this time on.
    struct Step: Sendable, Equatable {
        var from: Int64
        var page: RecordQuery.Page
        /// Which look at the end of the list it is; 0 for none. What was asked for before does not count as one.
        var look = 0
    }

    /// What came.
    struct Answer: Sendable, Equatable {
        var received: Int
        /// Those that were not had.
        var new: Int
        /// The times of the first record and the last; nil when there is none.
        var first: Int64?
        var last: Int64?
        /// Each record has a time, and none is earlier than the one before it.
        var isOrdered = true
        /// Its first record was had.
        var beginsKnown = false
        /// It is the one with which the list began.
        var beginsAnew = false
    }

    enum Outcome: Sendable, Equatable {
        case goesOn
        /// The service keeps no order of time: nothing was read but the first page.
        case isUnordered
        /// It did, and does not any more.
        case lostOrder
        /// All records of this instant are to be read by their places; then comes `passInstant`.
        case instant(Int64)
        /// Behind the last record there is another whenever one looks.
        case endless
    }

    /// The page that is needed next; nil at the end of the list.
    private(set) var step: Step?
    /// Records that the service puts into a page at most, where that is fewer than asked.
    private(set) var cap: Int?

    private let to: Int64
    private let pageSize: Int
    private let mostInTrickle: Int
    private var purpose = Purpose.page
    /// The time of the last record that was had, and how many have it.
    private var last: Int64?
    private var hadAtLast = 0
    /// The service gives its first record whatever place is asked for.
    private var ignoresPlaces = false
    /// The page that was read last began with the record with which the list began.
    private var beganAnew = false
    /// So many looks at the end there were.
    private var looks = 0
    /// So many records were there at most from the last one's time on when one looked.
    private var countAtEnd = 0
    private var shortCount: Int?
    /// The most records that a page of this list had: one with fewer does not tell how large the service's pages are.
    private(set) var largestPage: Int
    /// Something is behind the last record that its page did not hold.
    private var isHidden = false
    /// Short pages in a row that brought next to nothing, and full ones likewise: rows that arrive as they are read.
    private var trickles = 0
    private var tinyPages = 0
    /// The time of the last record when one looked again at what is a little earlier.
    private var steppedBackAt: Int64?

    /// Times from which pages are asked for ahead, the earliest first.
    private var guesses: [Int64] = []
    /// The time that a full page covers, in milliseconds; nil before the first one.
    private var span: Double?
    /// By how much of it the next guess is later.
    private var reach = Self.usualReach
    private var fullPages = 0

    private enum Purpose: Sendable, Equatable {
        case page
        /// Looks for a record behind the last one.
        case proof
        /// There was none: reads again what is in front of that place.
        case confirmation
        /// Looks again at what is a little earlier.
        case stepBack
        /// The service gives the same whatever place is asked for: looks for what is later.
        case behind
    }

    /// The service may round times, which its filters and its answers need not do in the same way.
    static let rounding: Int64 = 2000
    private static let patience = 60
    /// A service that gives so few rows a page may be meant so.
    private static let patienceWithTinyPages = 10_000
    private static let usualReach = 0.8

    /// - Parameters:
    ///   - cap: what is known from another range of the same list.
    ///   - largestPage: likewise.
    init(_ window: TimeWindow, pageSize: Int, cap: Int? = nil, largestPage: Int = 0) {
        to = window.to
        self.largestPage = largestPage
        self.pageSize = pageSize
        self.cap = cap
        mostInTrickle = max(1, min(pageSize / 16, 15))
        step = Step(from: window.from, page: RecordQuery.Page(offset: 0, limit: pageSize))
    }

    /// Whether a record in the answer says that the list has not ended.
    var expectsNothing: Bool { purpose == .proof }

    /// The pages to be asked for besides; at most `count`.
    mutating func ahead(_ count: Int) -> [Step] {
        guard let step, purpose == .page, let span, span >= 1, fullPages > 0 else { return [] }
        while guesses.count < min(count, 2 * fullPages) {
            let base = guesses.last ?? step.from
            // Times are the service's: any number may come.
            let (guess, isBeyond) = base.addingReportingOverflow(max(1, Int64(min(span * reach, 9e18))))
            guard !isBeyond, guess < to else { break }
            guesses.append(guess)
        }
        return guesses.prefix(count).map { Step(from: $0, page: step.page) }
    }

    /// The page was read.
    ///
    /// - Parameter hadAtLast: how many records were had of the time of the last one.
    mutating func read(_ answer: Answer, last newest: Int64?, hadAtLast: Int) -> Outcome {
        guard let step else { return .goesOn }
        let before = last
        if purpose == .behind, answer.new == 0 {
            self.step = nil
            return .goesOn
        }
        guard answer.isOrdered, (answer.first ?? step.from) >= step.from - Self.rounding else {
            self.step = nil
            return before == nil ? .isUnordered : .lostOrder
        }
        (last, self.hadAtLast, beganAnew) = (newest, hadAtLast, answer.beginsAnew)
        if answer.new > 0 { ignoresPlaces = false }
        if purpose == .confirmation, answer.received == 0 || answer.received - answer.new >= countAtEnd {
            // Those that are known now were there when one looked, and there was room for no others.
            self.step = nil
            return .goesOn
        }
        if let before, step.from <= before, !answer.beginsKnown, purpose == .page, steppedBackAt != before {
            // The record was changed, or taken away; or its time is not what the service goes by.
            guesses = []
            purpose = .stepBack
            steppedBackAt = before
            self.step = Step(from: before - Self.rounding, page: step.page)
            return .goesOn
        }
        purpose = .page
        guard let last, answer.received > 0 || step.from <= last else {
            // Nothing is from here on.
            self.step = nil
            return .goesOn
        }
        largestPage = max(largestPage, answer.received)
        let isFull = answer.received >= min(step.page.limit, cap ?? .max)
        if isFull { return readFull(answer, step, last) }
        guesses = []
        fullPages = 0
        return readShort(answer, step, last)
    }

    /// There is a record where the list ought to have ended.
    ///
    /// - Parameter isFirst: it is the one with which the list began: the service gives the same whatever place is asked for.
    mutating func endWasNot(isFirst: Bool) {
        guard let last else { return }
        // A round number is as likely the size of pages that never change.
        ignoresPlaces = isFirst && beganAnew && (shortCount ?? 0) % 100 != 0
        isHidden = !ignoresPlaces
        next(last)
    }

    /// There is none.
    mutating func endWasFound() {
        guard let step else { return }
        countAtEnd = step.page.offset
        look(.confirmation, Step(from: step.from, page: RecordQuery.Page(offset: 0, limit: pageSize)))
    }

    /// All records of the instant were read.
    mutating func passInstant(_ instant: Int64) {
        (isHidden, ignoresPlaces) = (false, false)
        guesses = []
        if instant < to, instant + 1 < to { next(instant + 1) } else { step = nil }
    }

    private mutating func readFull(_ answer: Answer, _ step: Step, _ last: Int64) -> Outcome {
        isHidden = false
        fullPages += 1
        if answer.new > 0 { tinyPages = answer.new > mostInTrickle ? 0 : tinyPages + 1 }
        guard tinyPages <= Self.patienceWithTinyPages else {
            self.step = nil
            return .endless
        }
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
        return .goesOn
    }

    private mutating func readShort(_ answer: Answer, _ step: Step, _ last: Int64) -> Outcome {
        if answer.new > 0 {
            if let shortCount {
                // There was more behind a page that was as short: that is how large the service's pages are.
                // Not where rows that arrive are all that comes.
                if shortCount == answer.received, answer.received == largestPage, answer.new > 1 {
                    cap = answer.received
                }
            }
            shortCount = answer.received
            trickles = answer.new > mostInTrickle ? 0 : trickles + 1
            isHidden = false
            guard trickles <= Self.patience else {
                self.step = nil
                return .endless
            }
            if cap == answer.received {
                next(last)
                return .goesOn
            }
        } else if isHidden {
            return instant(last)
        } else if ignoresPlaces {
            // That may be the whole list in one piece, or all that the service puts into a page.
            guard last + 1 < to else {
                self.step = nil
                return .goesOn
            }
            look(.behind, Step(from: last + 1, page: RecordQuery.Page(offset: 0, limit: pageSize)))
            return .goesOn
        }
        // Fewer than were had: the others have gone, or the page was cut among them.
        let place = answer.new == 0 && step.from == last ? min(answer.received, hadAtLast) : hadAtLast
        look(.proof, Step(from: last, page: RecordQuery.Page(offset: place, limit: 1)))
        return .goesOn
    }

    private mutating func look(_ purpose: Purpose, _ step: Step) {
        looks += 1
        self.purpose = purpose
        self.step = step
        self.step?.look = looks
    }

    private mutating func instant(_ instant: Int64) -> Outcome {
        guesses = []
        return .instant(instant)
    }

    private mutating func next(_ from: Int64) {
        purpose = .page
        step = Step(from: from, page: RecordQuery.Page(offset: 0, limit: pageSize))
    }
}
