/// What is wrong with the body of a request, found before anything is sent.
package enum BodyError: Error, Equatable, Sendable {
    /// A `--field` that is none.
    case malformedField(String, reason: FieldFault)
    /// The same place twice.
    case repeatedField(String)
    /// One field has a value, the other is a part of it.
    case conflict(String, String)
    /// The model of the body has no such field; the service would ignore it in silence.
    case unknownField(String, model: String, suggestions: [String])
    /// The field cannot hold the value.
    case wrongValue(String, field: String, expected: Expectation)
    /// A field of a body that is JSON already holds what it cannot hold; an empty name is the body itself.
    case unfit(String, found: Found, expected: Expectation)
    /// The body itself, from a file or standard input, is not JSON.
    case notJSON(JSONCheck.Fault, source: String)
    /// The value of a field, from a file or standard input, is not UTF-8.
    case notText(source: String)

    package enum FieldFault: Sendable {
        case noValue, noName, emptyName, openBracket, index, nestedList
    }

    /// What was found where something else belongs.
    package enum Found: Equatable, Sendable {
        case kind(RecordValidator.JSONKind)
        /// A number or a word, which may be shown.
        case text(String)
    }

    package enum Expectation: Equatable, Sendable {
        case string, boolean, number, time
        case integer(bits: Int)
        /// An amount; `suggestion` is the number in minor units that was probably meant.
        case minorUnits(suggestion: String?)
        /// Parts, written with a dot.
        case object
        /// Entries, written with brackets.
        case list
        /// A single value: the field has no parts and no entries.
        case single(type: String)
        /// One of these; `suggestions` are the nearest ones.
        case oneOf([String], suggestions: [String])
    }
}
