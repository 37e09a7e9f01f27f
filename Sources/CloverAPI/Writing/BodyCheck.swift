package import CloverJSON

/// Checks a JSON body against the catalogue, as single fields are checked when they are typed.
package struct BodyCheck: Sendable {
    private let root: FieldType?
    private let besides: Set<String>
    private let acceptsUnknown: Bool

    /// - Parameters:
    ///   - model: the body's model, or `elements<MODEL>`; nil if unknown, so that anything is accepted.
    ///   - names: names that fill the path and need not be fields, such as `id` or `item.id`.
    ///   - acceptsUnknown: whether fields and words that the catalogue does not list are accepted, as in a record that the
    ///     service returned.
    package init(model: String?, besides names: [String] = [], acceptsUnknown: Bool = false) {
        self.acceptsUnknown = acceptsUnknown
        root = BodyModel(model).root
        besides = Set(names)
    }

    /// The first problem, in byte order; nil if there is none. Fields that are not in the model but that the service
    /// returns with every record are accepted, so that a record that was read can be sent.
    ///
    /// - Throws: if the bytes are not JSON.
    package func problem(in bytes: [UInt8]) throws(JSONCheck.Fault) -> BodyError? {
        try Self.problem(in: bytes, root, nil, place: "", besides, acceptsUnknown: acceptsUnknown)
    }

    /// The first problem in the value of one field.
    static func problem(
        in bytes: [UInt8], _ type: FieldType?, _ field: Model.Field?, place: String, _ besides: Set<String> = [],
        acceptsUnknown: Bool = false
    ) throws(JSONCheck.Fault) -> BodyError? {
        let outcome: Result<BodyError?, JSONScanner.Fault> = bytes.withUnsafeBytes { raw in
            var walk = BodyValidator(bytes: raw, besides: besides, acceptsUnknown: acceptsUnknown)
            do throws(JSONScanner.Fault) {
                try walk.run(type, field, place: place)
                return .success(walk.problem)
            } catch {
                return .failure(error)
            }
        }
        switch outcome {
        case .success(let problem): return problem
        case .failure(let failure): throw JSONCheck.fault(failure, in: bytes)
        }
    }
}

/// Checks one body against the catalogue in a single pass.
struct BodyValidator {
    private(set) var problem: BodyError?
    private var scanner: JSONScanner
    private let bytes: UnsafeRawBufferPointer
    private let besides: Set<String>
    private let acceptsUnknown: Bool

    /// Fields that the service may include in any record, whether or not the model has them: its own address, and
    /// whether it is deleted.
    private static let ofEveryRecord: Set<String> = ["href", "deleted"]

    /// - Parameter besides: fields that are not checked.
    init(bytes: UnsafeRawBufferPointer, besides: Set<String>, acceptsUnknown: Bool) {
        self.acceptsUnknown = acceptsUnknown
        scanner = JSONScanner(bytes: bytes)
        self.bytes = bytes
        self.besides = besides
    }

    /// - Parameters:
    ///   - type: nil if unknown.
    ///   - place: the field that holds the value; empty for the whole body.
    mutating func run(_ type: FieldType?, _ field: Model.Field?, place: String) throws(JSONScanner.Fault) {
        try value(type, field, place)
        try scanner.end()
    }

    private mutating func value(
        _ type: FieldType?, _ field: Model.Field?, _ place: String
    ) throws(JSONScanner.Fault) {
        let kind = try scanner.kind()
        let start = scanner.position
        // `null` clears a field of any type.
        let isCompared = problem == nil && kind != .null && !(besides.contains(place) && kind != .object)
        let type = isCompared ? type : nil
        switch kind {
        case .object: try object(type, place)
        case .array: try array(type, place)
        case .string:
            let text = try scanner.string()
            if let type { compare(scanner.decoded(text), type, field, place) }
        case .integer, .number:
            try scanner.skipScalar()
            let text = String(decoding: bytes[start..<scanner.position], as: UTF8.self)
            if let type { compare(number: text, kind, type, field, place) }
        case .null, .boolean: try scanner.skipScalar()
        }
        guard let type, problem == nil, let expected = Self.expectation(of: type, field, for: kind) else { return }
        problem = .unfit(place, found: .kind(kind), expected: expected)
    }

    private mutating func object(_ type: FieldType?, _ place: String) throws(JSONScanner.Fault) {
        try scanner.open(.object)
        while let text = try scanner.nextName() {
            let name = scanner.decoded(text)
            let inner = place.isEmpty ? name : "\(place).\(name)"
            switch type {
            case .model(let modelName):
                let field = ModelCatalogue.model(named: modelName)?.field(named: name)
                if field == nil, problem == nil, !acceptsUnknown, !Self.ofEveryRecord.contains(name),
                    !besides.contains(where: { covers($0, inner) })
                {
                    problem = Self.unknown(name, of: modelName, at: inner)
                }
                try value(field?.type, field, inner)
            case .map(let entry): try value(entry, nil, inner)
            case .list(let entry) where name == "elements": try value(.sequence(entry), nil, place)
            default: try value(nil, nil, inner)
            }
        }
    }

