import Synchronization

/// Decides which record requests get a fault. Depends only on the seed, the number of the request and its path, so a
/// run is reproducible.
package struct FaultPlan: Sendable {
    private let specs: [FaultSpec]
    private let seed: UInt64

    package init(specs: [FaultSpec], seed: UInt64) {
        self.specs = specs.filter { !$0.kind.isOfWebhooks }
        self.seed = seed
    }

    /// The first fault that applies to a request; nil for most requests.
    ///
    /// - Parameters:
    ///   - number: number of the V3 request, from 1.
    ///   - path: the whole path, without the query.
    package func fault(forRequest number: Int, path: String) -> FaultKind? {
        first(forRequest: number, path: path) { $0.kind != .requestID && !$0.isForPayments }
    }

    /// Whether the response carries a request id.
    func hasRequestID(forRequest number: Int, path: String) -> Bool {
        first(forRequest: number, path: path) { $0.kind == .requestID } != nil
    }

    private func first(forRequest number: Int, path: String, among isMeant: (FaultSpec) -> Bool) -> FaultKind? {
        for (place, spec) in specs.enumerated() where isMeant(spec) {
            if let prefix = spec.pathPrefix, !path.hasPrefix(prefix), !Self.behindMerchant(path).hasPrefix(prefix) {
                continue
            }
            var random = SeededRandom(seed: seed, stream: .fault, index: number * 64 + place)
            if spec.selector.hits(number, chance: random.fraction()) { return spec.kind }
        }
        return nil
    }

    /// The number of body bytes of a truncated response: between a tenth and nine tenths.
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

/// Decides which token calls or payments get a fault. Each fault counts the calls that it applies to separately, from
/// 1: the first refresh is number 1 for a fault on the refresh path, whatever came before.
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

    /// Counts a call and returns the first fault that applies; nil for most calls.
    ///
    /// - Parameter kinds: the faults that apply to this call.
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

extension FaultKind {
    private static let transportFaults: Set<FaultKind> = [
        .reset, .serverError, .unavailable, .truncate, .slow, .notJSON, .tokenRate, .tokenConcurrency, .textRefusal,
        .cloudflare,
    ]
    private static let listFaults: Set<FaultKind> = [
        .cursorAgain, .noHasMore, .bareList, .noReference, .hiddenRows,
    ]
    private static let keyFaults: Set<FaultKind> = [.keyClash, .forgetKey]
    private static let deviceFaults: Set<FaultKind> = [.busy, .unsupported, .deviceTimeout]

    /// The faults that apply to a payment call.
    static func ofPayments(method: String, path: String) -> Set<FaultKind> {
        if method == "PUT" || method == "DELETE" { return transportFaults.union([.loseAnswer, .serverErrorAfter]) }
        guard method == "POST" else {
            if path.hasPrefix("/recurring/") { return transportFaults.union([.hiddenRows]) }
            return ["/v1/charges", "/v1/refunds", "/v1/orders"].contains(path)
                ? transportFaults.union(listFaults) : transportFaults.union([.noReference])
        }
        let writeFaults = transportFaults.union([.loseAnswer, .serverErrorAfter])
        if path.hasPrefix("/invoicingcheckoutservice/") { return writeFaults.union([.noReference]) }
        if path == "/v1/tokens" || path.hasPrefix("/recurring/") || path.hasPrefix("/v1/customers") {
            return writeFaults
        }
        let faults = writeFaults.union(keyFaults).union(path.hasPrefix("/connect/") ? deviceFaults : [])
        return switch path {
        case "/v1/charges":
            faults.union([.slowCard, .decline, .declineAsError, .tokenUsed, .noReference, .pending, .threeDS])
        case "/v1/refunds": faults.union([.pending])
        case "/connect/v1/payments":
            faults.union([.slowCard, .decline, .partial, .duplicate, .signature, .cancel])
        case "/connect/v1/credits": faults.union([.slowCard, .decline, .cancel])
        default: faults
        }
    }
}
