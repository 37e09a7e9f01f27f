/// One record that is kept as JSON.
package struct TableRow: Sendable {
    package let id: String
    /// Everything about the record, also what is shown only on request.
    package var json: JSONValue
    /// Values it is filtered by that its JSON does not show.
    package var fields: [String: FieldValue]

    package init(id: String, json: JSONValue, fields: [String: FieldValue] = [:]) {
        self.id = id
        self.json = json
        self.fields = fields
    }
}
