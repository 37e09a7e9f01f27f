/// What is known of the exports of one resource of one merchant to one destination. Instants are milliseconds since 1970.
package struct ExportStream: Sendable, Equatable {
    /// Its row.
    package var place: Int64
    package var destination: String
    package var environment: String
    package var merchant: String
    package var resource: String
    package var profile: String?
    /// Where the next run begins; nil before the first one has come to its end.
    package var bookmark: Int64?
    /// Milliseconds that the bookmark is before the end of the run that set it.
    package var overlap: Int64?
    /// Where the list was found to begin; nil where nobody has looked.
    package var beginning: Int64?
    /// What the runs that follow each other write; nil where that is not known.
    package var form: ExportForm?
    /// The latest time of a record.
    package var newest: Int64?
    /// The sum of a resource that is taken whole.
    package var content: String?
    /// When a run began that was asked for it, whether it got that far or not; nil when none was.
    package var askedAt: Int64?
    package var attemptedAt: Int64?
    /// When the last run began that came to its end.
    package var succeededAt: Int64?
    /// Milliseconds between the last two of them.
    package var interval: Int64?
    /// What was changed before then is exported.
    package var coveredTo: Int64?
    /// Records of the last run that came to its end.
    package var lastRecords: Int64
    package var records: Int64
    package var files: Int64
    /// Runs that failed since.
    package var failures: Int64
    /// What the last of them said.
    package var failure: String?

    /// Where a run begins that asks again for `overlap` milliseconds before the end of the last one; nil for the beginning
    /// of all.
    package func bookmark(overlap: Int64) -> Int64? {
        bookmark.map { $0 - max(0, overlap - (self.overlap ?? overlap)) }
    }
}
