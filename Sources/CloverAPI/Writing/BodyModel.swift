/// The catalogue's description of a body's fields.
struct BodyModel {
    /// The description of one place in a body.
    struct Place {
        /// Nil if unknown.
        var type: FieldType?
        var field: Model.Field?
    }

    /// Nil if the body's fields are unknown.
    let root: FieldType?

    /// - Parameter name: a model, or `elements<MODEL>`. If nil or not in the catalogue, the fields are unknown.
    init(_ name: String?) {
        guard let name else {
            root = nil
            return
        }
        let inner = name.hasPrefix("elements<") ? String(name.dropFirst("elements<".count).dropLast()) : nil
        guard ModelCatalogue.model(named: inner ?? name) != nil else {
            root = nil
            return
        }
        root = inner.map { .list(.model($0)) } ?? .model(name)
    }

    /// The description of the place that the steps lead to.
    ///
    /// - Throws: `unknownField`, or `wrongValue` for a field without such parts.
    func place(at steps: [FieldArgument.Step], written: String) throws(BodyError) -> Place {
        guard let root else { return Place() }
        var place = Place(type: root)
        var walked = ""
        for step in steps {
            guard let type = place.type else { return Place() }
            place = try next(step, from: type, walked: walked, written: written)
            switch step {
            case .name(let name): walked += (walked.isEmpty ? "" : ".") + name
            case .entry: walked += "[]"
            }
        }
        return place
    }

    private func next(
        _ step: FieldArgument.Step, from type: FieldType, walked: String, written: String
    ) throws(BodyError) -> Place {
        switch (type, step) {
        case (.any, _), (.object, _): return Place()
        case (.model(let name), .name(let field)):
            guard let model = ModelCatalogue.model(named: name) else { return Place() }
            guard let found = model.field(named: field) else {
                let names = model.fields.map(\.name)
                let prefix = walked.isEmpty ? "" : walked + "."
                throw .unknownField(
                    prefix + field, model: name, suggestions: NearestNames.of(field, among: names).map { prefix + $0 })
            }
            return Place(type: found.type, field: found)
        case (.model, .entry), (.map, .entry):
            throw .wrongValue("[]", field: walked, expected: .object)
        case (.map(let inner), .name): return Place(type: inner)
        case (.list(let inner), .entry), (.sequence(let inner), .entry): return Place(type: inner)
        case (.list(let inner), .name("elements")): return Place(type: .sequence(inner))
        case (.array, .entry): return Place()
        case (.array, .name("elements")): return Place(type: .array)
        case (.list, .name), (.sequence, .name), (.array, .name):
            if walked.isEmpty { throw .unknownField(written, model: type.name, suggestions: ["elements[].\(written)"]) }
            throw .wrongValue(written, field: walked, expected: .list)
        case (.string, _), (.boolean, _), (.double, _), (.integer, _), (.timestamp, _), (.enumeration, _):
            throw .wrongValue(written, field: walked, expected: .single(type: type.name))
        }
    }
}
