import CloverAPI
import CloverHTTP
import CloverJSON
import CloverOutput

/// The channel through which a charge is made. The journal stores the raw values.
package enum PaymentRail: String, Codable, Sendable, CaseIterable {
    /// The Ecommerce API: the card is not present.
    case ecommerce
    /// A Clover device, through REST Pay Display.
    case payDisplay = "pay-display"
    /// A card reader, through its driver.
    case reader
    /// The Square app: it receives the request and responds itself. Clover takes no part.
    case square
    /// Hosted Checkout: a page of Clover on which the payer pays. The operation makes the page's session.
    case hostedCheckout = "hosted-checkout"
    /// A plan of recurring payments, which the operation makes.
    case plan
    /// A customer's subscription to a plan, which the operation makes.
    case subscription

    var rules: any PaymentRailRules {
        switch self {
        case .ecommerce: EcommerceRail()
        case .payDisplay: PayDisplayRail()
        case .reader: ReaderRail()
        case .square: SquareRail()
        case .hostedCheckout: HostedCheckoutRail()
        case .plan: RecurringRail(isPlan: true)
        case .subscription: RecurringRail(isPlan: false)
        }
    }

    /// Whether an operation is a charge; otherwise it makes something that money is taken by later.
    package var isCharge: Bool { rules.isCharge }
    /// Whether an operation makes a plan of recurring payments or a subscription.
    package var isRecurring: Bool { rules.isRecurring }
    /// Whether an operation makes a page on which the payer pays later, once or more often.
    package var makesPage: Bool { rules.makesPage }
    /// What an operation makes, such as `charge`.
    package var noun: String { rules.noun }

    package var amountRange: ClosedRange<Int64> { rules.amountRange }
    package var maximumExternalIDLength: Int { rules.maximumExternalIDLength }
    package var displayName: String { rules.displayName }
    package var isHandedOff: Bool { rules.isHandedOff }
    package var waitsForCard: Bool { rules.waitsForCard }
    package var hasDevice: Bool { rules.hasDevice }
    package var hasReader: Bool { rules.hasReader }
    package var sendsClientAddress: Bool { rules.sendsClientAddress }
    package var reversal: PartialApprovalReversal? { rules.reversal }

    /// Maximum number of characters of the invoice number on statements.
    package static let maximumReferenceLength = 12
}

/// All that differs between the rails. The defaults are those of charges with the card present.
protocol PaymentRailRules: Sendable {
    /// The name for messages.
    var displayName: String { get }
    /// The range of amounts of one charge, in the smallest unit (Clover: create a charge; REST Pay Display: pay;
    /// Clover Go: card-present payments).
    var amountRange: ClosedRange<Int64> { get }
    /// Maximum number of characters of an external ID.
    var maximumExternalIDLength: Int { get }
    /// Whether the reference is sent in place of an external ID, because the service has one field for both.
    var sendsReferenceAsExternalID: Bool { get }
    /// What an operation makes.
    var noun: String { get }
    /// Whether an operation makes a plan of recurring payments or a subscription.
    var isRecurring: Bool { get }
    /// Whether an operation makes a page on which the payer pays later, once or more often.
    var makesPage: Bool { get }
    /// The first letter of an operation's ID; nil for that of its kind.
    var identifierPrefix: String? { get }
    /// Whether a charge is handed to another company's app: no service can be asked about it.
    var isHandedOff: Bool { get }
    /// Whether a charge waits until the payer presents a card.
    var waitsForCard: Bool { get }
    /// Whether the charge of a pre-authorization, or its capture, may have a tip.
    var takesTipOnHold: Bool { get }
    /// Whether a charge can be adjusted after it was captured.
    var takesAdjustableCharges: Bool { get }
    /// Whether a refund has a reason.
    var takesRefundReason: Bool { get }
    /// How a partial approval that was not asked for is given back; nil if it is kept.
    var reversal: PartialApprovalReversal? { get }

    /// Whether charges run on a Clover device: it reports its state, and can be cancelled meanwhile.
    var hasDevice: Bool { get }
    /// Whether charges are made by a reader's driver instead of a request.
    var hasReader: Bool { get }

