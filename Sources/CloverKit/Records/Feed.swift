/// Hands over values from a reader that pushes to a consumer that pulls. The reader starts with the first `next()`, and waits
/// after each value until the next one is wanted. When the feed is no longer referenced, the reader is cancelled.
package final class Feed<Element: Sendable>: Sendable {
    /// Reads, and passes each value to its argument, which returns false when no more are wanted. One value at a time.
    package typealias Reader = @Sendable (@escaping @Sendable (Element) async throws -> Bool) async throws -> Void

    private let wishes: AsyncStream<Void>.Continuation
    private let values: AsyncThrowingStream<Element, any Error>
    private let task: Task<Void, Never>

    package init(_ read: @escaping Reader) {
        let (wanted, wishes) = AsyncStream.makeStream(of: Void.self)
        let (values, arrivals) = AsyncThrowingStream.makeStream(of: Element.self)
        self.wishes = wishes
        self.values = values
        task = Task {
            @Sendable func isWanted() async -> Bool {
                var wishes = wanted.makeAsyncIterator()
                return await wishes.next() != nil
            }
            guard await isWanted() else { return }
            do {
                try await read { value in
                    arrivals.yield(value)
                    return await isWanted()
                }
                arrivals.finish()
            } catch {
                arrivals.finish(throwing: error)
            }
        }
    }

    deinit { task.cancel() }

    /// The next value; nil after the last one.
    package func next() async throws -> Element? {
        wishes.yield()
        var arrivals = values.makeAsyncIterator()
        let value = try await arrivals.next()
        // A cancelled stream only ends.
        if value == nil { try Task.checkCancellation() }
        return value
    }
}
