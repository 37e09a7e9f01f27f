import CloverAPI
import CloverAuth
import CloverKit
import CloverOutput
import CloverPayments
import CloverRateLimit
import CloverSystem

extension Charges {
    /// Whether an operation is one of this merchant over the Ecommerce API.
    func isOurs(_ operation: PaymentOperation) -> Bool {
        operation.rail == .ecommerce && operation.merchantID == shop.merchantID
            && operation.environment == shop.service.name
    }

    func existing() async throws -> ChargeJournal? {
        try await opened { try await ChargeJournal.existing(in: $0) }
    }

    /// A journal that was removed is an error: a new one would not know the earlier charges.
    func opened<Value: Sendable>(
        _ open: (StateDirectory) async throws -> Value
    ) async throws(CloverError) -> Value {
        do {
            return try await open(shop.state)
        } catch {
            throw CloverError(
                .state, "the journal of charges cannot be used: \(error)", nextStep: "see 'clover doctor'")
        }
    }

    /// The operation of a key.
    ///
    /// - Returns: nil if the journal has none of this merchant with this key and of one of these kinds.
    func recorded(
        _ key: String, _ kinds: Set<OperationKind> = [.charge]
    ) async throws -> (ChargeJournal, PaymentOperation)? {
        guard let journal = try await existing() else { return nil }
        do {
            guard let operation = try await journal.operation(key: key), isOurs(operation),
                kinds.contains(operation.kind)
            else { return nil }
            return (journal, operation)
        } catch {
            throw CloverError.wrapping(error)
        }
    }

    func charge(_ operation: PaymentOperation, in journal: ChargeJournal) async throws -> Charge {
        do {
            return Charge(operation, followUps: try await journal.followUps(of: operation.id))
        } catch {
            throw CloverError.wrapping(error)
        }
    }

    /// The charge that `body` carries out or settles.
    ///
    /// - Parameter latest: for the charge's `lookupError`; nil for a charge without one.
    func charge(
        from journal: ChargeJournal, _ latest: LatestFailure? = nil,
        _ body: @escaping @Sendable (OperationRunner) async throws -> PaymentOperation
    ) async throws -> Charge {
        let operation = try await run(journal, latest, body)
        do {
            var found = try await charge(operation, in: journal)
            if found.outcome == .unknown || found.isProvisional {
                found.lookupError = latest?.failure.map { Self.lookupError($0) }
            }
            return found
        } catch {
            throw CloverError(
                .outcomeUnknown, "what became of the charge is recorded, and the journal cannot be read: \(error)",
                nextStep: "look it up by its key before you charge again")
        }
    }

    /// Runs `body` in a task that is not cancelled: what was sent must be settled.
    ///
    /// - Parameter latest: notes why Clover could not be asked; nil if that is not needed.
    func run(
        _ journal: ChargeJournal, _ latest: LatestFailure? = nil,
        _ body: @escaping @Sendable (OperationRunner) async throws -> PaymentOperation
    ) async throws -> PaymentOperation {
        let stop = ChargeCanceller()
        var client = client
        client.latest = latest
        let runner = OperationRunner(
            journal: journal, client: client, clock: Self.clock, stop: stop, onEvent: { _ in })
        // Awaited below.
        let task = Task { () async throws -> PaymentOperation in
            try await CloverError.during {
                do {
                    return try await body(runner)
                } catch {
                    throw Self.explained(error, stop)
                }
            }
        }
        return try await withTaskCancellationHandler {
            try await task.value
        } onCancel: {
            stop.turnOn()
        }
    }

    var client: PaymentClient {
        PaymentClient(hosts: PaymentHosts(shop.service), service: shop.chargeClient, local: shop.chargeClient)
    }

    private static func explained(_ error: any Error, _ stop: ChargeCanceller) -> any Error {
        switch error {
        case let error as OperationRunner.NotCarriedOut:
            stop.isOn ? CancellationError() : notCarriedOut(error)
        case let error as OperationRunner.Unrecorded:
            CloverError(
                .outcomeUnknown,
                "the \(error.operation.kind.rawValue) was sent, and its outcome could not be recorded: \(error.cause)",
                nextStep: "recover it by its key before you \(error.operation.kind.rawValue) again")
        case let error as PaymentPlanError: refusal(error)
        default: CloverError.wrapping(error)
        }
    }

    private static func notCarriedOut(_ error: OperationRunner.NotCarriedOut) -> any Error {
        guard let unchecked = error.cause as? OperationRunner.Unchecked else {
            return CloverError.wrapping(error.cause)
        }
        let key = error.operation.idempotencyKey
        let words = "the charge was not sent, because it is not known whether the key '\(key)' was charged before"
        let step = "use the same key; nothing was charged now"
        guard let cause = unchecked.cause.map({ CloverError.wrapping($0) }) as? CloverError else {
            return CloverError(.unavailable, "\(words): \(unchecked.reason)", nextStep: "try again later; \(step)")
        }
        return cause.explaining(words, step)
    }

    /// The error that says why Clover could not be asked what became of a charge, capture or refund.
    static func lookupError(_ failure: LatestFailure.Failure) -> CloverError {
        let (words, step) = ("Clover could not be asked what became of it", "recover it again")
        switch failure {
        case .notCarriedOut(let error):
            guard !(error is ChargeCanceller.Stopped), let cause = CloverError.wrapping(error) as? CloverError else {
                return CloverError(.unavailable, "\(words): the task was cancelled", nextStep: step)
            }
            return cause.explaining(words, step)
        case .refused(let status):
            return CloverError(
                [401, 403].contains(status) ? .forbidden : .refused, "\(words): it refused the request (\(status))",
                nextStep: "check the permissions of the app or token; \(step)")
        case .lost(let reason):
            return CloverError(.unavailable, "\(words): \(reason)", nextStep: "try again later; \(step)")
        }
    }

