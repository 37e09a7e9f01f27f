/// The newest requests with the moments of their arrival and of the last byte of their answer, as the connections saw
/// them. Times come in as nanoseconds that never fall, and are told as milliseconds since the first request.
package struct TrafficLog: Sendable {
    struct Entry: Sendable {
        let number: Int
        /// Method and path, without the query.
        let request: String
        let owner: TokenOwner?
        let refusal: Refusal?
        let arrived: Int
        var left: Int?
    }

    /// So many are kept at least.
    package static let length = 10_000

    private var entries: [Entry] = []
    private var start: Int?

    mutating func add(_ entry: Entry) {
        if start == nil { start = entry.arrived }
        if entries.count >= 2 * Self.length { entries.removeFirst(Self.length) }
        entries.append(entry)
    }

    /// The answer to a request is out. Numbers rise one by one.
    mutating func leave(_ number: Int, at now: Int) {
        guard let first = entries.first?.number, entries.indices.contains(number - first) else { return }
        entries[number - first].left = now
    }

    /// The answer to `GET /emulator/requests`.
    package var json: JSONValue {
        let start = start ?? 0
        func milliseconds(_ time: Int) -> JSONValue { .integer((time - start) / 1_000_000) }
        return .object([
            (
                "elements",
                .array(
                    entries.suffix(Self.length).map { entry in
                        .object([
                            ("number", .integer(entry.number)), ("request", .string(entry.request)),
                            ("merchantId", entry.owner.map { .string($0.merchantID) } ?? .null),
                            ("appId", entry.owner?.appID.map { .string($0) } ?? .null),
                            ("arrivedMilliseconds", milliseconds(entry.arrived)),
                            ("leftMilliseconds", entry.left.map { milliseconds($0) } ?? .null),
                            ("rejected", entry.refusal.map { .string($0.rawValue) } ?? .null),
                        ])
                    })
            )
        ])
    }
}
