/// One walk through one record, which finds the values to mask.
struct MaskWalk {
    typealias Rule = MaskRules.Rule

    /// What takes the place of a value: JSON of the same type, or null.
    struct Change: Equatable {
        let range: Range<Int>
        let replacement: StaticString

        static func == (left: Change, right: Change) -> Bool {
            left.range == right.range && left.replacement.utf8Start == right.replacement.utf8Start
        }
    }

    private var scanner: JSONScanner
    private(set) var changes: [Change] = []
    /// What was masked, as the user is told.
    private(set) var labels: Set<String> = []

    init(record: UnsafeRawBufferPointer) {
        scanner = JSONScanner(bytes: record)
    }

    /// Walks to the end of the record.
    mutating func run(_ rule: Rule, rules: inout MaskRules) throws(JSONScanner.Fault) {
        try value(rule, &rules)
        try scanner.end()
    }

    private mutating func value(_ rule: Rule, _ rules: inout MaskRules) throws(JSONScanner.Fault) {
        let kind = try scanner.kind()
        let start = scanner.position
        switch kind {
        case .object:
            try scanner.open(.object)
            while let name = try scanner.nextName() {
                let inner = rules.rule(for: scanner.decoded(name), in: rule)
                try value(inner, &rules)
            }
        case .array:
            try scanner.open(.array)
            let inner = rules.ruleForEntry(of: rule)
            while try scanner.nextEntry() { try value(inner, &rules) }
        case .string:
            let text = try scanner.string()
            if !text.range.isEmpty { mask(start, rule, "\"[masked]\"") }
        case .integer, .number, .boolean:
            try scanner.skipScalar()
            mask(start, rule, "null")
        case .null: try scanner.skipScalar()
        }
    }

    private mutating func mask(_ start: Int, _ rule: Rule, _ replacement: StaticString) {
        guard case .sensitive(let label) = rule else { return }
        changes.append(Change(range: start..<scanner.position, replacement: replacement))
        labels.insert(label)
    }
}
