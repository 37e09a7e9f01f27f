import CloverJSON
import CloverOutput
import CloverSystem
import FoundationEssentials

/// One row of the journal: a request to Clover under one idempotency key.
package struct PaymentOperation: Sendable, Equatable {
    package let id: String
    package let kind: OperationKind
    /// The charge that a follow-up belongs to; nil for a charge.
    package let parent: String?
    package let rail: PaymentRail
    /// The service's name or address.
    package let environment: String
    package let merchantID: String
    package let idempotencyKey: String
    /// The ID by which the service can look up a charge; nil for follow-ups.
    package let externalID: String?
    /// The requested amount; nil for an operation without one.
    package internal(set) var amount: Money?
    /// The amount of a hand-off in a currency that is not in ISO 4217; otherwise nil.
    package let plainAmount: RawAmount?
    package internal(set) var request: OperationRequest
    package internal(set) var state: OperationState
    package internal(set) var outcome: OperationOutcome
    /// Milliseconds since 1970.
    package internal(set) var createdAt: Int64
    package internal(set) var updatedAt: Int64

    /// Creates an operation that is not yet recorded.
    package init(
        id: String, kind: OperationKind, parent: String? = nil, rail: PaymentRail, environment: String,
        merchantID: String,
        idempotencyKey: String, externalID: String? = nil, amount: Money?,
        plainAmount: RawAmount? = nil, request: OperationRequest, now: Int64
    ) {
        self.id = id
        self.kind = kind
        self.parent = parent
        self.rail = rail
        self.environment = environment
        self.merchantID = merchantID
        self.idempotencyKey = idempotencyKey
        self.externalID = externalID
        self.amount = amount
        self.plainAmount = plainAmount
        self.request = request
        state = .created
        outcome = OperationOutcome()
        createdAt = now
        updatedAt = now
    }

    /// The amount in the currency's smallest unit; nil for an operation without one.
    package var minorUnits: Int64? { amount?.minorUnits ?? plainAmount?.minorUnits }

    package var currencyCode: String? { amount?.currency.code ?? plainAmount?.currencyCode }

    /// The amount for display, such as `12.50 USD`; nil for an operation without one.
    package var amountText: String? { amount.map { "\($0)" } ?? plainAmount.map { "\($0)" } }

    /// A copy with this state and outcome.
    package func settled(_ state: OperationState, _ outcome: OperationOutcome) -> PaymentOperation {
        var operation = self
        operation.state = state
        operation.outcome = outcome
        return operation
    }

    /// Whether it is proved that nothing of the operation ever left this machine, so that it can be carried out under its
    /// key. One that is unknown was not sent because its key could not be checked.
    package var isNeverSent: Bool {
        state == .created || state != .sent && state != .approved && outcome.neverLeft == true
    }

    /// Whether it is not known whether it was carried out.
    package var mayBeCarriedOut: Bool { !state.isFinal && !isNeverSent }

    /// Whether another machine, or a journal that was lost, may have made the charge under its key, and that can be asked: the
    /// external ID comes from the key, and one that the user chose is looked for on the Ecommerce API only.
    var mayBeChargedElsewhere: Bool {
        kind == .charge && rail.isCharge && request.hasChosenKey == true
            && (request.hasChosenID != true || rail.rules.findsChosenIDs)
    }

    /// Whether this operation, which makes something, was to make the same.
    package func asksForSame(as other: PaymentOperation) -> Bool {
        rail == other.rail && merchantID == other.merchantID && environment == other.environment
            && request.path == other.request.path && request.body == other.request.body
    }

    /// Whether part of the amount was approved although no partial approval was asked for: it must be voided or refunded,
    /// unless a person has settled the charge.
    package var isUnwantedPartialApproval: Bool { isUnacceptedPart && reversal != nil }

    /// Whether part of the amount was approved, and no one has accepted that so far, with the charge or later.
    package var isUnacceptedPart: Bool {
        kind == .charge && rail.isCharge && isPartial && !request.acceptsPartial && outcome.isByHand != true
            && outcome.settledBy == nil
    }

    /// How a partial approval that was not asked for is given back; nil if it is kept, as a hold that can only be refunded:
    /// nothing of it was taken.
    package var reversal: PartialApprovalReversal? {
        rail.reversal.flatMap { $0.kind == .refund && request.type == .preauth ? nil : $0 }
    }

    /// Whether it was carried out without money, as far as is known: a page of which no payment is known, a plan, or a
    /// subscription.
    package var movedNoMoney: Bool {
        guard state == .approved else { return false }
        return rail.isRecurring || rail.makesPage && outcome.paymentID == nil && outcome.isByHand != true
    }

    /// What became of a page, plan or subscription that was made, as one word: that of `checkout list` for a page, `active` for
    /// the others. Nil for anything else.
    ///
    /// - Parameter now: milliseconds since 1970.
    package func word(now: Int64) -> String? {
        guard kind == .charge, state == .approved || rail.makesPage && outcome.isByHand == true else { return nil }
        return rail.isRecurring ? "active" : checkoutState(now: now)?.rawValue
    }

    /// The amount that was asked for: of a page, with its taxes.
    package var asked: Money? {
        guard var money = amount, let total = checkoutTotal else { return amount }
        money.minorUnits = total.amount
        return money
    }

    /// Whether this follow-up was made on another payment than the charge has now: a person has corrected that since. It says
    /// nothing about the charge's payment then.
    package func isOnOtherPayment(than charge: PaymentOperation) -> Bool {
        guard let payment = charge.outcome.paymentID, !payment.isEmpty, let followed = request.followedPaymentID else {
            return false
        }
        return followed != payment && followed != PercentCoding.encode(payment)
    }

    /// The payment that this follow-up was made on, if that is not the charge's any more.
    package func formerPayment(of charge: PaymentOperation) -> String? {
        isOnOtherPayment(than: charge) ? request.followedPaymentID : nil
    }

    /// Whether it is a refund that the service had as pending: it counts as carried out, and may still fail.
    package var isPendingRefund: Bool {
        kind == .refund && state == .approved && outcome.isProvisional == true && outcome.isByHand != true
    }

    /// When it was recorded, by the service's clock, in milliseconds since 1970; nil if a response does not show that clock.
    ///
    /// - Parameters:
    ///   - date: the service's present; `now` is this machine's.
    func time(byServiceAt date: Int64?, now: Int64) -> Int64? { date.map { $0 - max(0, now - createdAt) } }

    /// Whether less was approved than requested.
    package var isPartial: Bool {
        guard state == .approved, !rail.makesPage, let asked = amount?.minorUnits, let approved = outcome.amount else {
            return false
        }
        return approved < asked
    }
}

