/// A record on which the program failed; the results it gave before are written.
package struct RecordFailure: Sendable, Equatable {
    /// Which record of the stream, from 0. With `slurp`, where all records are one input, 0.
    package var index: Int
    /// The record's `id`, nil when it has none and with `slurp`.
    package var id: String?
    /// jq's message without `jq: error (at ...): `. A thrown value that is no string follows `(not a string): ` as
    /// JSON. `parse error: ` starts the message for a record that is not JSON or is nested deeper than jq reads.
    package var message: String

    package init(index: Int, id: String?, message: String) {
        self.index = index
        self.id = id
        self.message = message
    }
}
