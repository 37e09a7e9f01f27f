import CloverAPI
import CloverJSON

/// Interprets responses of REST Pay Display (Clover: REST Pay Display, status codes; payments).
enum PayDisplayResponseParser {
    /// Interprets the response to an operation's own request.
    ///
    /// - Parameter isRepeat: whether the same request was sent before under the same key and its response was lost.
    static func evidence(on operation: PaymentOperation, status: Int, body: [UInt8], isRepeat: Bool) -> Evidence {
        if status == 209 {
            let outcome = OperationOutcome(reason: "it was cancelled on the device", http: status)
            return isRepeat ? .silence(outcome, isRepeatable: false) : .cancelled(outcome)
        }
        if (200...299).contains(status) { return accepted(operation, status, body) }
        var outcome = refusal(status, body)
        let isDetailed = ServiceErrorForm.isDetailed(body)
        if status == 401, !isDetailed, !isRepeat, ServiceErrorForm.matches(status: status, body) {
            return .signInDoubted(outcome)
        }
        // 500 means that the outcome is unknown; 504, that the device did not respond in time. A device that is busy (503)
        // may be busy with this very charge, which something in between sent twice.
        let mayBeDone =
            !(400...499).contains(status) || [408, 409, 425, 429].contains(status)
            || outcome.code.map(PaymentErrorCode.mayFollowItself) ?? false
        // A message alone is also sent by gateways in front of the device.
        let isOfDevice = isDetailed && ServiceErrorForm.matches(status: status, body)
        if isRepeat || !isOfDevice || mayBeDone {
            let meaning = isOfDevice ? outcome.code.flatMap(PaymentErrorCode.meaning)?.words : nil
            outcome.code = nil
            outcome.text = nil
            outcome.reason =
                isRepeat
                ? "the response to the first attempt was lost, and the second was refused (\(status))"
                : "the device returned status \(status)\(meaning.map { " (\($0))" } ?? ""), which does not show the outcome"
            // After a 500, nothing is resent without a check (Clover: REST Pay Display, status codes).
            let isSafe =
                operation.kind != .charge || [502, 504].contains(status) || status == 503 && isOfDevice
            return .silence(outcome, isRepeatable: !isRepeat && isSafe)
        }
        return .refused(outcome)
    }

    private static func refusal(_ status: Int, _ body: [UInt8]) -> OperationOutcome {
        let refusal = ServiceErrorBody(body)
        var outcome = OperationOutcome(http: status)
        outcome.code = refusal.code
        outcome.text = refusal.text
        return outcome
    }

    private static func accepted(_ operation: PaymentOperation, _ status: Int, _ body: [UInt8]) -> Evidence {
        if operation.kind == .receipt { return .effect(OperationOutcome(http: status)) }
        guard let tree = JSONTree(body), case .object(let members) = tree, !members.isEmpty else {
            return .inconclusive(
                "the response (\(status)) cannot be understood", http: status, isRepeatable: operation.kind != .charge)
        }
        guard operation.kind == .charge else {
            return effect(of: operation, tree, status)
                ?? .inconclusive(
                    "the response (\(status)) does not show that it was carried out", http: status, isRepeatable: true)
        }
        var seen = payment(tree["payment"] ?? tree, of: operation, .response, status)
        if case .object(let issues) = tree["issues"] {
            // A partial approval shows in the amount.
            let names = issues.filter { $0.value != .null && $0.key != "partialPayment" }.keys.sorted()
            if !names.isEmpty { seen.outcome.issues = names }
        }
        return .payment(seen)
    }