extension [PaymentOperation] {
    /// Of a charge's follow-ups, those on the payment that the charge has now.
    package func onPresentPayment(of charge: PaymentOperation) -> [PaymentOperation] {
        filter { !$0.isOnOtherPayment(than: charge) }
    }
}

/// A change of an operation's state, with its time.
package struct OperationTransition: Sendable, Equatable {
    package let state: OperationState
    package let detail: String?
    /// Milliseconds since 1970.
    package let at: Int64

    package init(state: OperationState, detail: String?, at: Int64) {
        self.state = state
        self.detail = detail
        self.at = at
    }
}

/// The kind of request that is made under one idempotency key.
package enum OperationKind: String, Codable, Sendable, CaseIterable {
    case charge
    case capture
    case void
    case refund
    case tip
    case increment
    case receipt

    /// Whether the operation moves or holds money.
    package var movesMoney: Bool { self != .receipt }
}

/// The state of an operation. `permits` defines which states may follow.
package enum OperationState: String, Codable, Sendable, CaseIterable {
    /// Recorded; nothing has been sent, or a rate limit refused the request before anything was done.
    case created
    /// Recorded as being sent: from now on it may be carried out.
    case sent
    /// Carried out.
    case approved
    /// The card, its bank or the service declined it: nothing moved.
    case declined
    /// Cancelled before the card was read: nothing moved.
    case cancelled
    /// It cannot have been carried out: never sent, not understood, or refused on arrival.
    case failed
    /// It may have been carried out, and no response shows whether it was.
    case unknown

    /// Whether the state is final. Only outcomes entered by hand can be corrected afterwards.
    package var isFinal: Bool {
        switch self {
        case .approved, .declined, .cancelled, .failed: true
        case .created, .sent, .unknown: false
        }
    }

    /// Whether `next` may follow this state. `sent` and `unknown` may follow themselves: sent again under the same key, or
    /// still unknown for another reason.
    package func permits(_ next: OperationState) -> Bool {
        switch (self, next) {
        // A request that a rate limit refused goes from `sent` back to `created`, because it did nothing.
        // A card may be declined while its token is created. The charge of a key may have been made elsewhere.
        case (.created, .created), (.unknown, .created): false
        case (.created, _): true
        case (.sent, _), (.unknown, _): true
        default: false
        }
    }
}

