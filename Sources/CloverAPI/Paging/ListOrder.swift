package import CloverJSON

/// Checks that the pages of one reading of a list have a common order, and counts the repeats that it does not explain.
///
/// Rows that come or go before a page shift it: it then begins with rows of the pages before, in their order and next to
/// each other, and the rows after them follow without a gap. Any other repeat shows that the service has no fixed order:
/// rows trade places between two requests, and for each that comes twice, another may not come at all. Where the same rows
/// come twice in the same places of two readings, the service repeats them; whether in the place of others is unknown.
///
/// A list whose order fails is read again. Such a reading knows only the rows that it has met itself.
package struct ListOrder {
    /// What the order is compared over.
    package enum Scope {
        /// A whole list that is read by offset.
        case list
        /// Each page alone: where pages begin at a time, only a row that comes twice on one page is unexplained.
        case page
    }

    /// Repeats that neither arrivals nor removals explain.
    package private(set) var unexplained = 0
    /// Different rows met in all readings of the list.
    private(set) var distinct = 0
    /// Rows met for the first time in this reading.
    private(set) var firstMet = 0
    /// Rows without an id, which cannot be distinguished.
    private(set) var hasNameless = false

    private let scope: Scope
    /// The rows met in this reading; nil in the first reading, in which the caller knows them.
    private var met: RecordKeySet?
    /// The rows in the order of the list.
    private var order: [RecordKey] = []
    /// The place of the page's last row in `order`; -1 at the start of a page.
    private var place = -1
    private var isListStart = true
    /// Rows that came twice on a page, each counted once although pages overlap.
    private var twins = RecordKeySet()
    private var endsWithNewRow = false
    /// The place in the list of the page's next row.
    private var nextPlace = 0
    /// The rows of this reading that came in a wrong place, with that place, and those of the reading before.
    private var misplaced: [Misplaced] = []
    private var misplacedBefore: [Misplaced]?
    private var hasChanged = false

    private struct Misplaced: Equatable {
        var key: RecordKey
        var place: Int
    }

    /// More rows than are removed between two requests.
    private static let mostRemoved = 100
    /// At least as many as `RecordDeduplicator` remembers.
    private static let rowsKept = 12_000

    package init(_ scope: Scope) {
        self.scope = scope
    }

    /// The number of rows whose order is remembered.
    package var remembered: Int { order.count }

    /// Whether the list is being read again.
    var isReadAgain: Bool { met != nil }

    /// Whether each of several readings, in pages of different sizes, had the same rows twice in the same places: the order
    /// does not change, and the service repeats these rows.
    package var isFixed: Bool {
        misplacedBefore == misplaced && !hasChanged && !misplaced.isEmpty && misplaced.count == unexplained
    }

    /// Starts another reading of the same list.
    package mutating func readAgain() {
        hasChanged = hasChanged || misplaced.count != unexplained || misplacedBefore.map { $0 != misplaced } ?? false
        misplacedBefore = misplaced
        misplaced = []
        met = RecordKeySet()
        order = []
        unexplained = 0
        firstMet = 0
    }

    func hasMet(_ key: RecordKey?) -> Bool { key.flatMap { met?.contains($0) } ?? false }

    /// - Parameter offset: of the page; 0 where pages begin at a time.
    package mutating func beginPage(at offset: Int) {
        place = -1
        nextPlace = offset
        isListStart = offset == 0
        endsWithNewRow = false
        if scope == .page {
            order.removeAll(keepingCapacity: true)
        } else if order.count >= 2 * Self.rowsKept {
            order.removeFirst(order.count - Self.rowsKept)
        }
    }

    /// Forgets the rows far from the page's last one, so that memory does not grow with the length of a page.
    private mutating func forgetFarRows() {
        order.removeLast(max(0, order.count - 1 - place - Self.rowsKept))
        let count = max(0, place - Self.rowsKept)
        order.removeFirst(count)
        place -= count
    }

    /// The same page is read again from its start.
    mutating func beginPageAgain() {
        place = -1
        endsWithNewRow = false
        if scope == .page { order.removeAll(keepingCapacity: true) }
    }

    mutating func endPage() {
        // The rows that the page skipped would all have been removed.
        if scope == .list, endsWithNewRow, order.count - 1 - place > Self.mostRemoved { unexplained += 1 }
    }

    /// Adds the next row of the page.
    ///
    /// - Parameters:
    ///   - key: nil for a row without an id.
    ///   - isRepeat: whether it was delivered before.
    package mutating func meet(_ key: RecordKey?, isRepeat: Bool) {
        if !isRepeat { distinct += 1 }
        nextPlace += 1
        guard let key else {
            hasNameless = true
            firstMet += isRepeat ? 0 : 1
            return
        }
        let isMet = if met == nil { isRepeat } else { met?.insert(key) == false }
        guard isMet, let found = find(key) else {
            // Delivered in another way: in time order, or in the window before.
            if isRepeat, met == nil { distinct += 1 }
            add(key)
            return
        }
        endsWithNewRow = false
        guard found > place else {
            if twins.count >= Self.rowsKept { twins.removeAll() }
            if scope == .list || twins.insert(key) { unexplained += 1 }
            if misplaced.count < Self.rowsKept { misplaced.append(Misplaced(key: key, place: nextPlace - 1)) }
            return
        }
        if scope == .list, place >= 0, found - place - 1 > Self.mostRemoved { unexplained += 1 }
        place = found
    }

    private mutating func add(_ key: RecordKey) {
        firstMet += 1
        endsWithNewRow = true
        if place < 0, !isListStart { place = order.count - 1 }
        place += 1
        if place == order.count { order.append(key) } else { order.insert(key, at: place) }
        if order.count >= 4 * Self.rowsKept { forgetFarRows() }
    }

    private func find(_ key: RecordKey) -> Int? {
        // Most pages begin with the last row of the page before, and go on where they were.
        if order.last == key { return order.count - 1 }
        if place + 1 < order.count, order[place + 1] == key { return place + 1 }
        return order.lastIndex(of: key)
    }
}
