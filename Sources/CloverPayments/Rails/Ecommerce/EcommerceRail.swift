import CloverAPI
import CloverHTTP
import CloverJSON
import CloverOutput
import CloverSystem

/// Charges through the Ecommerce API.
struct EcommerceRail: PaymentRailRules {
    let displayName = "the ecommerce API"
    let amountRange: ClosedRange<Int64> = 1...99_999_999
    /// The Ecommerce API has no field for an external ID but the reference.
    let maximumExternalIDLength = 12
    let sendsReferenceAsExternalID = true
    let waitsForCard = false
    let takesTipOnHold = false
    let takesAdjustableCharges = false
    let takesRefundReason = true
    let showsAmountAndTime = true
    let findsChosenIDs = true
    let sendsClientAddress = true
    let reversal: PartialApprovalReversal? = PartialApprovalReversal(kind: .refund, reason: nil)

    private static let longestMetadata = 500
    private static let maximumPages = 50
    /// Milliseconds before the charge was recorded from which on listed charges are examined. The time is taken on the
    /// service's clock: its present is at or after the newest entry.
    private static let searchMargin: Int64 = 60 * 60 * 1000
    /// Milliseconds before an operation was recorded from which on charges are examined for its key.
    private static let keyLookback: Int64 = 24 * 60 * 60 * 1000

    func isAvailable(in environment: String) -> Bool { !["eu", "la"].contains(environment) }

    func checkOptions(of plan: ChargePlan) throws(PaymentPlanError) {
        if plan.timeout != nil { throw .optionNotOnRail(option: "--timeout", .ecommerce) }
        if plan.externalID != nil, plan.reference != nil {
            throw .optionNotOnRail(option: "--reference beside --external-id", .ecommerce)
        }
        let metadata = Self.metadata(of: plan)
        let count = metadata.reduce(2) { $0 + $1.key.count + $1.value.count + 6 }
        if !metadata.isEmpty, count > Self.longestMetadata {
            throw .tooLong(option: "--metadata", limit: Self.longestMetadata)
        }
    }

    /// What the card networks have to know about a card on file (Clover: save a card for future transactions).
    private static func storedCredentials(of plan: ChargePlan) -> EcommerceBody.StoredCredentials? {
        if plan.cardOnFile != nil { return .init(sequence: "FIRST", isScheduled: false, initiator: "CARDHOLDER") }
        guard plan.customer != nil else { return nil }
        return .init(sequence: "SUBSEQUENT", isScheduled: false, initiator: "MERCHANT")
    }

    private static func metadata(of plan: ChargePlan) -> [String: String] {
        plan.order.map { plan.metadata.merging(["order": $0]) { given, _ in given } } ?? plan.metadata
    }

    func refusal(of kind: OperationKind, on charge: PaymentOperation) -> PaymentPlanError? {
        [.void, .tip, .increment, .receipt].contains(kind) ? .notOnRail(kind, .ecommerce, id: charge.id) : nil
    }

    func request(for plan: ChargePlan, externalID: String) throws -> OperationRequest {
        let metadata = Self.metadata(of: plan)
        let body = EcommerceBody(
            amount: plan.amount.minorUnits, currency: plan.amount.currency.code.lowercased(),
            capture: plan.type.isCaptured, ecomind: plan.isKeyed ? "moto" : "ecom", tipAmount: plan.tip,
            taxAmount: plan.tax, externalReferenceID: externalID, description: plan.description,
            receiptEmail: plan.receiptEmail, metadata: metadata.isEmpty ? nil : metadata,
            storedCredentials: Self.storedCredentials(of: plan))
        var request = OperationRequest(path: "/v1/charges", body: try BodyText.encode(body))
        request.clientAddress = plan.clientAddress
        request.sourceMark = plan.sourceMark
        return request
    }

