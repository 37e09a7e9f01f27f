/// Where one record lies inside a batch.
package struct Record: Sendable, Equatable {
    /// The record's bytes in `RecordBatch.bytes`, without the newline that follows them.
    package var range: Range<Int>

    package init(range: Range<Int>) {
        self.range = range
    }
}
