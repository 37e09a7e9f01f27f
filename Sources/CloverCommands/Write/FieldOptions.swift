import ArgumentParser
import CloverAPI
import CloverCore

/// Options for the fields of a body.
struct FieldOptions: ParsableArguments {
    @Option(
        name: [.customShort("F"), .long], parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "Set a field: price=1250, employee.id=X, ids[]=X; @FILE reads the value from a file, @- from standard input.",
            valueName: "name=value"))
    var field: [String] = []

    @Option(
        name: [.customShort("f"), .customLong("raw-field")], parsing: .unconditionalSingleValue,
        help: ArgumentHelp("Set a field to a string, without converting it.", valueName: "name=value"))
    var rawField: [String] = []

    func validate() throws {
        // Other malformed fields are refused along with the body's other errors.
        for text in field + rawField where text.isEmpty {
            throw ValidationError("a field is written as name=value")
        }
    }

    /// The fields, typed ones first: ArgumentParser does not keep the order between the two options.
    func arguments() throws -> [FieldArgument] {
        try field.map { try FieldArgument(parsing: $0, isRaw: false) }
            + rawField.map { try FieldArgument(parsing: $0, isRaw: true) }
    }
}
