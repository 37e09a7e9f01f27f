/// Scans one record and finds the values to mask.
struct MaskWalk {
    typealias Rule = MaskRules.Rule

    private let record: UnsafeRawBufferPointer
    private var scanner: JSONScanner
    /// The ranges of the values to mask, in order.
    private(set) var found: [Range<Int>] = []
    /// The labels of the masked fields, as shown to the user.
    private(set) var labels: Set<String> = []

    init(record: UnsafeRawBufferPointer) {
        self.record = record
        scanner = JSONScanner(bytes: record)
    }

    /// Scans the whole record.
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
            if !text.range.isEmpty { mask(start, rule) }
        case .integer, .number:
            try scanner.skipScalar()
            mask(start, rule)
        // A boolean such as `hasPassword` is not a secret.
        case .null, .boolean: try scanner.skipScalar()
        }
    }

    /// The prefix of card tokens (Clover: ecommerce API, tokens).
    private static let cardToken = Array("\"clv_".utf8)

    private mutating func mask(_ start: Int, _ rule: Rule) {
        switch rule {
        case .sensitive(let label):
            found.append(start..<scanner.position)
            labels.insert(label)
        case .card(let label):
            let value = record[start..<scanner.position]
            guard CardNumber.isLikely(value) || value.starts(with: Self.cardToken) else { return }
            found.append(start..<scanner.position)
            labels.insert(label)
        case .unknown, .model, .entries, .values: break
        }
    }
}
