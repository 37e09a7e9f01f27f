import ArgumentParser
import CloverCore

/// What to send: a body from fields, from a file, or from lines.
struct BodyOptions: ParsableArguments {
    @OptionGroup(title: "What to send")
    var fields: FieldOptions

    @OptionGroup(title: "What to send")
    var source: BodyInputOption

    @OptionGroup(title: "What to send")
    var sending: RequestOptions

    func validate() throws {
        guard !fields.field.isEmpty || !fields.rawField.isEmpty else { return }
        if sending.each { throw ValidationError("--field and --each exclude each other: each line is a whole body") }
        if source.input != nil { throw ValidationError("--field and --input exclude each other") }
    }

    func apply(to request: inout WriteRequest) throws {
        try sending.apply(to: &request)
        request.input = source.input
        request.fields = try fields.arguments()
    }
}
