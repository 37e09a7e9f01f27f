import CloverJSON

/// Checks one record against a plan in a single pass; only problems and remarks are stored.
struct ValidationPass {
    typealias Rule = ValidationPlan.Rule

    private var scanner: JSONScanner
    private let plan: ValidationPlan
    private let acceptsNull: Bool
    private let limit: Int
    private var found: [RecordValidator.Problem] = []
    private(set) var remarks: [RecordValidator.Remark] = []
    private var steps: [Step] = []

    private enum Step {
        case name(Range<Int>)
        case entry(Int)
    }

    init(bytes: UnsafeRawBufferPointer, plan: ValidationPlan, acceptsNull: Bool, limit: Int) {
        scanner = JSONScanner(bytes: bytes)
        self.plan = plan
        self.acceptsNull = acceptsNull
        self.limit = limit
    }

    mutating func problems() -> [RecordValidator.Problem] {
        do throws(JSONScanner.Fault) {
            try value(.model(0), isNullable: false, cases: nil, typeName: nil)
            try scanner.end()
        } catch {
            report(.notJSON(at: error.position))
        }
        return Array(found.prefix(limit))
    }

    /// - Parameter typeName: the type name that problems show; nil for the rule's own name.
    private mutating func value(
        _ rule: Rule, isNullable: Bool, cases: Int?, typeName: String?
    ) throws(JSONScanner.Fault) {
        let kind = try scanner.kind()
        guard fits(kind, rule) || kind == .null && (isNullable || acceptsNull && !steps.isEmpty) else {
            report(.wrongType(expected: typeName ?? name(of: rule), found: kind))
            try skip(kind)
            return
        }
        switch kind {
        case .object: try object(rule)
        case .array: try array(rule)
        case .string:
            let text = try scanner.string()
            if let cases { check(text, plan.enumerations[cases]) }
            if case .enumeration(let number) = rule { check(text, plan.enumerations[number]) }
        case .integer:
            let start = scanner.position
            try scanner.skipScalar()
            check(numberAt: start..<scanner.position, rule, typeName)
        case .null, .boolean, .number: try scanner.skipScalar()
        }
    }

    /// Checks that a whole number fits its type, and notes numbers that a double cannot hold exactly.
    private mutating func check(numberAt range: Range<Int>, _ rule: Rule, _ typeName: String?) {
        // Shorter numbers always fit.
        guard range.count > 2 else { return }
        let bits: Int
        switch rule {
        case .integer(let width): bits = width
        case .timestamp: bits = 64
        default: return
        }
        guard bits < 64 || range.count > 15 else { return }
        let text = scanner.decoded(JSONScanner.Text(range: range, isPlain: true))
        if !JSONNumber.fits(text, bits: bits) {
            report(.outOfRange(expected: typeName ?? name(of: rule)))
        } else if !JSONNumber.fits(text, bits: 54) {
            remarks.append(RecordValidator.Remark(pointer: pattern, kind: .inexact))
        }
    }

    private func fits(_ kind: JSONKind, _ rule: Rule) -> Bool {
        switch rule {
        case .any: true
        case .string, .enumeration: kind == .string
        case .boolean: kind == .boolean
        case .double: kind == .integer || kind == .number
        case .integer, .timestamp: kind == .integer
        case .object, .map, .model: kind == .object
        case .sequence: kind == .array
        case .array, .list: kind == .object || kind == .array
        }
    }

    private mutating func object(_ rule: Rule) throws(JSONScanner.Fault) {
        try scanner.open(.object)
        while let name = try scanner.nextName() {
            steps.append(.name(name.range))
            switch rule {
            case .model(let number):
                let field =
                    if let bytes = scanner.plainBytes(name) {
                        plan.field(bytes, of: number)
                    } else {
                        Array(scanner.decoded(name).utf8).withUnsafeBytes { plan.field($0, of: number) }
                    }
                if let field {
                    try value(
                        field.rule, isNullable: field.isNullable, cases: field.cases, typeName: field.typeName)
                } else {
                    // The record's own address, which every record has.
                    if !scanner.isName(name, "href") {
                        remarks.append(RecordValidator.Remark(pointer: pattern, kind: .unknownField))
                    }
                    try skip(try scanner.kind())
                }
            case .map(let inner): try value(inner, isNullable: false, cases: nil, typeName: nil)
            case .list(let inner) where scanner.isName(name, "elements"):
                try value(.sequence(inner), isNullable: false, cases: nil, typeName: nil)
            default: try skip(try scanner.kind())
            }
            steps.removeLast()
        }
    }

    private mutating func array(_ rule: Rule) throws(JSONScanner.Fault) {
        let entry: Rule
        switch rule {
        case .list(let inner), .sequence(let inner): entry = inner
        default: entry = .any
        }
        try scanner.open(.array)
        var number = 0
        while try scanner.nextEntry() {
            steps.append(.entry(number))
            try value(entry, isNullable: false, cases: nil, typeName: nil)
            steps.removeLast()
            number += 1
        }
    }

    private mutating func skip(_ kind: JSONKind) throws(JSONScanner.Fault) {
        switch kind {
        case .object: try object(.object)
        case .array: try array(.array)
        case .string: _ = try scanner.string()
        case .null, .boolean, .integer, .number: try scanner.skipScalar()
        }
    }

    private mutating func check(_ text: JSONScanner.Text, _ cases: ValidationPlan.Cases) {
        let value = scanner.decoded(text)
        if !cases.values.contains(value) { report(.unknownCase(value, enumeration: cases.name)) }
    }

    private mutating func report(_ kind: RecordValidator.Kind) {
        guard found.count < limit else { return }
        found.append(RecordValidator.Problem(pointer: pointer, kind: kind))
    }

    /// The path to the current value as a JSON pointer (RFC 6901).
    private var pointer: String { pointer { "\($0)" } }

    /// The path with `*` for every list index.
    private var pattern: String { pointer { _ in "*" } }

    private func pointer(entry: (Int) -> String) -> String {
        steps.map { step in
            switch step {
            case .entry(let number): return "/" + entry(number)
            case .name(let range):
                let name = scanner.decoded(JSONScanner.Text(range: range, isPlain: false))
                return "/"
                    + name.split(separator: "~", omittingEmptySubsequences: false).joined(separator: "~0")
                    .split(separator: "/", omittingEmptySubsequences: false).joined(separator: "~1")
            }
        }.joined()
    }

    private func name(of rule: Rule) -> String {
        switch rule {
        case .any: "any"
        case .string: "string"
        case .boolean: "boolean"
        case .double: "double"
        case .integer(let bits): "int\(bits)"
        case .timestamp: "timestamp"
        case .object: "object"
        case .array: "array"
        case .list(let inner): "elements<\(name(of: inner))>"
        case .sequence(let inner): "array<\(name(of: inner))>"
        case .map(let inner): "map<string,\(name(of: inner))>"
        case .model(let number): plan.modelNames[number]
        case .enumeration(let number): plan.enumerations[number].name.map { "enum<\($0)>" } ?? "string"
        }
    }
}
