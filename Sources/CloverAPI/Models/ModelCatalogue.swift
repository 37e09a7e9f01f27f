import CloverHTTP

/// The models of Clover's API. Tables are indexed on first use, and a lookup parses only the matching row.
package enum ModelCatalogue {
    package static var names: [String] { modelLines.keys.sorted() }

    package static var enumerationNames: [String] { enumerationLines.keys.sorted() }

    /// The model with this name, such as `order.Order`; nil if there is none.
    package static func model(named name: String) -> Model? {
        modelLines[name].flatMap { ModelLine($0.columns).model }
    }

    /// The enum with this name, such as `order.PayType`; nil if there is none.
    package static func enumeration(named name: String) -> Enumeration? {
        guard let columns = enumerationLines[name]?.columns, columns.count == 3 else { return nil }
        return Enumeration(
            name: name, cases: columns[2].split(separator: "|").map(String.init), sources: ModelLine.sources(columns[1])
        )
    }

    static func isKnown(_ name: String) -> Bool {
        modelLines[name] != nil || enumerationLines[name] != nil
    }

    /// The model and all models that its records may contain, directly or indirectly, itself first.
    package static func closure(of name: String) -> [Model] {
        var found: [Model] = []
        var seen: Set<String> = [name]
        var waiting = [name]
        while let next = waiting.first {
            waiting.removeFirst()
            guard let model = model(named: next) else { continue }
            found.append(model)
            waiting += model.fields.compactMap(\.type.nestedModel).filter { seen.insert($0).inserted }
        }
        return found
    }

    package enum Entry: Sendable, Equatable {
        case model(Model)
        case enumeration(Enumeration)
    }

    /// Finds a model or enum by name, ignoring case: `order.Order`, `Order` if unambiguous (V3's models take
    /// precedence), `order.PayType`, or a path whose records are meant, such as `orders`.
    package static func entry(_ text: String) throws(QueryError) -> Entry {
        if let entry = entry(named: text) { return entry }
        let all = names + enumerationNames
        let wanted = text.lowercased()
        let isWhole = text.contains(".")
        let matches = all.filter { name in
            let lowered = name.lowercased()
            return isWhole ? lowered == wanted : lowered.hasSuffix("." + wanted)
        }
        let preferred = matches.count == 1 ? matches : matches.filter { model(named: $0)?.api == .rest }
        if preferred.count == 1, let entry = entry(named: preferred[0]) { return entry }
        if matches.isEmpty, let entry = try recordEntry(at: text) { return entry }
        if matches.isEmpty, EndpointCatalogue.operations.contains(where: { $0.model == text || $0.body == text }) {
            throw .fieldsUnknown(text, path: nil)
        }
        throw .unknownModel(text, suggestions: matches.isEmpty ? near(text, among: all) : matches)
    }

    private static func entry(named name: String) -> Entry? {
        model(named: name).map(Entry.model) ?? enumeration(named: name).map(Entry.enumeration)
    }

    /// The model of the records that a path returns.
    private static func recordEntry(at path: String) throws(QueryError) -> Entry? {
        let selection: EndpointSelection
        do {
            selection = try EndpointSelection(path, method: .get)
        } catch {
            // Not a path either: the caller reports an unknown model.
            return nil
        }
        guard let endpoint = selection.explained.first ?? selection.operations.first else { return nil }
        guard let name = endpoint.model else { throw .responseUndocumented(path: path) }
        guard let model = model(named: name) else { throw .fieldsUnknown(name, path: path) }
        return .model(model)
    }

    /// The names whose last part is close to the last part of the typed one.
    private static func near(_ text: String, among names: [String]) -> [String] {
        let wanted = lastPart(text)
        let all = Set(names.map(lastPart))
        // The group may be what is wrong: `orders.LineItem` is `order.LineItem`.
        let exact = all.filter { $0.lowercased() == wanted.lowercased() }
        let parts = exact.isEmpty ? Set(NearestNames.of(wanted, among: Array(all), count: 5)) : exact
        let found = names.filter { parts.contains(lastPart($0)) }
        let ranks = found.map {
            (isElsewhere: model(named: $0)?.api != .rest, distance: editDistance($0, text), name: $0)
        }
        return ranks.sorted {
            ($0.isElsewhere ? 1 : 0, $0.distance, $0.name) < ($1.isElsewhere ? 1 : 0, $1.distance, $1.name)
        }
        .prefix(5).map(\.name)
    }

    private static func lastPart(_ name: String) -> String {
        name.split(separator: ".").last.map(String.init) ?? name
    }

    private static let modelLines = lines(of: ModelTable.models)
    private static let enumerationLines = lines(of: ModelTable.enums)

    private static func lines(of table: StaticString) -> [String: TableText.Line] {
        var lines: [String: TableText.Line] = [:]
        TableText(table).forEach { lines[$0.firstColumn] = $0 }
        return lines
    }
}

