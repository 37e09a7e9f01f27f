/// A record that cannot be printed, because it is not JSON where its fields were looked for.
package struct FormatFailure: Sendable, Equatable {
    /// Which record of the stream, from 0.
    package var index: Int
    /// The record's `id`, when it can be read.
    package var id: String?
    /// Where in the record, in bytes from its start.
    package var offset: Int

    package init(index: Int, id: String?, offset: Int) {
        self.index = index
        self.id = id
        self.offset = offset
    }
}