    /// The effect of a follow-up as shown in the response to its own request; nil if the response does not show it.
    private static func effect(of operation: PaymentOperation, _ tree: JSONTree, _ status: Int) -> Evidence? {
        let payment = tree["payment"] ?? tree
        var outcome = OperationOutcome(http: status)
        if operation.kind == .refund {
            // A refund beside its payment, or on its own.
            let refund = tree["refund"] ?? tree
            let charges = [tree["payment"]?["id"], refund["payment"]?["id"]].compactMap { $0?.string }
            guard let id = refund["id"]?.string, !id.isEmpty, tree["refund"] != nil || tree["payment"] == nil,
                charges.allSatisfy({ $0 == operation.request.followedPaymentID }),
                let amount = refund["amount"]?.amount, amount == operation.amount?.minorUnits,
                refund["voided"]?.bool != true
            else { return nil }
            outcome.paymentID = id
            outcome.amount = amount
            return .effect(outcome)
        }
        guard payment["id"]?.string == operation.request.followedPaymentID, payment["result"]?.string != "FAIL",
            operation.kind == .void || payment["result"]?.string != "VOIDED", payment["tipAmount"]?.amount ?? 0 >= 0
        else { return nil }
        if let shown = shown(operation, on: payment, status) { return shown }
        switch operation.kind {
        case .capture:
            // The response has the form `{"id","amount","tipAmount"}`.
            guard payment["id"] != nil, payment["amount"]?.amount == operation.amount?.minorUnits,
                payment["cardTransaction"] == nil,
                operation.request.tip == nil || payment["tipAmount"]?.amount == operation.request.tip
            else { return nil }
            outcome.amount = payment["amount"]?.amount
            outcome.tip = payment["tipAmount"]?.amount
        case .increment:
            guard let amount = payment["amount"]?.amount, let before = operation.request.amountBefore,
                let asked = operation.amount?.minorUnits, amount == before + asked
            else { return nil }
            outcome.amount = amount
        case .charge, .void, .refund, .tip, .receipt: return nil
        }
        outcome.paymentID = payment["id"]?.string
        return .effect(outcome)
    }

    /// The effect of a capture, void or tip as the payment itself shows it; nil if it does not. A refund or an increment
    /// cannot be recognized this way: another one of the same amount would look alike.
    static func shown(_ operation: PaymentOperation, on payment: JSONTree, _ status: Int?) -> Evidence? {
        var outcome = OperationOutcome(http: status)
        outcome.paymentID = payment["id"]?.string
        switch operation.kind {
        case .capture:
            guard payment["cardTransaction"]?["captured"]?.bool == true,
                payment["amount"]?.amount == operation.amount?.minorUnits
            else { return nil }
            outcome.amount = payment["amount"]?.amount
            outcome.tip = payment["tipAmount"]?.amount
        case .void:
            // A late void shows as a refund of the whole amount.
            let whole = (payment["amount"]?.amount ?? 0) + (payment["tipAmount"]?.amount ?? 0)
            guard payment["result"]?.string == "VOIDED" || whole > 0 && refunded(payment) == whole else { return nil }
        case .tip:
            guard let tip = operation.request.tip, payment["tipAmount"]?.amount == tip else { return nil }
            outcome.tip = tip
        case .charge, .refund, .increment, .receipt: return nil
        }
        return .effect(outcome)
    }

    /// Whether a payment, read after a follow-up was sent, is unchanged; nil if the payment does not show it.
    ///
    /// - Parameter doneByOthers: for a void: the amount of refunds that were carried out since.
    static func isUnchanged(
        _ operation: PaymentOperation, _ payment: JSONTree, doneByOthers: Int64
    ) -> Bool? {
        guard payment["id"]?.string == operation.request.followedPaymentID else { return nil }
        switch operation.kind {
        case .capture: return payment["cardTransaction"]?["captured"]?.bool.map { !$0 }
        case .void:
            return payment["result"]?.string.map {
                $0 != "VOIDED" && refunded(payment) == (operation.request.amountBefore ?? 0) &+ doneByOthers
            }
        case .tip: return operation.request.amountBefore.map { payment["tipAmount"]?.amount ?? 0 == $0 }
        case .charge, .refund, .increment, .receipt: return nil
        }
    }

    /// The amount that a payment shows as refunded or held, for a refund or increment; nil if it shows none.
    static func total(_ operation: PaymentOperation, _ payment: JSONTree) -> Int64? {
        guard payment["id"]?.string == operation.request.followedPaymentID else { return nil }
        switch operation.kind {
        case .refund: return payment["refunds"] == nil ? nil : refunded(payment)
        case .increment: return payment["amount"]?.amount
        case .charge, .capture, .void, .tip, .receipt: return nil
        }
    }

    private static func refunded(_ payment: JSONTree) -> Int64 {
        counted(payment).compactMap { $0["amount"]?.amount }.reduce(0, +)
    }

