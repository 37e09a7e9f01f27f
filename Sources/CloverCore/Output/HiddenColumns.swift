import Synchronization

/// The headings of columns for which a terminal has no room, kept until the table is there.
final class HiddenColumns: Sendable {
    private let state = Mutex<[String]>([])

    func note(_ titles: [String]) { state.withLock { $0 += titles } }

    /// What to say of them; nil when there are none.
    var notice: String? {
        let titles = state.withLock(\.self)
        return titles.isEmpty ? nil : "no room for \(titles.joined(separator: ", ")); --fields chooses columns"
    }
}