    /// Whether the report that a charge was cancelled proves it, without a look at the service's records.
    var isCancellationProof: Bool { get }
    /// Whether a charge always shows its amount, and the time at which it was made on the service's clock.
    var showsAmountAndTime: Bool { get }
    /// Whether a charge is looked for by an external ID that the user chose, too.
    var findsChosenIDs: Bool { get }
    /// Whether the address of the payer's machine is sent.
    var sendsClientAddress: Bool { get }
    /// Whether an approval repeats the external ID that was sent.
    var repeatsExternalID: Bool { get }
    /// Whether only payments of this very operation are shown, and only what it asked for.
    var showsOnlyOwnPayments: Bool { get }

    /// Whether the environment has this rail.
    func isAvailable(in environment: String) -> Bool

    /// Refuses options that the rail does not have.
    func checkOptions(of plan: ChargePlan) throws(PaymentPlanError)

    /// Why an operation is not possible on any charge of this rail; nil if it may be.
    func refusal(of kind: OperationKind, on charge: PaymentOperation) -> PaymentPlanError?

    /// The charge's request.
    ///
    /// - Parameter externalID: the ID by which the charge can be looked up.
    func request(for plan: ChargePlan, externalID: String) throws -> OperationRequest

    /// A follow-up's request.
    ///
    /// - Parameters:
    ///   - payment: the charge's payment.
    ///   - value: the amount, in the smallest unit.
    func request(
        for plan: FollowUpPlan, payment: String, value: Int64, _ totals: ChargeTotals
    ) throws -> OperationRequest

    /// The body as it is sent.
    ///
    /// - Parameter source: the card's token, for an ecommerce charge.
    func body(of operation: PaymentOperation, source: Secret?) throws -> String

    /// Header fields of an operation's own request.
    func headers(of operation: PaymentOperation) -> [HTTPHeader]

    /// The address that the paths of requests are relative to.
    func base(of operation: PaymentOperation, _ hosts: PaymentHosts) -> String

    /// The request for the charge or payment as the service has it now.
    func present(
        _ operation: PaymentOperation, paymentID: String, _ builder: OperationRequestBuilder
    ) -> ServiceRequest

    /// The request for a refund as the service has it now.
    func refund(_ operation: PaymentOperation, refundID: String, _ builder: OperationRequestBuilder) -> ServiceRequest

    /// Whether an operation whose outcome is open may be sent again under its key.
    ///
    /// - Parameter isStopped: whether the user has cancelled it.
    func isRepeatable(isStopped: Bool) -> Bool

    /// The screen to send to the device after a charge; nil for none.
    func nextScreen(after state: OperationState) -> String?

    /// Interprets the response to an operation's own request.
    ///
    /// - Parameter isRepeat: whether the same request was sent before under the same key and its response was lost.
    func evidence(on operation: PaymentOperation, status: Int, body: [UInt8], isRepeat: Bool) -> Evidence

    /// The charge or payment in the response to a look at one.
    func payment(in tree: JSONTree) -> JSONTree

    /// Reads a charge or payment, from a response or from a list.
    func observed(
        _ payment: JSONTree, of operation: PaymentOperation, _ source: ObservedPayment.Source, _ status: Int
    ) -> ObservedPayment

    /// Looks a charge up by the external ID that was sent.
    func lookUp(_ operation: PaymentOperation, _ lookup: PaymentLookup) async -> [Evidence]

    /// What a follow-up's charge, as it is now, shows about the follow-up.
    func followUp(_ operation: PaymentOperation, _ tree: JSONTree, _ status: Int, _ lookup: PaymentLookup) -> Evidence
}

/// The follow-up that gives a partial approval back.
package struct PartialApprovalReversal: Sendable {
    package let kind: OperationKind
    /// Clover's code for it.
    let reason: String?
}

extension PaymentRailRules {
    var isCharge: Bool { noun == "charge" }
    var maximumExternalIDLength: Int { 32 }
    var sendsReferenceAsExternalID: Bool { false }
    var noun: String { "charge" }
    var isRecurring: Bool { false }
    var makesPage: Bool { false }
    var identifierPrefix: String? { nil }
    var isHandedOff: Bool { false }
    var waitsForCard: Bool { true }
    var takesTipOnHold: Bool { true }
    var takesAdjustableCharges: Bool { true }
    var takesRefundReason: Bool { false }
    var reversal: PartialApprovalReversal? { nil }
    var hasDevice: Bool { false }
    var hasReader: Bool { false }
    var isCancellationProof: Bool { false }
    var showsAmountAndTime: Bool { false }
    var findsChosenIDs: Bool { false }
    var sendsClientAddress: Bool { false }
    var repeatsExternalID: Bool { false }
    var showsOnlyOwnPayments: Bool { false }

