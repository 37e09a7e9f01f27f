/// Proof that an operation was carried out. Only `Verdict` makes one.
package struct Moved: Equatable, Sendable {
    package let outcome: OperationOutcome

    fileprivate init(_ outcome: OperationOutcome) { self.outcome = outcome }
}

/// Proof that an operation was not carried out and will not be. Only `Verdict` makes one.
package struct NotMoved: Equatable, Sendable {
    package let state: OperationState
    package let outcome: OperationOutcome

    fileprivate init(_ state: OperationState, _ outcome: OperationOutcome) {
        self.state = state
        self.outcome = outcome
    }
}

/// What the evidence about an operation proves: one function for all rails, for charges and for their follow-ups.
///
/// Money did not move only if nothing left this machine, or if a response about this very operation says so. Silence,
/// absence, a bare status code and the passing of time prove nothing. A payment that is shown outweighs all other evidence.
package enum Verdict: Equatable, Sendable {
    case moved(Moved)
    case notMoved(NotMoved)
    /// It may have been carried out. `isRepeatable`: sending it again under the same key is safe and may settle it.
    case unknown(OperationOutcome, isRepeatable: Bool)

    /// - Parameters:
    ///   - operation: the operation as it was sent.
    ///   - evidence: in the order in which it was found.
    package init(on operation: PaymentOperation, _ evidence: [Evidence]) {
        let operation = Self.withoutCandidatesOfOthers(operation, evidence)
        if let moved = Self.moved(operation, evidence) {
            self = .moved(moved)
            return
        }
        if var doubt = Self.doubt(operation, evidence.filter { !$0.isOnlySimilar }) {
            // If the payment turns out to be another charge's, the decline counts.
            for case .declined(let words) in evidence {
                doubt.isDeclined = true
                doubt.code = doubt.code ?? words.code
                doubt.text = doubt.text ?? words.text
            }
            self = .unknown(doubt, isRepeatable: false)
        } else if let notMoved = Self.notMoved(operation, evidence) {
            self = .notMoved(notMoved)
        } else if let doubt = Self.doubt(operation, evidence) {
            // It may be this operation's payment, so that a second sending could be a second payment.
            self = .unknown(doubt, isRepeatable: false)
        } else {
            self = Self.unknown(operation, evidence)
        }
        keepPayments(of: operation)
    }

    /// The operation without candidates that the journal has under other charges by now.
    private static func withoutCandidatesOfOthers(
        _ operation: PaymentOperation, _ evidence: [Evidence]
    ) -> PaymentOperation {
        guard let candidates = operation.outcome.candidates else { return operation }
        var others: Set<String> = []
        for case .payment(let payment) in evidence where payment.isOfAnother {
            if let id = payment.outcome.paymentID { others.insert(id) }
        }
        var operation = operation
        let left = candidates.filter { !others.contains($0) }
        operation.outcome.candidates = left.isEmpty ? nil : left
        return operation
    }

    /// Adds the payments that were named before to what is unknown: a look that fails does not take them back.
    private mutating func keepPayments(of operation: PaymentOperation) {
        guard case .unknown(var outcome, let isRepeatable) = self, !operation.state.isFinal else { return }
        let known = operation.outcome
        outcome.paymentID = outcome.paymentID ?? known.paymentID
        outcome.isRateLimited = outcome.isRateLimited ?? known.isRateLimited
        outcome.isDeclined = outcome.isDeclined ?? known.isDeclined
        let named = outcome.candidates ?? []
        if named.isEmpty, known.candidates?.isEmpty == false { outcome.reason = known.reason }
        let all = named + (known.candidates ?? []).filter { !named.contains($0) }
        outcome.candidates = all.isEmpty ? nil : all
        self = .unknown(outcome, isRepeatable: isRepeatable)
    }

    /// The same, with the service's words changed by `change`.
    func concealing(_ change: (String) -> String) -> Verdict {
        func changed(_ outcome: OperationOutcome) -> OperationOutcome {
            var outcome = outcome
            outcome.text = outcome.text.map(change)
            outcome.code = outcome.code.map(change)
            return outcome
        }
        return switch self {
        case .moved(let moved): .moved(Moved(changed(moved.outcome)))
        case .notMoved(let notMoved): .notMoved(NotMoved(notMoved.state, changed(notMoved.outcome)))
        case .unknown(let outcome, let isRepeatable): .unknown(changed(outcome), isRepeatable: isRepeatable)
        }
    }

    /// The state and outcome for the journal.
    package var record: (state: OperationState, outcome: OperationOutcome) {
        switch self {
        case .moved(let moved): (.approved, moved.outcome)
        case .notMoved(let notMoved): (notMoved.state, notMoved.outcome)
        case .unknown(let outcome, _): (.unknown, outcome)
        }
    }

    /// Whether the operation's outcome is known.
    package var isKnown: Bool { if case .unknown = self { false } else { true } }

    private static func moved(_ operation: PaymentOperation, _ evidence: [Evidence]) -> Moved? {
        for case .effect(let outcome) in evidence { return Moved(outcome) }
        guard operation.kind == .charge else { return nil }
        // A payment in the response without our external ID is ours if the service shows it under that ID.
        let found = evidence.compactMap { item -> String? in
            guard case .payment(let payment) = item, payment.source == .externalID, payment.ending == .approved,
                payment.relation(to: operation) != .foreign, operation.request.hasChosenID != true
            else { return nil }
            return payment.outcome.paymentID
        }
        for case .payment(let payment) in evidence
        where payment.ending == .approved && payment.contradiction(with: operation) == nil {
            let id = payment.outcome.paymentID ?? ""
            switch payment.relation(to: operation) {
            case .own: break
            case .possible where payment.source == .response && !id.isEmpty && found.contains(id): break
            case .possible, .foreign: continue
            }
            var outcome = payment.outcome
            outcome.amount = outcome.amount ?? operation.amount?.minorUnits
            return Moved(outcome)
        }
        return nil
    }

    /// How the reason of an outcome begins whose own payment is not what was asked for.
    package static let contradiction = "a payment at Clover contradicts it"

    /// Whether the reason of an outcome names a smaller payment, which may be a part of this charge or an earlier one.
    package static func namesPart(_ outcome: OperationOutcome) -> Bool {
        outcome.reason.map { $0.hasPrefix(contradiction) && $0.contains(ObservedPayment.mayBeEarlier) } ?? false
    }

    /// A payment that may be this operation's or that contradicts it.
    private static func doubt(_ operation: PaymentOperation, _ evidence: [Evidence]) -> OperationOutcome? {
        guard operation.kind == .charge else { return nil }
        var candidates: [String] = []
        var reason: String?
        var first: OperationOutcome?
        var isContradicted = false
        for case .payment(let payment) in evidence {
            // A failed payment that only looks alike is not this charge's; a pending one may turn out to be.
            let isTry = payment.ending == .declined || payment.ending == .voided
            switch payment.relation(to: operation) {
            case .foreign: continue
            case .possible where isTry: continue
            case .possible:
                reason = reason ?? "a payment at Clover may be this one"
            case .own:
                guard payment.ending == .approved, let words = payment.contradiction(with: operation) else { continue }
                reason = reason ?? "\(Self.contradiction): \(words)"
            }
            first = first ?? payment.outcome
            isContradicted = isContradicted || payment.relation(to: operation) == .own
            if let id = payment.outcome.paymentID, !id.isEmpty, !candidates.contains(id) { candidates.append(id) }
        }
        guard let reason, !candidates.isEmpty else { return nil }
        // What the operation's own payment waits for outweighs others that look alike, unless that one is shown as approved.
        if !isContradicted, let open = open(operation, evidence), !isApproved(open.paymentID, evidence) {
            let others = candidates.filter { $0 != open.paymentID }
            var outcome = open
            if !others.isEmpty { outcome.reason? += "; others at Clover look alike: \(names(others))" }
            outcome.candidates = others.isEmpty ? nil : others
            return outcome
        }
        var outcome = OperationOutcome(reason: "\(reason): \(names(candidates))", http: first?.http)
        outcome.candidates = candidates
        return outcome
    }

    /// The first of many payments, for a message.
    private static func names(_ payments: [String]) -> String {
        let limit = 5
        let more = payments.count > limit ? ", and \(payments.count - limit) more" : ""
        return payments.prefix(limit).joined(separator: ", ") + more
    }

    /// The operation's own payment where it is neither approved nor at an end, such as one that waits for 3-D Secure.
    private static func open(_ operation: PaymentOperation, _ evidence: [Evidence]) -> OperationOutcome? {
        for item in evidence {
            guard case .payment(let payment) = item, payment.relation(to: operation) == .own,
                let outcome = words(for: payment, item.paymentID(of: operation))
            else { continue }
            return outcome
        }
        return nil
    }

    /// What a payment waits for; nil if it is approved or at an end.
    private static func words(for payment: ObservedPayment, _ id: String?) -> OperationOutcome? {
        guard case .open(let word) = payment.ending else { return nil }
        var outcome = OperationOutcome(
            reason: word.map { "the payment is '\(ServiceErrorBody.oneLine($0))' at the service" }
                ?? "the response does not show the outcome of the payment",
            http: payment.outcome.http)
        outcome.paymentID = id
        return outcome
    }

    private static func isApproved(_ payment: String?, _ evidence: [Evidence]) -> Bool {
        evidence.contains {
            guard case .payment(let shown) = $0 else { return false }
            return shown.ending == .approved && shown.outcome.paymentID == payment
        }
    }

    /// How many looks, some time apart, must show no payment after a cancellation that this run did not ask for.
    private static let looksAfterCancellation = 2

    private static func notMoved(_ operation: PaymentOperation, _ evidence: [Evidence]) -> NotMoved? {
        // A payment that was shown before outweighs records that do not show it now, and what looks alike outweighs a refusal.
        let hasCandidate =
            operation.outcome.candidates?.isEmpty == false && !operation.state.isFinal
            || doubt(operation, evidence) != nil
            || evidence.contains(where: \.isChange)
        let absence: Evidence = operation.kind == .charge ? .absent : .unchanged
        for (place, item) in evidence.enumerated() {
            let later = evidence[(place + 1)...]
            switch item {
            case .neverLeft(let ending, var outcome):
                // Counts only if there is no other evidence.
                guard evidence.allSatisfy({ if case .neverLeft = $0 { true } else { false } }) else { continue }
                outcome.neverLeft = ending == .declined ? nil : true
                return NotMoved(ending.state, outcome)
            case .keyUnchecked(var outcome):
                guard !hasCandidate, later.contains(absence) else { continue }
                outcome.neverLeft = true
                return NotMoved(.failed, outcome)
            case .declined(let outcome):
                // A proxy may have repeated the response to another request: the records must have been read since.
                guard later.contains(where: \.isReading), let isShown = isShown(outcome, operation, later) else {
                    continue
                }
                return NotMoved(.declined, provisional(confirmed(outcome), !isShown))
            case .refused(let outcome):
                // A proxy may have sent it twice, and a service may refuse what it has already done or will still do: so the
                // records must be read after the refusal, and again later. The sign-in (401) and the rate limit (429) are
                // checked in front of the service: a response that says so may come after an earlier try by something in
                // between, and a follow-up has no records in which its absence shows. A device has what it was sent.
                if outcome.isOfGateway, operation.kind != .charge { continue }
                if outcome.http == 429, operation.rail.rules.hasDevice { continue }
                let isShown = later.contains(absence) || outcome.http == 401 && later.contains(.signInRefused)
                guard !hasCandidate, isShown else { continue }
                return NotMoved(.failed, provisional(outcome, true))
            case .doubtfulRefusal(let ending, let outcome):
                guard !hasCandidate, later.contains(absence) else { continue }
                return NotMoved(ending.state, provisional(outcome, true))
            case .signInDoubted(let outcome):
                guard !hasCandidate, later.contains(.signInRefused) else { continue }
                return NotMoved(.failed, provisional(outcome, true))
            case .cancelled(let outcome, let isRequested):
                let isHeard = operation.rail.rules.isCancellationProof
                // Clover documents a cancellation as not charged, to be verified by the external id; records may lag.
                let looks = isRequested ? 1 : operation.kind == .charge ? Self.looksAfterCancellation : .max
                guard !hasCandidate, isHeard || later.count(where: { $0 == absence }) >= looks else { continue }
                return NotMoved(.cancelled, provisional(outcome, true))
            case .refusedByDriver(let ending, let outcome):
                guard !hasCandidate else { continue }
                return NotMoved(ending.state, provisional(outcome, true))
            case .outOfReach(var outcome):
                outcome.neverLeft = true
                // What the service answered is named beside what follows from it.
                for case .silence(let words, _) in evidence[..<place].prefix(1) where outcome.http == nil {
                    outcome.http = words.http
                    outcome.reason = [words.reason, outcome.reason].compactMap(\.self).joined(separator: "; ")
                }
                return NotMoved(.failed, outcome)
            case .absentFromDriver:
                guard !hasCandidate else { continue }
                return NotMoved(
                    .failed,
                    provisional(
                        OperationOutcome(reason: "the reader's driver has no such payment: it was not charged"), true))
            case .payment(let payment):
                guard operation.kind == .charge, payment.relation(to: operation) == .own else { continue }
                switch payment.ending {
                case .declined where payment.isOfOtherAmount(than: operation): continue
                case .declined:
                    // Without our external ID, it may be the repeated response to another request.
                    let isSure = payment.source == .response && payment.externalID == operation.externalID
                    return NotMoved(.declined, provisional(withoutAmount(payment), !isSure))
                case .voided:
                    var outcome = withoutAmount(payment)
                    outcome.reason = "the payment was voided"
                    return NotMoved(.cancelled, outcome)
                case .approved, .open: continue
                }
            case .effect, .unchanged, .changed, .absent, .signInRefused, .silence: continue
            }
        }
        return nil
    }

    /// Whether the service's records show a declined operation as declined; nil if they contradict that, because the response
    /// may be the repeated one to another request.
    private static func isShown(
        _ declined: OperationOutcome, _ operation: PaymentOperation, _ later: ArraySlice<Evidence>
    ) -> Bool? {
        guard operation.kind == .charge else {
            return later.contains(where: \.isChange) ? nil : false
        }
        for case .payment(let payment) in later
        where declined.paymentID != nil && payment.outcome.paymentID == declined.paymentID {
            if payment.relation(to: operation) != .own || payment.isOfOtherAmount(than: operation) { return nil }
            if payment.ending == .declined, payment.externalID == operation.externalID { return true }
        }
        return false
    }

    /// A decline without the words that no records confirm it.
    private static func confirmed(_ outcome: OperationOutcome) -> OperationOutcome {
        guard outcome.isDeclined == true else { return outcome }
        var outcome = outcome
        (outcome.isDeclined, outcome.reason, outcome.candidates) = (nil, nil, nil)
        return outcome
    }

    private static func provisional(_ outcome: OperationOutcome, _ isAbsence: Bool) -> OperationOutcome {
        var outcome = outcome
        if isAbsence { outcome.isProvisional = true }
        return outcome
    }

    private static func withoutAmount(_ payment: ObservedPayment) -> OperationOutcome {
        var outcome = payment.outcome
        outcome.amount = nil
        return outcome
    }

    private static func unknown(_ operation: PaymentOperation, _ evidence: [Evidence]) -> Verdict {
        var outcome: OperationOutcome?
        var isRepeatable = false
        for case .changed(let words) in evidence { outcome = words }
        if var changed = outcome {
            // A response that refuses it is named beside the change.
            for item in evidence {
                switch item {
                case .refused(let words), .doubtfulRefusal(_, let words), .declined(let words):
                    (changed.code, changed.text, changed.http) = (words.code, words.text, words.http)
                default: continue
                }
            }
            outcome = changed
        }
        for item in evidence {
            switch item {
            case .silence(let words, let repeatable):
                isRepeatable = isRepeatable || repeatable
                // The first one says what happened; later ones only say that the service could not be asked.
                outcome = outcome ?? words
            case .refused(let words):
                // Refused, but the device's records did not confirm it.
                isRepeatable = true
                outcome = outcome ?? unconfirmed(words, "it was refused")
            case .doubtfulRefusal(_, let words), .signInDoubted(let words):
                outcome = outcome ?? unconfirmed(words, "it was refused")
            case .declined(let words):
                outcome = outcome ?? unconfirmed(words, "it was declined")
                outcome?.isDeclined = true
            case .cancelled(let words, _):
                outcome = outcome ?? unconfirmed(words, "it was cancelled on the device")
            case .payment(let payment) where payment.relation(to: operation) == .foreign:
                let id = payment.outcome.paymentID.map { " \(ServiceErrorBody.oneLine($0))" } ?? ""
                outcome =
                    outcome
                    ?? OperationOutcome(
                        reason: "the response shows the payment\(id) of another charge", http: payment.outcome.http)
            case .payment(let payment): outcome = outcome ?? words(for: payment, item.paymentID(of: operation))
            case .keyUnchecked(let words):
                outcome = outcome ?? words
                if evidence.count == 1 { outcome?.neverLeft = true }
            case .absent:
                outcome =
                    outcome ?? OperationOutcome(reason: "Clover does not show it, which proves nothing")
            case .signInRefused:
                outcome = outcome ?? OperationOutcome(reason: "the sign-in was not accepted")
            case .neverLeft, .outOfReach, .refusedByDriver, .absentFromDriver, .effect, .unchanged, .changed: continue
            }
        }
        // What may have been carried out is not sent again: nothing says how long a service remembers a key.
        return .unknown(
            outcome ?? OperationOutcome(reason: "no response says what became of it"),
            isRepeatable: isRepeatable && !evidence.contains(where: \.isChange))
    }

    private static func unconfirmed(_ outcome: OperationOutcome, _ words: String) -> OperationOutcome {
        var outcome = outcome
        let status = outcome.http.map { " (\($0))" } ?? ""
        outcome.reason = "\(words)\(status), which no records confirm"
        return outcome
    }
}
