import CloverAPI
import CloverHTTP
import CloverJSON

/// Makes plans, and subscriptions of customers to them (Clover: working with recurring payments and subscriptions). No
/// idempotency key is documented: what may have been made is looked for in the list, by what was not there before, and never
/// sent again.
struct RecurringRail: PaymentRailRules {
    let isPlan: Bool
    let displayName = "the recurring API"
    var noun: String { isPlan ? "plan" : "subscription" }
    var identifierPrefix: String? { isPlan ? "p" : "s" }
    let amountRange: ClosedRange<Int64> = 1...99_999_999
    let waitsForCard = false

    private var rail: PaymentRail { isPlan ? .plan : .subscription }

    /// Milliseconds by which the clocks of the service's machines may differ.
    private static let clockMargin: Int64 = 60_000

    func isAvailable(in environment: String) -> Bool { EcommerceRail().isAvailable(in: environment) }

    func refusal(of kind: OperationKind, on charge: PaymentOperation) -> PaymentPlanError? { .notOnRail(kind, rail) }

    func headers(of operation: PaymentOperation) -> [HTTPHeader] { RecurringList.headers(operation.merchantID) }

    func isRepeatable(isStopped: Bool) -> Bool { false }

    func present(
        _ operation: PaymentOperation, paymentID: String, _ builder: OperationRequestBuilder
    ) -> ServiceRequest {
        ServiceRequest(
            .get, builder.hosts.api + RecurringList.path(isPlan: isPlan, paymentID), additions: headers(of: operation))
    }

    func evidence(on operation: PaymentOperation, status: Int, body: [UInt8], isRepeat: Bool) -> Evidence {
        var outcome = OperationOutcome(http: status)
        if (200...299).contains(status) {
            guard let tree = JSONTree(body), let row = RecurringList.Row(tree) else {
                return .inconclusive("the response (\(status)) cannot be understood", http: status)
            }
            // A proxy may repeat the response to another request, or only send this one back.
            guard difference(of: row, from: operation) == nil, tree["active"]?.bool != false else {
                return .inconclusive(
                    "the response (\(status)) shows a \(noun) that was not asked for", http: status)
            }
            guard isPlan ? tree["name"] != nil && tree["amount"] != nil : RecurringList.customer(of: tree) != nil else {
                return .inconclusive("the response (\(status)) does not show what was made", http: status)
            }
            outcome.paymentID = row.id
            return .effect(outcome)
        }
        guard (400...499).contains(status), ![408, 409, 425].contains(status),
            ServiceErrorForm.matches(status: status, body)
        else { return .inconclusive("the service answered \(status)", http: status) }
        let refusal = ServiceErrorBody(body)
        outcome.code = refusal.code
        outcome.text = refusal.text
        return .refused(outcome)
    }

    /// Looks for what is in the list now, was not before, and is what was asked for. The list before may have hidden it, so
    /// that only what the service dates after that list is certainly new.
    func lookUp(_ operation: PaymentOperation, _ lookup: PaymentLookup) async -> [Evidence] {
        let list = RecurringList(client: lookup.client, merchantID: operation.merchantID)
        let rows: [RecurringList.Row]
        do throws(RecurringError) {
            rows = try await list.read(operation.request.path).rows
        } catch {
            return [.inconclusive(error.reason)]
        }
        guard operation.request.known != nil else {
            return [.inconclusive("it is not known what was there before")]
        }
        let found = rows.filter {
            isMeant($0.tree, operation) && difference(of: $0, from: operation) == nil && !lookup.others.contains($0.id)
        }
        guard let row = found.first else { return [.absent] }
        if found.count == 1, age(of: row, operation) == .after {
            var outcome = OperationOutcome(reason: "it is in the list, and was made after the request")
            outcome.paymentID = row.id
            return [.effect(outcome)]
        }
        let ids = found.map(\.id)
        var outcome = OperationOutcome(
            reason: found.count == 1
                ? "\(row.id) may be the one, or have been there before"
                : "several may be the one: \(ids.joined(separator: ", "))")
        outcome.candidates = ids
        return [.changed(outcome)]
    }

    /// How what the service shows differs from what an operation was to make; nil if it may be what it made.
    func difference(of row: RecurringList.Row, from operation: PaymentOperation) -> PaymentDifference? {
        let request = operation.request
        if request.known?.contains(row.id) == true || age(of: row, operation) == .before {
            return PaymentDifference(shown: "an earlier time than the request", recorded: "a later time")
        }
        if !isPlan, let shown = RecurringList.customer(of: row.tree), shown != request.customer {
            return PaymentDifference(
                shown: "another customer, \(shown)", recorded: "customer \(request.customer ?? "")")
        }
        if !isPlan, let plan = row.tree["plan"]?.identifier, RecurringList.subscriptions(ofPlan: plan) != request.path {
            return PaymentDifference(shown: "another plan, \(plan)", recorded: "another one")
        }
        let asked = JSONTree(Array(request.body.utf8))
        for name in ["name", "amount", "interval", "intervalCount"] {
            guard let asked = asked?[name], let shown = row.tree[name], !RecurringList.isSame(shown, asked) else {
                continue
            }
            return PaymentDifference(
                shown: "\(name) \(ServiceErrorBody.oneLine(shown.text))", recorded: "\(name) \(asked.text)")
        }
        return nil
    }

    /// Whether a row of the list is one of those like the operation: there is to be one plan of a name, and one subscription
    /// of a customer to a plan.
    func isMeant(_ row: JSONTree, _ operation: PaymentOperation) -> Bool {
        guard isPlan else { return RecurringList.customer(of: row) == operation.request.customer }
        return row["name"]?.string == JSONTree(Array(operation.request.body.utf8))?["name"]?.string
    }

    private enum Age { case before, perhaps, after }

    /// When a row was made, compared with the list that was read before the request, by the service's own clock.
    private func age(of row: RecurringList.Row, _ operation: PaymentOperation) -> Age {
        guard let start = operation.request.listedAt, let time = row.createdAt else { return .perhaps }
        // The clock shows whole seconds: what was made within that one may have been there before.
        if time >= start + 1000 { return .after }
        return time >= start - Self.clockMargin ? .perhaps : .before
    }
}
