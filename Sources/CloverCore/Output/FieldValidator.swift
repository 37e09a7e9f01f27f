package import CloverAPI
package import CloverJSON
package import CloverOutput

/// Checks chosen columns against the catalogue, and explains columns that stayed empty or members without a column.
package struct FieldValidator: Sendable {
    /// The resource's name in messages; nil when unknown.
    private let path: String?
    private let model: Model?
    private let expandable: [String]
    private let expanded: [String]
    /// Whether to report members without a column.
    private var reportsOthers = true
    /// Whether `--names` would add names to the records.
    package var offersNames = false

    /// For records of our own, which have no model.
    package static let unknown = FieldValidator(path: nil, model: nil, expandable: [], expanded: [])

    /// For records of our own with our own choice of columns, which omits other members on purpose.
    static let ours = FieldValidator(path: nil, model: nil, expandable: [], expanded: [], reportsOthers: false)

}

extension FieldValidator {
    /// - Parameters:
    ///   - model: name of the records' model; nil when unknown.
    ///   - expand: names of expansions.
    ///   - name: the name of the records in messages; nil for the path.
    package init(_ path: ResourcePath, model: String?, expand: [String], name: String? = nil) {
        self.init(
            path: name ?? path.display, model: model.flatMap { ModelCatalogue.model(named: $0) },
            expandable: path.endpoint?.expandable ?? [], expanded: expand)
    }

    /// Refuses a path that goes through a list without an index, as far as the model is known.
    /// - Throws: `.throughList`.
    package func check(_ paths: [FieldPath]) throws(RecordFormatError) {
        for path in paths { try check(path) }
    }

    /// Refuses a field that the records' model does not have, and what `check` refuses.
    /// - Throws: `.unknownField`, `.throughList`.
    package func checkNames(_ paths: [FieldPath]) throws(RecordFormatError) {
        try check(paths)
        for path in paths {
            guard let suggestions = unknown(path) else { continue }
            throw .unknownField(path.text, records: schemaName, suggestions: suggestions)
        }
    }

    private func check(_ path: FieldPath) throws(RecordFormatError) {
        var model = model
        var rest = path.names[...]
        var taken: [String] = []
        while let name = rest.popFirst(), let field = model?.field(named: name) {
            taken.append(name)
            switch field.type {
            case .model: break
            case .list, .sequence:
                let isEnvelope = rest.first == "elements"
                if isEnvelope { rest.removeFirst() }
                if case .list = field.type { taken.append("elements") }
                guard let entry = rest.first, entry != "length", isEnvelope || entry != "href" else { return }
                guard entry.allSatisfy(\.isNumber) else {
                    throw .throughList(
                        field: path.text, list: taken.joined(separator: "."), rest: rest.joined(separator: "."))
                }
                taken.append(entry)
                rest.removeFirst()
            default: return
            }
            model = field.type.nestedModel.flatMap { ModelCatalogue.model(named: $0) }
        }
    }

    /// Suggestions for a field that the model does not have; nil for one that it has, and for an unknown model.
    package func unknown(_ path: FieldPath) -> [String]? {
        var model = model
        var owner: Model.Field?
        for (place, name) in path.names.enumerated() {
            if let owner, owner.type.isScalar { return [path.names.prefix(place).joined(separator: ".")] }
            // A list's envelope and indices are not fields of a model, nor is a record's own URL.
            if ["elements", "length", "href"].contains(name) || name.allSatisfy(\.isNumber) { continue }
            guard let known = model else { return nil }
            guard let field = known.field(named: name) else {
                return NearestNames.of(name, among: known.fields.map(\.name))
                    .map { (path.names.prefix(place) + [$0]).joined(separator: ".") }
            }
            owner = field
            model = field.type.nestedModel.flatMap { ModelCatalogue.model(named: $0) }
        }
        return nil
    }

