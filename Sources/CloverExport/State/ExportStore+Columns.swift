import GRDB

extension ExportStore {
    /// The default columns of a resource's files in one form: those of the first export in that form, so that they never
    /// change, whatever a later version would choose.
    ///
    /// - Parameters:
    ///   - resource: the resource, or `RESOURCE.PART`.
    ///   - form: identifies the form.
    ///   - choice: hash of the options that decide what a file looks like.
    ///   - hasBegun: whether the stream is known to have records in this form.
    ///   - current: the columns of this version, for a form that begins now.
    ///   - original: the columns of a form that began with a version that did not store them.
    package func columns(
        of resource: String, in stream: Int64, form: String, choice: String, hasBegun: Bool, current: [String],
        original: [String]
    ) async throws -> [String] {
        try await write { database in
            let known: String? = try database.value(
                "SELECT columns FROM default_columns WHERE stream = ? AND resource = ? AND form = ?",
                [stream, resource, form])
            if let known { return known.split(separator: ",").map(String.init) }
            // The form of files of the first versions is not known.
            let hasFiles: Bool? = try database.value(
                """
                SELECT EXISTS (SELECT 1 FROM files WHERE stream = ? AND resource = ? AND ifnull(choice = ?, 1))
                """, [stream, resource, choice])
            let columns = hasBegun || hasFiles == true ? original : current
            try database.run(
                "INSERT INTO default_columns (stream, resource, form, columns) VALUES (?, ?, ?, ?)",
                [stream, resource, form, columns.joined(separator: ",")])
            return columns
        }
    }
}
