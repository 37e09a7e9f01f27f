import ArgumentParser
import CloverAPI
import CloverCore

/// The body of a request.
struct FieldOptions: ParsableArguments {
    @Option(
        name: [.customShort("F"), .long], parsing: .unconditionalSingleValue,
        help: ArgumentHelp(
            "Set a field: price=1250, employee.id=X, ids[]=X; @FILE reads the value from a file, @- from standard input.",
            valueName: "name=value"))
    var field: [String] = []

    @Option(
        name: [.customShort("f"), .customLong("raw-field")], parsing: .unconditionalSingleValue,
        help: ArgumentHelp("Set a field to a string, however it looks.", valueName: "name=value"))
    var rawField: [String] = []

    func validate() throws {
        // Malformed fields are refused with the other errors of the body.
        for text in field + rawField where text.isEmpty {
            throw ValidationError("a field is written as name=value")
        }
    }

    /// The fields, typed ones first: ArgumentParser does not tell their order between the two options.
    func arguments() throws -> [FieldArgument] {
        try field.map { try FieldArgument(parsing: $0, isRaw: false) }
            + rawField.map { try FieldArgument(parsing: $0, isRaw: true) }
    }
}
