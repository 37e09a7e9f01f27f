/// Tells where records stray from the model that the catalogue has of them. It agrees with `JSONSchema`: no field is
/// required, and unknown fields are allowed, though remarked on; only numbers too large for their type are more than it says.
package struct RecordValidator: Sendable {
    package let model: String
    private let plan: ValidationPlan

    /// Nil when there is no such model.
    package init?(model name: String) {
        guard let plan = ValidationPlan(model: name) else { return nil }
        model = name
        self.plan = plan
    }

    /// One place of a record that strays.
    package struct Problem: Sendable, Equatable {
        /// A JSON pointer into the record (RFC 6901): `/lineItems/elements/3/price`; empty for the record itself.
        package let pointer: String
        package let kind: Kind

        package init(pointer: String, kind: Kind) {
            self.pointer = pointer
            self.kind = kind
        }
    }

    /// Something about a record that fits its model all the same. `pointer` has `*` for every place of a list.
    package struct Remark: Sendable, Hashable {
        package enum Kind: Sendable, Hashable {
            /// The model has no such field.
            case unknownField
            /// A whole number beyond 2^53, which only programs that read digits keep as it is.
            case inexact
        }

        package let pointer: String
        package let kind: Kind
    }

    package enum Kind: Sendable, Equatable {
        /// - Parameter expected: a type as `FieldType.name` has it.
        case wrongType(expected: String, found: JSONKind)
        /// A string that is no case of the enum; `enumeration` is nil for the values of a plain string.
        case unknownCase(String, enumeration: String?)
        /// Not JSON, or more levels deep than records ever are.
        case notJSON(at: Int)
        /// A whole number larger than its type.
        case outOfRange(expected: String)

        /// The kind without what differs from record to record, for counting.
        package var general: Kind {
            switch self {
            case .wrongType, .unknownCase, .outOfRange: self
            case .notJSON: .notJSON(at: 0)
            }
        }
    }

    /// What a JSON value is. A number is an integer when it has no part after the point, however it is written.
    package enum JSONKind: String, Sendable {
        case null, boolean, integer, number, string, object, array
    }

    /// The first problems of one record, in the order of its bytes.
    ///
    /// - Parameters:
    ///   - record: one JSON value, and nothing but white space around it.
    ///   - limit: how many problems are wanted at most.
    package func problems(in record: UnsafeRawBufferPointer, limit: Int = 20) -> [Problem] {
        look(at: record, limit: limit).problems
    }

    /// The same, and what else there is to say of the record.
    package func look(
        at record: UnsafeRawBufferPointer, limit: Int = 20
    ) -> (problems: [Problem], remarks: [Remark]) {
        var walk = ValidationWalk(bytes: record, plan: plan, limit: limit)
        let problems = walk.problems()
        return (problems, walk.remarks)
    }

    /// The first problems of one record, in the order of its bytes.
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
            return "\(place) is '\(value)', which \(enumeration ?? "the catalogue") does not know"
        case .outOfRange(let expected): return "\(place) is a number too large for \(expected)"
        case .notJSON(let position): return "\(place) is not JSON at byte \(position)"
        }
    }
}
