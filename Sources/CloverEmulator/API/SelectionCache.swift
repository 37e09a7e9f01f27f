import Synchronization

/// Keeps the last few selections that needed a scan, so that paging through a filtered list scans once, and the orders of
/// lists that are asked for again and again. What it keeps is named by the version of the list, and so stays true.
package final class SelectionCache: Sendable {
    private static let capacity = 8
    private static let mostOrders = 4
    private let entries = Mutex<[(key: String, positions: [UInt32])]>([])
    /// Nil for one that was asked for once.
    private let orders = Mutex<[(key: String, order: FieldOrder?)]>([])

    package init() {}

    package subscript(key: String) -> [UInt32]? {
        get {
            entries.withLock { list in
                guard let place = list.firstIndex(where: { $0.key == key }) else { return nil }
                let entry = list.remove(at: place)
                list.append(entry)
                return entry.positions
            }
        }
        set {
            guard let newValue else { return }
            entries.withLock { list in
                list.removeAll { $0.key == key }
                if list.count == Self.capacity { list.removeFirst() }
                list.append((key, newValue))
            }
        }
    }

    /// The order of a list that does not change between two requests; nil the first time, because a list that does would
    /// be put in order for each of them.
    func order(_ key: String, _ make: () -> FieldOrder?) -> FieldOrder? {
        // Whoever waits here would make the same one.
        orders.withLock { list in
            guard let place = list.firstIndex(where: { $0.key == key }) else {
                if list.count == Self.mostOrders { list.removeFirst() }
                list.append((key, nil))
                return nil
            }
            var entry = list.remove(at: place)
            entry.order = entry.order ?? make()
            list.append(entry)
            return entry.order
        }
    }
}
