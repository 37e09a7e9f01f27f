/// Parses one row of the models table.
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