    /// The refunds of a payment that gave money back: one that failed, or was voided, did not. One that is pending counts.
    private static func counted(_ payment: JSONTree) -> [JSONTree] {
        (refunds(payment) ?? []).filter(countsAsGivenBack)
    }

    /// Whether a refund gave money back, or is to.
    static func countsAsGivenBack(_ refund: JSONTree) -> Bool {
        refund["voided"]?.bool != true && !["FAIL", "FAILED", "VOIDED"].contains(refund["status"]?.string)
    }

    /// Whether a refund that counts is not known to have succeeded, and may still fail.
    static func isPending(_ refund: JSONTree) -> Bool { refund["status"]?.string ?? "SUCCESS" != "SUCCESS" }

    /// The refunds of a payment, in the form of a device's response or of a record; nil if it has neither.
    private static func refunds(_ payment: JSONTree) -> [JSONTree]? {
        payment["refunds"]?.list ?? payment["refunds"]?["elements"]?.list
    }

    /// Reads a payment. Its own `result` decides: a status of 200 is not an approval.
    static func payment(
        _ payment: JSONTree, of operation: PaymentOperation, _ source: ObservedPayment.Source, _ status: Int
    ) -> ObservedPayment {
        var outcome = OperationOutcome(http: status)
        outcome.paymentID = payment["id"]?.string
        outcome.orderID = payment["order"]?.identifier
        outcome.tip = payment["tipAmount"]?.amount
        // An amount that is not a number becomes 0, which contradicts every request.
        outcome.amount = payment["amount"].map { $0.int ?? 0 }
        if payment["offline"]?.bool == true { outcome.isOffline = true }
        let card = payment["cardTransaction"]
        if let card {
            outcome.authCode = card["authCode"]?.string
            outcome.card = CardDetails(
                type: card["cardType"]?.string, first6: card["first6"]?.digits(6), last4: card["last4"]?.digits(4),
                entry: card["entryType"]?.string)
        }
        let result = payment["result"]?.string
        let ending: ObservedPayment.Ending
        switch result {
        case "SUCCESS": ending = .approved
        // The result of a pre-authorization may be AUTH (Clover Go, legacy).
        case "AUTH", "AUTH_COMPLETED":
            let isSale = operation.request.type == .sale || operation.rail.makesPage
            ending = isSale ? .open(result) : .approved
        case "FAIL":
            ending = .declined
            outcome.code = payment["failureReason"]?.string ?? "FAIL"
        case "VOIDED": ending = .voided
        default: ending = .open(result)
        }
        var seen = ObservedPayment(
            source: source, ending: ending,
            // A page sends none, so that this is another's.
            externalID: operation.rail.makesPage ? nil : payment["externalPaymentId"]?.string,
            currency: card?["currency"]?.string, isCaptured: isCaptured(payment), outcome: outcome)
        // A page has its time from the same service.
        if operation.rail.makesPage { seen.createdAt = payment["createdTime"]?.int }
        seen.captured = seen.isCaptured.flatMap { $0 ? outcome.amount : 0 }
        seen.refunded = refunds(payment) == nil ? nil : refunded(payment)
        seen.hasPendingRefund = counted(payment).contains(where: isPending)
        return seen
    }

    /// Whether a payment was captured and not only held; nil if unknown. A sale shows `captured` as false until its batch is
    /// closed, so only the transaction type tells it apart from a hold.
    private static func isCaptured(_ payment: JSONTree) -> Bool? {
        if payment["cardTransaction"]?["captured"]?.bool == true { return true }
        return isHeld(payment) ? false : nil
    }

    /// Whether the type of a payment, or of its card transaction, is that of a hold which is not known to be captured.
    static func isHeld(_ payment: JSONTree) -> Bool {
        let card = payment["cardTransaction"]
        return (card?["type"]?.string == "PREAUTH" || payment["type"]?.string == "PREAUTH")
            && card?["captured"]?.bool != true
    }
}

/// The body of `POST /v1/payments` (Clover: REST Pay Display, pay).
struct PayDisplayBody: Codable {
    var amount: Int64
    var capture: Bool
    var final: Bool
    var externalPaymentId: String
    var externalReferenceId: String?
    var taxAmount: Int64?
    /// Only with `final`.
    var tipAmount: Int64?
}
