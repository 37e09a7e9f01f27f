import Synchronization

/// Decides which token calls are spoiled. Each fault counts for itself, from 1, the calls its path applies to: the first
/// refresh is number 1 for a fault of the refresh path, whatever came before it.
package final class OAuthFaultPlan: Sendable {
    private let specs: [FaultSpec]
    private let seed: UInt64
    private let counts: Mutex<[Int]>

    package init(specs: [FaultSpec], seed: UInt64) {
        self.specs = specs
        self.seed = seed
        counts = Mutex(Array(repeating: 0, count: specs.count))
    }

    /// Counts a call and gives its fault, the first one that applies; nil for most.
    package func next(path: String) -> FaultKind? {
        counts.withLock { counts in
            var chosen: FaultKind?
            for (place, spec) in specs.enumerated() {
                if let prefix = spec.pathPrefix, !path.hasPrefix(prefix) { continue }
                counts[place] += 1
                var random = SeededRandom(seed: seed, stream: .oauthFault, index: counts[place] * 64 + place)
                if chosen == nil, spec.selector.hits(counts[place], chance: random.fraction()) { chosen = spec.kind }
            }
            return chosen
        }
    }
}