    func request(
        for plan: FollowUpPlan, payment: String, value: Int64, _ totals: ChargeTotals
    ) throws -> OperationRequest {
        switch plan.kind {
        case .capture:
            return OperationRequest(
                path: "/v1/charges/\(PercentCoding.encode(payment))/capture",
                body: try BodyText.encode(["amount": value]))
        case .refund:
            struct Body: Encodable {
                var charge: String
                var amount: Int64?
                var reason: String?
            }
            // The charge's amount excludes the tip, whereas that in `totals` includes it. So a full refund with the tip is
            // requested without an amount (Clover: create a refund).
            let isWholeWithTip = value == totals.rest && totals.refunded == 0 && (totals.tip ?? 0) > 0
            let body = Body(charge: payment, amount: isWholeWithTip ? nil : value, reason: plan.reason)
            return OperationRequest(path: "/v1/refunds", body: try BodyText.encode(body))
        case .charge, .void, .tip, .increment, .receipt: throw PaymentPlanError.notOnRail(plan.kind, .ecommerce)
        }
    }

    func body(of operation: PaymentOperation, source: Secret?) throws -> String {
        guard operation.kind == .charge else { return operation.request.body }
        return try BodyText.ecommerce(operation.request.body, source: source?.exposed ?? "")
    }

    func base(of operation: PaymentOperation, _ hosts: PaymentHosts) -> String { hosts.ecommerce ?? "" }

    func present(
        _ operation: PaymentOperation, paymentID: String, _ builder: OperationRequestBuilder
    ) -> ServiceRequest {
        ServiceRequest(.get, base(of: operation, builder.hosts) + "/v1/charges/" + PercentCoding.encode(paymentID))
    }

    func refund(_ operation: PaymentOperation, refundID: String, _ builder: OperationRequestBuilder) -> ServiceRequest {
        ServiceRequest(.get, base(of: operation, builder.hosts) + "/v1/refunds/" + PercentCoding.encode(refundID))
    }

    func payment(in tree: JSONTree) -> JSONTree { tree }

    func followUp(
        _ operation: PaymentOperation, _ tree: JSONTree, _ status: Int, _ lookup: PaymentLookup
    ) -> Evidence {
        guard operation.kind == .capture else {
            // A charge that was never refunded may show no amount.
            let isWhole = tree["status"]?.string == "succeeded" && tree["refunded"]?.bool != true
            return lookup.change(of: operation, to: tree["amount_refunded"]?.amount ?? (isWhole ? 0 : nil))
                ?? .inconclusive("a refund cannot be found by its charge")
        }
        if let refunded = tree["amount_refunded"]?.amount, refunded > 0 {
            return .changed(OperationOutcome(reason: "the charge was refunded since"))
        }
        return tree["captured"]?.bool == false ? .unchanged : capture(tree, operation, status)
    }

