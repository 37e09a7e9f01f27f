import CloverAPI

/// What may have happened to a charge elsewhere: under the same key on another machine, or in another process.
extension OperationRunner {
    /// The device or the service could not be asked whether the charge of a key was made before, so it was not sent.
    package struct Unchecked: Error, Sendable {
        /// A clause.
        package let reason: String
        /// Why the request for it was not carried out; nil if it was sent.
        package let cause: (any Error)?
    }

    /// What is shown of the charge of a key that the user chose, before anything of it was sent from here.
    enum EarlierCharge {
        case shown([Evidence])
        case none
        /// It could not be asked for; the reason is a clause.
        case unchecked(reason: String)

        /// The evidence about an operation that was not sent, and will not be now.
        ///
        /// - Parameter words: why it was not sent.
        func evidence(_ words: String = "this request was not sent") -> [Evidence] {
            switch self {
            case .shown(let found): found
            case .none: [.keyUnchecked(OperationOutcome(reason: "\(words); no charge of its key is shown")), .absent]
            case .unchecked(let reason):
                [
                    .keyUnchecked(
                        OperationOutcome(
                            reason: "\(words); whether its key was charged before is not known: \(reason)"))
                ]
            }
        }
    }

    /// Looks for the charge of a key. A payment under an external ID that the user chose may be this charge: the outcome is
    /// unknown then. An unanswered look is a reason not to charge, also on the Ecommerce API: nothing says how long it
    /// remembers a key. Its list is read one day back.
    func earlierCharge(of operation: PaymentOperation) async throws -> EarlierCharge {
        let evidence = try await recollection(of: operation)
        // Under an ID that the user chose, another charge may have been declined before.
        let isOwnID = operation.request.hasChosenID != true
        let found = evidence.filter { $0.shows(operation) && (isOwnID || !$0.isFailedPayment) }
        if !found.isEmpty { return .shown(found) }
        if evidence.contains(where: { $0.isAbsence || !isOwnID && $0.isFailedPayment }) { return .none }
        let verdict = Verdict(on: operation.settled(.created, OperationOutcome()), evidence)
        return .unchecked(reason: verdict.record.outcome.reason ?? "there was no response")
    }

    /// Looks for the charge of a key before it is sent: what may have been made elsewhere is not charged again.
    ///
    /// - Returns: the operation with the result of the charge that was found, which is recorded and reported; nil if there
    ///   is none.
    /// - Throws: `NotCarriedOut` with `Unchecked`, which leaves it unknown, or with an error of the journal.
    func madeBefore(_ operation: PaymentOperation) async throws -> PaymentOperation? {
        guard operation.mayBeChargedElsewhere else { return nil }
        let earlier: EarlierCharge
        let latest = LatestFailure()
        do {
            var runner = self
            runner.client.latest = latest
            earlier = try await runner.earlierCharge(of: operation)
        } catch {
            throw NotCarriedOut(operation: operation, cause: error)
        }
        switch earlier {
        case .none: return nil
        case .shown: return try await end(operation, earlier.evidence(), cause: nil)
        case .unchecked(let reason):
            return try await end(
                operation, earlier.evidence(), cause: Unchecked(reason: reason, cause: latest.error))
        }
    }

    /// Carries out an operation that makes something, or gives the result of the earlier one with its key: what is open is
    /// looked up first, and only what provably came to nothing is sent again.
    ///
    /// - Throws: as `perform`; `PaymentPlanError.keyInUse` if the earlier one asked for something else.
    package func performOnce(_ operation: PaymentOperation) async throws -> PaymentOperation {
        if let new = try await perform(operation) { return new }
        guard let earlier = try await journal.operation(key: operation.idempotencyKey) else {
            throw JournalError.missing(id: operation.id)
        }
        guard earlier.asksForSame(as: operation) else { throw PaymentPlanError.keyInUse(id: earlier.id) }
        if earlier.isNeverSent, let done = try await restart(earlier.id, as: operation) { return done }
        let known = try await Recovery(runner: self).recover(earlier.id, waiting: .infinity) ?? earlier
        guard known.isNeverSent, let done = try await restart(earlier.id, as: operation) else { return known }
        return done
    }

    /// Carries out a charge. If the journal has its key, the same charge is settled and reported, or carried out if no request
    /// for it was ever sent; a different charge is refused.
    ///
    /// - Throws: as `perform`; `PaymentPlanError.keyInUse` if the earlier one is a different charge.
    package func chargeOnce(_ operation: PaymentOperation, source: CardSource?) async throws -> PaymentOperation {
        if let new = try await perform(operation, source: source) { return new }
        guard let earlier = try await journal.operation(key: operation.idempotencyKey) else {
            throw JournalError.missing(id: operation.id)
        }
        guard earlier.kind == .charge, earlier.amount == operation.amount, earlier.rail == operation.rail,
            earlier.merchantID == operation.merchantID, earlier.environment == operation.environment,
            earlier.request.type == operation.request.type, earlier.request.tip == operation.request.tip
        else { throw PaymentPlanError.keyInUse(id: earlier.id) }
        if let customer = operation.request.customer, let other = earlier.request.customer, customer != other {
            throw PaymentPlanError.keyInUse(id: earlier.id)
        }
        let email = operation.request.cardOnFile?.email.lowercased()
        if email != earlier.request.cardOnFile?.email.lowercased() {
            // A charge that was made saves no other card; and one whose card may be on file must not be forgotten.
            let isOther =
                earlier.isNeverSent
                ? earlier.request.isSavingCard == true && operation.request.customer == nil : email != nil
            if isOther { throw PaymentPlanError.keyInUse(id: earlier.id) }
        }
        if earlier.isNeverSent, let done = try await restart(earlier.id, as: operation, source: source) {
            return done
        }
        let recovery = Recovery(runner: self)
        return try await recovery.recover(earlier.id, waiting: .infinity, looksElsewhere: true) ?? earlier
    }

    /// Takes the lock of something that is to be made once, whatever the key; waits for the process that makes it.
    func claim(_ text: String) async throws -> OperationLock {
        while true {
            if let lock = try await journal.claim(text) { return lock }
            if let reason = stop.waits.reason { throw reason }
            try await clock.sleep(Self.claimPause)
        }
    }

    /// Seconds between two looks at a claim.
    private static let claimPause = 0.05

    /// Waits for the process that holds an operation's lock.
    ///
    /// - Parameter seconds: the longest wait.
    /// - Returns: nil if another process still holds it then, or when the time of the run ends.
    func lock(_ id: String, within seconds: Double) async throws -> OperationLock? {
        try await journal.lock(id, within: seconds, sleep: clock.sleep) { stop.requests.reason != nil }
    }
}
