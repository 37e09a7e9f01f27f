import CloverAPI
import CloverHTTP
import CloverJSON
import CloverSystem

/// Makes plans, and subscriptions of customers to them (Clover: working with recurring payments and subscriptions). No
/// idempotency key is documented: what may have been made is looked for in the list, by what was not there before, and never
/// sent again.
struct RecurringRail: PaymentRailRules {
    let isPlan: Bool
    let displayName = "the recurring API"
    var noun: String { isPlan ? "plan" : "subscription" }
    let isRecurring = true
    var identifierPrefix: String? { isPlan ? "p" : "s" }
    let amountRange: ClosedRange<Int64> = 1...99_999_999
    let waitsForCard = false

    private var rail: PaymentRail { isPlan ? .plan : .subscription }

    /// Milliseconds by which the clocks of the service's machines may differ.
    private static let clockMargin: Int64 = 60_000
    /// Milliseconds of a day, by which the zones of two dates may differ.
    static let day: Int64 = 86_400_000

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
            let difference = difference(of: row, from: operation)
            guard difference == nil, row.isCertainlyActive else {
                let words =
                    difference.map { "\($0.shown) in place of \($0.recorded)" }
                    ?? (row.isActive ? "it does not show whether it is active" : "it is not active")
                return .inconclusive(
                    "the response (\(status)) shows a \(noun) that was not asked for, \(row.id): \(words)",
                    http: status)
            }
            guard isPlan ? tree["name"] != nil && tree["amount"] != nil : RecurringList.customer(of: tree) != nil else {
                return .inconclusive("the response (\(status)) does not show what was made", http: status)
            }
            return .effect(made(row, operation, outcome, planAmount: RecurringList.planAmount(of: row.tree)))
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
        let possible = rows.filter {
            isMeant($0.tree, operation) && differenceInOrigin(of: $0, from: operation) == nil
                && !lookup.others.contains($0.id)
        }
        let found = possible.filter { differenceInTerms(of: $0, from: operation) == nil }
        guard let row = found.first else {
            // What was made after the request, for the same, is named although it is not as it was asked for.
            guard let other = possible.first(where: { $0.isActive && age(of: $0, operation) == .after }),
                let difference = differenceInTerms(of: other, from: operation)
            else { return [.absent] }
            var outcome = OperationOutcome(
                reason: "\(other.id) may be the one, and has \(difference.shown) in place of \(difference.recorded)")
            outcome.candidates = [other.id]
            return [.changed(outcome)]
        }
        if found.count == 1, row.isCertainlyActive, age(of: row, operation) == .after {
            let outcome = OperationOutcome(reason: "it is in the list, and was made after the request")
            var planAmount = RecurringList.planAmount(of: row.tree)
            if !isPlan, planAmount == nil { planAmount = await list.planAmount(of: operation) }
            return [.effect(made(row, operation, outcome, planAmount: planAmount))]
        }
        let ids = found.map(\.id)
        var outcome = OperationOutcome(
            reason: found.count == 1
                ? row.isCertainlyActive
                    ? "\(row.id) may be the one, or have been there before"
                    : "\(row.id) may be the one, and is not \(row.isActive ? "certainly " : "")active"
                : "several may be the one: \(ids.joined(separator: ", "))")
        outcome.candidates = ids
        return [.changed(outcome)]
    }

    /// The outcome with what was made, and how its amount differs from that of its plan, if it was to have that.
    private func made(
        _ row: RecurringList.Row, _ operation: PaymentOperation, _ outcome: OperationOutcome, planAmount: Int64?
    ) -> OperationOutcome {
        var outcome = outcome
        outcome.paymentID = row.id
        outcome.amount = RecurringList.amount(of: row.tree)
        outcome.planAmount = planAmount
        let difference = operation.settled(.approved, outcome).difference(fromPlanOf: outcome.planAmount)
        let words = [outcome.reason, difference].compactMap(\.self)
        outcome.reason = words.isEmpty ? nil : words.joined(separator: "; ")
        return outcome
    }

    /// How what the service shows differs from what an operation was to make; nil if it may be what it made.
    func difference(of row: RecurringList.Row, from operation: PaymentOperation) -> PaymentDifference? {
        differenceInOrigin(of: row, from: operation) ?? differenceInTerms(of: row, from: operation)
    }

    /// How it shows that another request made it, or that it is for someone or something else.
    private func differenceInOrigin(
        of row: RecurringList.Row, from operation: PaymentOperation
    ) -> PaymentDifference? {
        let request = operation.request
        if request.known?.contains(row.id) == true || age(of: row, operation) == .before {
            return PaymentDifference(shown: "an earlier time than the request", recorded: "a later time")
        }
        if !isPlan, let shown = RecurringList.customer(of: row.tree), shown != request.customer {
            return PaymentDifference(
                shown: "another customer, \(shown)", recorded: "customer \(request.customer ?? "")")
        }
        if !isPlan, let plan = row.tree["plan"]?.identifier, RecurringList.subscriptions(ofPlan: plan) != request.path {
            let asked = request.path.split(separator: "/").dropLast().last ?? ""
            return PaymentDifference(
                shown: "another plan, \(plan)", recorded: "plan \(PercentCoding.decode(asked) ?? "")")
        }
        return nil
    }

    /// How it is otherwise than it was asked for.
    private func differenceInTerms(
        of row: RecurringList.Row, from operation: PaymentOperation
    ) -> PaymentDifference? {
        let asked = JSONTree(Array(operation.request.body.utf8))
        for name in ["name", "amount", "interval", "intervalCount"] {
            guard let asked = asked?[name], let shown = row.tree[name], !RecurringList.isSame(shown, asked) else {
                continue
            }
            return PaymentDifference(
                shown: "\(name) \(ServiceErrorBody.oneLine(shown.text))", recorded: "\(name) \(asked.text)")
        }
        // The service may fill in a day that was not asked for.
        for name in ["startDate", "endDate"] {
            guard let asked = asked?[name], let shown = RecurringList.difference(of: row.tree, name, from: asked) else {
                continue
            }
            return PaymentDifference(shown: shown, recorded: "\(name) \(asked.text)")
        }
        if !isPlan, asked?["endDate"] == nil, let end = row.time("endDate"), end < operation.createdAt - Self.day {
            let shown = ServiceErrorBody.oneLine(row.tree["endDate"]?.text ?? "")
            return PaymentDifference(shown: "endDate \(shown), which is past", recorded: "no endDate")
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

extension PaymentOperation {
    /// How the amount of a subscription differs from that of its plan, unless it named its own, or that it is not shown;
    /// nil if neither.
    ///
    /// - Parameter ofPlan: the plan's amount; nil if it is unknown.
    package func difference(fromPlanOf ofPlan: Int64?) -> String? {
        guard rail == .subscription, outcome.isByHand != true else { return nil }
        let hasOwn = JSONTree(Array(request.body.utf8))?["amount"] != nil
        guard let amount = outcome.amount else {
            // One without its own has that of its plan.
            return hasOwn || ofPlan == nil ? "Clover does not show the subscription's amount" : nil
        }
        guard !hasOwn, let ofPlan, amount != ofPlan else { return nil }
        return "the subscription's amount is \(amount), and that of its plan \(ofPlan)"
    }
}
