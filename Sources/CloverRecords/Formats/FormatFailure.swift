/// A record that cannot be printed, because it is not valid JSON.
package struct FormatFailure: Sendable, Equatable {
    /// The index of the record in the stream, from 0.
    package var index: Int
    /// The record's `id`, if it can be read.
    package var id: String?
    /// The offset in the record, in bytes.
    package var offset: Int

    package init(index: Int, id: String?, offset: Int) {
        self.index = index
        self.id = id
        self.offset = offset
    }
}