    static var clock: OperationRunner.Clock {
        OperationRunner.Clock(
            now: { Shop.now },
            boot: {
                do {
                    return BootTime(boot: try BootIdentity.current().text, milliseconds: TokenClock.live.boot())
                } catch {
                    // Without a boot id the age of a request is unknown, so none is repeated as recent.
                    return nil
                }
            },
            sleep: { try await Shop.sleep($0) })
    }
}

extension Charges {
    /// The error of a request that was refused before anything was recorded or sent.
    ///
    /// - Parameters:
    ///   - undone: what did not happen, as a clause.
    ///   - noun: what a person named by its id at Clover.
    static func refusal(
        _ error: any Error, _ undone: String = "nothing was sent", noun: String = "payment"
    ) -> CloverError {
        let step =
            switch error {
            case PaymentPlanError.keyInUse, PaymentPlanError.keyOfFormerPayment:
                "see what became of that; for something else, pass another key"
            case PaymentPlanError.wrongState, PaymentPlanError.unsettled: "recover it by its key"
            case PaymentPlanError.notCaptured: "capture it first"
            case PaymentPlanError.inUseByProcess: "try again later"
            case PaymentPlanError.restUnknown: "pass the amount"
            case PaymentPlanError.paymentOfAnother, PaymentPlanError.paymentDiffers, PaymentPlanError.paymentUnpaid,
                PaymentPlanError.paymentMissing:
                "look for the id in the merchant's dashboard"
            case PaymentPlanError.settledBefore, PaymentPlanError.neverSent: "leave it as it is"
            default: "correct the request"
            }
        var isUnavailable = false
        if case PaymentPlanError.restUnknown(_, _, .unavailable) = error { isUnavailable = true }
        return CloverError(
            isUnavailable ? .unavailable : .request, "\(words(for: error, noun)); \(undone)", nextStep: step)
    }

    private static func words(for error: any Error, _ noun: String) -> String {
        switch error {
        case PaymentPlanError.amountOutOfRange(let amount, let rail):
            "\(amount) is outside the range of \(rail.displayName)"
        case PaymentPlanError.partOutOfRange(let name, let amount):
            "the \(name) is out of range for an amount of \(amount)"
        case PaymentPlanError.noEcommerce(let environment): "there is no Ecommerce API in '\(environment)'"
        case PaymentPlanError.tooLong, PaymentPlanError.malformedKey:
            "the key has 1 to 64 letters, digits, '-', '_' and '.'"
        case PaymentPlanError.tipOnHold: "a hold takes no tip"
        case PaymentPlanError.keyInUse(let id): "the key was used for something else: \(id)"
        case PaymentPlanError.keyOfFormerPayment(_, let id, _, let payment):
            "the key was used for the payment \(payment), which the charge had before: \(id)"
        case PaymentPlanError.wrongState(let kind, let id, let state):
            "a \(kind.rawValue) is not possible: \(id) is \(state.rawValue)"
        case PaymentPlanError.wrongType(let kind, let id, _):
            "a \(kind.rawValue) is not possible: \(id) was not made as a hold"
        case PaymentPlanError.paymentUnknown(let kind, let id):
            "a \(kind.rawValue) is not possible: the id of \(id)'s payment is not known"
        case PaymentPlanError.alreadyDone(.capture, let id): "\(id) is captured already"
        case PaymentPlanError.alreadyDone(_, let id): "\(id) is refunded in full already"
        case PaymentPlanError.notCaptured(let kind, let id):
            "a \(kind.rawValue) is not possible yet: \(id) is a hold that is not captured"
        case PaymentPlanError.unsettled(_, let id, let pending):
            "\(pending) on \(id) is not settled, so the remaining amount is unknown"
        case PaymentPlanError.exceedsRest(let kind, let id, let rest):
            "\(id) has \(rest) left for a \(kind.rawValue)"
        case PaymentPlanError.restUnknown(let id, let reason, _): "how much of \(id) is left is not known: \(reason)"
        case AmountError.unknownCurrency(let code): "'\(code)' is not a currency"
        case PaymentPlanError.settledBefore(let id, let state):
            "\(id) is \(state.rawValue), as a response of Clover shows"
        case PaymentPlanError.neverSent(let id): "\(id) was never sent, so it cannot have been carried out"
        case PaymentPlanError.paymentOfAnother(_, let payment, let other):
            "the \(noun) \(payment) is that of \(other) in the journal"
        case PaymentPlanError.paymentDiffers(let id, let payment, let difference):
            "the \(noun) \(payment) is not that of \(id): \(difference.words)"
        case PaymentPlanError.paymentUnpaid(_, let payment, let state):
            "Clover shows the \(noun) \(payment) as \(state)"
        case PaymentPlanError.paymentMissing(let id, let payment):
            "Clover does not show this merchant a \(noun) \(payment), so it is not taken for that of \(id)"
        case PaymentPlanError.inUseByProcess(let id): "another process works on \(id)"
        case PaymentPlanError.malformedPerson: "the person's name has 1 to 64 characters, and no control characters"
        case PaymentPlanError.cardNumberAsSource: "the card token looks like a card number"
        default: "the request is not possible over the Ecommerce API"
        }
    }
}
