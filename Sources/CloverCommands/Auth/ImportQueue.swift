/// Entries of a list that are worked on several at a time, and whose outcomes are wanted in the order of the list.
package struct ImportQueue<Entry, Outcome> {
    private struct Item {
        let number: Int
        let entry: Entry
        let names: Set<String>
        var hasBegun = false
        var outcome: Outcome?
    }

    private let limit: Int
    /// Without those whose outcome was returned. Only the newest may not have begun.
    private var items: [Item] = []

    /// - Parameter limit: maximum number of entries in progress.
    package init(limit: Int) {
        self.limit = limit
    }

    /// Adds the next entry. Call only after all earlier ones have begun.
    ///
    /// - Parameter names: what the entry changes. Entries that share a name are worked on one after the other.
    package mutating func add(_ number: Int, _ entry: Entry, names: Set<String>) {
        items.append(Item(number: number, entry: entry, names: names))
    }

    /// Begins the newest entry, unless it has begun, or has to wait for earlier ones.
    package mutating func begin() -> (number: Int, entry: Entry)? {
        guard let newest = items.last, !newest.hasBegun else { return nil }
        let inProgress = items.filter { $0.hasBegun && $0.outcome == nil }
        guard inProgress.count < limit, inProgress.allSatisfy({ $0.names.isDisjoint(with: newest.names) }) else {
            return nil
        }
        items[items.count - 1].hasBegun = true
        return (newest.number, newest.entry)
    }

    /// Records the outcome of an entry that has begun.
    package mutating func end(_ number: Int, _ outcome: Outcome) {
        guard let place = items.firstIndex(where: { $0.number == number }) else { return }
        items[place].outcome = outcome
    }

    /// Removes the oldest entry; nil if it has no outcome yet.
    package mutating func next() -> (number: Int, entry: Entry, outcome: Outcome)? {
        guard let first = items.first, let outcome = first.outcome else { return nil }
        items.removeFirst()
        return (first.number, first.entry, outcome)
    }
}