struct ModelLine {
    private let columns: [String]

    init(_ columns: [String]) {
        self.columns = columns
    }

    /// Nil if the row is malformed.
    var model: Model? {
        guard columns.count == 4, let api = Model.API(rawValue: columns[1]) else { return nil }
        let sources = Self.sources(columns[2])
        let fields = columns[3].split(separator: "|").compactMap { Self.field($0, modelSources: sources) }
        return Model(name: columns[0], api: api, sources: sources, fields: fields)
    }

    static func sources(_ letters: some StringProtocol) -> [Model.Source] {
        letters.compactMap { letter in
            switch letter {
            case "0": .sdk03
            case "1": .sdk10
            case "o": .openapi
            case "d": .docs
            case "r": .recorded
            default: nil
            }
        }
    }

    /// Parses `name type marks`. Marks are a letter for a unit or property, `x1000;` for a scale, `=A,B;` for cases,
    /// and finally `@01o` for sources that differ from the model's.
    private static func field(_ text: Substring, modelSources: [Model.Source]) -> Model.Field? {
        let words = text.split(separator: " ")
        guard words.count >= 2, let type = FieldType(code: words[1]) else { return nil }
        var marks = words.count > 2 ? words[2] : ""
        var unit: Model.Unit?
        var scale: Int?
        var cases: [String] = []
        var sources = modelSources
        var letters: Set<Character> = []
        while let mark = marks.popFirst() {
            let value = marks.prefix { $0 != ";" }
            switch mark {
            case "x": scale = Int(value)
            case "=": cases = value.split(separator: ",").map(String.init)
            case "@":
                sources = Self.sources(marks)
                marks = ""
            case "m": unit = .minor
            case "t": unit = .milliseconds
            case "s": unit = .seconds
            case "i": unit = .minutes
            case "p": unit = .percent
            default: letters.insert(mark)
            }
            if mark == "x" || mark == "=" { marks = marks.dropFirst(value.count + 1) }
        }
        return Model.Field(
            name: String(words[0]), type: type, unit: unit, scale: scale, isNullable: letters.contains("n"),
            isReference: letters.contains("r"), isDeprecated: letters.contains("d"),
            isSensitive: letters.contains("!"), cases: cases, sources: sources)
    }
}

/// Finds where the API uses a model or one of its fields.
package enum ModelUse {
    /// A readable path and a name to expand on it.
    package struct Expansion: Sendable, Equatable {
        /// Relative to the merchant if possible, such as `orders/{orderId}`.
        package let path: String
        package let name: String
    }

    /// The operations that return records of the model.
    package static func answers(with model: String) -> [Endpoint] {
        EndpointCatalogue.operations.filter { $0.model == model }
    }

    /// The operations that take the model as a body.
    package static func bodies(of model: String) -> [Endpoint] {
        EndpointCatalogue.operations.filter { $0.body == model || $0.body == "elements<\(model)>" }
    }

    /// The expansions that return objects of the model inside other records.
    package static func expansions(to model: String) -> [Expansion] {
        var found: [Expansion] = []
        for endpoint in EndpointCatalogue.endpoints {
            guard let start = endpoint.model else { continue }
            let path = EndpointCatalogue.displayPath(endpoint)
            found += endpoint.expandable.filter { self.model(at: $0, of: start) == model }
                .map { Expansion(path: path, name: $0) }
        }
        return found
    }

    /// The readable paths where the field is returned, or returned in full, only if it is expanded.
    package static func expansionPaths(of field: String, in model: String) -> [String] {
        EndpointCatalogue.endpoints.filter { $0.model == model && $0.expandable.contains(field) }
            .map(EndpointCatalogue.displayPath)
    }

    /// The model at a dotted path: `payments.Tender` for `payments.tender` of an order.
    private static func model(at path: String, of start: String) -> String? {
        var current = start
        for part in path.split(separator: ".") {
            guard let next = ModelCatalogue.model(named: current)?.field(named: part)?.type.nestedModel else {
                return nil
            }
            current = next
        }
        return current
    }
}
