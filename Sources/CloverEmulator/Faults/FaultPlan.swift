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
