import CloverRecords
import Crypto
import FoundationEssentials

/// One row of the journal: something that was asked of Clover under one idempotency key.
package struct PaymentOperation: Sendable, Equatable {
    package let id: String
    package let kind: OperationKind
    /// The charge that it is about; nil for the charge itself.
    package let parent: String?
    package let rail: Rail
    /// The service's name or address, and the merchant there.
    package let environment: String
    package let merchantID: String
    package let idempotencyKey: String
    /// By which the service finds a charge again; nil for what comes after it.
    package let externalID: String?
    /// What was asked for; nil where an operation has no amount.
    package let amount: Money?
    /// The same for a hand-off in a currency that is none of ISO 4217; nil where `amount` is not.
    package let plainAmount: PlainAmount?
    package internal(set) var request: OperationRequest
    package internal(set) var state: OperationState
    package internal(set) var outcome: OperationOutcome
    /// Milliseconds since 1970.
    package let createdAt: Int64
    package internal(set) var updatedAt: Int64

    /// A new operation, not yet written down.
    package init(
        id: String, kind: OperationKind, parent: String? = nil, rail: Rail, environment: String, merchantID: String,
        idempotencyKey: String, externalID: String? = nil, amount: Money?,
        plainAmount: PlainAmount? = nil, request: OperationRequest, now: Int64
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

    /// In the currency's smallest unit; nil where an operation has no amount.
    package var minorUnits: Int64? { amount?.minorUnits ?? plainAmount?.minorUnits }

    package var currencyCode: String? { amount?.currency.code ?? plainAmount?.currencyCode }

    /// For a person, such as `12.50 USD`; nil where an operation has no amount.
    package var amountText: String? { amount.map { "\($0)" } ?? plainAmount.map { "\($0)" } }

    /// The operation with an end.
    package func settled(_ state: OperationState, _ outcome: OperationOutcome) -> PaymentOperation {
        var operation = self
        operation.state = state
        operation.outcome = outcome
        return operation
    }

    /// Nothing of it ever left this machine, by proof: it can be done under its key.
    package var isNeverSent: Bool {
        state == .created || state.isFinal && state != .approved && outcome.neverLeft == true
    }

    /// A part was approved that was not asked for: it has to be given back.
    package var isUnwantedPart: Bool {
        isPartial && kind == .charge && !request.acceptsPartial && rail != .reader && rail != .square
            && outcome.isByHand != true
    }

    /// Less was approved than asked for.
    package var isPartial: Bool {
        guard state == .approved, let asked = amount?.minorUnits, let approved = outcome.amount else { return false }
        return approved < asked
    }
}

/// A change of an operation's state, and when it was.
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

/// What is asked of Clover under one idempotency key.
package enum OperationKind: String, Codable, Sendable, CaseIterable {
    case charge
    case capture
    case void
    case refund
    case tip
    case increment
    case receipt

    /// Whether money moves by it, or is held.
    package var movesMoney: Bool { self != .receipt }
}

/// Where an operation is. Only what is permitted by `permits` ever comes after another.
package enum OperationState: String, Codable, Sendable, CaseIterable {
    /// Written down; nothing has left, or what left was refused by a limit before anything was done.
    case created
    /// Written down as leaving: from now on it may be carried out.
    case sent
    /// Carried out.
    case approved
    /// The card, its bank or the service said no: nothing moved.
    case declined
    /// Stopped before the card was read: nothing moved.
    case cancelled
    /// It cannot have been carried out: never sent, not understood, or refused at the door.
    case failed
    /// It may have been carried out, and no answer says so.
    case unknown

    /// Nothing comes after it, but for the correction of what a person said.
    package var isFinal: Bool {
        switch self {
        case .approved, .declined, .cancelled, .failed: true
        case .created, .sent, .unknown: false
        }
    }

    /// Whether `next` may follow. `sent` and `unknown` may follow themselves: sent again under the same key, and still
    /// unknown for another reason.
    package func permits(_ next: OperationState) -> Bool {
        switch (self, next) {
        // From `sent` back to `created` goes what a limit refused, because that did nothing.
        // A card may be refused while it is made into a token.
        case (.created, .sent), (.created, .declined), (.created, .cancelled), (.created, .failed): true
        case (.unknown, .created): false
        case (.sent, _), (.unknown, _): true
        default: false
        }
    }
}

/// Names of operations: a letter for the kind, then a ULID (ulid/spec), so that they sort by time.
package enum OperationIdentifier {
    /// Crockford's base 32: no letter that looks like another.
    private static let alphabet = Array("0123456789ABCDEFGHJKMNPQRSTVWXYZ")

    /// Such as `c_01JD3V8Q6W2M4K7P9R5T0X1Y2Z`.
    ///
    /// - Parameter now: milliseconds since 1970.
    package static func make(_ kind: OperationKind, now: Int64) -> String {
        let time = stride(from: 45, through: 0, by: -5).map { alphabet[Int(now >> Int64($0)) & 31] }
        return prefix(kind) + "_" + String(time) + random(16)
    }

    /// What Clover gets as the external id or reference of a charge: derived from its idempotency key, so that another
    /// machine, or a journal that was lost and begun anew, finds the payment of the same key again.
    package static func externalID(ofKey key: String, on rail: Rail) -> String {
        // Twelve characters are 60 bits, and two of a thousand million charges have the same with a chance of 1 to 3.
        let length = min(rail.longestExternalID, 26)
        let digest = SHA256.hash(data: Data("clover charge \(key)".utf8))
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
        // From the system's random numbers: getrandom(2).
        var generator = SystemRandomNumberGenerator()
        return String((0..<count).map { _ in alphabet[Int.random(in: 0..<32, using: &generator)] })
    }
}

/// What was asked for, as the journal keeps it: enough to ask again, and no card data.
package struct OperationRequest: Codable, Sendable, Equatable {
    package var type: ChargeType?
    /// In the smallest unit.
    package var tip: Int64?
    /// Of the charge that a tip is set for: such an operation has no amount that would tell it.
    package var tipCurrency: String?
    package var tax: Int64?
    /// Where it is sent, from the rail's host on.
    package var path: String
    /// The JSON that is sent. Of an ecommerce charge all but its source, which is never kept.
    package var body: String
    /// The last characters of the source, to tell one from another.
    package var sourceMark: String?
    /// The serial number of the Clover device.
    package var device: String?
    /// Where the device is in the local network; nil goes through Clover.
    package var deviceAddress: String?
    /// Who we are for the device.
    package var posID: String?
    /// The reader's id.
    package var reader: String?
    /// The reader's driver program and its arguments, which is asked again what became of the charge.
    package var driver: String?
    /// Seconds that the device waits for a card; nil is its own choice.
    package var timeout: Int?
    /// The address that ecommerce is told the payer has.
    package var clientAddress: String?
    package var acceptsPartial: Bool
    package var reference: String?
    /// The idempotency key was chosen by a person, so that another machine may have used it for the same charge.
    package var hasChosenKey: Bool?
    /// The external id or reference was chosen by a person, so that other payments may have it too.
    package var hasChosenID: Bool?
    /// Of a refund or increment: what was refunded or held before, in the smallest unit.
    package var amountBefore: Int64?
    /// When the operation was written down, by the clock of this boot.
    package var written: BootTime?

    package init(path: String, body: String, acceptsPartial: Bool = false) {
        self.path = path
        self.body = body
        self.acceptsPartial = acceptsPartial
    }
}

extension OperationRequest {
    /// The charge or payment that a follow-up is about; nil of a charge.
    var followedPayment: String? {
        let parts = path.split(separator: "/")
        if parts.count >= 4 { return String(parts[2]) }
        return JSONTree(Array(body.utf8))?["charge"]?.string
    }
}

/// What became of an operation, as far as it is known.
package struct OperationOutcome: Codable, Sendable, Equatable {
    /// The charge or payment at Clover; of a refund the refund.
    package var paymentID: String?
    /// Of a hand-off: the id that the payer's device made, which is all there is of a payment that was taken offline.
    package var clientPaymentID: String?
    package var orderID: String?
    /// What was approved, captured or given back, in the smallest unit, without the tip.
    package var amount: Int64?
    package var tip: Int64?
    package var card: CardFacts?
    package var authCode: String?
    /// The service's word for a refusal, such as `card_declined`.
    package var code: String?
    /// The service's own text with it.
    package var text: String?
    /// The status of the answer; nil when there was none.
    package var http: Int?
    /// Why it is unknown, or how it came to be known, in our own words.
    package var reason: String?
    /// What the device wants the merchant to know: `duplicate`, `offline`, `signature`.
    package var issues: [String]?
    /// The device took the payment without asking the bank yet.
    package var isOffline: Bool?
    /// Nobody but a person said so.
    package var isByHand: Bool?
    /// Who said so: a person's name.
    package var settledBy: String?
    /// What was heard later, where that is not what was said by hand; in our own words.
    package var contradiction: String?
    /// Payments at Clover that may be this operation's; a person decides.
    package var candidates: [String]?
    /// Nothing left this machine, so that it can be done again under the same key.
    package var neverLeft: Bool?
    /// It rests on records that did not show a payment: they are read again for some days.
    package var isProvisional: Bool?
    /// How long after its end they were last read, in milliseconds.
    package var askedAt: Int64?

    package init() {}

    /// An outcome of which only the status of the response is known.
    init(http: Int) {
        self.http = http
    }

    /// An outcome of which only a reason is known.
    package init(reason: String, http: Int? = nil) {
        self.reason = reason
        self.http = http
    }
}

/// What may be known of a card after it was used: never its number.
package struct CardFacts: Codable, Sendable, Equatable {
    /// As the service says it: `VISA`, `MC`.
    package var type: String?
    package var first6: String?
    package var last4: String?
    /// How it was read, as the service says it: `EMV_CONTACTLESS`, `KEYED`.
    package var entry: String?

    package init(type: String? = nil, first6: String? = nil, last4: String? = nil, entry: String? = nil) {
        self.type = type
        self.first6 = Self.digits(first6, 6)
        self.last4 = Self.digits(last4, 4)
        self.entry = entry
    }

    /// Whatever a service sends in these fields, no more than so many digits of a number are kept.
    private static func digits(_ text: String?, _ count: Int) -> String? {
        guard let text, text.count == count, text.allSatisfy({ $0.isASCII && $0.isNumber }) else { return nil }
        return text
    }
}

/// A moment on the clock of one boot of the machine, which nobody can set. Moments of two boots cannot be compared.
package struct BootTime: Codable, Sendable, Equatable {
    /// The kernel's random name of the boot.
    package let boot: String
    /// Milliseconds since the machine started, time asleep included.
    package let milliseconds: Int64

    package init(boot: String, milliseconds: Int64) {
        self.boot = boot
        self.milliseconds = milliseconds
    }

    /// Milliseconds from `earlier` until now.
    ///
    /// - Returns: nil when the machine was started anew in between, or when either moment is unknown.
    static func age(of earlier: BootTime?, now: BootTime?) -> Int64? {
        guard let earlier, let now, earlier.boot == now.boot, now.milliseconds >= earlier.milliseconds else {
            return nil
        }
        return now.milliseconds - earlier.milliseconds
    }
}
