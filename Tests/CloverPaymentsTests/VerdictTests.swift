import CloverJSON
import CloverOutput
import CloverPayments
import Testing

@Suite("Verdicts: what evidence proves")
struct VerdictTests {
    /// A kind of evidence, in the words of `docs/verdicts.md`.
    struct Kind: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let evidence: Evidence
        /// It shows a payment of this operation, or the operation's effect, without contradiction.
        var showsMoney = false
        /// On its own, it proves nothing about this operation's request.
        var isSilent = false
    }

    static let rails: [PaymentRail] = [.ecommerce, .payDisplay, .reader]

    static func operation(
        _ kind: OperationKind = .charge, on rail: PaymentRail, type: ChargeType = .sale, hasChosenID: Bool = false
    ) -> PaymentOperation {
        var request = OperationRequest(
            path: kind == .charge ? "/v1/payments" : "/v1/payments/P1/\(kind.rawValue)", body: "{}")
        request.type = type
        if hasChosenID { request.hasChosenID = true }
        return PaymentOperation(
            id: "c_1", kind: kind, parent: kind == .charge ? nil : "c_0", rail: rail, environment: "us",
            merchantID: "M",
            idempotencyKey: "k", externalID: "E", amount: Money(minorUnits: 1250, currency: .usDollar),
            request: request, now: 0)
    }

    static func outcome(_ payment: String? = "P1", amount: Int64? = 1250) -> OperationOutcome {
        var outcome = OperationOutcome()
        outcome.paymentID = payment
        outcome.amount = amount
        return outcome
    }

    private static func payment(
        _ source: ObservedPayment.Source, _ ending: ObservedPayment.Ending = .approved, id: String? = "P1",
        amount: Int64? = 1250,
        externalID: String? = "E", currency: String? = "usd", isCaptured: Bool? = true, isOfAnother: Bool = false,
        captured: Int64? = nil, refunded: Int64? = nil, tip: Int64? = nil, isFromOwnSource: Bool = false
    ) -> Evidence {
        var payment = ObservedPayment(
            source: source, ending: ending, externalID: externalID, currency: currency, isCaptured: isCaptured,
            outcome: outcome(id, amount: amount))
        (payment.isOfAnother, payment.captured, payment.refunded) = (isOfAnother, captured, refunded)
        payment.outcome.tip = tip
        payment.isFromOwnSource = isFromOwnSource
        return .payment(payment)
    }

    @Test("a candidate that the journal has under another charge by now counts no more, and the decline counts")
    func candidateOfAnother() {
        let operation = Self.operation(on: .ecommerce)
        var declined = OperationOutcome()
        declined.code = "card_declined"
        func listed(isOfAnother: Bool) -> Evidence {
            Self.payment(.list, id: "P9", externalID: nil, isOfAnother: isOfAnother, isFromOwnSource: true)
        }
        guard case .unknown(let doubt, _) = Verdict(on: operation, [.declined(declined), listed(isOfAnother: false)])
        else {
            Issue.record("the candidate is taken for nothing")
            return
        }
        #expect(doubt.candidates == ["P9"] && doubt.isDeclined == true && doubt.code == "card_declined")
        let later = Verdict(
            on: operation.settled(.unknown, doubt), [.declined(doubt), listed(isOfAnother: true), .absent])
        guard case .notMoved(let end) = later else {
            Issue.record("\(later)")
            return
        }
        #expect(end.state == .declined && end.outcome.candidates == nil)
    }

    static let words = OperationOutcome(reason: "words")

    static let kinds: [Kind] = [
        Kind(testDescription: "nothing left this machine", evidence: .neverLeft(.failed, words)),
        Kind(
            testDescription: "the same, and whether its key was charged before, elsewhere, could not be asked",
            evidence: .keyUnchecked(words)),
        Kind(testDescription: "a decline in Clover's form, of this very request", evidence: .declined(words)),
        Kind(
            testDescription: "a refusal in Clover's form that calls this very request wrong (400, 403, 404)",
            evidence: .refused(words)),
        Kind(
            testDescription: "a refusal of the sign-in (401), in Clover's form",
            evidence: .refused(OperationOutcome(reason: "words", http: 401))),
        Kind(
            testDescription: "a refusal by the rate limit (429), in Clover's form",
            evidence: .refused(OperationOutcome(reason: "words", http: 429))),
        Kind(
            testDescription: "a decline in Clover's form, after a sending that was refused in front of the service",
            evidence: .doubtfulRefusal(.declined, words)),
        Kind(
            testDescription: "a refusal in Clover's form, after such a sending, or without the payment service's name",
            evidence: .doubtfulRefusal(.failed, words)),
        Kind(
            testDescription: "a decline or refusal in Clover's form, after a sending whose response was lost",
            evidence: .secondRefused(words)),
        Kind(
            testDescription: "a refusal of the sign-in (401) in a form that gateways use, too",
            evidence: .signInDoubted(words)),
        Kind(testDescription: "cancelled, as the device or reader says", evidence: .cancelled(words)),
        Kind(
            testDescription: "cancelled, as the device says after it was asked to cancel",
            evidence: .cancelled(words, isRequested: true)),
        Kind(
            testDescription: "declined or failed before the card, as the reader's driver says",
            evidence: .refusedByDriver(.declined, words)),
        Kind(testDescription: "a driver with a lasting record has no such payment", evidence: .absentFromDriver),
        Kind(
            testDescription: "an approved payment in the response to this request", evidence: payment(.response),
            showsMoney: true),
        Kind(
            testDescription: "an approved payment, asked for by its id", evidence: payment(.paymentID), showsMoney: true
        ),
        Kind(
            testDescription: "an approved payment with our external id", evidence: payment(.externalID),
            showsMoney: true),
        Kind(testDescription: "an approved payment, as the driver says", evidence: payment(.driver), showsMoney: true),
        Kind(
            testDescription: "an approved payment that looks alike, without a reference",
            evidence: payment(.list, externalID: nil), isSilent: true),
        Kind(
            testDescription: "the same, from the charge's own card token or customer",
            evidence: payment(.list, externalID: nil, isFromOwnSource: true), isSilent: true),
        Kind(
            testDescription: "an approved payment with another external id",
            evidence: payment(.response, externalID: "F"), isSilent: true),
        Kind(
            testDescription: "an approved payment that the journal has under another charge",
            evidence: payment(.externalID, isOfAnother: true), isSilent: true),
        Kind(
            testDescription: "our payment with more than was asked for", evidence: payment(.response, amount: 1300),
            isSilent: true),
        Kind(
            testDescription: "our payment with a negative amount", evidence: payment(.response, amount: -1),
            isSilent: true),
        Kind(
            testDescription: "our payment in another currency", evidence: payment(.response, currency: "EUR"),
            isSilent: true),
        Kind(
            testDescription: "our payment, held instead of captured (on a device: of the type PREAUTH)",
            evidence: payment(.response, isCaptured: false), isSilent: true),
        Kind(
            testDescription: "our payment, captured in part or refunded",
            evidence: payment(.externalID, captured: 1, refunded: 1)),
        Kind(testDescription: "our payment with a negative tip", evidence: payment(.response, tip: -1)),
        Kind(
            testDescription: "our payment with less than was asked for (a partial approval)",
            evidence: payment(.response, amount: 1000), showsMoney: true),
        Kind(
            testDescription: "less than was asked for, under a key or id that may have been used before",
            evidence: payment(.response, amount: 1000, externalID: nil)),
        Kind(testDescription: "our payment, declined", evidence: payment(.response, .declined)),
        Kind(testDescription: "our payment, voided", evidence: payment(.externalID, .voided)),
        Kind(
            testDescription: "our payment, pending", evidence: payment(.response, .open("pending")), isSilent: true),
        Kind(testDescription: "the effect of a follow-up is shown", evidence: .effect(outcome()), showsMoney: true),
        Kind(testDescription: "the charge of a follow-up is as before", evidence: .unchanged, isSilent: true),
        Kind(
            testDescription: "the charge of a refund or increment shows an amount that the journal does not explain",
            evidence: .changed(words), isSilent: true),
        Kind(testDescription: "no payment has our external id", evidence: .absent, isSilent: true),
        Kind(
            testDescription:
                "no response, a bare status, a redirect, an outage or busy device (5xx), a conflict (409), a key or token used before",
            evidence: .silence(words, isRepeatable: true),
            isSilent: true),
        Kind(
            testDescription: "the sign-in is refused for reading, too", evidence: .signInRefused, isSilent: true),
    ]

    static func word(_ verdict: Verdict) -> String {
        switch verdict {
        case .moved: "moved"
        case .notMoved(let notMoved): "not moved (\(notMoved.state.rawValue))"
        case .unknown: "unknown"
        }
    }

    @Test("a payment that is shown outweighs every other evidence, before and after it", arguments: kinds)
    func shown(_ row: Kind) {
        for other in Self.kinds where other.showsMoney {
            for rail in Self.rails {
                let kind = other.evidence == .effect(Self.outcome()) ? OperationKind.capture : .charge
                let operation = Self.operation(kind, on: rail)
                for evidence in [[row.evidence, other.evidence], [other.evidence, row.evidence]] {
                    #expect(Self.word(Verdict(on: operation, evidence)) == "moved", "\(other.testDescription)")
                }
            }
        }
    }

    @Test("a refused sign-in ends a charge once reading is refused, too; a rate limit only after a look")
    func gateways() {
        let words = [401, 429].map { OperationOutcome(reason: "words", http: $0) }
        for rail in [PaymentRail.ecommerce, .payDisplay] {
            let operation = Self.operation(on: rail)
            func word(_ evidence: [Evidence]) -> String { Self.word(Verdict(on: operation, evidence)) }
            #expect(word([.refused(words[0]), .signInRefused]) == "not moved (failed)")
            #expect(word([.refused(words[1]), .signInRefused]) == "unknown")
            #expect(word([.signInDoubted(words[0]), .signInRefused]) == "not moved (failed)")
            #expect(word([.refused(words[0]), .silence(Self.words, isRepeatable: false)]) == "unknown")
            let isDevice = rail == .payDisplay
            #expect(word([.refused(words[1]), .absent]) == (isDevice ? "unknown" : "not moved (failed)"))
            for refusal in [words[0], Self.words] {
                guard case .notMoved(let end) = Verdict(on: operation, [.refused(refusal), .absent]) else {
                    Issue.record("a refusal without a payment ends nothing")
                    continue
                }
                #expect(end.outcome.isProvisional == true)
            }
        }
        let refund = Self.operation(.refund, on: .ecommerce)
        #expect(Self.word(Verdict(on: refund, [.refused(words[1]), .unchanged])) == "unknown")
        #expect(Self.word(Verdict(on: refund, [.refused(Self.words)])) == "unknown")
        #expect(Self.word(Verdict(on: refund, [.refused(Self.words), .unchanged])) == "not moved (failed)")
    }

    @Test("a payment that looks alike keeps a refused charge open, and is named")
    func refusedBesideAlike() throws {
        let evidence = [Evidence.refused(Self.words), Self.payment(.list, externalID: nil)]
        guard case .unknown(let outcome, _) = Verdict(on: Self.operation(on: .ecommerce), evidence) else {
            Issue.record("the charge is not open")
            return
        }
        #expect(outcome.candidates == ["P1"])
    }

    @Test("what the charge's own payment waits for is named before others that look alike")
    func openBesideAlike() throws {
        let wait = "waiting for 3-D Secure"
        let own = Self.payment(.response, .open(wait), externalID: nil)
        let alike = Self.payment(.list, id: "P2", externalID: nil)
        let again = Self.payment(.list, .open("pending"), externalID: nil)
        let operation = Self.operation(on: .ecommerce)
        func open(_ evidence: [Evidence]) throws -> OperationOutcome {
            guard case .unknown(let outcome, isRepeatable: false) = Verdict(on: operation, evidence) else {
                Issue.record("\(evidence) ended it, or may be repeated")
                return OperationOutcome()
            }
            return outcome
        }
        for (evidence, others) in [([own, again], nil), ([own, alike], ["P2"]), ([own, again, alike], ["P2"])] {
            let outcome = try open(evidence)
            #expect(outcome.reason?.contains(wait) == true && outcome.paymentID == "P1", "\(outcome)")
            #expect(outcome.candidates == others, "\(outcome)")
        }
        // Shown as approved meanwhile, although not by its ID.
        let done = try open([own, Self.payment(.list, externalID: nil), alike])
        #expect(done.candidates == ["P1", "P2"], "\(done)")
        let dearer = Self.payment(.paymentID, amount: 1300, externalID: nil)
        #expect(try open([own, alike, dearer]).reason?.contains("contradicts") == true)
    }

    @Test("a payment that was named or known before stays so when a look fails or a driver has none")
    func kept() throws {
        var known = OperationOutcome(reason: "before")
        known.paymentID = "P7"
        known.candidates = ["P8"]
        let operation = Self.operation(on: .reader).settled(.unknown, known)
        for evidence in [Evidence.absentFromDriver, .silence(Self.words, isRepeatable: false), .absent] {
            guard case .unknown(let outcome, _) = Verdict(on: operation, [evidence]) else {
                Issue.record("\(evidence) ended it")
                continue
            }
            #expect(outcome.paymentID == "P7" && outcome.candidates == ["P8"] && outcome.reason == "before")
        }
    }

    @Test("a reader's tip that was not requested contradicts a sale")
    func tip() throws {
        var payment = ObservedPayment(source: .driver, ending: .approved, externalID: "E", outcome: Self.outcome())
        payment.outcome.tip = 999
        #expect(payment.contradiction(with: Self.operation(on: .reader)) != nil)
        #expect(payment.contradiction(with: Self.operation(on: .payDisplay)) == nil)
    }

    @Test("silence, absence and payments of others prove nothing, in any number and order", arguments: kinds)
    func silent(_ row: Kind) {
        guard row.isSilent else { return }
        for other in Self.kinds where other.isSilent {
            for rail in Self.rails {
                for kind in [OperationKind.charge, .refund] {
                    let verdict = Verdict(
                        on: Self.operation(kind, on: rail), [row.evidence, other.evidence, row.evidence])
                    #expect(!verdict.isKnown, "\(rail) \(kind): \(other.testDescription)")
                }
            }
        }
    }

    @Test("a device's refusal counts only if its records were read after it")
    func looks() {
        for first in [Evidence.refused(Self.words), .cancelled(Self.words, isRequested: true)] {
            let charge = Self.operation(on: .payDisplay)
            #expect(!Verdict(on: charge, [first]).isKnown)
            #expect(!Verdict(on: charge, [.absent, first]).isKnown)
            #expect(Self.word(Verdict(on: charge, [first, .absent])).hasPrefix("not moved"))
            let refund = Self.operation(.refund, on: .payDisplay)
            #expect(!Verdict(on: refund, [first, .absent]).isKnown)
            #expect(Self.word(Verdict(on: refund, [first, .unchanged])).hasPrefix("not moved"))
        }
    }

    @Test(
        "that a device was cancelled without this program's request leaves the charge open, whatever the records show")
    func cancelledElsewhere() {
        let charge = Self.operation(on: .payDisplay)
        #expect(!Verdict(on: charge, [.cancelled(Self.words), .absent]).isKnown)
        let twice = Verdict(on: charge, [.cancelled(Self.words), .absent, .absent])
        #expect(Self.word(twice) == "not moved (cancelled)" && twice.record.outcome.isProvisional == true)
        #expect(
            Self.word(Verdict(on: Self.operation(on: .reader), [.cancelled(Self.words)])) == "not moved (cancelled)")
    }

    @Test("that nothing left this machine counts only without other evidence", arguments: kinds)
    func neverLeft(_ row: Kind) {
        let evidence: [Evidence] = [.neverLeft(.failed, Self.words), row.evidence]
        let verdict = Verdict(on: Self.operation(on: .ecommerce), evidence)
        guard case .notMoved(let notMoved) = verdict else { return }
        #expect(notMoved.outcome.neverLeft == nil || row.evidence == evidence[0])
    }

    @Test("a key that could not be checked is open, and free once no charge of it is shown")
    func keyUnchecked() {
        let charge = Self.operation(on: .ecommerce)
        let open = Verdict(on: charge, [.keyUnchecked(Self.words)]).record
        #expect(open.state == .unknown && charge.settled(open.state, open.outcome).isNeverSent)
        let free = Verdict(on: charge, [.keyUnchecked(Self.words), .absent]).record
        #expect(free.state == .failed && charge.settled(free.state, free.outcome).isNeverSent)
        let doubt = Verdict(on: charge, [.keyUnchecked(Self.words), Self.payment(.list, externalID: nil)]).record
        #expect(doubt.state == .unknown && !charge.settled(doubt.state, doubt.outcome).isNeverSent)
    }

    @Test("a payment with an external ID chosen by the user is only a candidate, and is named")
    func chosen() {
        let charge = Self.operation(on: .payDisplay, hasChosenID: true)
        let verdict = Verdict(on: charge, [.refused(Self.words), Self.payment(.externalID)])
        #expect(!verdict.isKnown)
        #expect(verdict.record.outcome.candidates == ["P1"])
        // A failed attempt from another machine is not this charge's outcome.
        #expect(!Verdict(on: charge, [Self.payment(.externalID, .declined)]).isKnown)
    }

    @Test("a charge that looks alike does not weaken a decline of this very request")
    func alike() {
        let charge = Self.operation(on: .ecommerce)
        let alike = Self.payment(.list, id: "P9", externalID: nil)
        #expect(Self.word(Verdict(on: charge, [.declined(Self.words), alike])) == "not moved (declined)")
        let verdict = Verdict(on: charge, [.silence(Self.words, isRepeatable: true), alike])
        #expect(verdict.record.outcome.candidates == ["P9"])
        guard case .unknown(_, isRepeatable: false) = verdict else {
            Issue.record("it may be sent again, although its payment may be shown: \(verdict)")
            return
        }
    }

    @Test("a payment from the charge's own source contradicts a decline, and is named", arguments: ["code", "failed"])
    func ownSource(_ kind: String) {
        let charge = Self.operation(on: .ecommerce)
        let decline = kind == "code" ? Evidence.declined(Self.words) : Self.payment(.response, .declined, id: "P2")
        let alike = Self.payment(.list, id: "P8", externalID: nil)
        let own = Self.payment(.list, id: "P9", externalID: nil, isFromOwnSource: true)
        let verdict = Verdict(on: charge, [decline, alike, own])
        #expect(!verdict.isKnown && verdict.record.outcome.candidates == ["P9"])
        // The payment of another charge in the journal, or one that failed.
        let other = Self.payment(.list, id: "P9", externalID: nil, isOfAnother: true, isFromOwnSource: true)
        let failed = Self.payment(.list, .declined, id: "P9", externalID: nil, isFromOwnSource: true)
        for shown in [other, failed] {
            #expect(Self.word(Verdict(on: charge, [decline, alike, shown])) == "not moved (declined)")
        }
    }

    @Test(
        "an approval with another card is none, nor one of an earlier time with a chosen ID; under a chosen key, the time does not count"
    )
    func anotherCard() {
        func isApproved(
            _ date: Int64?, card: String?, hasChosenKey: Bool = false, hasChosenID: Bool = false
        ) -> Bool {
            guard case .payment(var payment) = Self.payment(.paymentID) else { return false }
            (payment.createdAt, payment.askedAt) = (1_700_000_000_000, date)
            payment.outcome.card = CardDetails(type: "VISA", last4: card)
            var request = OperationRequest(path: "/v1/charges", body: "{}")
            request.type = .sale
            request.cardEnd = "4242"
            if hasChosenKey { request.hasChosenKey = true }
            if hasChosenID { request.hasChosenID = true }
            let charge = PaymentOperation(
                id: "c_1", kind: .charge, rail: .ecommerce, environment: "us", merchantID: "M", idempotencyKey: "k",
                externalID: "E", amount: Money(minorUnits: 1250, currency: .usDollar), request: request, now: 0)
            return Verdict(on: charge, [.payment(payment)]).isKnown
        }
        let hour: Int64 = 60 * 60 * 1000
        #expect(isApproved(nil, card: "4242") && isApproved(nil, card: nil))
        #expect(!isApproved(nil, card: "1111") && !isApproved(nil, card: "1111", hasChosenKey: true))
        #expect(isApproved(1_700_000_000_000 + hour / 60, card: "4242"))
        // The clock of a service may be wrong, and the card is ours.
        #expect(isApproved(1_700_000_000_000 + hour, card: "4242", hasChosenID: true))
        // The ID is that of this request alone.
        #expect(isApproved(1_700_000_000_000 + hour, card: nil))
        #expect(!isApproved(1_700_000_000_000 + hour, card: nil, hasChosenID: true))
        #expect(isApproved(1_700_000_000_000 + hour, card: nil, hasChosenKey: true))
    }

    @Test("a payment that is not final contradicts a sale, and no other charge")
    func notFinal() {
        var payment = ObservedPayment(source: .driver, ending: .approved, externalID: "E", outcome: Self.outcome())
        for (type, isFinal, isSame) in [
            (ChargeType.sale, false, false), (.sale, true, true), (.auth, false, true), (.preauth, false, true),
        ] {
            payment.isFinal = isFinal
            let charge = Self.operation(on: .reader, type: type)
            #expect((payment.contradiction(with: charge) == nil) == isSame, "\(type) \(isFinal)")
        }
    }

    @Test("a hold that is found captured in part, and a charge that is found refunded, are left to a person")
    func capturedElsewhere() {
        for rail in [PaymentRail.payDisplay, .ecommerce] {
            let hold = Self.operation(on: rail, type: .preauth)
            let part = Self.payment(.externalID, amount: 600, isCaptured: true)
            #expect(Verdict(on: hold, [part]).record.outcome.candidates == ["P1"])
            #expect(!Verdict(on: hold, [part]).isKnown)
            // The Ecommerce API still shows the amount that was held.
            var held = ObservedPayment(
                source: .externalID, ending: .approved, externalID: "E", isCaptured: true, outcome: Self.outcome())
            held.captured = 600
            #expect(!Verdict(on: hold, [.payment(held)]).isKnown)
            var refunded = held
            (refunded.captured, refunded.refunded) = (nil, 500)
            #expect(!Verdict(on: Self.operation(on: rail), [.payment(refunded)]).isKnown)
            for source in [ObservedPayment.Source.response, .externalID] {
                let approved = Self.payment(source, amount: 600, isCaptured: false)
                #expect(Self.word(Verdict(on: hold, [approved])) == "moved")
            }
        }
    }

    @Test("a decline that names the charge of another request, or whose charge shows a change, ends nothing")
    func repeatedDecline() {
        let charge = Self.operation(on: .ecommerce)
        let decline = Evidence.declined(Self.outcome(amount: nil))
        #expect(decline.needsLookup && decline.paymentID(of: charge) == "P1")
        for other in [
            Self.payment(.paymentID, .declined, externalID: "F"),
            Self.payment(.paymentID, .declined, amount: 800, externalID: nil),
        ] {
            #expect(!Verdict(on: charge, [decline, other, .absent]).isKnown)
        }
        for (later, isProvisional) in [
            ([Evidence.absent], true), ([Self.payment(.paymentID, .declined, externalID: nil)], true),
            ([Self.payment(.paymentID, .declined)], nil),
        ] {
            let verdict = Verdict(on: charge, [decline] + later)
            #expect(Self.word(verdict) == "not moved (declined)")
            #expect(verdict.record.outcome.isProvisional == isProvisional, "\(later)")
        }
        for rail in Self.rails {
            let other = Self.payment(.response, .declined, amount: 99, externalID: nil)
            #expect(!Verdict(on: Self.operation(on: rail), [other, .absent]).isKnown)
            let bare = Self.payment(.response, .declined, externalID: nil)
            #expect(bare.needsLookup)
            #expect(Verdict(on: Self.operation(on: rail), [bare, .absent]).record.outcome.isProvisional == true)
        }
        let refund = Self.operation(.refund, on: .ecommerce)
        #expect(!Verdict(on: refund, [decline, .changed(Self.words)]).isKnown)
        #expect(Self.word(Verdict(on: refund, [decline, .unchanged])) == "not moved (declined)")
    }

    @Test("a follow-up whose charge shows a change that may be its effect is not sent again")
    func notAgain() {
        let refund = Self.operation(.refund, on: .ecommerce)
        let lost = Evidence.silence(Self.words, isRepeatable: true)
        for (later, expected) in [(Evidence.unchanged, true), (.changed(Self.words), false)] {
            guard case .unknown(_, let isRepeatable) = Verdict(on: refund, [lost, later]) else {
                Issue.record("\(later) ended it")
                continue
            }
            #expect(isRepeatable == expected)
        }
    }

    @Test("a refund that was refused while its charge changed keeps the words of the refusal")
    func refusedBesideChange() {
        var refusal = OperationOutcome(http: 400)
        (refusal.code, refusal.text) = ("amount_too_large", "more than is left")
        let verdict = Verdict(on: Self.operation(.refund, on: .ecommerce), [.refused(refusal), .changed(Self.words)])
        let (state, outcome) = verdict.record
        #expect(state == .unknown && outcome.reason == "words" && outcome.http == 400)
        #expect(outcome.code == "amount_too_large" && outcome.text == "more than is left")
    }

    @Test("of many payments that may be a charge's, a message names the first five")
    func manyCandidates() {
        let listed = (1...7).map { Self.payment(.list, id: "P\($0)", externalID: nil) }
        let outcome = Verdict(on: Self.operation(on: .ecommerce), listed).record.outcome
        #expect(outcome.candidates?.count == 7)
        #expect(outcome.reason?.hasSuffix("P1, P2, P3, P4, P5, and 2 more") == true, "\(outcome)")
    }

    @Test("another customer's payment in a response is not looked up by its ID")
    func foreign() {
        let charge = Self.operation(on: .ecommerce)
        for ending in [ObservedPayment.Ending.approved, .open("pending")] {
            let foreign = Self.payment(.response, ending, id: "P7", externalID: "F")
            #expect(foreign.paymentID(of: charge) == nil)
            #expect(Verdict(on: charge, [foreign]).record.outcome.paymentID == nil)
        }
        #expect(Self.payment(.response, .open("pending")).paymentID(of: charge) == "P1")
    }

    @Test("a decline ends a charge or refund only once the records were read; one that was never confirmed is kept")
    func declined() {
        for operation in [Self.operation(on: .ecommerce), Self.operation(.refund, on: .ecommerce)] {
            let absence = operation.kind == .charge ? Evidence.absent : .unchanged
            for unread in [
                [], [Evidence.signInRefused], [.silence(Self.words, isRepeatable: true)],
                [.silence(OperationOutcome(reason: "words", http: 404), isRepeatable: false)],
            ] {
                let evidence = [Evidence.declined(OperationOutcome(http: 402))] + unread
                guard case .unknown(let outcome, _) = Verdict(on: operation, evidence) else {
                    Issue.record("\(evidence) ended it")
                    continue
                }
                #expect(outcome.isDeclined == true)
                guard case .notMoved(let end) = Verdict(on: operation, [.declined(outcome), absence]) else {
                    Issue.record("it stays open")
                    continue
                }
                #expect(end.state == .declined && end.outcome.isDeclined == nil && end.outcome.reason == nil)
            }
        }
    }

    @Test("what contradicts the request is no approval, in the response and in the records")
    func contradictions() {
        for source in [ObservedPayment.Source.response, .paymentID, .externalID] {
            for (type, payment) in [
                (ChargeType.sale, Self.payment(source, isCaptured: false)), (.sale, Self.payment(source, captured: 1)),
                (.sale, Self.payment(source, refunded: 1250)), (.preauth, Self.payment(source, captured: 1250)),
                (.preauth, Self.payment(source, isCaptured: true)), (.sale, Self.payment(source, tip: -5)),
            ] {
                for rail in [PaymentRail.ecommerce, .payDisplay] {
                    let operation = Self.operation(on: rail, type: type)
                    #expect(Self.word(Verdict(on: operation, [payment])) == "unknown", "\(payment)")
                }
            }
            let tipped = Self.payment(source, tip: 100)
            #expect(Self.word(Verdict(on: Self.operation(on: .ecommerce), [tipped])) == "unknown")
            #expect(Self.word(Verdict(on: Self.operation(on: .payDisplay), [tipped])) == "moved")
        }
    }
}
