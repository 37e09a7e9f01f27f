import Synchronization

/// Decides which token calls or payments are spoiled. Each fault counts for itself, from 1, the calls it applies to: the first
/// refresh is number 1 for a fault of the refresh path, whatever came before it.
package final class CountedFaultPlan: Sendable {
    private let specs: [FaultSpec]
    private let seed: UInt64
    private let stream: RandomStream
    private let counts: Mutex<[Int]>

    package init(specs: [FaultSpec], seed: UInt64, stream: RandomStream = .oauthFault) {
        self.specs = specs
        self.seed = seed
        self.stream = stream
        counts = Mutex(Array(repeating: 0, count: specs.count))
    }

    /// Counts a call and gives its fault, the first one that applies; nil for most.
    ///
    /// - Parameter kinds: the faults such a call can have.
    package func next(path: String, kinds: Set<FaultKind> = Set(FaultTarget.oauth.kinds)) -> FaultKind? {
        counts.withLock { counts in
            var chosen: FaultKind?
            for (place, spec) in specs.enumerated() where kinds.contains(spec.kind) {
                if let prefix = spec.pathPrefix, !path.hasPrefix(prefix) { continue }
                counts[place] += 1
                var random = SeededRandom(seed: seed, stream: stream, index: counts[place] * 64 + place)
                if chosen == nil, spec.selector.hits(counts[place], chance: random.fraction()) { chosen = spec.kind }
            }
            return chosen
        }
    }
}
