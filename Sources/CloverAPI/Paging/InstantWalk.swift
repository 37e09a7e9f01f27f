/// Where the reading of records stands that have one and the same time, and are more than a page holds. No input or output.
///
/// They can be told apart by their places only, and places shift when rows come or go. So they are read in rounds, each of
/// them to where nothing is any more. Such an end says how many there were at most at that moment. When the next round meets
/// as many that were known before, these were there at that moment, and there was room for no others.
struct InstantWalk: Sendable, Equatable {
    struct Step: Sendable, Equatable {
        var page: RecordQuery.Page
        /// What was asked for before a look does not count as one.
        var look = 0
    }

    struct Answer: Sendable, Equatable {
        var received: Int
        var new: Int
        /// Its first record was had.
        var beginsKnown = false
        /// Its first record is the one with which the round began.
        var beginsAnew = false
        /// So many different records that were had before the round were met in it.
        var met = 0
        /// A record has no id: no two of them can be told apart.
        var hasNameless = false
    }

    /// The page that is needed next; nil at the end.
    private(set) var step: Step?
    /// Zero for the first one.
    private(set) var round = 0
    /// A record in the answer says that the end is not there.
    private(set) var expectsNothing = false
    /// All that was there has been read.
    private(set) var isWhole = true

    private let pageSize: Int
    private let stride: Int
    private var looks = 0
    /// The index behind the last record that was read.
    private var covered = 0
    /// The first index of this round.
    private var start = 0
    /// So many have to be met in this round.
    private var wanted: Int?
    private var firstCount = 0
    private var fullPages = 0
    private var distance = 0
    private var sameAgain = 0
    private var idlePages = 0

    /// Of more than these it is not remembered whether they were had (`RepeatFilter`).
    private static let remembered = 4000
    private static let mostRounds = 60
    private static let patience = 60

    /// - Parameter cap: records that the service puts into a page at most; nil when that is not known.
    init(pageSize: Int, cap: Int?) {
        self.pageSize = pageSize
        stride = min(pageSize, cap ?? pageSize)
        begin(at: 0)
    }

    /// The pages after `step`, if it and they come in full; at most `count`.
    func ahead(_ count: Int) -> [Step] {
        guard let step, !expectsNothing, stride > 1 else { return [] }
        return (0..<min(count, 2 * fullPages)).map { place in
            var next = step
            next.page.offset += (place + 1) * (stride - 1)
            return next
        }
    }

    /// The page was read.
    mutating func read(_ answer: Answer) {
        guard let step else { return }
        if let wanted, answer.met >= wanted {
            self.step = nil
            return
        }
        if answer.hasNameless, round > 0 {
            self.step = nil
            return
        }
        guard answer.received > 0 else { return look(at: step.page.offset) }
        if step.page.offset == start { firstCount = answer.received }
        guard !isSameAgain(answer, step) else { return }
        idlePages = answer.new > 0 ? 0 : idlePages + 1
        if step.page.offset > start, !answer.beginsKnown, round == 0, answer.new > 0 {
            // Rows in front have gone, and what is new may begin further in front.
            distance = max(1, distance * 2)
            fullPages = 0
            let offset = max(start, step.page.offset - distance)
            self.step = Step(page: RecordQuery.Page(offset: offset, limit: pageSize), look: step.look)
            return
        }
        distance = 0
        covered = max(covered, step.page.offset + answer.received)
        fullPages = answer.received >= stride ? fullPages + 1 : 0
        if idlePages > Self.patience + covered { return giveUp() }
        // A page of the record alone that it has in common with the one before gets nowhere.
        let next = answer.received > 1 ? covered - 1 : covered
        self.step = Step(page: RecordQuery.Page(offset: max(start, next), limit: pageSize), look: step.look)
    }

    /// Nothing is where the next record would be.
    mutating func endWasFound() {
        guard let step else { return }
        let count = step.page.offset
        round += 1
        guard round < Self.mostRounds else { return giveUp() }
        let first = max(0, count - Self.remembered)
        wanted = count - first
        if wanted == 0 {
            self.step = nil
        } else {
            begin(at: first)
        }
    }

    /// There is a record.
    mutating func endWasNot() {
        expectsNothing = false
        idlePages += 1
        if idlePages > Self.patience + covered { return giveUp() }
        step = Step(page: RecordQuery.Page(offset: covered, limit: pageSize), look: looks)
    }

    private mutating func begin(at first: Int) {
        looks += 1
        (start, covered, fullPages, distance, idlePages) = (first, first, 0, 0, 0)
        expectsNothing = false
        step = Step(page: RecordQuery.Page(offset: first, limit: pageSize), look: looks)
    }

    /// The answer may be from before what was read last: only one that is asked for now tells of the end.
    private mutating func look(at offset: Int) {
        looks += 1
        covered = offset
        expectsNothing = true
        step = Step(page: RecordQuery.Page(offset: offset, limit: 1), look: looks)
    }

    /// Some of the service's short lists come in one piece whatever place is asked for.
    private mutating func isSameAgain(_ answer: Answer, _ step: Step) -> Bool {
        guard step.page.offset > start, answer.new == 0, answer.beginsAnew, answer.received == firstCount else {
            sameAgain = 0
            return false
        }
        sameAgain += 1
        guard sameAgain > 2 else { return false }
        self.step = nil
        // A round number is as likely the size of pages that never change.
        isWhole = answer.received < pageSize && answer.received % 100 != 0
        return true
    }

    private mutating func giveUp() {
        step = nil
        isWhole = false
    }
}
