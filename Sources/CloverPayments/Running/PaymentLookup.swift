import CloverAPI
import CloverHTTP
import CloverJSON
import CloverOutput

/// Looks up the outcome of an operation at the service or device, without changing anything.
struct PaymentLookup {
    let client: PaymentClient
    private let now: Int64
    private let others: Set<String>
    private let doneByOthers: Int64
    private var call: OperationRequestBuilder { OperationRequestBuilder(hosts: client.hosts) }

    /// Milliseconds before the charge was recorded from which on listed charges are examined. The time is taken on the
    /// service's clock: its present is at or after the newest entry.
    private static let searchMargin: Int64 = 60 * 60 * 1000
    private static let maximumPages = 50

    /// - Parameters:
    ///   - now: milliseconds since 1970.
    ///   - others: payments that the journal has under other operations.
    ///   - doneByOthers: for a refund or increment: the amount of others on the same charge that were carried out since.
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
            if Verdict(on: operation, evidence).isKnown { return evidence }
        }
        switch operation.rail {
        case .ecommerce: evidence += await lookUpInCharges(operation)
        case .payDisplay: evidence.append(await lookUpOnDevice(operation))
        case .reader: evidence += await lookUpInPayments(operation)
        case .square: evidence.append(Self.silence("only the Square app's response shows the outcome"))
        }
        return evidence
    }

    /// What the service shows about a payment that a person names for a charge or refund: `.payment`, `.absent` if it
    /// has none, or what it says instead. For a refund, the payment is the refund.
    func named(_ payment: String, for operation: PaymentOperation) async -> Evidence {
        let isCharge = operation.kind == .charge
        guard isCharge || operation.kind == .refund else {
            return Self.silence("only the payments of charges and refunds are looked up")
        }
        let request =
            isCharge ? call.present(operation, paymentID: payment) : call.refund(operation, refundID: payment)
        let response = await read(request, of: operation)
        if case .tree(let tree, let status) = response { return named(tree, operation, status) }
        if isCharge, operation.rail == .payDisplay {
            // The device may be off, or another one may have taken the payment: the merchant's records have all.
            let record = await read(call.record(operation, paymentID: payment), of: operation, isLocal: false)
            if case .tree(let tree, let status) = record { return named(tree, operation, status) }
        }
        switch response {
        case .missing: return .absent
        case .silence(let evidence): return evidence
        case .tree: return Self.silence("the response cannot be understood")
        }
    }

    private func named(_ tree: JSONTree, _ operation: PaymentOperation, _ status: Int) -> Evidence {
        // A refund refers to its payment by the same name.
        let isWhole = operation.rail == .ecommerce || operation.kind == .refund
        return .payment(observedPayment(isWhole ? tree : tree["payment"] ?? tree, operation, .paymentID, status))
    }

    /// The device's own code for its current state; nil if it does not report one.
    func deviceState(_ operation: PaymentOperation) async -> String? {
        await deviceStatus(operation)?["state"]?.string
    }

    /// Whether the device is not working on the charge; nil if it does not report its state (Clover: Remote Pay, device
    /// states).
    private func isDeviceFree(of operation: PaymentOperation) async -> Bool? {
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
                    call.device(method, "status", operation), isLocal: isLocal),
                (200...299).contains(status), let tree = JSONTree(body), tree["state"] != nil
            else { continue }
            return tree
        }
        return nil
    }

    private func lookUpByID(_ operation: PaymentOperation, _ payment: String) async -> Evidence {
        let request = call.present(operation, paymentID: payment)
        return switch await read(request, of: operation) {
        case .tree(let tree, let status):
            .payment(
                observedPayment(
                    operation.rail == .ecommerce ? tree : tree["payment"] ?? tree, operation, .paymentID, status))
        case .missing: Self.silence("Clover does not have the payment \(payment)")
        case .silence(let evidence): evidence
        }
    }

    private func lookUpFollowUp(_ operation: PaymentOperation) async -> Evidence {
        guard let payment = operation.request.followedPaymentID else {
            return Self.silence("the charge has no payment at Clover")
        }
        switch await read(call.present(operation, paymentID: payment), of: operation) {
        case .tree(let tree, let status):
            if operation.rail == .ecommerce {
                guard operation.kind == .capture else {
                    return change(of: operation, to: tree["amount_refunded"]?.amount)
                        ?? Self.silence("a refund cannot be found by its charge")
                }
                guard tree["captured"]?.bool == false else {
                    return EcommerceResponseParser.capture(tree, operation, status)
                }
                return .unchanged
            }
            let payment = tree["payment"] ?? tree
            if let shown = PayDisplayResponseParser.shown(operation, on: payment, status) { return shown }
            if let change = change(of: operation, to: PayDisplayResponseParser.total(operation, payment)) {
                return change
            }
            return PayDisplayResponseParser.isUnchanged(operation, payment) == true
                ? .unchanged : Self.silence("the charge does not show whether it was carried out")
        case .missing: return Self.silence("Clover does not have the payment \(payment)")
        case .silence(let evidence): return evidence
        }
    }

    /// Compares the amount refunded or held now with that before the operation; nil if either is unknown. An amount cannot
    /// tell two refunds apart, so a change is no proof.
    private func change(of operation: PaymentOperation, to total: Int64?) -> Evidence? {
        guard let total, let before = operation.request.amountBefore else { return nil }
        let (expected, isBeyond) = before.addingReportingOverflow(doneByOthers)
        if !isBeyond, total == expected { return .unchanged }
        let word = operation.kind == .refund ? "refunded" : "held"
        return .changed(
            OperationOutcome(
                reason: "the charge shows \(total) \(word) in the smallest unit, and \(expected) are known: "
                    + "it may have been carried out"))
    }

    private func lookUpOnDevice(_ operation: PaymentOperation) async -> Evidence {
        switch await read(call.lookUp(operation), of: operation) {
        case .tree(let tree, let status):
            let payment = observedPayment(tree["payment"] ?? tree, operation, .externalID, status)
            // The payer may try another card while the device is still working on the charge.
            if payment.ending != .approved, await isDeviceFree(of: operation) != true {
                return Self.silence("the device may still be working on it")
            }
            return payment.relation(to: operation) == .foreign ? .absent : .payment(payment)
        case .missing: return .absent
        case .silence(let evidence): return evidence
        }
    }

    private func lookUpInPayments(_ operation: PaymentOperation) async -> [Evidence] {
        switch await read(call.lookUp(operation), of: operation) {
        case .tree(let tree, let status):
            guard let entries = tree["elements"]?.list else {
                return [Self.silence("the response cannot be understood")]
            }
            // The service ignores filters that it does not know.
            let matches = entries.filter { $0["externalPaymentId"]?.string == operation.externalID }
                .map { observedPayment($0, operation, .externalID, status) }
                .filter { $0.relation(to: operation) != .foreign }
            return Self.evidence(of: matches)
        case .missing: return [Self.silence("the service answered 404")]
        case .silence(let evidence): return [evidence]
        }
    }

    /// What several payments with one external ID prove. Failed attempts beside one approved payment are no contradiction;
    /// of two approved payments, one is too many.
    private static func evidence(of matches: [ObservedPayment]) -> [Evidence] {
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

    /// Reads the list of charges, newest first, back to before this charge was made.
    private func lookUpInCharges(_ operation: PaymentOperation) async -> [Evidence] {
        var last: String?
        var matches: [ObservedPayment] = []
        var similar: [ObservedPayment] = []
        var earliest: Int64?
        for _ in 0..<Self.maximumPages {
            let tree: JSONTree
            switch await read(call.page(after: last), of: operation, isList: true) {
            case .tree(let page, _): tree = page
            case .missing: return [Self.silence("the service answered 404")]
            case .silence(let evidence): return [evidence]
            }
            // Three forms of the envelope were observed.
            guard let entries = tree["data"]?.list ?? tree["elements"]?.list ?? tree.list else {
                return [Self.silence("the response cannot be understood")]
            }
            // The time before which no entry can be this charge, on the service's clock.
            let start = earliest ?? start(newest: entries.first?["created"]?.int ?? .max, operation)
            earliest = start
            for entry in entries {
                let isRecent = (entry["created"]?.int ?? .max) >= start
                if hasSameReference(entry, operation) {
                    // An invoice number may have been used on another day; a generated ID was not.
                    if isRecent || operation.request.hasChosenID != true {
                        matches.append(observedPayment(entry, operation, .externalID, 200))
                    }
                } else if isRecent, isSimilar(entry, operation) {
                    similar.append(observedPayment(entry, operation, .list, 200))
                }
            }
            let oldest = entries.last?["created"]?.int ?? .max
            let isOver = tree["has_more"]?.bool.map { !$0 } ?? (entries.count < 100)
            let next = entries.last?["id"]?.string
            if isOver || next == nil || next == last || oldest < start {
                return Self.evidence(of: matches.filter { !$0.isOfAnother })
                    + similar.filter { !$0.isOfAnother }.map { .payment($0) }
            }
            last = next
        }
        return matches.isEmpty
            ? [Self.silence("the list of charges is too long")] : Self.evidence(of: matches.filter { !$0.isOfAnother })
    }

    /// Returns the earliest time that can be expressed if the subtraction overflows.
    private func start(newest: Int64, _ operation: PaymentOperation) -> Int64 {
        let (start, isBeyond) = newest.subtractingReportingOverflow(now - operation.createdAt + Self.searchMargin)
        return isBeyond ? .min : start
    }

    private func hasSameReference(_ charge: JSONTree, _ operation: PaymentOperation) -> Bool {
        operation.externalID != nil && charge["external_reference_id"]?.string == operation.externalID
            && (operation.request.hasChosenID != true || hasSameAmount(charge, operation))
    }

    /// Whether a charge without a reference may belong to the operation.
    private func isSimilar(_ charge: JSONTree, _ operation: PaymentOperation) -> Bool {
        guard charge["external_reference_id"] == nil, charge["status"]?.string != "failed" else { return false }
        let isSameSource =
            operation.request.sourceMark.map { mark in charge["source"]?["id"]?.string?.hasSuffix(mark) ?? false }
            ?? false
        return isSameSource || hasSameAmount(charge, operation)
    }

    private func hasSameAmount(_ charge: JSONTree, _ operation: PaymentOperation) -> Bool {
        charge["amount"]?.int == operation.amount?.minorUnits
            && charge["currency"]?.string?.uppercased() == operation.amount?.currency.code
    }

    private func observedPayment(
        _ tree: JSONTree, _ operation: PaymentOperation, _ source: ObservedPayment.Source, _ status: Int
    ) -> ObservedPayment {
        var payment =
            operation.rail == .ecommerce
            ? EcommerceResponseParser.charge(tree, source, status)
            : PayDisplayResponseParser.payment(tree, of: operation, source, status)
        payment.isOfAnother = payment.outcome.paymentID.map(others.contains) ?? false
        return payment
    }

    private enum LookupResponse {
        case tree(JSONTree, status: Int)
        /// 404 in Clover's own form.
        case missing
        case silence(Evidence)
    }

    /// - Parameter isList: whether the response may be a plain array. Any other that is not an object shows nothing.
    private func read(
        _ request: ServiceRequest, of operation: PaymentOperation, isLocal: Bool? = nil, isList: Bool = false
    ) async -> LookupResponse {
        let isLocal = isLocal ?? (operation.request.deviceAddress != nil && operation.rail == .payDisplay)
        switch await client.exchange(request, isLocal: isLocal) {
        case .answer(let status, let body, _) where (200...299).contains(status):
            guard let tree = JSONTree(body), tree.isObject || isList && tree.list != nil else {
                return .silence(Self.silence("the response cannot be understood"))
            }
            return .tree(tree, status: status)
        case .answer(404, let body, _) where ServiceErrorForm.matches(status: 404, body): return .missing
        case .answer(let status, _, _): return .silence(Self.silence("the service answered \(status)"))
        case .notCarriedOut(ServiceError.unauthorized): return .silence(.signInRefused)
        case .notCarriedOut(let error): return .silence(Self.silence(Self.reason(for: error)))
        case .lost(let reason): return .silence(Self.silence(reason))
        }
    }

    private static func silence(_ reason: String) -> Evidence {
        .silence(OperationOutcome(reason: reason), isRepeatable: false)
    }

    private static func reason(for error: any Error) -> String {
        switch error {
        case ServiceError.unreachable: "the service cannot be reached"
        case ServiceError.rateLimited, ServiceError.paused: "the service's rate limit has been reached"
        case is ChargeCanceller.Stopped: "it was stopped while waiting for the service's rate limit"
        case is MaxTimeExceeded: "--max-time ran out while waiting for the service's rate limit"
        default: "the service could not be asked"
        }
    }
}
