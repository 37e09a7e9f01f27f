/// The location of one record in a batch.
package struct Record: Sendable, Equatable {
    /// The record's bytes in `RecordBatch.bytes`, without the newline that follows them.
    package var range: Range<Int>
    /// The number of invalid UTF-8 sequences in it that were replaced by U+FFFD.
    package var replacements: Int

    package init(range: Range<Int>, replacements: Int = 0) {
        self.range = range
        self.replacements = replacements
    }
}
