import ArgumentParser

/// Where the body comes from: fields, a file, or lines.
enum BodySource {
    /// Refuses two sources at once.
    static func check(_ fields: FieldOptions, _ source: BodyInputOption, _ sending: RequestOptions) throws {
        guard !fields.field.isEmpty || !fields.rawField.isEmpty else { return }
        if sending.each { throw ValidationError("--field and --each exclude each other: each line is the whole body") }
        if source.input != nil { throw ValidationError("--field and --input exclude each other") }
    }
}