/// Operation IDs: a letter for the kind, then a ULID (ulid/spec), so that they sort by time.
package enum OperationIdentifier {
    /// Crockford's base 32, which omits letters that look like others.
    private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ")

    /// A new ID, such as `c_01JD3V8Q6W2M4K7P9R5T0X1Y2Z`.
    ///
    /// - Parameter now: milliseconds since 1970.
    package static func make(_ kind: OperationKind, on rail: PaymentRail? = nil, now: Int64) -> String {
        let time = stride(from: 45, through: 0, by: -5).map { alphabet[Int(now >> Int64($0)) & 31] }
        return (rail?.rules.identifierPrefix ?? prefix(kind)) + "_" + String(time) + random(16)
    }

    /// The external ID or reference that Clover gets for a charge. It is derived from the idempotency key, so that another
    /// machine, or a new journal after the old one was lost, finds the payment of the same key again.
    package static func externalID(ofKey key: String, on rail: PaymentRail) -> String {
        // Twelve characters are 60 bits: among a thousand million charges, the chance of two equal IDs is 1 in 3.
        let length = min(rail.maximumExternalIDLength, 26)
        let digest = SHA256.hash(Array("clover charge \(key)".utf8))
        return String(digest.prefix(length).map { alphabet[Int($0 & 31)] })
    }

    private static func prefix(_ kind: OperationKind) -> String {
        switch kind {
        case .charge: "c"
        case .capture: "k"
        case .void: "v"
        case .refund: "r"
        case .tip: "t"
        case .increment: "i"
        case .receipt: "m"
        }
    }

    private static func random(_ count: Int) -> String {
        // The system's random number generator: getrandom(2).
        var generator = SystemRandomNumberGenerator()
        return String((0..<count).map { _ in alphabet[Int.random(in: 0..<32, using: &generator)] })
    }
}

