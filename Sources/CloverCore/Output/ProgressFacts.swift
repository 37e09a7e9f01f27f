/// How far one thing is, such as the export of one resource: what a line of progress tells.
package struct ProgressFacts: Sendable, Equatable {
    package enum Phase: Sendable, Equatable {
        /// Its turn has not come.
        case waiting
        case underWay
        /// It has come to its end; in words, such as `done`.
        case finished(String)
    }

    /// What it is, such as `orders`.
    package var title: String
    package var phase = Phase.underWay
    /// What is counted by `done` and `total`, in the singular: `window`, `record`, `line`.
    package var unit = "record"
    /// How many of these are done.
    package var done = 0
    /// How many there will be; nil when nobody knows.
    package var total: Int?
    /// How much of all is done, from 0 to 1, where that is known better than by what is counted; nil otherwise.
    package var share: Double?
    /// What to say where nothing is counted, such as `waiting for the answer`.
    package var words: String?
    package var records = 0
    package var pages = 0
    /// Requests sent so far, from which the rate is made.
    package var requests = 0
    /// Seconds that requests waited for the shared budget so far; those that waited side by side count one by one.
    package var secondsWaited = 0.0
    /// Until when the service lets nobody send, in seconds since the machine started; nil without such a pause.
    package var pausedUntil: Double?

    package init(title: String) {
        self.title = title
    }

    /// How much of all is done, from 0 to 1; nil when nobody knows.
    var shareDone: Double? {
        if let share { return min(1, max(0, share)) }
        guard let total, total > 0 else { return nil }
        return min(1, Double(done) / Double(total))
    }
}
