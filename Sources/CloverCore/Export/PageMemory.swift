import Synchronization

/// What one window of a list teaches for the next ones: the most records that a page had.
final class PageMemory: Sendable {
    private let largest = Mutex(0)

    var largestPage: Int { largest.withLock { $0 } }

    func note(_ count: Int) {
        largest.withLock { $0 = max($0, count) }
    }
}
