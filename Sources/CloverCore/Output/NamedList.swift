package import CloverAPI
package import CloverJSON
package import CloverOutput

/// A list whose records have names that mean more to a person than their ids, which is all that other records have of them.
package enum NamedList: String, CaseIterable, Sendable {
    case employees
    case tenders
    case orderTypes = "order_types"
    case items
    case categories

    private var model: String {
        switch self {
        case .employees: "employees.Employee"
        case .tenders: "base.Tender"
        case .orderTypes: "order.OrderType"
        case .items: "inventory.Item"
        case .categories: "inventory.Category"
        }
    }

    /// The list of the records of a model; nil for any other model.
    package init?(model: String) {
        guard let list = Self.allCases.first(where: { $0.model == model }) else { return nil }
        self = list
    }

    /// The list of the records that a field of other records refers to; nil for any other field.
    package init?(_ field: Model.Field) {
        guard case .model(let name) = field.type else { return nil }
        if name == Self.anyModel, Self.employeeFields.contains(field.name) {
            self = .employees
        } else {
            self.init(model: name)
        }
    }

    /// References that do not say to what.
    private static let anyModel = "base.Reference"
    /// Of voided line items.
    private static let employeeFields: Set<String> = ["removedBy", "approvedBy", "createdBy"]

    /// The field with the name, as the service calls it.
    package var nameField: String {
        switch self {
        case .tenders, .orderTypes: "label"
        case .employees, .items, .categories: "name"
        }
    }

    /// Relative to the merchant.
    package var path: String { rawValue }

    /// Its records in messages: `order types`.
    package var words: String { rawValue.map { $0 == "_" ? " " : String($0) }.joined() }

    /// The lists whose names columns show.
    ///
    /// - Parameter model: name of the records' model.
    package static func shown(in columns: [RecordColumn], ofModel model: String) -> Set<NamedList> {
        Set(columns.flatMap { [$0.namePath ?? $0.path] }.compactMap { shown(at: $0, ofModel: model) })
    }

    /// Whether the path is that of a name of what a record refers to.
    package static func isName(_ path: FieldPath, inModel model: String) -> Bool {
        path.names.count > 1 && shown(at: path, ofModel: model)?.nameField == path.names.last
    }

    /// The list whose record is at this path, or whose name is.
    private static func shown(at path: FieldPath, ofModel model: String) -> NamedList? {
        var model: String? = model
        var list: NamedList?
        for name in path.names {
            // The list's envelope and indices are not fields of a model.
            if name == "elements" || name.allSatisfy(\.isNumber) { continue }
            if let list, name == list.nameField { return list }
            let field = model.flatMap { ModelCatalogue.model(named: $0) }?.field(named: name)
            model = field?.type.nestedModel
            list = field.flatMap { NamedList($0) } ?? model.flatMap { NamedList(model: $0) }
        }
        return list
    }
}

/// Adds names to the objects in records that stand for a record of a named list and have only its id:
/// `"employee":{"id":"E","name":"Ann"}`. All other bytes stay unchanged.
package struct ReferenceNamer: Sendable {
    /// An object without a name.
    package struct Reference: Sendable, Equatable {
        package let list: NamedList
        package let id: String
        /// Where the name goes, in the record.
        let offset: Int
    }

    /// Names as JSON, by id.
    private var names: [NamedList: [String: [UInt8]]] = [:]
    private var models = ModelFields()

    package init() {}

    /// Sets the names of a list's records by id.
    package mutating func set(_ names: [String: String], of list: NamedList) {
        self.names[list] = names.mapValues { Array(JSONString.quoted($0).utf8) }
    }

    /// Finds the objects without names in each record of a batch. A record that is not JSON has none.
    ///
    /// - Parameters:
    ///   - model: name of the records' model.
    ///   - lists: the lists whose names are added.
    package mutating func references(
        in batch: RecordBatch, model: String, _ lists: Set<NamedList>
    ) -> [[Reference]] {
        batch.bytes.withUnsafeBytes { bytes in
            batch.records.map { record in
                let own = UnsafeRawBufferPointer(rebasing: bytes[record.range])
                var scan = ReferenceScan(scanner: JSONScanner(bytes: own), lists: lists)
                do throws(JSONScanner.Fault) {
                    try scan.value(.model(model), nil, &models)
                    return scan.found
                } catch {
                    return []
                }
            }
        }
    }

    /// The batch with the names that are known.
    ///
    /// - Parameter references: those of each record.
    package func named(_ batch: RecordBatch, _ references: [[Reference]]) -> RecordBatch {
        guard references.contains(where: { !$0.isEmpty }) else { return batch }
        var result = RecordBatch()
        result.reserve(batch.bytes.count + batch.bytes.count / 4)
        var bytes: [UInt8] = []
        for (record, found) in zip(batch.records, references) {
            bytes.removeAll(keepingCapacity: true)
            var next = record.range.lowerBound
            for reference in found {
                guard let name = names[reference.list]?[reference.id] else { continue }
                let place = record.range.lowerBound + reference.offset
                bytes += batch.bytes[next..<place]
                bytes += Array(",\"\(reference.list.nameField)\":".utf8) + name
                next = place
            }
            bytes += batch.bytes[next..<record.range.upperBound]
            bytes.withUnsafeBytes { result.append($0, replacements: record.replacements) }
        }
        return result
    }
}

