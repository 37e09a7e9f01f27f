/// Processes records on their way to the output, in order.
///
/// Call `consume` for each batch, from one task at a time, then `finish` once. After an error or a cancellation, call
/// neither again.
package protocol RecordFilter: Sendable {
    /// Processes the next batch of the stream.
    ///
    /// Suspends while too much is queued, so that memory stays bounded.
    /// - Returns: `.stop` if further records do not matter: stop fetching and call `finish`.
    /// - Throws: an error of the output or the filter, from this call or an earlier one; `CancellationError`.
    func consume(_ batch: RecordBatch) async throws -> RecordFlow

    /// Ends the stream: completes and writes everything that is pending.
    func finish() async throws -> FilterReport

    /// Ends an incomplete stream. Results of single records are written and flushed; a result over all of them, such as
    /// a sum, is not, because it would look like the real one. Throws if the program does not compile.
    func breakOff() async throws
}
