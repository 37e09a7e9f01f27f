/// How records are written.
package enum RecordFormat: String, Sendable, CaseIterable {
    /// One JSON value a line.
    case ndjson
    /// One JSON array of all records.
    case json
    /// Comma-separated values with a heading (RFC 4180).
    case csv
    /// Values with tabs between them and a heading, escaped as jq's `@tsv` does.
    case tsv
    /// Aligned columns for a person.
    case table

    /// - Throws: `.unknownFormat`.
    package init(parsing name: String) throws(RecordFormatError) {
        guard let format = RecordFormat(rawValue: name) else { throw .unknownFormat(name) }
        self = format
    }

    /// Whether the format has columns, and so cannot print whole records.
    package var hasColumns: Bool {
        switch self {
        case .ndjson, .json: false
        case .csv, .tsv, .table: true
        }
    }
}