/// The fields of models by name, loaded from the catalogue when a record first needs them.
private struct ModelFields: Sendable {
    struct Field: Sendable {
        let type: FieldType
        let list: NamedList?
    }

    private var models: [String: [String: Field]] = [:]

    /// A member of an object of this type; nil if it is not known.
    mutating func member(_ name: String, of type: FieldType?) -> Field? {
        switch type {
        case .list(let inner): name == "elements" ? Field(type: .sequence(inner), list: nil) : nil
        case .map(let inner): Self.entry(inner)
        case .model(let model): fields(of: model)[name]
        default: nil
        }
    }

    /// A value in a list or map of this type.
    static func entry(_ type: FieldType) -> Field {
        if case .model(let name) = type { return Field(type: type, list: NamedList(model: name)) }
        return Field(type: type, list: nil)
    }

    private mutating func fields(of model: String) -> [String: Field] {
        if let known = models[model] { return known }
        let fields = ModelCatalogue.model(named: model)?.fields ?? []
        let found = Dictionary(fields.map { ($0.name, Field(type: $0.type, list: NamedList($0))) }) { first, _ in first
        }
        models[model] = found
        return found
    }
}

/// Scans one record along its model.
private struct ReferenceScan {
    private var scanner: JSONScanner
    private let lists: Set<NamedList>
    private(set) var found: [ReferenceNamer.Reference] = []

    init(scanner: JSONScanner, lists: Set<NamedList>) {
        self.scanner = scanner
        self.lists = lists
    }

    /// - Parameters:
    ///   - type: nil where the model is not known.
    ///   - list: the list that an object refers to; nil for none.
    mutating func value(_ type: FieldType?, _ list: NamedList?, _ models: inout ModelFields) throws(JSONScanner.Fault) {
        switch try scanner.kind() {
        case .object: try object(type, list.flatMap { lists.contains($0) ? $0 : nil }, &models)
        case .array:
            try scanner.open(.array)
            var entry: ModelFields.Field?
            switch type {
            case .list(let inner), .sequence(let inner): entry = ModelFields.entry(inner)
            default: break
            }
            while try scanner.nextEntry() { try value(entry?.type, entry?.list, &models) }
        case .string: _ = try scanner.string()
        case .null, .boolean, .integer, .number: try scanner.skipScalar()
        }
    }

    private mutating func object(
        _ type: FieldType?, _ list: NamedList?, _ models: inout ModelFields
    ) throws(JSONScanner.Fault) {
        var id: String?
        var hasName = false
        try scanner.open(.object)
        while let text = try scanner.nextName() {
            let name = scanner.decoded(text)
            if list != nil, id == nil, name == "id", try scanner.kind() == .string {
                id = scanner.decoded(try scanner.string())
                continue
            }
            if name == list?.nameField { hasName = true }
            let member = models.member(name, of: type)
            try value(member?.type, member?.list, &models)
        }
        guard let list, let id, !hasName else { return }
        found.append(ReferenceNamer.Reference(list: list, id: id, offset: scanner.position - 1))
    }
}
