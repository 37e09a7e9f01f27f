/// The output format of records.
package enum RecordFormat: String, Sendable, CaseIterable {
    /// One JSON value per line.
    case ndjson
    /// One JSON array of all records.
    case json
    /// Comma-separated values with a header (RFC 4180).
    case csv
    /// Tab-separated values with a header, escaped like jq's `@tsv`.
    case tsv
    /// Aligned columns for people.
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
