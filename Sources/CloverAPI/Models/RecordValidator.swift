/// Checks records against the catalogue's model. It agrees with `JSONSchema`: no field is required, and unknown fields
/// are allowed, though reported as remarks. It is stricter only about numbers too large for their type.
package struct RecordValidator: Sendable {
    package let model: String
    private let plan: ValidationPlan

    /// Returns nil if there is no such model.
    package init?(model name: String) {
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
            /// The model has no such field.
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

    /// The kind of a JSON value. A number without a fraction is an integer, however it is written.
    package enum JSONKind: String, Sendable {
        case null, boolean, integer, number, string, object, array
    }

    /// The first problems of one record, in byte order.
    ///
    /// - Parameters:
    ///   - record: one JSON value, optionally surrounded by white space.
    ///   - limit: the maximum number of problems.
    package func problems(in record: UnsafeRawBufferPointer, limit: Int = 20) -> [Problem] {
        look(at: record, limit: limit).problems
    }

    /// The problems, and remarks on what is valid but notable.
    package func look(
        at record: UnsafeRawBufferPointer, limit: Int = 20
    ) -> (problems: [Problem], remarks: [Remark]) {
        var walk = ValidationWalk(bytes: record, plan: plan, limit: limit)
        let problems = walk.problems()
        return (problems, walk.remarks)
    }

    /// The first problems of one record, in byte order.
    package func problems(in record: [UInt8], limit: Int = 20) -> [Problem] {
        record.withUnsafeBytes { problems(in: $0, limit: limit) }
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
