/// The fields of the models that requests bring.
package enum ModelFields {
    /// What a field holds.
    package enum Kind: Character, Sendable {
        case integer = "i"
        case number = "d"
        case boolean = "b"
        case text = "s"
        case list = "l"
        case object = "o"
        case anything = "v"
    }

    private static let models: [String: [String: Kind]] = {
        var models: [String: [String: Kind]] = [:]
        for line in ModelTable.lines.description.split(separator: "\n") {
            let columns = line.split(separator: "\t", omittingEmptySubsequences: false)
            guard columns.count == 2 else { continue }
            var fields: [String: Kind] = [:]
            for field in columns[1].split(separator: ",") {
                let parts = field.split(separator: ":")
                guard parts.count == 2, let letter = parts[1].first else { continue }
                fields[String(parts[0])] = Kind(rawValue: letter)
            }
            models[String(columns[0])] = fields
        }
        return models
    }()

    /// The fields of a model by name; empty for an unknown one.
    package static func fields(of model: String) -> [String: Kind] {
        models[model] ?? [:]
    }
}