    func isAvailable(in environment: String) -> Bool { true }

    func isRepeatable(isStopped: Bool) -> Bool { true }

    func nextScreen(after state: OperationState) -> String? { nil }

    func body(of operation: PaymentOperation, source: Secret?) throws -> String { operation.request.body }

    func headers(of operation: PaymentOperation) -> [HTTPHeader] {
        [HTTPHeader(name: "Idempotency-Key", value: operation.idempotencyKey)]
    }

    func base(of operation: PaymentOperation, _ hosts: PaymentHosts) -> String { hosts.api }

    func checkOptions(of plan: ChargePlan) throws(PaymentPlanError) {
        let foreign: [(String, Bool)] = [
            ("--save-card", plan.cardOnFile != nil), ("--description", plan.description != nil),
            ("--receipt-email", plan.receiptEmail != nil),
            ("--metadata", !plan.metadata.isEmpty), ("--order", plan.order != nil),
        ]
        if let option = foreign.first(where: \.1)?.0 { throw .optionNotOnRail(option: option, plan.rail) }
    }

    func request(for plan: ChargePlan, externalID: String) throws -> OperationRequest {
        let body = PayDisplayBody(
            amount: plan.amount.minorUnits, capture: plan.type.isCaptured, final: plan.type.isFinal,
            externalPaymentId: externalID, externalReferenceId: plan.reference, taxAmount: plan.tax,
            tipAmount: plan.tip)
        var request = OperationRequest(path: "/v1/payments", body: try BodyText.encode(body))
        request.device = plan.device
        request.deviceAddress = plan.deviceAddress
        request.posID = plan.posID
        request.reader = plan.reader
        request.driver = plan.driver
        return request
    }

    func request(
        for plan: FollowUpPlan, payment: String, value: Int64, _ totals: ChargeTotals
    ) throws -> OperationRequest {
        throw PaymentPlanError.notOnRail(plan.kind, .reader)
    }

    func present(
        _ operation: PaymentOperation, paymentID: String, _ builder: OperationRequestBuilder
    ) -> ServiceRequest {
        builder.record(operation, paymentID: paymentID)
    }

    func refund(_ operation: PaymentOperation, refundID: String, _ builder: OperationRequestBuilder) -> ServiceRequest {
        ServiceRequest(.get, builder.hosts.api + "/v3/merchants/\(operation.merchantID)/refunds/" + refundID)
    }

    func evidence(on operation: PaymentOperation, status: Int, body: [UInt8], isRepeat: Bool) -> Evidence {
        PayDisplayResponseParser.evidence(on: operation, status: status, body: body, isRepeat: isRepeat)
    }

    func payment(in tree: JSONTree) -> JSONTree { tree["payment"] ?? tree }

    func observed(
        _ payment: JSONTree, of operation: PaymentOperation, _ source: ObservedPayment.Source, _ status: Int
    ) -> ObservedPayment {
        PayDisplayResponseParser.payment(payment, of: operation, source, status)
    }

    func followUp(
        _ operation: PaymentOperation, _ tree: JSONTree, _ status: Int, _ lookup: PaymentLookup
    ) -> Evidence {
        let payment = payment(in: tree)
        if let shown = PayDisplayResponseParser.shown(operation, on: payment, status) { return shown }
        if operation.kind != .void, payment["result"]?.string == "VOIDED" {
            return .changed(OperationOutcome(reason: "the charge was voided since"))
        }
        if let change = lookup.change(of: operation, to: PayDisplayResponseParser.total(operation, payment)) {
            return change
        }
        return switch PayDisplayResponseParser.isUnchanged(operation, payment, doneByOthers: lookup.doneByOthers) {
        case true?: .unchanged
        case false?:
            .changed(OperationOutcome(reason: "the charge was changed since, by this request or elsewhere"))
        case nil: .inconclusive("the charge does not show whether it was carried out")
        }
    }
}
