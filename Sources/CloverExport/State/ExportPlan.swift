/// A run over one resource. It is stored with its first page, so that the next run can resume it if it is killed.
///
/// Times are milliseconds since 1970.
package struct ExportPlan: Sendable, Equatable {
    /// Row id; 0 for a plan that is not stored.
    package var place: Int64
    /// Row id of the last file before the plan; nil for a plan that is not stored.
    package var filesBefore: Int64?
    /// Key of the range: `last`, `full`, `since=-7d`, `day=2026-11-20`.
    package var request: String
    package var startedAt: Int64
    /// Start of the range; nil for a resource exported in full.
    package var start: Int64?
    package var finish: Int64
    /// Whether records that the last run exported are skipped.
    package var skipsKnownRecords: Bool
    /// Number of records so far.
    package var records: Int64
    /// Latest time of a record so far.
    package var newest: Int64?
    /// Checksum of a resource exported in full; nil before it was read.
    package var content: String?
    package var windows: [Window]
    /// Creation time of the list's oldest record, when it was looked up to make the plan. It is not stored.
    package var beginning: Int64?

    package init(request: String, startedAt: Int64, finish: Int64, skipsKnownRecords: Bool) {
        place = 0
        self.request = request
        self.startedAt = startedAt
        self.finish = finish
        self.skipsKnownRecords = skipsKnownRecords
        records = 0
        windows = []
    }

    package struct Window: Sendable, Equatable {
        package var window: PlannedWindow
        package var isDone: Bool

        package init(window: PlannedWindow, isDone: Bool) {
            self.window = window
            self.isDone = isDone
        }
    }
}

/// What records look like in a run's output: two runs of one form write a record in the same way.
package struct ExportForm: Sendable, Equatable {
    /// Identifies the form.
    package var choice: String
    /// The options that make the form, for messages.
    package var words: String

    package init(choice: String, words: String) {
        self.choice = choice
        self.words = words
    }
}
