package import CloverJSON

/// Checks records against the catalogue's model. It agrees with `JSONSchema`: no field is required, and unknown fields
/// are allowed, though reported as remarks. It is stricter only about numbers too large for their type.
package struct RecordValidator: Sendable {
    package let model: String
    private let plan: ValidationPlan
    private let acceptsNull: Bool

    /// Returns nil if there is no such model.
    ///
    /// - Parameter acceptsNull: whether any field may be null, as with `return_null_fields=true`.
    package init?(model name: String, acceptsNull: Bool = false) {
        self.acceptsNull = acceptsNull
        guard let plan = ValidationPlan(model: name) else { return nil }
        model = name
        self.plan = plan
    }

    /// One place where a record does not match the model.
    package struct Problem: Sendable, Equatable {
        /// A JSON pointer into the record (RFC 6901), such as `/lineItems/elements/3/price`; empty for the record
        /// itself.
        package let pointer: String
        package let kind: Kind

        package init(pointer: String, kind: Kind) {
            self.pointer = pointer
            self.kind = kind
        }
    }

    /// A notable property of a record that does match its model. In `pointer`, `*` stands for any list index.
    package struct Remark: Sendable, Hashable {
        package enum Kind: Sendable, Hashable {
            case unknownField
            /// A whole number beyond 2^53, which is exact only in programs that keep its digits.
            case inexact
        }

        package let pointer: String
        package let kind: Kind
    }

    package enum Kind: Sendable, Equatable {
        /// - Parameter expected: a type, as in `FieldType.name`.
        case wrongType(expected: String, found: JSONKind)
        /// A string that is not a case of the enum; `enumeration` is nil for the listed values of a plain string.
        case unknownCase(String, enumeration: String?)
        /// Not JSON, or nested too deeply.
        case notJSON(at: Int)
        /// A whole number too large for its type.
        case outOfRange(expected: String)

        /// The kind without the parts that vary between records, for counting.
        package var general: Kind {
            switch self {
            case .wrongType, .unknownCase, .outOfRange: self
            case .notJSON: .notJSON(at: 0)
            }
        }
    }

    /// The first problems of one record, in byte order, and remarks on what is valid but notable.
    ///
    /// - Parameters:
    ///   - record: one JSON value, optionally surrounded by white space.
    ///   - limit: the maximum number of problems.
    package func look(
        at record: UnsafeRawBufferPointer, limit: Int = 20
    ) -> (problems: [Problem], remarks: [Remark]) {
        var walk = ValidationPass(bytes: record, plan: plan, acceptsNull: acceptsNull, limit: limit)
        let problems = walk.problems()
        return (problems, walk.remarks)
    }

    /// The first problems of one record, in byte order.
    package func problems(in record: [UInt8], limit: Int = 20) -> [Problem] {
        record.withUnsafeBytes { look(at: $0, limit: limit).problems }
    }
}

extension RecordValidator.Problem: CustomStringConvertible {
    /// `/total is string, not int64`.
    package var description: String {
        let place = pointer.isEmpty ? "the record" : pointer
        switch kind {
        case .wrongType(let expected, let found): return "\(place) is \(found.rawValue), not \(expected)"
        case .unknownCase(let value, let enumeration):
            return "\(place) is '\(value)', which is not in \(enumeration ?? "the catalogue")"
        case .outOfRange(let expected): return "\(place) is a number too large for \(expected)"
        case .notJSON(let position): return "\(place) is not JSON at byte \(position)"
        }
    }
}

/// A model and everything that its records may contain, prepared for checking many records.
struct ValidationPlan: Sendable {
    /// The required type of a value.
    indirect enum Rule: Sendable {
        case any, string, boolean, double, timestamp, object, array
        /// A whole number of the given number of bits.
        case integer(bits: Int)
        case list(Rule), sequence(Rule), map(Rule)
        /// An index into `models`.
        case model(Int)
        /// An index into `enumerations`.
        case enumeration(Int)
    }

    struct Field: Sendable {
        let name: [UInt8]
        let rule: Rule
        let isNullable: Bool
        /// An index into `enumerations`, for a string with listed values.
        let cases: Int?
        let typeName: String
    }

    struct Cases: Sendable {
        let name: String?
        let values: Set<String>
    }

    /// By model index, then by hash of the field name, which two names may share.
    private(set) var fields: [[UInt64: [Field]]] = []
    private(set) var modelNames: [String] = []
    private(set) var enumerations: [Cases] = []

    /// Returns nil if there is no such model; its own fields are those of model 0.
    init?(model name: String) {
        let models = ModelCatalogue.closure(of: name)
        guard !models.isEmpty else { return nil }
        modelNames = models.map(\.name)
        let numbers = Dictionary(uniqueKeysWithValues: zip(modelNames, modelNames.indices))
        var enumerationNumbers: [String: Int] = [:]
        for model in models {
            var byName: [UInt64: [Field]] = [:]
            for field in model.fields {
                let rule = rule(for: field.type, models: numbers, enumerations: &enumerationNumbers)
                var cases: Int?
                if !field.cases.isEmpty {
                    cases = enumerations.count
                    enumerations.append(Cases(name: nil, values: Set(field.cases)))
                }
                let bytes = Array(field.name.utf8)
                byName[bytes.withUnsafeBytes(Self.hash), default: []].append(
                    Field(
                        name: bytes, rule: rule, isNullable: field.isNullable, cases: cases,
                        typeName: field.type.name))
            }
            fields.append(byName)
        }
    }

    /// The field with this name; nil if the model does not have it.
    func field(_ name: UnsafeRawBufferPointer, of model: Int) -> Field? {
        fields[model][Self.hash(name)]?.first { $0.name.elementsEqual(name) }
    }

    /// FNV-1a, which is fast for short names.
    private static func hash(_ name: UnsafeRawBufferPointer) -> UInt64 {
        var hash: UInt64 = 0xcbf2_9ce4_8422_2325
        for byte in name { hash = (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01b3 }
        return hash
    }

    private mutating func rule(
        for type: FieldType, models: [String: Int], enumerations numbers: inout [String: Int]
    ) -> Rule {
        switch type {
        case .string: return .string
        case .boolean: return .boolean
        case .double: return .double
        case .integer(let bits): return .integer(bits: bits)
        case .timestamp: return .timestamp
        case .any: return .any
        case .object: return .object
        case .array: return .array
        case .list(let inner): return .list(rule(for: inner, models: models, enumerations: &numbers))
        case .sequence(let inner): return .sequence(rule(for: inner, models: models, enumerations: &numbers))
        case .map(let inner): return .map(rule(for: inner, models: models, enumerations: &numbers))
        case .model(let name): return models[name].map(Rule.model) ?? .any
        case .enumeration(let name):
            if let known = numbers[name] { return .enumeration(known) }
            guard let enumeration = ModelCatalogue.enumeration(named: name) else { return .any }
            numbers[name] = enumerations.count
            enumerations.append(Cases(name: name, values: Set(enumeration.cases)))
            return .enumeration(enumerations.count - 1)
        }
    }
}