    /// Notices for the end, one line each: which chosen columns stayed empty and why, or which members have no column in
    /// the default choice.
    func notices(_ report: ColumnReport, of plan: FormatPlan) -> [String] {
        guard plan.hasChosenFields else { return notice(report, of: plan).map { [$0] } ?? [] }
        var plain: [String] = []
        var lines: [String] = []
        for field in report.absent {
            if let advice = advice(field) {
                lines.append("no record has '\(field.text)'" + advice)
            } else {
                plain.append("'\(field.text)'")
            }
        }
        return (plain.isEmpty ? [] : ["no record has " + plain.joined(separator: ", ")]) + lines
    }

    private static let maximumOthers = 10

    private func notice(_ report: ColumnReport, of plan: FormatPlan) -> String? {
        guard reportsOthers, !report.isEmpty else { return nil }
        let isTable = plan.format == .table
        let expanded = Set(expanded.map { $0.prefix { $0 != "." } })
        var names = report.others.filter { name in
            // `href` is the record's own URL in any record.
            guard let field = model?.field(named: name) else { return model == nil || name != "href" }
            // The columns of a table omit fields of the model on purpose, but not expansions that the user requested.
            // Other columns omit only objects, and lists that were not requested, which have nothing but an address.
            return expanded.contains(name[...]) || !isTable && field.type.isObject
        }
        names += plan.columnless.filter { name in
            name.contains(".") && !names.contains { name.hasPrefix($0 + ".") }
        }
        guard !names.isEmpty else { return nil }
        return (names.count == 1 ? "the field " : "the fields ")
            + names.prefix(Self.maximumOthers).joined(separator: ", ")
            + (names.count > Self.maximumOthers ? ", ..." : "") + (path.map { " (\($0))" } ?? "")
            + (names.count == 1 ? " has" : " have") + " no column; --fields chooses columns"
            + (isTable ? "" : ", and --format ndjson keeps everything")
    }

    /// Why no record has the field; nil when the catalogue gives no reason.
    private func advice(_ field: FieldPath) -> String? {
        if offersNames, let model, NamedList.isName(field, inModel: model.name) { return ": to get it, add --names" }
        var model = model
        var parts: [String] = []
        for (place, name) in field.names.enumerated() {
            // The list's envelope and indices are not fields of a model.
            if name == "elements" || name.allSatisfy(\.isNumber) { continue }
            guard let known = model else { return nil }
            guard let next = known.field(named: name) else {
                return advice(name, after: field.names.prefix(place), in: known)
            }
            parts.append(name)
            let expansion = parts.joined(separator: ".")
            // An object that is not expanded still has its id.
            let isIdentifier = field.names.dropFirst(place + 1).first == "id"
            if expandable.contains(expansion), !isExpanded(expansion), !isIdentifier {
                return ": to get it, add --expand \(expansion)"
            }
            model = next.type.nestedModel.flatMap { ModelCatalogue.model(named: $0) }
        }
        return nil
    }

    private func advice(_ name: String, after prefix: ArraySlice<String>, in model: Model) -> String? {
        // The length of a list that no record has.
        if name == "length", prefix.last == "elements" { return nil }
        let near = NearestNames.of(name, among: model.fields.map(\.name))
            .map { (prefix + [$0]).joined(separator: ".") }
        let meant = near.isEmpty ? "" : "; did you mean \(near.joined(separator: ", "))?"
        let isWhole = model.name == self.model?.name
        return meant + "   (all: clover schema \(isWhole ? schemaName : model.name))"
    }

    /// Argument of `clover schema` for the records: the path where it is a single word.
    private var schemaName: String {
        guard let path, !path.contains("/") else { return model?.name ?? "" }
        return path
    }

    /// Whether a name is expanded. Expanding a part also expands its owner.
    private func isExpanded(_ name: String) -> Bool {
        expanded.contains { $0 == name || $0.hasPrefix(name + ".") }
    }
}
