/// What REST Pay Display answers (Clover: REST Pay Display, status codes; payments).
enum PayDisplayAnswer {
    /// - Parameter isRepeat: the same request left before under the same key, and its answer was lost.
    static func verdict(on operation: PaymentOperation, status: Int, body: [UInt8], isRepeat: Bool) -> Verdict {
        switch status {
        case 209:
            return .settled(.cancelled, OperationOutcome(reason: "it was cancelled on the device", http: status))
        case 200...299:
            return accepted(operation, status, body)
        case 500, 502, 504:
            var outcome = refused(status, body)
            outcome.reason = "the device answered \(status), which does not tell"
            // After a 500 nothing is sent again blindly; a 504 means the same key later.
            return .unknown(outcome, isRepeatable: status != 500)
        default:
            var outcome = refused(status, body)
            if status == 503 {
                // It may be busy with our own first try.
                outcome.reason = "the device is busy or cannot be reached"
                if isRepeat { return .unknown(outcome, isRepeatable: false) }
                outcome.code = outcome.code ?? "TERMINAL_UNAVAILABLE"
            }
            if status == 501 { outcome.code = "UNSUPPORTED" }
            if isRepeat {
                outcome.reason = "the answer to the first try was lost, and the second was refused (\(status))"
                return .unknown(outcome, isRepeatable: false)
            }
            return .settled(.failed, outcome)
        }
    }

    private static func refused(_ status: Int, _ body: [UInt8]) -> OperationOutcome {
        let refusal = ServiceRefusal(body)
        var outcome = OperationOutcome()
        outcome.http = status
        outcome.code = refusal.code
        outcome.text = refusal.text
        return outcome
    }

    private static func accepted(_ operation: PaymentOperation, _ status: Int, _ body: [UInt8]) -> Verdict {
        let tree = JSONTree(body)
        switch operation.kind {
        case .charge, .increment, .tip, .void:
            // A tip and a void may be answered with less than the payment.
            if let payment = tree?["payment"] ?? tree, operation.kind == .charge || payment["result"] != nil {
                return noting(tree?["issues"], verdict(on: operation, payment: payment, status))
            }
        case .capture, .refund, .receipt: break
        }
        if operation.kind != .receipt, tree == nil {
            return .unknown(
                OperationOutcome(reason: "the answer (\(status)) is not to be understood", http: status),
                isRepeatable: true)
        }
        var outcome = OperationOutcome()
        outcome.http = status
        let inner = tree?["refund"] ?? tree
        outcome.paymentID = operation.kind == .receipt ? nil : inner?["id"]?.string
        outcome.amount = operation.kind == .tip ? nil : inner?["amount"]?.amount ?? operation.amount?.minorUnits
        outcome.tip = inner?["tipAmount"]?.amount
        return .settled(.approved, outcome)
    }

    /// The verdict with what the device wants known; a part that was approved is seen by its amount.
    private static func noting(_ issues: JSONTree?, _ verdict: Verdict) -> Verdict {
        guard case .settled(let state, var outcome) = verdict, case .object(let members) = issues else {
            return verdict
        }
        let names = members.filter { $0.value != .null && $0.key != "partialPayment" }.keys.sorted()
        if !names.isEmpty { outcome.issues = names }
        return .settled(state, outcome)
    }

    /// What the payment itself says: an answer of 200 is no approval.
    static func verdict(on operation: PaymentOperation, payment: JSONTree, _ status: Int) -> Verdict {
        var outcome = OperationOutcome()
        outcome.http = status
        outcome.paymentID = payment["id"]?.string
        outcome.orderID = payment["order"]?.identifier
        outcome.tip = payment["tipAmount"]?.amount
        if payment["offline"]?.bool == true { outcome.isOffline = true }
        if let card = payment["cardTransaction"] {
            outcome.authCode = card["authCode"]?.string
            outcome.card = CardFacts(
                type: card["cardType"]?.string, first6: card["first6"]?.string, last4: card["last4"]?.string,
                entry: card["entryType"]?.string)
        }
        let result = payment["result"]?.string
        outcome.amount = payment["amount"]?.amount
        switch result {
        case "SUCCESS", "AUTH", "AUTH_COMPLETED":
            // A pre-authorization may be answered with AUTH (Clover Go, legacy).
            if result != "SUCCESS", operation.request.type == .sale { return unclear(outcome, result) }
            return .settled(.approved, outcome)
        case "FAIL":
            outcome.amount = nil
            outcome.code = payment["failureReason"]?.string ?? "FAIL"
            return .settled(.declined, outcome)
        case "VOIDED" where operation.kind == .void:
            return .settled(.approved, outcome)
        case "VOIDED":
            outcome.amount = nil
            outcome.reason = "the payment was voided"
            return .settled(.cancelled, outcome)
        default:
            return unclear(outcome, result)
        }
    }

    private static func unclear(_ outcome: OperationOutcome, _ result: String?) -> Verdict {
        var outcome = outcome
        outcome.amount = nil
        outcome.reason =
            result.map { "the payment is '\(ServiceRefusal.oneLine($0))' at the service" }
            ?? "the answer does not say what became of the payment"
        return .unknown(outcome, isRepeatable: false)
    }
}
