import Synchronization

/// Makes pages shorter than asked, in the middle of a list. Which ones depends on the seed and on how many lists were
/// asked for.
final class ShortPages: Sendable {
    private let probability: Double
    private let seed: UInt64
    private let pages = Mutex(0)

    init(probability: Double, seed: UInt64) {
        self.probability = probability
        self.seed = seed
    }

    /// The number of rows a page has; never none, and never fewer than asked at the end of the list.
    func rows(of page: ListQuery, total: Int) -> Int {
        guard probability > 0, page.limit > 1, total - page.offset > page.limit else { return page.limit }
        let number = pages.withLock { count in
            count += 1
            return count
        }
        var random = SeededRandom(seed: seed, stream: .shortPage, index: number)
        guard random.fraction() < probability else { return page.limit }
        return 1 + random.below(page.limit - 1)
    }
}