    /// Reads the list of charges, newest first, back to before this charge was made.
    func lookUp(_ operation: PaymentOperation, _ lookup: PaymentLookup) async -> [Evidence] {
        var last: String?
        var matches: [ObservedPayment] = []
        var similar: [ObservedPayment] = []
        var parts: [ObservedPayment] = []
        var earliest: Int64?
        var known: Set<String> = []
        for _ in 0..<Self.maximumPages {
            let page = ServiceRequest(
                .get,
                base(of: operation, lookup.client.hosts) + "/v1/charges?limit=100"
                    + (last.map { "&starting_after=" + PercentCoding.encode($0) } ?? ""))
            let tree: JSONTree
            let date: Int64?
            switch await lookup.read(page, of: operation, isList: true) {
            case .tree(let page, _, let present):
                tree = page
                date = present
            case .missing: return [.inconclusive("the service answered 404")]
            case .silence(let evidence): return [evidence]
            }
            // Three forms of the envelope were observed.
            guard let entries = tree["data"]?.list ?? tree["elements"]?.list ?? tree.list else {
                return [.inconclusive("the response cannot be understood")]
            }
            // The time before which no entry can be this charge, on the service's clock.
            let start =
                earliest ?? start(newest: entries.first?["created"]?.int ?? .max, operation, now: lookup.now)
            earliest = start
            var isNew = false
            for entry in entries {
                // A page may begin with the cursor's own record.
                if let id = entry["id"]?.string, !known.insert(id).inserted { continue }
                isNew = true
                let isRecent = (entry["created"]?.int ?? .max) >= start
                if hasSameReference(entry, operation) {
                    // An invoice number may have been used on another day; a generated ID was not.
                    if isRecent || operation.request.hasChosenID != true {
                        matches.append(lookup.observed(entry, operation, .externalID, 200))
                    }
                } else if isRecent, isSimilar(entry, operation) {
                    var payment = lookup.observed(entry, operation, .list, 200)
                    payment.askedAt = operation.time(byServiceAt: date, now: lookup.now)
                    payment.isFromOwnSource =
                        hasSameSource(entry, operation) && hasSameAmount(entry, operation)
                        && !payment.isEarlier(than: operation)
                    similar.append(payment)
                } else if isRecent, let part = part(entry, operation, lookup) {
                    parts.append(part)
                }
            }
            let oldest = entries.last?["created"]?.int ?? .max
            let next = entries.last?["id"]?.string
            let hasMore = tree["has_more"]?.bool
            // Without `has_more`, a page that is not full proves no end (Clover: get charges): one more request does.
            if hasMore == false || !isNew || next == nil || oldest < start {
                let found = matches.filter { !$0.isOfAnother }
                let isFound = found.contains { $0.ending == .approved }
                let alike = (similar + (isFound ? [] : parts)).filter { !$0.isOfAnother }.map { Evidence.payment($0) }
                // More than the cursor's own record again: the service ignores the cursor.
                let isRepeat = !isNew && hasMore != false && (hasMore == true || entries.count > 1)
                if isRepeat, found.isEmpty {
                    return alike + [.inconclusive("the list of charges does not go on after its cursor")]
                }
                return PaymentLookup.evidence(of: found) + alike
            }
            last = next
        }
        return matches.isEmpty
            ? [.inconclusive("the list of charges is too long")]
            : PaymentLookup.evidence(of: matches.filter { !$0.isOfAnother })
    }

    /// Returns the earliest time that can be expressed if the subtraction overflows. Of a key that the user chose, a day more
    /// is read while nothing was sent here: another machine, or a journal that was lost, may have charged it.
    private func start(newest: Int64, _ operation: PaymentOperation, now: Int64) -> Int64 {
        let lookback = operation.mayBeChargedElsewhere && operation.isNeverSent ? Self.keyLookback : 0
        let (start, isBeyond) = newest.subtractingReportingOverflow(
            now - operation.createdAt + Self.searchMargin + lookback)
        return isBeyond ? .min : start
    }

    private func hasSameReference(_ charge: JSONTree, _ operation: PaymentOperation) -> Bool {
        operation.externalID != nil && charge["external_reference_id"]?.string == operation.externalID
            && (operation.request.hasChosenID != true || hasSameAmount(charge, operation))
    }

    /// A smaller payment with the ID that a person chose. It may be another payment of the same invoice, so it proves no more
    /// than one that looks alike.
    private func part(
        _ charge: JSONTree, _ operation: PaymentOperation, _ lookup: PaymentLookup
    ) -> ObservedPayment? {
        var payment = lookup.observed(charge, operation, .externalID, 200)
        guard payment.ending == .approved, payment.hasReference(of: operation), payment.isPart(of: operation),
            !payment.isEarlier(than: operation)
        else { return nil }
        payment.source = .list
        return payment
    }

    /// Whether a charge without a reference may belong to the operation.
    private func isSimilar(_ charge: JSONTree, _ operation: PaymentOperation) -> Bool {
        guard charge["external_reference_id"] == nil, charge["status"]?.string != "failed" else { return false }
        return hasSameAmount(charge, operation)
            || operation.request.customer == nil && hasSameSource(charge, operation)
    }

    /// Whether a charge was made from the operation's own token, or of its customer, who has one card on file.
    private func hasSameSource(_ charge: JSONTree, _ operation: PaymentOperation) -> Bool {
        if let customer = operation.request.customer { return charge["customer"]?.identifier == customer }
        let source = charge["source"]?["id"]?.string
        return operation.request.sourceMark.map { source?.hasSuffix($0) ?? false } ?? false
    }

    private func hasSameAmount(_ charge: JSONTree, _ operation: PaymentOperation) -> Bool {
        charge["amount"]?.int == operation.amount?.minorUnits
            && charge["currency"]?.string?.uppercased() == operation.amount?.currency.code
    }
}