    private mutating func array(_ type: FieldType?, _ place: String) throws(JSONScanner.Fault) {
        let entry: FieldType? =
            switch type {
            case .list(let inner), .sequence(let inner): inner
            default: nil
            }
        try scanner.open(.array)
        while try scanner.nextEntry() { try value(entry, nil, place + "[]") }
    }

    /// Whether a name that fills the path is this field or a part of it.
    private func covers(_ filler: String, _ place: String) -> Bool {
        filler == place || filler.hasPrefix(place + ".")
    }

    private static func unknown(_ name: String, of model: String, at place: String) -> BodyError? {
        guard let known = ModelCatalogue.model(named: model) else { return nil }
        let prefix = place.dropLast(name.count)
        return .unknownField(
            place, model: model,
            suggestions: NearestNames.of(name, among: known.fields.map(\.name)).map { prefix + $0 })
    }

    /// Checks a string against the field's listed values, ignoring case, because the service spells some in either
    /// case.
    private mutating func compare(_ text: String, _ type: FieldType, _ field: Model.Field?, _ place: String) {
        var cases: [String] = []
        if case .string = type { cases = field?.cases ?? [] }
        if case .enumeration(let name) = type { cases = ModelCatalogue.enumeration(named: name)?.cases ?? [] }
        guard problem == nil, !acceptsUnknown, !cases.isEmpty,
            !cases.contains(where: { $0.lowercased() == text.lowercased() })
        else {
            return
        }
        let suggestions = NearestNames.of(text, among: cases)
        problem = .unfit(
            place, found: field?.isSensitive == true ? .kind(.string) : .text(text),
            expected: .oneOf(cases, suggestions: suggestions))
    }

    /// Checks that a number is whole if required, and not too large.
    private mutating func compare(
        number text: String, _ kind: JSONKind, _ type: FieldType, _ field: Model.Field?,
        _ place: String
    ) {
        let bits: Int
        switch type {
        case .integer(let width): bits = width
        case .timestamp: bits = 64
        default: return
        }
        guard problem == nil, kind != .integer || !JSONNumber.fits(text, bits: bits) else { return }
        let expected = Self.expectation(of: type, field, for: .string) ?? .integer(bits: bits)
        let found: BodyError.Found = field?.isSensitive == true ? .kind(kind) : .text(text)
        if case .minorUnits = expected {
            problem = .unfit(place, found: found, expected: .minorUnits(suggestion: JSONNumber.cents(text)))
        } else {
            problem = .unfit(place, found: found, expected: expected)
        }
    }

    /// What is expected instead of a value of this kind; nil if it fits.
    private static func expectation(
        of type: FieldType, _ field: Model.Field?, for kind: JSONKind
    ) -> BodyError.Expectation? {
        switch type {
        case .any: nil
        case .string, .enumeration: kind == .string ? nil : .string
        case .boolean: kind == .boolean ? nil : .boolean
        case .double: kind == .integer || kind == .number ? nil : .number
        case .integer(let bits):
            kind == .integer ? nil : field?.unit == .minor ? .minorUnits(suggestion: nil) : .integer(bits: bits)
        case .timestamp:
            kind == .integer ? nil : field?.unit == .milliseconds ? .time : .integer(bits: 64)
        case .object, .map, .model: kind == .object ? nil : .object
        case .list, .array: kind == .array || kind == .object ? nil : .list
        case .sequence: kind == .array ? nil : .list
        }
    }
}

/// An error in a request body, found before anything is sent.
package enum BodyError: Error, Equatable, Sendable {
    /// A malformed `--field`.
    case malformedField(String, reason: FieldFault)
    case repeatedField(String)
    /// One field has a value, and the other is a part of that field.
    case conflict(String, String)
    /// The body's model has no such field; the service would silently ignore it.
    case unknownField(String, model: String, suggestions: [String])
    case wrongValue(String, field: String, expected: Expectation)
    /// A field of a JSON body has the wrong type; an empty name is the body itself.
    case unfit(String, found: Found, expected: Expectation)
    /// The body, from a file or standard input, is not JSON.
    case notJSON(JSONCheck.Fault, source: String)
    /// The value of a field, from a file or standard input, is not UTF-8.
    case notText(source: String)

    package enum FieldFault: Sendable {
        case noValue, noName, emptyName, openBracket, index, nestedList
    }

    /// What was found instead of the expected value.
    package enum Found: Equatable, Sendable {
        case kind(JSONKind)
        /// A number or word that may be shown.
        case text(String)
    }

    package enum Expectation: Equatable, Sendable {
        case string, boolean, number, time
        case integer(bits: Int)
        /// An amount; `suggestion` is the number in minor units that was probably intended.
        case minorUnits(suggestion: String?)
        /// An object, whose parts are written with a dot.
        case object
        /// A list, whose entries are written with brackets.
        case list
        /// A single value: the field has neither parts nor entries.
        case single(type: String)
        /// One of these values; `suggestions` are the nearest ones.
        case oneOf([String], suggestions: [String])
    }
}
