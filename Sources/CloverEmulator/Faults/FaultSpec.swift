/// Which answers are spoiled, and how: `KIND[:PROBABILITY|@REQUEST|@FROM-TO][:/path-prefix]`.
package struct FaultSpec: Sendable, Equatable {
    /// Which requests a fault hits.
    package enum Selector: Sendable, Equatable {
        /// Each with this probability, above 0 and at most 1.
        case probability(Double)
        /// Those with these numbers, from 1. `FaultPlan` and `CountedFaultPlan` say what is counted.
        case requests(ClosedRange<Int>)

        /// - Parameters:
        ///   - number: of the request.
        ///   - chance: a random number in `0 ..< 1`.
        func hits(_ number: Int, chance: @autoclosure () -> Double) -> Bool {
            switch self {
            case .requests(let numbers): numbers.contains(number)
            case .probability(let probability): chance() < probability
            }
        }
    }

    package let kind: FaultKind
    package let selector: Selector
    /// Only paths that begin so; paths of records are taken whole or behind the merchant, so `/orders` works.
    package let pathPrefix: String?

    package init(kind: FaultKind, selector: Selector, pathPrefix: String?) {
        self.kind = kind
        self.selector = selector
        self.pathPrefix = pathPrefix
    }

    /// Reads a specification; without a probability or number the fault hits every request.
    ///
    /// - Parameter target: the calls the fault is for, which decides what faults there are.
    package init(parsing text: String, for target: FaultTarget = .records) throws(FaultSpecError) {
        var rest = Substring(text)
        pathPrefix = Self.cutPath(&rest)
        let mark = rest.firstIndex { $0 == "@" || $0 == ":" } ?? rest.endIndex
        guard let kind = FaultKind(rawValue: String(rest[..<mark])), target.kinds.contains(kind) else {
            throw .unknownKind(String(rest[..<mark]), target)
        }
        if kind.isOfPayments, let pathPrefix, !PaymentAPI.serves(path: pathPrefix) {
            throw .notOfPayments(kind, path: pathPrefix)
        }
        self.kind = kind
        guard mark < rest.endIndex else {
            selector = .probability(1)
            return
        }
        let value = rest[rest.index(after: mark)...]
        if rest[mark] == ":" {
            guard let probability = Double(value), probability > 0, probability <= 1 else {
                throw .badProbability(String(value))
            }
            selector = .probability(probability)
        } else {
            let ends = value.split(separator: "-", omittingEmptySubsequences: false)
            guard let first = ends.first.flatMap({ Int($0) }), let last = ends.last.flatMap({ Int($0) }),
                ends.count <= 2, first >= 1, last >= first
            else { throw .badRequestNumber(String(value)) }
            selector = .requests(first...last)
        }
    }

    private static func cutPath(_ text: inout Substring) -> String? {
        var place = text.startIndex
        while place < text.endIndex {
            let next = text.index(after: place)
            if text[place] == ":", next < text.endIndex, text[next] == "/" {
                defer { text = text[..<place] }
                return String(text[next...])
            }
            place = next
        }
        return nil
    }
}

extension FaultSpec {
    /// Whether it counts payments for itself instead of all requests: a kind that only payments have, or a path of theirs.
    package var isForPayments: Bool {
        kind.isOfPayments || pathPrefix.map { PaymentAPI.serves(path: $0) } == true
    }
}

/// Why a fault specification cannot be read.
package enum FaultSpecError: Error, Equatable, CustomStringConvertible {
    case unknownKind(String, FaultTarget)
    case badProbability(String)
    case badRequestNumber(String)
    /// A fault that only payments have, with a path that is none of theirs.
    case notOfPayments(FaultKind, path: String)

    package var description: String {
        switch self {
        case .unknownKind(let text, let target):
            "unknown fault '\(text)', expected one of " + target.kinds.map(\.rawValue).joined(separator: ", ")
        case .badProbability(let text): "'\(text)' is not a probability above 0 and at most 1"
        case .badRequestNumber(let text): "'\(text)' is not a request number or range such as 3 or 2-4"
        case .notOfPayments(let kind, let path):
            "'\(kind.rawValue)' is for payments, whose paths begin with /v1 or /connect, not with \(path)"
        }
    }
}

/// The calls a fault is for.
package enum FaultTarget: Sendable {
    /// Requests for the shop's records.
    case records
    /// Calls that give codes or tokens.
    case oauth

    /// The faults such calls can have.
    package var kinds: [FaultKind] {
        switch self {
        case .records: FaultKind.allCases
        case .oauth: [.loseAnswer, .reset, .serverError, .unavailable, .notJSON, .truncate]
        }
    }
}

/// The ways an answer can be spoiled.
package enum FaultKind: String, Sendable, CaseIterable {
    /// The connection is reset without an answer.
    case reset
    /// 500 with a JSON body.
    case serverError = "500"
    /// 503 with an HTML body, as a proxy in front of the service gives.
    case unavailable = "503-html"
    /// The whole length is announced, a part is sent, the connection closes.
    case truncate
    /// The body comes in 16 parts, a tenth of a second apart.
    case slow
    /// 429 for the requests of a token in a second.
    case tokenRate = "429-rate"
    /// 429 for the requests of a token in flight, with `retry-after`.
    case tokenConcurrency = "429-concurrent"
    /// 200 with an HTML body.
    case notJSON = "not-json"
    /// 200 with an envelope that has no `elements`.
    case noElements = "no-elements"
    /// The work is done, then the connection is reset instead of the answer.
    case loseAnswer = "lose-answer"

    // Those of payments, by card or by device.

    /// The work is done, then 500 instead of the answer.
    case serverErrorAfter = "500-after"
    /// The card takes its time.
    case slowCard = "slow-card"
    /// The card is declined.
    case decline
    /// The card is declined with the status 500, which the page of the test cards names.
    case declineAsError = "decline-500"
    /// The key is said to belong to another call.
    case keyClash = "key-clash"
    /// The key is not remembered, as when its life is over: the same call again is done again.
    case forgetKey = "forget-key"
    /// The card's token is said to be used.
    case tokenUsed = "token-used"
    /// Half of the amount is approved.
    case partial
    /// Approved, and noticed as a likely repetition.
    case duplicate
    /// Approved with a signature.
    case signature
    /// The customer cancels at the device: 209.
    case cancel
    /// The device is busy with something else: 503.
    case busy
    /// The device cannot do it: 501.
    case unsupported
    /// The device does the work, but too late: 504.
    case deviceTimeout = "timeout"

    /// Whether only payments have it.
    package var isOfPayments: Bool {
        switch self {
        case .reset, .serverError, .unavailable, .truncate, .slow, .tokenRate, .tokenConcurrency, .notJSON, .noElements,
            .loseAnswer:
            false
        case .serverErrorAfter, .slowCard, .decline, .declineAsError, .keyClash, .forgetKey, .tokenUsed, .partial,
            .duplicate, .signature, .cancel, .busy, .unsupported, .deviceTimeout:
            true
        }
    }
}
