import CloverAPI
import CloverHTTP
import CloverSystem

/// Charges on a Clover device, through REST Pay Display.
struct PayDisplayRail: PaymentRailRules {
    let displayName = "a Clover device"
    let amountRange: ClosedRange<Int64> = 1...999_999_999
    let reversal: PartialApprovalReversal? = PartialApprovalReversal(kind: .void, reason: "REJECT_PARTIAL_AUTH")
    let hasDevice = true
    /// Clover: REST Pay Display, payments.
    let repeatsExternalID = true

    func refusal(of kind: OperationKind, on charge: PaymentOperation) -> PaymentPlanError? { nil }

    func request(
        for plan: FollowUpPlan, payment: String, value: Int64, _ totals: ChargeTotals
    ) throws -> OperationRequest {
        let place = "/v1/payments/" + PercentCoding.encode(payment)
        switch plan.kind {
        case .capture:
            let body = plan.tip.map { ["amount": value, "tipAmount": $0] } ?? ["amount": value]
            return OperationRequest(path: place + "/capture", body: try BodyText.encode(body))
        case .refund:
            // The whole that the device gives back has also a tip that is not known here.
            let isWhole =
                value == totals.rest && totals.refunded == 0 && (plan.amount == nil || totals.tip ?? 0 > 0)
            return OperationRequest(
                path: place + "/refunds",
                body: isWhole ? #"{"fullRefund":true}"# : try BodyText.encode(["amount": value]))
        case .void:
            return OperationRequest(
                path: place + "/void", body: try BodyText.encode(["voidReason": plan.reason ?? "USER_CANCEL"]))
        case .tip:
            return OperationRequest(
                path: place + "/tip-adjust", body: try BodyText.encode(["tipAmount": plan.tip ?? 0]))
        case .increment:
            return OperationRequest(path: place + "/increment", body: try BodyText.encode(["amount": value]))
        case .receipt:
            struct Body: Encodable {
                struct Option: Encodable {
                    var method: String
                    var additionalData: String
                }
                var deliveryOption: Option
            }
            let body = Body(
                deliveryOption: .init(
                    method: plan.email == nil ? "SMS" : "EMAIL", additionalData: plan.email ?? plan.phone ?? ""))
            return OperationRequest(path: place + "/receipt", body: try BodyText.encode(body))
        case .charge: throw PaymentPlanError.notOnRail(plan.kind, .payDisplay)
        }
    }

    func base(of operation: PaymentOperation, _ hosts: PaymentHosts) -> String {
        operation.request.deviceAddress.map { $0 + "/connect" } ?? hosts.connect
    }

    func present(
        _ operation: PaymentOperation, paymentID: String, _ builder: OperationRequestBuilder
    ) -> ServiceRequest {
        ServiceRequest(
            .get, base(of: operation, builder.hosts) + "/v1/payments/" + PercentCoding.encode(paymentID),
            additions: builder.deviceHeaders(operation.request))
    }

    /// A device must not start again for a customer who has left.
    func isRepeatable(isStopped: Bool) -> Bool { !isStopped }

    func nextScreen(after state: OperationState) -> String? {
        switch state {
        case .approved: "thank-you"
        case .declined, .cancelled: "welcome"
        case .created, .sent, .failed, .unknown: nil
        }
    }

    func lookUp(_ operation: PaymentOperation, _ lookup: PaymentLookup) async -> [Evidence] {
        let request = ServiceRequest(
            .get,
            base(of: operation, lookup.client.hosts) + "/v1/payments/external/"
                + PercentCoding.encode(operation.externalID ?? ""),
            additions: lookup.builder.deviceHeaders(operation.request))
        switch await lookup.read(request, of: operation) {
        case .tree(let tree, let status, _):
            let payment = lookup.observed(payment(in: tree), operation, .externalID, status)
            // The payer may try another card while the device is still working on the charge.
            if payment.ending != .approved, await lookup.isDeviceFree(of: operation) != true {
                return [.inconclusive("the device may still be working on it")]
            }
            // Another charge's payment with an ID that a person chose may hide this one's.
            if payment.isOfAnother, operation.request.hasChosenID == true {
                return [.inconclusive("the service shows the payment of another charge with this external ID")]
            }
            return [payment.relation(to: operation) == .foreign ? .absent : .payment(payment)]
        case .missing: return [.absent]
        case .silence(let evidence): return [evidence]
        }
    }
}
