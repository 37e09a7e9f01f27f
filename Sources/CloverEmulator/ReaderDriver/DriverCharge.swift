/// A charge that the emulated driver works on.
struct DriverCharge {
    /// The request that is answered at its end.
    let id: Int
    let amount: Int
    let currency: String
    let key: String
    let externalID: String
    let isFinal: Bool
    let capture: Bool
    let tipAmount: Int?
    let taxAmount: Int?
    let acceptsPartial: Bool
    let entry: ReaderDriverOptions.CardEntry
    /// From then on a cancellation comes too late.
    var isCardShown = false
    var faults: Set<ReaderFault.Kind> = []

    /// Nil when something is missing or against the rules (card-present payments: amount, final and capture).
    init?(id: Int, _ value: JSONValue, entry: ReaderDriverOptions.CardEntry) {
        guard let amount = value["amount"]?.integer, (1...999_999_999).contains(amount),
            let currency = value["currency"]?.text, let key = value["idempotencyKey"]?.text, !key.isEmpty,
            let externalID = value["externalPaymentId"]?.text, (1...32).contains(externalID.count),
            let isFinal = value["final"]?.boolean, let capture = value["capture"]?.boolean, capture || !isFinal
        else { return nil }
        let tip = value["tipAmount"]?.integer
        guard tip == nil || isFinal else { return nil }
        self.id = id
        self.amount = amount
        self.currency = currency
        self.key = key
        self.externalID = externalID
        self.isFinal = isFinal
        self.capture = capture
        tipAmount = tip
        taxAmount = value["taxAmount"]?.integer
        acceptsPartial = value["acceptPartial"]?.boolean ?? false
        self.entry = entry
    }

    private static let types = ["VISA", "MC", "AMEX", "DISCOVER"]

    /// The card that is shown; the same for the same key.
    func card(seed: UInt64) -> JSONValue {
        var random = random(seed: seed)
        let type = Self.types[random.below(Self.types.count)]
        let entryType =
            switch entry {
            case .tap: "EMV_CONTACTLESS"
            case .dip: "EMV_CONTACT"
            case .swipe: "SWIPED"
            }
        return .object([
            ("type", .string(type)), ("last4", .string(String(1000 + random.below(9000)))),
            ("entryType", .string(entryType)),
        ])
    }

    /// Clover's own id of a payment: 13 letters and digits.
    func paymentID(seed: UInt64) -> String {
        var random = random(seed: seed)
        _ = random.next()
        return Identifier(number: random.next()).description
    }

    private func random(seed: UInt64) -> SeededRandom {
        // FNV-1a: the same for the same key in every run.
        let hash = key.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        return SeededRandom(seed: seed ^ hash, stream: .readerPayment, index: 0)
    }
}
