import Synchronization

/// Decides which requests for records are spoiled. Only the seed, the number of the request and its path count, so a run can be
/// repeated.
package struct FaultPlan: Sendable {
    private let specs: [FaultSpec]
    private let seed: UInt64

    package init(specs: [FaultSpec], seed: UInt64) {
        self.specs = specs
        self.seed = seed
    }

    /// The fault for a request, the first one that applies; nil for most.
    ///
    /// - Parameters:
    ///   - number: of the V3 request, from 1.
    ///   - path: the whole path, without the query.
    package func fault(forRequest number: Int, path: String) -> FaultKind? {
        for (place, spec) in specs.enumerated() where !spec.isForPayments {
            if let prefix = spec.pathPrefix, !path.hasPrefix(prefix), !Self.behindMerchant(path).hasPrefix(prefix) {
                continue
            }
            var random = SeededRandom(seed: seed, stream: .fault, index: number * 64 + place)
            if spec.selector.hits(number, chance: random.fraction()) { return spec.kind }
        }
        return nil
    }

    /// How many bytes of a body a cut answer has: between a tenth and nine tenths.
    package func cut(forRequest number: Int, length: Int) -> Int {
        var random = SeededRandom(seed: seed, stream: .cut, index: number)
        return length / 10 + random.below(max(length * 8 / 10, 1))
    }

    /// `/orders` of `/v3/merchants/M/orders`.
    private static func behindMerchant(_ path: String) -> Substring {
        let parts = path.split(separator: "/", maxSplits: 3)
        guard parts.count == 4 else { return "" }
        return path[path.index(before: parts[3].startIndex)...]
    }
}

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

/// The faults that calls about money can have.
enum PaymentFaults {
    private static let onTheWay: Set<FaultKind> = [
        .reset, .serverError, .unavailable, .truncate, .slow, .notJSON, .tokenRate, .tokenConcurrency,
    ]
    private static let ofWrites = onTheWay.union([.loseAnswer, .serverErrorAfter])
    private static let ofKeys: Set<FaultKind> = [.keyClash, .forgetKey]
    private static let ofDevices: Set<FaultKind> = [.busy, .unsupported, .deviceTimeout]

    /// Those of a call by its method and path.
    static func kinds(method: String, path: String) -> Set<FaultKind> {
        guard method == "POST" else { return onTheWay }
        switch path {
        case "/v1/tokens": return ofWrites
        case "/v1/charges": return ofWrites.union(ofKeys).union([.slowCard, .decline, .declineAsError, .tokenUsed])
        case "/connect/v1/payments":
            return ofWrites.union(ofKeys).union(ofDevices).union([
                .slowCard, .decline, .partial, .duplicate, .signature, .cancel,
            ])
        case "/connect/v1/credits":
            return ofWrites.union(ofKeys).union(ofDevices).union([.slowCard, .decline, .cancel])
        default:
            return path.hasPrefix("/connect/") ? ofWrites.union(ofKeys).union(ofDevices) : ofWrites.union(ofKeys)
        }
    }
}