/// The request as the journal keeps it: enough to send it again, but no card data.
package struct OperationRequest: Codable, Sendable, Equatable {
    package var type: ChargeType?
    /// In the smallest unit.
    package var tip: Int64?
    /// The currency of a tip's charge: a tip operation has no amount that would name it.
    package var tipCurrency: String?
    package var tax: Int64?
    /// The request path, relative to the rail's host.
    package var path: String
    /// The JSON body. That of an ecommerce charge is kept without its source, which is never stored.
    package var body: String
    /// The last characters of the source, to tell sources apart: of a token that was made from a card, too.
    package var sourceMark: String?
    /// The last digits of the card that was made into a token here.
    package var cardEnd: String?
    /// The serial number of the Clover device.
    package var device: String?
    /// The device's address in the local network; nil sends through Clover.
    package var deviceAddress: String?
    /// This program's ID for the device (`X-POS-Id`).
    package var posID: String?
    /// The reader's ID.
    package var reader: String?
    /// The reader's driver program and its arguments; recovery asks it about the charge.
    package var driver: String?
    /// Seconds that the device waits for a card; nil leaves that to the device.
    package var timeout: Int?
    /// The payer's IP address, as reported to the Ecommerce API.
    package var clientAddress: String?
    package var acceptsPartial: Bool
    /// The card to save before the charge; nil to save none.
    package var cardOnFile: CardOnFile?
    /// The customer whose card on file is charged; nil for any other card.
    package var customer: String?
    package var reference: String?
    /// For a plan or a subscription: the IDs of those like it before it was sent.
    package var known: [String]?
    /// When the list of those was sent, by the service's clock, in milliseconds since 1970; nil if it did not say.
    package var listedAt: Int64?
    /// Whether the card is about to be saved, or may have been.
    package var isSavingCard: Bool?
    /// Whether the user chose the idempotency key, so that another machine may have used it for the same charge.
    package var hasChosenKey: Bool?
    /// Whether the user chose the external ID or reference, so that other payments may have it too.
    package var hasChosenID: Bool?
    /// For a refund or increment: the amount refunded or held before it, in the smallest unit.
    package var amountBefore: Int64?
    /// For a capture or refund: whether it was asked for without an amount, so that all that was left is meant.
    package var takesRest: Bool?
    /// When the operation was recorded, by the clock of this boot.
    package var written: BootTime?
    /// The machine that recorded it, among those that share the journal; nil if the journal is a file.
    package var machine: String?

    package init(path: String, body: String, acceptsPartial: Bool = false) {
        self.path = path
        self.body = body
        self.acceptsPartial = acceptsPartial
    }
}

extension OperationRequest {
    /// The charge or payment that a follow-up is about, as in a path; nil for a charge.
    package var followedPaymentID: String? {
        let parts = path.split(separator: "/")
        if parts.count >= 4 { return String(parts[2]) }
        return JSONTree(Array(body.utf8))?["charge"]?.string
    }
}

