struct DriverCharge {
    let id: Int
    let amount: Int
    let key: String
    let externalID: String
    private let value: JSONValue
    let entry: ReaderDriverOptions.CardEntry
    /// Afterwards it is too late to cancel.
    var isCardShown = false
    var faults: Set<ReaderFault.Kind> = []

    /// Fails if a field is missing or invalid (card-present payments: amount, final and capture).
    init?(id: Int, _ value: JSONValue, entry: ReaderDriverOptions.CardEntry) {
        guard let amount = value["amount"]?.integer, (1...999_999_999).contains(amount),
            value["currency"]?.text != nil, let key = value["idempotencyKey"]?.text, !key.isEmpty,
            let externalID = value["externalPaymentId"]?.text, (1...32).contains(externalID.count),
            let isFinal = value["final"]?.boolean, let capture = value["capture"]?.boolean, capture || !isFinal,
            isFinal || value["tipAmount"]?.integer == nil
        else { return nil }
        self.id = id
        self.amount = amount
        self.key = key
        self.externalID = externalID
        self.value = value
        self.entry = entry
    }

    private static let types = ["VISA", "MC", "AMEX", "DISCOVER"]

    /// The outcome once a card is presented; the same for the same key.
    func outcome(seed: UInt64) -> JSONValue {
        let card = card(seed: seed)
        if faults.contains(.declined) {
            return ["outcome": "declined", "code": "card_declined", "message": "the card was declined", "card": card]
        }
        let approved = faults.contains(.partial) ? max(1, amount / 2) : amount
        if approved < amount, value["acceptPartial"]?.boolean != true {
            return [
                "outcome": "declined", "code": "partial_rejected", "message": "the card covers only part of the amount",
                "card": card,
            ]
        }
        let paymentID = paymentID(seed: seed)
        var payment: JSONValue = [
            "id": .string(paymentID), "externalPaymentId": .string(externalID), "amount": .integer(approved),
            "currency": value["currency"] ?? "", "final": value["final"] ?? false,
            "captured": value["capture"] ?? false,
        ]
        for name in ["tipAmount", "taxAmount"] {
            if let cents = value[name]?.integer { payment.append(name, .integer(cents)) }
        }
        payment.append("authCode", .string("OK" + paymentID.prefix(4)))
        payment.append("card", card)
        return ["outcome": "approved", "payment": payment]
    }

    private func card(seed: UInt64) -> JSONValue {
        var random = random(seed: seed)
        let type = Self.types[random.below(Self.types.count)]
        return [
            "type": .string(type), "last4": .string(String(1000 + random.below(9000))),
            "entryType": .string(entry.cardEntryType),
        ]
    }

    /// A Clover payment id: 13 letters and digits.
    private func paymentID(seed: UInt64) -> String {
        var random = random(seed: seed)
        _ = random.next()
        return Identifier(number: random.next()).description
    }

    private func random(seed: UInt64) -> SeededRandom {
        // FNV-1a, so that a key gives the same result in every run.
        let hash = key.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01B3 }
        return SeededRandom(seed: seed ^ hash, stream: .readerPayment, index: 0)
    }
}

extension DriverStateMachine {
    /// Timeout for presenting a card, in milliseconds.
    private static let cardTimeout = 60_000

    mutating func startCharge(_ id: Int, _ value: JSONValue) {
        guard isReady else { return refuse(id, "reader_not_ready", "no reader is ready") }
        guard charging == nil else { return refuse(id, "in_progress", "a charge is in progress") }
        let cards = options.cards.isEmpty ? ReaderDriverOptions.CardEntry.allCases : options.cards
        guard
            var request = value["charge"].flatMap({ DriverCharge(id: id, $0, entry: cards[cardsShown % cards.count]) })
        else { return refuse(id, "bad_request", "the charge has missing or invalid fields") }
        cardsShown += 1
        let number = (numbers[.charge] ?? 0) + 1
        numbers[.charge] = number
        for fault in options.faults where (fault.number ?? number) == number { request.faults.insert(fault.kind) }
        charging = request
        // A key with a known outcome gets it again, without a card.
        do throws(JournalError) {
            if try store.entry("key", request.key) != nil { return settle() }
        } catch {
            return end(["outcome": "unknown", "message": "\(error)"])
        }
        tell("SWIPE_DIP_OR_TAP_CARD")
        if request.faults.contains(.noCard) {
            plan(.charge, after: Self.cardTimeout) { $0.end(Self.cancelled("no_card", "no card was shown")) }
        } else {
            plan(.charge, after: request.faults.contains(.slowCard) ? 5000 : 500) { $0.present() }
        }
    }

    /// Presents the card: sends the reader's messages until the outcome is known.
    private mutating func present() {
        guard let request = charging else { return }
        if request.faults.contains(.crashBefore) {
            exitStatus = 3
            return
        }
        charging?.isCardShown = true
        if request.faults.contains(.retry) { tell("CONTACTLESS_FAILED_TRY_CONTACT", "EMV_CARD_DIP_FAILED") }
        tell(request.entry.message)
        if request.faults.contains(.pinCancelled) {
            return end(Self.cancelled("pin_cancelled", "the customer cancelled the PIN entry"))
        }
        tell("PROCESSING_TRANSACTION")
        if request.entry == .dip { tell("REMOVE_CARD", "EMV_CARD_REMOVED") }
        plan(.charge, after: 500) { $0.settle() }
    }

    /// Decides the outcome, stores it, and reports it.
    private mutating func settle() {
        guard let request = charging else { return }
        do throws(JournalError) {
            let outcome = try store.outcome(of: request, seed: options.seed)
            if request.faults.contains(.loseAnswer) {
                exitStatus = 4
                return
            }
            end(outcome)
        } catch {
            end(["outcome": "unknown", "message": "\(error)"])
        }
    }

    mutating func cancelCharge(_ id: Int) {
        answer(id)
        guard let request = charging, !request.isCardShown else { return }
        end(Self.cancelled("cancelled", "cancelled before a card was shown"))
    }

    mutating func lookUp(_ id: Int, _ value: JSONValue) {
        guard let externalID = value["externalPaymentId"]?.text else {
            return refuse(id, "bad_request", "'externalPaymentId' is missing")
        }
        if charging?.externalID == externalID { return answer(id, ["status": "underWay"]) }
        do throws(JournalError) {
            guard let outcome = try store.entry("externalId", externalID)?["outcome"] else {
                return answer(id, ["status": "none"])
            }
            answer(id, .object([("status", "ended")] + outcome.members))
        } catch {
            refuse(id, "unavailable", "\(error)")
        }
    }

    /// Ends a charge whose session was lost.
    mutating func loseCharge() {
        guard let request = charging else { return }
        end(
            request.isCardShown
                ? ["outcome": "unknown", "message": "the reader was lost after the card was shown"]
                : Self.cancelled("lost", "the reader was lost before a card was shown"))
    }

    private mutating func end(_ outcome: JSONValue) {
        guard let request = charging else { return }
        charging = nil
        answer(request.id, outcome)
    }

    private mutating func tell(_ words: String...) {
        for word in words { say(["event": "say", "say": .string(word)]) }
    }

    private static func cancelled(_ code: String, _ message: String) -> JSONValue {
        ["outcome": "cancelled", "code": .string(code), "message": .string(message)]
    }
}
