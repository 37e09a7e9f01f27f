/// The records of a table in their default order.
package struct Rows: Sendable {
    package private(set) var ids: [String] = []
    private var rows: [String: TableRow] = [:]

    package init(_ list: [TableRow] = []) {
        ids.reserveCapacity(list.count)
        rows.reserveCapacity(list.count)
        for row in list where rows.updateValue(row, forKey: row.id) == nil { ids.append(row.id) }
    }

    package var count: Int { ids.count }

    /// All records.
    package var list: [TableRow] { ids.compactMap { rows[$0] } }

    package subscript(id: String) -> TableRow? { rows[id] }

    /// Puts a record in the place of the one with its id, or in front of all others: lists show the newest first.
    package mutating func put(_ row: TableRow) {
        if rows.updateValue(row, forKey: row.id) == nil { ids.insert(row.id, at: 0) }
    }

    package mutating func remove(_ id: String) {
        guard rows.removeValue(forKey: id) != nil else { return }
        ids.removeAll { $0 == id }
    }

    /// Brings the records that are named into the order of the names; the others stay in their places.
    package mutating func reorder(_ named: [String]) {
        let wanted = named.filter { rows[$0] != nil }
        let set = Set(wanted)
        var left = wanted.makeIterator()
        ids = ids.map { set.contains($0) ? left.next() ?? $0 : $0 }
    }
}
