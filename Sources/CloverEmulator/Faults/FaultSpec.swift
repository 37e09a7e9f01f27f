/// A fault specification, `KIND[:PROBABILITY|@REQUEST|@FROM-TO][:/path-prefix]`: which responses to replace or damage,
/// and how. A probability may be a percentage, and follow an equals sign: `webhook-lose=10%`.
package struct FaultSpec: Sendable, Equatable {
    package enum Selector: Sendable, Equatable {
        /// Each request, with this probability above 0 and at most 1.
        case probability(Double)
        /// The requests with these numbers, from 1. `FaultPlan` and `CountedFaultPlan` document what is counted.
        case requests(ClosedRange<Int>)

        /// - Parameters:
        ///   - number: number of the request.
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
    /// Only paths with this prefix. Record paths match as a whole or from the part after the merchant, so `/orders`
    /// works.
    package let pathPrefix: String?

    package init(kind: FaultKind, selector: Selector, pathPrefix: String?) {
        self.kind = kind
        self.selector = selector
        self.pathPrefix = pathPrefix
    }

    /// Parses a specification; without a probability or number the fault hits every request.
    ///
    /// - Parameter target: the calls that the fault is for, which determines the valid kinds.
    package init(parsing text: String, for target: FaultTarget = .records) throws(FaultSpecError) {
        var rest = Substring(text)
        pathPrefix = Self.cutPath(&rest)
        let mark = rest.firstIndex { $0 == "@" || $0 == ":" || $0 == "=" } ?? rest.endIndex
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
        if rest[mark] != "@" {
            let isPercentage = value.hasSuffix("%")
            guard let number = Double(value.dropLast(isPercentage ? 1 : 0)),
                case let probability = isPercentage ? number / 100 : number, probability > 0, probability <= 1
            else {
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
        guard let mark = text.firstRange(of: ":/")?.lowerBound else { return nil }
        defer { text = text[..<mark] }
        return String(text[text.index(after: mark)...])
    }

    /// Whether the fault counts payment calls instead of all requests: its kind is specific to payments, or its path is
    /// a payment path.
    package var isForPayments: Bool {
        kind.isOfPayments || pathPrefix.map { PaymentAPI.serves(path: $0) } == true
    }
}

/// Why a fault specification is invalid.
package enum FaultSpecError: Error, Equatable, CustomStringConvertible {
    case unknownKind(String, FaultTarget)
    case badProbability(String)
    case badRequestNumber(String)
    /// A payment fault with a path that is not a payment path.
    case notOfPayments(FaultKind, path: String)

    package var description: String {
        switch self {
        case .unknownKind(let text, let target):
            "unknown fault '\(text)', expected one of " + target.kinds.map(\.rawValue).joined(separator: ", ")
        case .badProbability(let text): "'\(text)' is not a probability above 0 and at most 1"
        case .badRequestNumber(let text): "'\(text)' is not a request number or range such as 3 or 2-4"
        case .notOfPayments(let kind, let path):
            "'\(kind.rawValue)' applies to payments, whose paths begin with /v1, /connect, /recurring or /invoicingcheckoutservice, not to \(path)"
        }
    }
}

/// The calls that a fault is for.
package enum FaultTarget: Sendable {
    /// Requests for the shop's records.
    case records
    /// Calls that issue codes or tokens.
    case oauth

    /// The faults that apply to such calls.
    package var kinds: [FaultKind] {
        switch self {
        case .records: FaultKind.allCases
        case .oauth: [.loseAnswer, .reset, .serverError, .unavailable, .notJSON, .truncate]
        }
    }
}

package enum FaultKind: String, Sendable, CaseIterable {
    /// The connection is reset without a response.
    case reset
    /// 500 with a JSON body.
    case serverError = "500"
    /// 503 with an HTML body, like from a proxy in front of the service.
    case unavailable = "503-html"
    /// The full length is announced, part of the body is sent, and the connection closes.
    case truncate
    /// The body arrives in 16 parts, a tenth of a second apart.
    case slow
    /// 429 for the rate limit of a token.
    case tokenRate = "429-rate"
    /// 429 for the concurrency limit of a token, with `retry-after`.
    case tokenConcurrency = "429-concurrent"
    /// 200 with an HTML body.
    case notJSON = "not-json"
    /// 200 with an envelope that has no `elements`.
    case noElements = "no-elements"
    /// A list leaves out the first record of its page.
    case hiddenRows = "hidden-rows"
    /// 405 in plain text without a content type, as recorded.
    case textRefusal = "405-text"
    /// 403 with a page of Cloudflare, which stands in front of the service.
    case cloudflare
    /// The header of filter fields names only `id`.
    case filterHeader = "filter-header"
    /// The response has an `X-Clover-Request-Id`, beside any other fault.
    case requestID = "request-id"
    /// The request is carried out, then the connection is reset instead of a response.
    case loseAnswer = "lose-answer"

    // Payments, by card or by device.

    /// The request is carried out, then 500 is returned.
    case serverErrorAfter = "500-after"
    case slowCard = "slow-card"
    case decline
    /// The card is declined with status 500, as on the page of the test cards.
    case declineAsError = "decline-500"
    /// A charge, or each one of a list, comes without its external reference.
    case noReference = "no-reference"
    case pending
    /// The charge waits for 3-D Secure; no money moves.
    case threeDS = "3ds"
    /// A page begins with the record of its cursor.
    case cursorAgain = "cursor-again"
    /// A page has no `has_more`.
    case noHasMore = "no-has-more"
    /// A page is an array without an envelope.
    case bareList = "bare-list"
    /// The idempotency key is reported as used by another call.
    case keyClash = "key-clash"
    /// The idempotency key is not stored, as if it had expired: the same call is carried out again.
    case forgetKey = "forget-key"
    /// The card token is reported as used.
    case tokenUsed = "token-used"
    /// Half of the amount is approved.
    case partial
    /// Approved, and flagged as a possible duplicate.
    case duplicate
    /// Approved with a signature.
    case signature
    /// The customer cancels on the device: 209.
    case cancel
    /// The device is busy: 503.
    case busy
    /// The device does not support the call: 501.
    case unsupported
    /// The device carries out the call, but too late: 504.
    case deviceTimeout = "timeout"

    // Webhooks.

    case webhookLose = "webhook-lose"
    case webhookDouble = "webhook-double"
    /// Later bodies overtake this one.
    case webhookReorder = "webhook-reorder"

    private static let general: Set<FaultKind> = [
        .reset, .serverError, .unavailable, .truncate, .slow, .tokenRate, .tokenConcurrency, .notJSON, .noElements,
        .loseAnswer, .textRefusal, .cloudflare, .filterHeader, .requestID, .hiddenRows,
    ]

    var isOfPayments: Bool { !Self.general.contains(self) && !isOfWebhooks }

    /// Whether the fault applies to webhooks that the emulator sends, and not to requests.
    package var isOfWebhooks: Bool { [.webhookLose, .webhookDouble, .webhookReorder].contains(self) }
}
