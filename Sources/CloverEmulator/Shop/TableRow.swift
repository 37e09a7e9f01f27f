/// One record of a small collection: its JSON and the values it is filtered by.
package struct TableRow: Sendable {
    package let id: String
    package let json: JSONValue
    package let fields: [String: FieldValue]

    package init(id: String, json: JSONValue, fields: [String: FieldValue] = [:]) {
        self.id = id
        self.json = json
        self.fields = fields
    }
}
