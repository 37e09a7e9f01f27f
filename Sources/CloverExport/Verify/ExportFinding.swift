/// One thing that is not as the exports left it.
package struct ExportFinding: Sendable, Equatable {
    package enum Kind: String, Sendable, CaseIterable {
        /// A file that an export published, or a table, does not exist.
        case missing
        /// A file has lost its end, or a table some rows.
        case shortened
        /// A file or a table has other contents than were exported, or a view is missing.
        case changed
        /// A file has another number of rows than the manifest says.
        case rows
        /// A directory, a link or a device is in the place of a file.
        case notFile = "not_a_file"
        /// A file cannot be read, so that nothing is known of its contents.
        case unreadable
        /// No export made this file.
        case foreign
        /// The manifest, or one of its lines, is missing, unreadable, repeated or not what was written.
        case manifest
        /// No file has the records of a time between those of others.
        case gap
        /// Two files, or two parts of one, hold the same window.
        case overlap
        /// A table has rows with other keys than exports left, so that some may be missing.
        case keys
        /// Rows of a nested list belong to no record.
        case orphan
        /// The list that Clover returned does not have a record.
        case gone
        /// The destination is no longer recognized, so that the next run would start over.
        case identity

        /// Whether records are missing, or may be.
        package var isLoss: Bool {
            switch self {
            case .missing, .shortened, .notFile, .unreadable, .gap, .keys: true
            case .changed, .rows, .foreign, .manifest, .overlap, .orphan, .gone, .identity: false
            }
        }
    }

    package var kind: Kind
    /// Path relative to the destination, or name of the table; nil for what concerns no single file.
    package var file: String?
    package var resource: String?
    package var merchant: String?
    /// What is wrong, for people: no stop at the end.
    package var sentence: String

    package init(
        _ kind: Kind, file: String? = nil, resource: String? = nil, merchant: String? = nil, _ sentence: String
    ) {
        self.kind = kind
        self.file = file
        self.resource = resource
        self.merchant = merchant
        self.sentence = sentence
    }
}
