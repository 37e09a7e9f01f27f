/// A record on which the program failed; its results before that are written.
package struct RecordFailure: Sendable, Equatable {
    /// The index of the record in the stream, from 0. With `slurp`, where all records are one input, 0.
    package var index: Int
    /// The record's `id`; nil if it has none, and with `slurp`.
    package var id: String?
    /// jq's message without `jq: error (at ...): `. For a thrown value that is not a string, `(not a string): ` and the
    /// value as JSON. For a record that is not JSON or is nested deeper than jq allows, it starts with `parse error: `.
    package var message: String

    package init(index: Int, id: String?, message: String) {
        self.index = index
        self.id = id
        self.message = message
    }
}
