import CloverFeed
import CloverJSON
import CloverSystem
import CloverTestSupport
import Testing

@Suite("feed: what others report")
struct FeedHintTests {
    /// One list with one record, which changes at the second reading.
    private struct Source: FeedSource {
        var readings = 0

        mutating func read(
            _ poll: FeedPoll, at now: Int64, deliver: ([SeenRecord]) async throws -> RecordFlow
        ) async throws -> FeedCost {
            readings += 1
            let record = SeenRecord(
                id: "A", time: 1000 + Int64(readings), created: 1000, hash: Int64(min(readings, 2)),
                bytes: Array(#"{"id":"A"}"#.utf8))
            if readings <= 2 { _ = try await deliver([record]) }
            return FeedCost(requests: 1)
        }
    }

    /// Unchecked, because one task at a time uses it.
    private final class Outside: @unchecked Sendable {
        var clock: Int64 = 5000
        var hints: [[FeedHint]] = [
            [.changed(resource: "orders"), .changed(resource: "other")],
            [.deleted(resource: "orders", id: "A", at: 9000), .deleted(resource: "orders", id: "A", at: 9000)],
        ]
        var delivered: [String] = []
    }

    @Test("a list that changed is read at once, and a deletion comes once, without a reading")
    func hints() async throws {
        let directory = try TemporaryDirectory()
        let store = try await FeedStore.open(
            "feed.sqlite", in: StateDirectory(path: directory.path), environment: "us", merchant: "M", now: 1)
        let rules = FeedRules(changeField: "modifiedTime", creationField: "createdTime", overlap: 5000)
        let outside = Outside()
        var loop = FeedLoop(
            [(Source(), try await store.stream("orders", rules, floor: 0))], store: store, longest: 60_000,
            idleTime: 100_000,
            FeedLoop.Surroundings(
                wall: { outside.clock }, boot: { outside.clock },
                wait: { seconds in
                    // A reported change comes long before the list is due.
                    guard outside.hints.isEmpty else {
                        outside.clock += 10
                        return outside.hints.removeFirst()
                    }
                    outside.clock += Int64(seconds * 1000) + 1
                    return []
                },
                deliver: { store in
                    for change in try await store.portion(limit: 9) {
                        outside.delivered.append("\(change.kind) at \(outside.clock)")
                        try await store.confirm(through: change.sequence)
                    }
                }))
        try await loop.run()
        #expect(outside.delivered == ["created at 5000", "updated at 5010", "deleted at 5020"])
    }
}
