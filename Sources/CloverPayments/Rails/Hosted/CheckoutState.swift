/// What was last seen of a page of Hosted Checkout, as one word. Only `paid`, `paidInPart`, `paidInParts`, `paidTwice` and
/// `givenBack` rest on a payment that was seen.
package enum CheckoutState: String, Sendable, CaseIterable {
    /// It can be paid, and no payment was seen.
    case open
    /// Its time is over, and no payment was seen: it may still have been paid.
    case expired
    case paid
    /// Payments that are together less than it asked for.
    case paidInPart
    /// Several payments that are together what it asked for.
    case paidInParts
    /// Several payments that are together more than it asked for, or whose sum is not known.
    case paidTwice
    /// All that was paid was refunded since.
    case givenBack
    /// A person recorded that it was not paid.
    case notPaid
    /// It was not made, or no one has its address.
    case failed
    /// It is not known whether it was made, or what was found contradicts the page or what was recorded.
    case unknown

    /// Begins the clause about the payments of a page that has several.
    package static let inPart = "paid in part only"
    package static let inParts = "paid in parts"
    package static let moreThanOnce = "paid more than once"

    /// The state of a page with several payments, from the clause about them.
    init(ofSeveral reason: String?) {
        self =
            if reason?.hasPrefix(Self.inPart) == true {
                .paidInPart
            } else if reason?.hasPrefix(Self.inParts) == true {
                .paidInParts
            } else if reason?.hasPrefix(Self.moreThanOnce) == true {
                .paidTwice
            } else {
                .unknown
            }
    }

    /// The same of a page that a person settled before; nil if that is not about several payments.
    init?(ofContradiction finding: String?) {
        self.init(ofSeveral: finding)
        if self == .unknown { return nil }
    }
}

extension PaymentOperation {
    /// What was last seen of a page; nil for anything else.
    ///
    /// - Parameter now: milliseconds since 1970.
    package func checkoutState(now: Int64) -> CheckoutState? {
        guard rail == .hostedCheckout else { return nil }
        switch state {
        case .created, .sent, .unknown: return .unknown
        case .declined, .cancelled, .failed:
            guard outcome.isByHand == true else { return .failed }
            return outcome.contradiction == nil ? .notPaid : .unknown
        case .approved: break
        }
        if outcome.isGivenBack == true { return .givenBack }
        if outcome.contradiction != nil { return CheckoutState(ofContradiction: outcome.contradiction) ?? .unknown }
        if paymentsOfPage != nil { return CheckoutState(ofSeveral: outcome.reason) }
        guard movedNoMoney else { return .paid }
        // A payment was seen that is not taken as the page's.
        if outcome.candidates != nil { return .unknown }
        return now < expiry ? .open : .expired
    }
}
