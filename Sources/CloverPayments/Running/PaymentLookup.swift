import CloverAPI
import CloverHTTP
import CloverJSON
import CloverOutput
import CloverRateLimit

/// Looks up the outcome of an operation at the service or device, without changing anything.
struct PaymentLookup {
    let client: PaymentClient
    let now: Int64
    let others: Set<String>
    let doneByOthers: Int64
    var builder: OperationRequestBuilder { OperationRequestBuilder(hosts: client.hosts) }

    /// - Parameters:
    ///   - now: milliseconds since 1970.
    ///   - others: payments that the journal has under other operations.
    ///   - doneByOthers: for a refund or increment: the amount of others on the same charge that were carried out since; for a
    ///     void, of refunds.
    init(client: PaymentClient, now: Int64, others: Set<String> = [], doneByOthers: Int64 = 0) {
        self.client = client
        self.now = now
        self.others = others
        self.doneByOthers = doneByOthers
    }

    /// Everything that the service shows about an operation now. A charge is looked up by its payment ID, if known, and by
    /// the external ID that was sent; a follow-up, by its charge.
    ///
    /// - Parameter payment: the payment's ID at Clover; nil if unknown.
    func look(for operation: PaymentOperation, payment: String? = nil) async -> [Evidence] {
        guard operation.kind == .charge else { return [await lookUpFollowUp(operation)] }
        var evidence: [Evidence] = []
        if let payment {
            evidence.append(await lookUpByID(operation, payment))
            let verdict = Verdict(on: operation, evidence)
            if verdict.isKnown, verdict.record.outcome.isProvisional != true { return evidence }
        }
        evidence += await operation.rail.rules.lookUp(operation, self)
        return evidence
    }

    /// What the service shows about a payment that a person names for a charge or refund: `.payment`, `.absent` if it
    /// has none, or what it says instead. For a refund, the payment is the refund.
    func named(_ payment: String, for operation: PaymentOperation) async -> Evidence {
        let isCharge = operation.kind == .charge
        guard isCharge || operation.kind == .refund else {
            return Evidence.inconclusive("only the payments of charges and refunds are looked up")
        }
        let request =
            isCharge
            ? present(operation, payment)
            : operation.rail.rules.refund(operation, refundID: payment, builder)
        let response = await read(
            request, ofRecord: payment, operation, isRefund: !isCharge,
            // Records need not be found under the UUID of a webhook.
            isRecord: operation.rail.makesPage && payment.utf8.count == 13)
        if case .tree(let tree, let status, _) = response { return named(tree, operation, status) }
        if isCharge, operation.rail.rules.hasDevice {
            // The device may be off, or another one may have taken the payment: the merchant's records have all.
            let record = await read(
                builder.record(operation, paymentID: payment), ofRecord: payment, operation, isLocal: false)
            if case .tree(let tree, let status, _) = record { return named(tree, operation, status) }
        }
        switch response {
        case .missing: return .absent
        case .silence(let evidence): return evidence
        case .tree: return Evidence.inconclusive("the response cannot be understood")
        }
    }

    private func named(_ tree: JSONTree, _ operation: PaymentOperation, _ status: Int) -> Evidence {
        // A refund refers to its payment by the same name.
        let shown = operation.kind == .refund ? tree : operation.rail.rules.payment(in: tree)
        return .payment(observed(shown, operation, .paymentID, status))
    }

    /// The device's own code for its current state; nil if it does not report one.
    func deviceState(_ operation: PaymentOperation) async -> String? {
        await deviceStatus(operation)?["state"]?.string
    }

    /// Whether the device is not working on the charge; nil if it does not report its state (Clover: Remote Pay, device
    /// states).
    func isDeviceFree(of operation: PaymentOperation) async -> Bool? {
        guard let tree = await deviceStatus(operation), let state = tree["state"]?.string else { return nil }
        // A busy device names the payment by its external ID.
        if let present = tree["data"]?["externalPaymentId"]?.string { return present != operation.externalID }
        // After a payment the device waits for the next screen, which a killed process never requested.
        return state == "IDLE" || state == "WAITING_FOR_POS"
    }

    private func deviceStatus(_ operation: PaymentOperation) async -> JSONTree? {
        let isLocal = operation.request.deviceAddress != nil
        // The documentation does not state the method.
        for method in [HTTPMethod.get, .post] {
            guard
                case .answer(let status, let body, _) = await client.exchange(
                    builder.device(method, "status", operation), isLocal: isLocal),
                (200...299).contains(status), let tree = JSONTree(body), tree["state"] != nil
            else { continue }
            return tree
        }
        return nil
    }

    private func lookUpByID(_ operation: PaymentOperation, _ payment: String) async -> Evidence {
        switch await read(present(operation, payment), ofRecord: payment, operation) {
        case .tree(let tree, let status, let date):
            var shown = observed(operation.rail.rules.payment(in: tree), operation, .paymentID, status)
            shown.askedAt = operation.time(byServiceAt: date, now: now)
            return .payment(shown)
        case .missing: return Evidence.inconclusive("Clover does not have the payment \(payment)")
        case .silence(let evidence): return evidence
        }
    }

