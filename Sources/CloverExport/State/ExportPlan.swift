/// A run over one resource, written down with its first page, so that one that is killed is gone on with.
package struct ExportPlan: Sendable, Equatable {
    /// Its row; 0 for one that is not written down.
    package var place: Int64
    /// The row of the last file that there was before it; nil for one that is not written down.
    package var filesBefore: Int64?
    /// What was asked for: `last`, `full`, `since=-7d`, `day=2026-11-20`.
    package var request: String
    /// Milliseconds since 1970, as the rest.
    package var startedAt: Int64
    /// Nil for a resource that is taken whole.
    package var start: Int64?
    package var finish: Int64
    /// What the last run exported is not exported again.
    package var dropsKnown: Bool
    /// Records so far.
    package var records: Int64
    /// The latest time of a record so far.
    package var newest: Int64?
    /// The sum of a resource that was taken whole; nil before it was.
    package var content: String?
    package var windows: [Window]
    /// Where the list begins, when it was looked for to make the plan. It is not written down with it.
    package var beginning: Int64?

    package init(request: String, startedAt: Int64, finish: Int64, dropsKnown: Bool) {
        place = 0
        self.request = request
        self.startedAt = startedAt
        self.finish = finish
        self.dropsKnown = dropsKnown
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
