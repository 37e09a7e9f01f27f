import Synchronization

/// Keeps the last few selections that needed a scan, so that paging through a filtered list scans once. The shop does
/// not change, so a selection stays true.
package final class SelectionCache: Sendable {
    private static let capacity = 8
    private let entries = Mutex<[(key: String, positions: [UInt32])]>([])

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
}
