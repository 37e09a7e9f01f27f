import CloverJSON

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
                json = JSONString.quoted(text, isShown: false)
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

/// A body that is being assembled from fields.
indirect enum BodyNode {
    case object([(name: String, node: BodyNode)])
    case list([BodyNode])
    case value(String)

    /// Adds a value at the end of `steps`.
    ///
    /// - Parameters:
    ///   - json: nil for an empty list.
    ///   - place: the field as it was typed, for messages.
    mutating func put(_ json: String?, at steps: ArraySlice<FieldArgument.Step>, place: String) throws(BodyError) {
        guard let step = steps.first else { throw .repeatedField(place) }
        switch (self, step) {
        case (.object(var members), .name(let name)):
            if let index = members.firstIndex(where: { $0.name == name }) {
                guard steps.count > 1 else {
                    switch members[index].node {
                    case .value: throw .repeatedField(place)
                    case .list: throw .conflict(place, place + "[]")
                    case .object(let parts): throw .conflict(place, "\(place).\(parts.first?.name ?? "")")
                    }
                }
                try members[index].node.put(json, at: steps.dropFirst(), place: place)
            } else {
                members.append((name, try Self.node(json, at: steps.dropFirst(), place: place)))
            }
            self = .object(members)
        case (.list(var entries), .entry):
            try Self.add(json, at: steps.dropFirst(), place: place, to: &entries)
            self = .list(entries)
        case (.value, _), (.object, .entry), (.list, .name):
            throw .conflict(place, Self.before(steps, in: place))
        }
    }

    /// Adds an entry. A part of an entry goes into the last entry unless that already has it.
    private static func add(
        _ json: String?, at steps: ArraySlice<FieldArgument.Step>, place: String, to entries: inout [BodyNode]
    ) throws(BodyError) {
        guard json != nil || !steps.isEmpty else { return }
        if !steps.isEmpty, var last = entries.last {
            do throws(BodyError) {
                try last.put(json, at: steps, place: place)
                entries[entries.count - 1] = last
                return
            } catch .repeatedField {
                // A repeated part begins the next entry, as with `gh api`.
            } catch {
                throw error
            }
        }
        entries.append(try node(json, at: steps, place: place))
    }

    /// A value inside the objects and lists that the steps name.
    private static func node(
        _ json: String?, at steps: ArraySlice<FieldArgument.Step>, place: String
    ) throws(BodyError) -> BodyNode {
        switch steps.first {
        case nil: return json.map { .value($0) } ?? .list([])
        case .name:
            var node = BodyNode.object([])
            try node.put(json, at: steps, place: place)
            return node
        case .entry:
            var node = BodyNode.list([])
            try node.put(json, at: steps, place: place)
            return node
        }
    }

    /// The field above the given last steps, in dot notation.
    private static func before(_ steps: ArraySlice<FieldArgument.Step>, in place: String) -> String {
        var end = place[...]
        for step in steps.reversed() {
            switch step {
            case .entry: end = end.hasSuffix("[]") ? end.dropLast(2) : end
            case .name(let name):
                let written = [".\(name)", "[\(name)]"].first { end.hasSuffix($0) }
                end = end.dropLast(written?.count ?? 0)
            }
        }
        return String(end)
    }

    /// The JSON text, with members in the order in which they were added.
    var json: String {
        switch self {
        case .value(let json): json
        case .list(let entries): "[" + entries.map(\.json).joined(separator: ",") + "]"
        case .object(let members):
            "{"
                + members.map { JSONString.quoted($0.name, isShown: false) + ":" + $0.node.json }.joined(separator: ",")
                + "}"
        }
    }
}
