/// An error in a request body, found before anything is sent.
package enum BodyError: Error, Equatable, Sendable {
    /// A malformed `--field`.
    case malformedField(String, reason: FieldFault)
    /// The same field was given twice.
    case repeatedField(String)
    /// One field has a value, and the other is a part of that field.
    case conflict(String, String)
    /// The body's model has no such field; the service would silently ignore it.
    case unknownField(String, model: String, suggestions: [String])
    /// The field cannot hold the value.
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
        case kind(RecordValidator.JSONKind)
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
