internal import CJQ

/// Runs an extraction. Must stay on one thread, because libjq's reference counts are not atomic.
final class Extractor {
    private enum Step {
        /// The name is owned.
        case field(jv)
        case length
        case object([(name: jv, steps: [Step])])
    }

    private let steps: [Step]
    /// The parts of a record that are needed.
    let need: RequiredFields

    init(_ extraction: Extraction) {
        need = extraction.need
        steps = Self.prepared(extraction.steps)
    }

    deinit {
        Self.free(steps)
    }

    /// The single result, owned by the caller; nil if the record does not fit. Does not consume the record.
    func result(of record: jv) -> jv? {
        Self.value(steps, consuming: jv_copy(record))
    }

    private static func value(_ steps: [Step], consuming input: jv) -> jv? {
        var value = input
        for step in steps {
            switch step {
            case .field(let name):
                value = jv_get(value, jv_copy(name))
                if jv_is_valid(value) == 0 {
                    jv_free(value)
                    return nil
                }
            case .length:
                guard let length = length(consuming: value) else { return nil }
                value = length
            case .object(let members):
                guard let object = object(members, consuming: value) else { return nil }
                value = object
            }
        }
        return value
    }

    private static func object(_ members: [(name: jv, steps: [Step])], consuming input: jv) -> jv? {
        defer { jv_free(input) }
        var object = jv_object()
        for member in members {
            guard let value = value(member.steps, consuming: jv_copy(input)) else {
                jv_free(object)
                return nil
            }
            object = jv_object_set(object, jv_copy(member.name), value)
        }
        return object
    }

    /// `length` as defined in jq's manual; nil where it is an error.
    private static func length(consuming value: jv) -> jv? {
        switch jv_get_kind(value) {
        case JV_KIND_NULL: return jv_number(0)
        case JV_KIND_ARRAY: return jv_number(Double(jv_array_length(value)))
        case JV_KIND_OBJECT: return jv_number(Double(jv_object_length(value)))
        case JV_KIND_STRING: return jv_number(Double(jv_string_length_codepoints(value)))
        case JV_KIND_NUMBER: return jv_number(jv_number_value(value).magnitude)
        default:
            jv_free(value)
            return nil
        }
    }

    // MARK: Names

    private static func prepared(_ steps: [Extraction.Step]) -> [Step] {
        steps.map { step in
            switch step {
            case .field(let name): .field(JQValue.string(name))
            case .length: .length
            case .object(let members):
                .object(members.map { (name: JQValue.string($0.name), steps: prepared($0.steps)) })
            }
        }
    }

    private static func free(_ steps: [Step]) {
        for step in steps {
            switch step {
            case .field(let name): jv_free(name)
            case .length: break
            case .object(let members):
                for member in members {
                    jv_free(member.name)
                    free(member.steps)
                }
            }
        }
    }
}
