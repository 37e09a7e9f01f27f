/// The lines of a file or of standard input, one after the other, read only as far as they are asked for.
package protocol InputLines: Sendable {
    /// The next line without its line break; nil after the last one. A cancelled task stops waiting at once.
    ///
    /// - Throws: `DescriptorReader.Failure`, with `EFBIG` for a line longer than anybody means; `CancellationError`.
    func next() async throws -> [UInt8]?
}
