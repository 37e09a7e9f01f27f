/// Assembles a request body from fields.
package enum FieldBody {
    /// The JSON object of these fields, in order.
    ///
    /// - Parameters:
    ///   - model: the body's model, or `elements<MODEL>`; nil if unknown.
    ///   - isChecked: refuses fields that the model does not have and values that do not fit. Otherwise the type of
    ///     such values is guessed from the text.
    ///   - times: the reference for times such as `today`.
    ///   - times: what times such as `today` refer to.
    package static func json(
        of fields: [FieldArgument], model: String?, isChecked: Bool, times: TimeExpression.Context
    ) throws(BodyError) -> String {
        let model = BodyModel(model)
        let values = FieldValue(times: times)
        var body = BodyNode.object([])
        for field in fields {
            let json: String?
            switch field.value {
            case .typed(let text):
                do throws(BodyError) {
                    json = try typed(text, field, model, values)
                } catch {
                    if isChecked { throw error }
                    json = FieldValue.byLook(text)
                }
            case .string(let text):
                if isChecked { _ = try model.place(at: field.steps, written: field.place) }
                json = JSONQuote.string(text)
            case .emptyList:
                if isChecked { _ = try model.place(at: field.steps, written: field.place) }
                json = nil
            }
            try body.put(json, at: field.steps[...], place: field.place)
        }
        return body.json
    }

    private static func typed(
        _ text: String, _ field: FieldArgument, _ model: BodyModel, _ values: FieldValue
    ) throws(BodyError) -> String {
        let place = try model.place(at: field.steps, written: field.place)
        guard let type = place.type else { return FieldValue.byLook(text) }
        return try values.json(text, type, place.field, place: field.place)
    }
}