    private func lookUpFollowUp(_ operation: PaymentOperation) async -> Evidence {
        guard let payment = operation.request.followedPaymentID else {
            return Evidence.inconclusive("the charge has no payment at Clover")
        }
        switch await read(present(operation, payment), ofRecord: payment, operation) {
        case .tree(let tree, let status, _):
            return operation.rail.rules.followUp(operation, tree, status, self)
        case .missing: return Evidence.inconclusive("Clover does not have the payment \(payment)")
        case .silence(let evidence): return evidence
        }
    }

    /// Compares the amount refunded or held now with that before the operation; nil if either is unknown. An amount cannot
    /// tell two refunds apart, so a change is no proof.
    func change(of operation: PaymentOperation, to total: Int64?) -> Evidence? {
        guard let total, let before = operation.request.amountBefore else { return nil }
        let (expected, isBeyond) = before.addingReportingOverflow(doneByOthers)
        if !isBeyond, total == expected { return .unchanged }
        let word = operation.kind == .refund ? "refunded" : "held"
        func text(_ amount: Int64) -> String {
            operation.amount.map { "\(Money(minorUnits: amount, currency: $0.currency))" } ?? "\(amount)"
        }
        return .changed(
            OperationOutcome(
                reason: "the charge shows \(text(total)) \(word), and \(text(expected)) is known: "
                    + "it may have been carried out"))
    }

    /// What several payments with one external ID prove. Failed attempts beside one approved payment are no contradiction;
    /// of two approved payments, one is too many.
    static func evidence(of matches: [ObservedPayment]) -> [Evidence] {
        let made = matches.filter { $0.ending == .approved }
        if made.count > 1 {
            return made.map { payment in
                var payment = payment
                payment.source = .list
                return .payment(payment)
            }
        }
        if let payment = made.first { return [.payment(payment)] }
        return matches.isEmpty ? [.absent] : matches.map { .payment($0) }
    }

    func observed(
        _ tree: JSONTree, _ operation: PaymentOperation, _ source: ObservedPayment.Source, _ status: Int
    ) -> ObservedPayment {
        var payment = operation.rail.rules.observed(tree, of: operation, source, status)
        payment.isOfAnother = payment.outcome.paymentID.map(others.contains) ?? false
        return payment
    }

    enum LookupResponse {
        /// `date`: the service's present, in milliseconds since 1970; nil if the response does not say.
        case tree(JSONTree, status: Int, date: Int64?)
        /// 404 in Clover's own form.
        case missing
        case silence(Evidence)
    }

    /// - Parameters:
    ///   - isList: whether the response may be a plain array. Any other that is not an object shows nothing.
    ///   - isRecord: whether the plain form of V3, which gateways have too, is enough for a 404. That proves nothing about money.
    func read(
        _ request: ServiceRequest, of operation: PaymentOperation, isLocal: Bool? = nil, isList: Bool = false,
        isRecord: Bool = false
    ) async -> LookupResponse {
        let isLocal = isLocal ?? (operation.request.deviceAddress != nil && operation.rail.rules.hasDevice)
        switch await client.exchange(request, isLocal: isLocal) {
        case .answer(let status, let body, let arrival) where (200...299).contains(status):
            guard let tree = JSONTree(body), tree.isObject || isList && tree.list != nil else {
                return .silence(Evidence.inconclusive("the response cannot be understood"))
            }
            return .tree(tree, status: status, date: arrival.date)
        case .answer(404, let body, _)
        where ServiceErrorForm.matches(status: 404, body) || isRecord && ServiceErrorForm.hasMessage(body):
            return .missing
        case .answer(let status, _, _):
            return .silence(Evidence.inconclusive("the service answered \(status)", http: status))
        case .notCarriedOut(ServiceError.unauthorized): return .silence(.signInRefused)
        case .notCarriedOut(let error): return .silence(Evidence.inconclusive(Self.reason(for: error)))
        case .lost(let reason): return .silence(Evidence.inconclusive(reason))
        }
    }

    /// Reads a payment or refund by its ID. A response with another one's ID shows nothing of it.
    private func read(
        _ request: ServiceRequest, ofRecord id: String, _ operation: PaymentOperation, isLocal: Bool? = nil,
        isRefund: Bool = false, isRecord: Bool = false
    ) async -> LookupResponse {
        let response = await read(request, of: operation, isLocal: isLocal, isRecord: isRecord)
        guard case .tree(let tree, let status, _) = response else { return response }
        let record = isRefund ? tree : operation.rail.rules.payment(in: tree)
        guard let shown = record["id"]?.string, shown != id else { return response }
        return .silence(
            Evidence.inconclusive(
                "the service was asked for \(id), and the response shows \(ServiceErrorBody.oneLine(shown))",
                http: status))
    }

    private func present(_ operation: PaymentOperation, _ payment: String) -> ServiceRequest {
        operation.rail.rules.present(operation, paymentID: payment, builder)
    }

    static func reason(for error: any Error) -> String {
        switch error {
        case ServiceError.unauthorized: "the sign-in was not accepted"
        case ServiceError.unreachable: "the service cannot be reached"
        case LedgerError.away: "the database that counts requests cannot be reached"
        case ServiceError.rateLimited, ServiceError.paused: "the service's rate limit has been reached"
        case is ChargeCanceller.Stopped: "it was stopped while waiting for the service's rate limit"
        case is MaxTimeExceeded: "--max-time ran out while waiting for the service's rate limit"
        default: "the service could not be asked"
        }
    }
}
