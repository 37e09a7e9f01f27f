/// What happens to records on their way to the output, in order.
///
/// Call `consume` for one batch after the other, from one task at a time, then `finish` once. After an error, or when
/// the task was cancelled, neither is called again.
package protocol RecordFilter: Sendable {
    /// Takes the next batch, in the order of the stream.
    ///
    /// Suspends while too much is waiting, so memory stays bounded.
    /// - Returns: `.stop` when no further record can matter: stop fetching and call `finish`.
    /// - Throws: what the output or the filter threw, at this call or a later one; `CancellationError`.
    func consume(_ batch: RecordBatch) async throws -> RecordFlow

    /// Everything was handed over: finishes what is under way and writes it.
    func finish() async throws -> FilterReport

    /// The stream broke off: ends the run. What single records gave is written and flushed; a result over all of them,
    /// such as a sum, is not, because it would look like the real one. Throws when the program does not even compile.
    func breakOff() async throws
}
