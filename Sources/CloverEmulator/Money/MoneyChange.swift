/// A document that a call about money made or changed, in its new form.
package struct MoneyChange: Sendable {
    let table: MoneyTable
    let id: String
    let document: JSONValue

    init(table: MoneyTable, id: String, document: JSONValue) {
        self.table = table
        self.id = id
        self.document = document
    }

    var json: JSONValue { .array([.string(table.rawValue), .string(id), document]) }

    /// Reads what `json` gives; nil for anything else.
    init?(_ json: JSONValue) {
        guard let parts = json.list, parts.count == 3, let table = parts[0].text.flatMap({ MoneyTable(rawValue: $0) }),
            let id = parts[1].text
        else { return nil }
        self.init(table: table, id: id, document: parts[2])
    }
}
