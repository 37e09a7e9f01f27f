/// Where one record lies inside a batch.
package struct Record: Sendable, Equatable {
    /// The record's bytes in `RecordBatch.bytes`, without the newline that follows them.
    package var range: Range<Int>
    /// How many sequences of bytes in it were not UTF-8, and are U+FFFD now.
    package var replacements: Int

    package init(range: Range<Int>, replacements: Int = 0) {
        self.range = range
        self.replacements = replacements
    }
}
