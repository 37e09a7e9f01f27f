extension DriverDesk {
    /// How long a reader waits for a card.
    private static let cardPatience = 60_000

    mutating func startCharge(_ id: Int, _ value: JSONValue) {
        guard isReady else { return refuse(id, "reader_not_ready", "no reader is ready") }
        guard charging == nil else { return refuse(id, "in_progress", "a charge is under way") }
        let cards = options.cards.isEmpty ? ReaderDriverOptions.CardEntry.allCases : options.cards
        guard
            var request = value["charge"].flatMap({ DriverCharge(id: id, $0, entry: cards[cardsShown % cards.count]) })
        else { return refuse(id, "bad_request", "the charge is incomplete or against the rules") }
        cardsShown += 1
        charge += 1
        for fault in options.faults where (fault.number ?? charge) == charge { request.faults.insert(fault.kind) }
        charging = request
        // A key that has an outcome gets it again, without a card.
        do throws(JournalError) {
            if try book.outcome(key: request.key) != nil { return settle() }
        } catch {
            return end(.object([("outcome", .string("unknown")), ("message", .string("\(error)"))]))
        }
        tell("SWIPE_DIP_OR_TAP_CARD")
        if request.faults.contains(.noCard) {
            plan(.giveUp(charge: charge), after: Self.cardPatience)
        } else {
            plan(.present(charge: charge), after: request.faults.contains(.slowCard) ? 5000 : 500)
        }
    }

    /// Shows the card: what the reader says until it knows the outcome.
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
            end(Self.cancelled("pin_cancelled", "the customer cancelled at the PIN"))
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

    /// Decides, keeps it, and tells it.
    mutating func settle() {
        guard let request = charging else { return }
        let seed = options.seed
        do throws(JournalError) {
            let outcome = try book.outcome(key: request.key, externalID: request.externalID) {
                Self.outcome(of: request, seed: seed)
            }
            if request.faults.contains(.loseAnswer) {
                exitStatus = 4
                return
            }
            end(outcome)
        } catch {
            end(.object([("outcome", .string("unknown")), ("message", .string("\(error)"))]))
        }
    }

    private static func outcome(of request: DriverCharge, seed: UInt64) -> JSONValue {
        let card = request.card(seed: seed)
        if request.faults.contains(.declined) {
            return .object([
                ("outcome", .string("declined")), ("code", .string("card_declined")),
                ("message", .string("the card was declined")), ("card", card),
            ])
        }
        let amount = request.faults.contains(.partial) ? max(1, request.amount / 2) : request.amount
        if amount < request.amount, !request.acceptsPartial {
            return .object([
                ("outcome", .string("declined")), ("code", .string("partial_rejected")),
                ("message", .string("the card covers a part only")), ("card", card),
            ])
        }
        var payment: [(key: String, value: JSONValue)] = [
            ("id", .string(request.paymentID(seed: seed))), ("externalPaymentId", .string(request.externalID)),
            ("amount", .integer(amount)), ("currency", .string(request.currency)),
            ("final", .boolean(request.isFinal)), ("captured", .boolean(request.capture)),
        ]
        if let tip = request.tipAmount { payment.append(("tipAmount", .integer(tip))) }
        if let tax = request.taxAmount { payment.append(("taxAmount", .integer(tax))) }
        payment += [("authCode", .string("OK" + request.paymentID(seed: seed).prefix(4))), ("card", card)]
        return .object([("outcome", .string("approved")), ("payment", .object(payment))])
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
            guard let outcome = try book.outcome(externalID: externalID) else {
                return answer(id, [("status", .string("none"))])
            }
            answer(id, [("status", .string("ended"))] + outcome.members)
        } catch {
            refuse(id, "unavailable", "\(error)")
        }
    }

    /// The session ended in the middle of a charge.
    mutating func loseCharge() {
        guard let request = charging else { return }
        end(
            request.isCardShown
                ? .object([
                    ("outcome", .string("unknown")),
                    ("message", .string("the reader was lost after the card was shown")),
                ])
                : Self.cancelled("lost", "the reader was lost before a card was shown"))
    }

    private mutating func end(_ outcome: JSONValue) {
        guard let request = charging else { return }
        charging = nil
        answer(request.id, outcome.members)
    }

    private mutating func tell(_ word: String) {
        say(.object([("event", .string("say")), ("say", .string(word))]))
    }

    private static func cancelled(_ code: String, _ message: String) -> JSONValue {
        .object([("outcome", .string("cancelled")), ("code", .string(code)), ("message", .string(message))])
    }
}
