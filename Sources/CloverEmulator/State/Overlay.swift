/// What was written over records that are made from numbers.
package struct Overlay: Sendable {
    /// New records, the newest first.
    package private(set) var added: [TableRow] = []
    /// Made records as they are now, by id.
    package private(set) var changed: [String: TableRow] = [:]
    /// Made records that are gone.
    package private(set) var removed: Set<String> = []
    /// Grows with every change.
    package private(set) var version = 0

    package init() {}

    package var isEmpty: Bool { version == 0 }

    package subscript(id: String) -> TableRow? {
        changed[id] ?? added.first { $0.id == id }
    }

    /// A copy with one more record, which is not a change: its versions are none that a change makes.
    package func showing(_ row: TableRow) -> Overlay {
        var copy = self
        copy.changed[row.id] = row
        copy.version = -version - 1
        return copy
    }

    package mutating func add(_ row: TableRow) {
        version += 1
        added.insert(row, at: 0)
    }

    /// Puts the present form of a record.
    package mutating func put(_ row: TableRow) {
        version += 1
        if let place = added.firstIndex(where: { $0.id == row.id }) {
            added[place] = row
        } else {
            changed[row.id] = row
        }
    }

    /// Puts a record that is there, or adds it.
    package mutating func keep(_ row: TableRow) {
        if self[row.id] == nil { add(row) } else { put(row) }
    }

    package mutating func remove(_ id: String) {
        version += 1
        changed[id] = nil
        if let place = added.firstIndex(where: { $0.id == id }) { added.remove(at: place) } else { removed.insert(id) }
    }
}
