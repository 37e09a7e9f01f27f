/// A charge in progress.
struct DriverCharge {
    /// The request to respond to when the charge ends.
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
    /// Afterwards it is too late to cancel.
    var isCardShown = false
    var faults: Set<ReaderFault.Kind> = []

    /// Fails if a field is missing or invalid (card-present payments: amount, final and capture).
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

    /// The presented card; the same for the same key.
    func card(seed: UInt64) -> JSONValue {
        var random = random(seed: seed)
        let type = Self.types[random.below(Self.types.count)]
        let entryType =
            switch entry {
            case .tap: "EMV_CONTACTLESS"
            case .dip: "EMV_CONTACT"
            case .swipe: "SWIPED"
            }
        return [
            "type": .string(type), "last4": .string(String(1000 + random.below(9000))), "entryType": .string(entryType),
        ]
    }

    /// A Clover payment id: 13 letters and digits.
    func paymentID(seed: UInt64) -> String {
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
        charge += 1
        for fault in options.faults where (fault.number ?? charge) == charge { request.faults.insert(fault.kind) }
        charging = request
        // A key with a known outcome gets it again, without a card.
        do throws(JournalError) {
            if try store.outcome(key: request.key) != nil { return settle() }
        } catch {
            return end(["outcome": "unknown", "message": "\(error)"])
        }
        tell("SWIPE_DIP_OR_TAP_CARD")
        if request.faults.contains(.noCard) {
            plan(.giveUp(charge: charge), after: Self.cardTimeout)
        } else {
            plan(.present(charge: charge), after: request.faults.contains(.slowCard) ? 5000 : 500)
        }
    }

    /// Presents the card: sends the reader's messages until the outcome is known.
    mutating func present() {
        guard var request = charging else { return }
        if request.faults.contains(.crashBefore) {
            exitStatus = 3
            return
        }
        request.isCardShown = true
        charging = request
        var words: [String] = []
        if request.faults.contains(.retry) { words += ["CONTACTLESS_FAILED_TRY_CONTACT", "EMV_CARD_DIP_FAILED"] }
        switch request.entry {
        case .tap: words.append("CARD_TAPPED")
        case .dip: words.append("EMV_CARD_INSERTED")
        case .swipe: words.append("CARD_SWIPED")
        }
        if request.faults.contains(.pinCancelled) {
            words.forEach { tell($0) }
            end(Self.cancelled("pin_cancelled", "the customer cancelled the PIN entry"))
            return
        }
        words.append("PROCESSING_TRANSACTION")
        if request.entry == .dip { words += ["REMOVE_CARD", "EMV_CARD_REMOVED"] }
        words.forEach { tell($0) }
        plan(.settle(charge: charge), after: 500)
    }

    mutating func giveUp() {
        end(Self.cancelled("no_card", "no card was shown"))
    }

    /// Decides the outcome, stores it, and reports it.
    mutating func settle() {
        guard let request = charging else { return }
        let seed = options.seed
        do throws(JournalError) {
            let outcome = try store.outcome(key: request.key, externalID: request.externalID) {
                Self.outcome(of: request, seed: seed)
            }
            if request.faults.contains(.loseAnswer) {
                exitStatus = 4
                return
            }
            end(outcome)
        } catch {
            end(["outcome": "unknown", "message": "\(error)"])
        }
    }

    private static func outcome(of request: DriverCharge, seed: UInt64) -> JSONValue {
        let card = request.card(seed: seed)
        if request.faults.contains(.declined) {
            return ["outcome": "declined", "code": "card_declined", "message": "the card was declined", "card": card]
        }
        let amount = request.faults.contains(.partial) ? max(1, request.amount / 2) : request.amount
        if amount < request.amount, !request.acceptsPartial {
            return [
                "outcome": "declined", "code": "partial_rejected", "message": "the card covers only part of the amount",
                "card": card,
            ]
        }
        var payment: [(key: String, value: JSONValue)] = [
            ("id", .string(request.paymentID(seed: seed))), ("externalPaymentId", .string(request.externalID)),
            ("amount", .integer(amount)), ("currency", .string(request.currency)),
            ("final", .boolean(request.isFinal)), ("captured", .boolean(request.capture)),
        ]
        if let tip = request.tipAmount { payment.append(("tipAmount", .integer(tip))) }
        if let tax = request.taxAmount { payment.append(("taxAmount", .integer(tax))) }
        payment += [("authCode", .string("OK" + request.paymentID(seed: seed).prefix(4))), ("card", card)]
        return ["outcome": "approved", "payment": .object(payment)]
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
        if charging?.externalID == externalID { return answer(id, [("status", .string("underWay"))]) }
        do throws(JournalError) {
            guard let outcome = try store.outcome(externalID: externalID) else {
                return answer(id, [("status", .string("none"))])
            }
            answer(id, [("status", .string("ended"))] + outcome.members)
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
        answer(request.id, outcome.members)
    }

    private mutating func tell(_ word: String) {
        say(["event": "say", "say": .string(word)])
    }

    private static func cancelled(_ code: String, _ message: String) -> JSONValue {
        ["outcome": "cancelled", "code": .string(code), "message": .string(message)]
    }
}
