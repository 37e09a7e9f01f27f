import CloverAPI
import CloverRecords

extension RecordSchema {
    /// What the catalogue of models knows about the records of an endpoint; nothing for one without a known model.
    ///
    /// - Parameter expand: the names that are expanded; a table shows them too.
    static func of(_ endpoint: Endpoint?, expand: [String] = []) throws(RecordFormatError) -> RecordSchema {
        guard let name = endpoint?.model else { return .unknown }
        return try of(model: name, expand: expand)
    }

    /// The same of a model by its name.
    static func of(model name: String, expand: [String] = []) throws(RecordFormatError) -> RecordSchema {
        guard let model = ModelCatalogue.model(named: name) else { return .unknown }
        return RecordSchema(
            columns: model.fields.compactMap(column),
            tableColumns: try TableColumns.of(model, expand: expand, kind: kind(of:)), kind: { kind($0, in: model) })
    }

    /// A column for a field that holds one value, and the id of an object that is only referred to.
    private static func column(_ field: Model.Field) -> RecordColumn? {
        var name = field.name
        switch field.type {
        // What is not known may be one value, such as the reason of a voided line item.
        case .string, .boolean, .double, .integer, .timestamp, .enumeration, .any: break
        case .model:
            guard field.isReference else { return nil }
            name += ".id"
        case .object, .array, .list, .sequence, .map: return nil
        }
        do throws(RecordFormatError) {
            return RecordColumn(try FieldPath(parsing: name), kind: kind(of: field))
        } catch {
            // A name that no path can hold is no column.
            return nil
        }
    }

    private static func kind(of field: Model.Field) -> RecordColumn.Kind {
        switch field.unit {
        case .minor: return .money(currency: nil)
        case .milliseconds: return field.isInstant ? .time(.milliseconds) : .plain
        case .seconds: return field.isInstant ? .time(.seconds) : .plain
        case .minutes, .percent, nil: return .plain
        }
    }

    /// What a path means that leads into expanded objects and lists: `lineItems.elements.0.price`.
    private static func kind(_ path: FieldPath, in model: Model) -> RecordColumn.Kind {
        var model: Model? = model
        var kind = RecordColumn.Kind.plain
        for name in path.names {
            // The list's own envelope and the places in it are no fields of a model.
            if name == "elements" || name.allSatisfy(\.isNumber) { continue }
            guard let field = model?.field(named: name) else { return .plain }
            kind = self.kind(of: field)
            model = field.type.nestedModel.flatMap { ModelCatalogue.model(named: $0) }
        }
        return kind
    }
}
