/// The documents of calls about money that V3 does not show, by table, each in the order of their making.
package struct MoneyBook: Sendable {
    private struct Sheet: Sendable {
        var ids: [String] = []
        var documents: [String: JSONValue] = [:]
    }

    private var sheets: [MoneyTable: Sheet] = [:]
    /// Ids made so far.
    package var identifiers = 0

    package init() {}

    package subscript(table: MoneyTable, id: String) -> JSONValue? {
        sheets[table]?.documents[id]
    }

    /// All documents of a table, the oldest first.
    package func documents(_ table: MoneyTable) -> [JSONValue] {
        guard let sheet = sheets[table] else { return [] }
        return sheet.ids.compactMap { sheet.documents[$0] }
    }

    package mutating func put(_ table: MoneyTable, _ id: String, _ document: JSONValue) {
        if sheets[table, default: Sheet()].documents.updateValue(document, forKey: id) == nil {
            sheets[table]?.ids.append(id)
        }
    }
}
