/// What churn has done so far.
struct ChurnReport: Sendable {
    /// What happened to the rows of a list.
    private struct Events: Sendable {
        var inserted = 0
        var changed = 0
        /// Ids of rows that are gone: they are in no list any more, so nobody else can tell.
        var removed: [String] = []
    }

    /// Changes made; the number of the next one.
    private(set) var changes = 0
    private var rows: [String: Events] = [:]

    /// Counts a change that was asked for, whether the shop took it or not: its number is used up.
    mutating func count(_ request: APIRequest, isDone: Bool) {
        changes += 1
        guard isDone, request.path.count > 2 else { return }
        let words = Array(request.path.dropFirst(2))
        switch (request.method, words.count) {
        case ("DELETE", _): rows[words[0], default: Events()].removed.append(words[1])
        case ("PUT", _): rows["items", default: Events()].changed += 1
        case (_, 1): rows[words[0], default: Events()].inserted += 1
        case (_, 3):
            rows[words[2], default: Events()].inserted += 1
            rows[words[0], default: Events()].changed += 1
        default:
            if words[0] == "atomic_order" {
                rows["orders", default: Events()].inserted += 1
            } else {
                rows[words[0], default: Events()].changed += 1
            }
        }
    }

    /// `{"changes":N,"perSecond":R,"lists":{"orders":{"inserted":N,"changed":N,"removed":["ID"...]},...}}`
    func json(perSecond rate: Double) -> JSONValue {
        let lists = rows.sorted { $0.key < $1.key }.map { list, events -> (key: String, value: JSONValue) in
            let json: JSONValue = .object([
                ("inserted", .integer(events.inserted)), ("changed", .integer(events.changed)),
                ("removed", .array(events.removed.map { .string($0) })),
            ])
            return (list, json)
        }
        return .object([
            ("changes", .integer(changes)), ("perSecond", .number("\(rate)")), ("lists", .object(lists)),
        ])
    }
}