/// The outcome of an operation, as far as it is known.
package struct OperationOutcome: Codable, Sendable, Equatable {
    /// Among the candidates: a payment whose ID was not shown.
    package static let unnamedPayment = "(without an ID)"

    /// The charge or payment at Clover; for a refund, the refund.
    package var paymentID: String?
    /// For a hand-off: the ID made by the payer's device, the only one of a payment that was taken offline.
    package var clientPaymentID: String?
    package var orderID: String?
    /// The amount approved, captured or refunded, in the smallest unit, excluding the tip.
    package var amount: Int64?
    package var tip: Int64?
    /// Of a subscription: the amount of its plan, as the response shows it.
    package var planAmount: Int64?
    /// Of a charge to a customer's card: another customer, whom the service names.
    package var otherCustomer: String?
    package var card: CardDetails?
    package var authCode: String?
    /// The service's code for a refusal, such as `card_declined`.
    package var code: String?
    /// The service's message for it.
    package var text: String?
    /// The status of the response; nil if there was none.
    package var http: Int?
    /// Why the outcome is unknown, or how it was determined, in this program's words.
    package var reason: String?
    /// Issues that the device reports to the merchant: `duplicate`, `offline`, `signature`.
    package var issues: [String]?
    /// Whether the device took the payment offline, without asking the bank yet.
    package var isOffline: Bool?
    /// Whether the outcome was entered by hand, without a response.
    package var isByHand: Bool?
    /// The name of the person who entered it.
    package var settledBy: String?
    /// What a later check found, if it contradicts the recorded outcome; in this program's words.
    package var contradiction: String?
    /// Of a charge that a person recorded as paid: the other amount that Clover showed of its payment, in the smallest unit.
    package var shownAmount: Int64?
    /// What checks had found when a person confirmed an entry, in this program's words. The same again is no news. Of a page,
    /// only an earlier version wrote it, and `settled` outweighs it.
    package var acknowledged: [String]?
    /// For Hosted Checkout: what was shown of the payments when a person settled the page, or confirmed an entry.
    package var settled: [PageFact]?
    /// For Hosted Checkout: what the last look has shown of them, if a person has to know.
    package var shown: [PageFact]?
    /// Payments at Clover that may belong to this operation; a person has to decide. `unnamedPayment` stands for one
    /// whose ID was not shown.
    package var candidates: [String]?
    /// Whether nothing left this machine, so that the operation can be repeated under the same key.
    package var neverLeft: Bool?
    /// Whether the service's rate limit refused the last attempt, in Clover's form.
    package var isRateLimited: Bool?
    /// Of what is unknown: whether the response was a decline, and the service's records could not be read since.
    package var isDeclined: Bool?
    /// Whether the outcome rests on records that did not show a payment, or is that of a refund that was pending: the records
    /// are read again for some days.
    package var isProvisional: Bool?
    /// Milliseconds from the outcome to the last time that the records were read.
    package var askedAt: Int64?
    /// For Hosted Checkout: the session that was made.
    package var session: CheckoutSession?
    /// For Hosted Checkout: what the last look found beside what is recorded; nil if that is nothing.
    package var page: CheckoutState?
    /// For Hosted Checkout: what was refunded of the payment since, in the smallest unit, with what is pending.
    package var refunded: Int64?
    /// For a hand-off that was paid after the app had reported an error: its code. The response with the error may come again.
    package var overturnedCode: String?
    /// Of an approved charge: what Clover has shown as done with its payment elsewhere, such as in the dashboard.
    package var elsewhere: DoneElsewhere?

    package init(reason: String? = nil, http: Int? = nil) {
        self.reason = reason
        self.http = http
    }

    /// Whether a person has seen what a check finds, and stayed with the entry.
    ///
    /// - Parameter finding: the end of what contradicted it, which the person's name is not a part of.
    func hasAcknowledged(_ finding: String) -> Bool {
        acknowledged?.contains { $0.hasSuffix(finding) } ?? false
    }
}

/// What may be stored about a card after use: never its number.
package struct CardDetails: Codable, Sendable, Equatable {
    /// The card brand as the service reports it: `VISA`, `MC`.
    package var type: String?
    package var first6: String?
    package var last4: String?
    /// The entry method as the service reports it: `EMV_CONTACTLESS`, `KEYED`.
    package var entry: String?

    package init(type: String? = nil, first6: String? = nil, last4: String? = nil, entry: String? = nil) {
        self.type = type
        self.first6 = Self.digits(first6, 6)
        self.last4 = Self.digits(last4, 4)
        self.entry = entry
    }

    /// Keeps no more than `count` digits of a card number, whatever a service sends in these fields.
    private static func digits(_ text: String?, _ count: Int) -> String? {
        guard let text, text.count == count, text.allSatisfy({ $0.isASCII && $0.isNumber }) else { return nil }
        return text
    }
}

/// A time on the clock of one boot of the machine, which cannot be set. Times of two boots cannot be compared.
package struct BootTime: Codable, Sendable, Equatable {
    /// The kernel's random ID of the boot.
    package let boot: String
    /// Milliseconds since the machine started, including time asleep.
    package let milliseconds: Int64

    package init(boot: String, milliseconds: Int64) {
        self.boot = boot
        self.milliseconds = milliseconds
    }

    /// Milliseconds since `earlier`.
    ///
    /// - Returns: nil if the machine was restarted in between, or if either time is unknown.
    static func age(of earlier: BootTime?, now: BootTime?) -> Int64? {
        guard let earlier, let now, earlier.boot == now.boot, now.milliseconds >= earlier.milliseconds else {
            return nil
        }
        return now.milliseconds - earlier.milliseconds
    }
}
