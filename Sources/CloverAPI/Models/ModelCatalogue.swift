/// The models of Clover's API. Tables are indexed on first use, and a lookup parses only the matching row.
package enum ModelCatalogue {
    /// The names of all models, sorted.
    package static var names: [String] { modelLines.keys.sorted() }

    /// The names of all enums, sorted.
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

    /// Whether a model or an enum has this name.
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

    /// A model or an enum.
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
        guard let name = endpoint.model else { throw .recordsUnknown(path: path) }
        guard let model = model(named: name) else { throw .fieldsUnknown(name, path: path) }
        return .model(model)
    }

    /// The names whose last part is close to the last part of the typed one.
    private static func near(_ text: String, among names: [String]) -> [String] {
        let wanted = lastPart(text)
        let parts = Set(NearestNames.of(wanted, among: Array(Set(names.map(lastPart))), count: 5))
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
