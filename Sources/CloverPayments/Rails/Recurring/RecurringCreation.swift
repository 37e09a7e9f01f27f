import CloverHTTP
import FoundationEssentials

/// Makes a plan or a subscription, once.
package struct RecurringCreation: Sendable {
    let runner: OperationRunner
    private let list: RecurringList

    package init(runner: OperationRunner, merchantID: String) {
        self.runner = runner
        list = RecurringList(client: runner.client, merchantID: merchantID)
    }

    /// The request for a plan or a subscription.
    ///
    /// - Parameters:
    ///   - body: as it is sent.
    ///   - plan: the plan of a subscription; nil for a plan.
    ///   - name: the customer of a subscription, or the name of a plan: there is to be one.
    package static func operation(
        _ body: some Encodable, plan: String?, name: String, key: String?, environment: String, merchantID: String,
        now: Int64
    ) throws -> PaymentOperation {
        let rail: PaymentRail = plan == nil ? .plan : .subscription
        guard rail.rules.isAvailable(in: environment) else {
            throw PaymentPlanError.noEcommerce(environment: environment)
        }
        var request = OperationRequest(
            path: plan.map { RecurringList.subscriptions(ofPlan: $0) } ?? RecurringList.plans,
            body: try BodyText.encode(body))
        if plan != nil { request.customer = name }
        if key != nil { request.hasChosenKey = true }
        return PaymentOperation(
            id: OperationIdentifier.make(.charge, on: rail, now: now), kind: .charge, rail: rail,
            environment: environment, merchantID: merchantID,
            idempotencyKey: try ChargePlan.checked(key: key) ?? UUID().uuidString.lowercased(),
            externalID: [rail.rawValue, plan, name].compactMap(\.self).joined(separator: " "), amount: nil,
            request: request, now: now)
    }

    /// Makes it, unless the journal or the list has one for the same.
    ///
    /// - Parameter isAnother: whether it may be beside one that is there.
    /// - Throws: `RecurringError`; as `OperationRunner.performOnce`.
    package func perform(_ planned: PaymentOperation, isAnother: Bool) async throws -> PaymentOperation {
        let claim = "\(planned.environment) \(planned.merchantID) \(planned.externalID ?? "")"
        let lock: OperationLock
        do {
            lock = try await runner.claim(claim)
        } catch {
            throw OperationRunner.NotCarriedOut(operation: planned, cause: error)
        }
        defer { withExtendedLifetime(lock) {} }
        let earlier = try await runner.journal.operation(key: planned.idempotencyKey)
        if let earlier, !earlier.isNeverSent { return try await runner.performOnce(planned) }
        let rules = RecurringRail(isPlan: planned.rail == .plan)
        // What becomes of the others is no event of this one.
        var asking = runner
        asking.onEvent = { _ in }
        let listing = try await list.read(planned.request.path)
        var present = listing.rows.filter { rules.isMeant($0.tree, planned) }
        for other in try await runner.journal.operations(like: planned) where other.id != earlier?.id {
            var made = other
            if !other.state.isFinal {
                guard let settled = try await Recovery(runner: asking).recover(other.id, waiting: 0),
                    settled.state.isFinal
                else { throw RecurringError.open(noun: rules.noun, id: other.id) }
                made = settled
            }
            guard made.state == .approved else { continue }
            // A person entered it, and did not name it.
            guard let id = made.outcome.paymentID else { throw RecurringError.open(noun: rules.noun, id: made.id) }
            // A list may not show it.
            if present.contains(where: { $0.id == id }) { continue }
            if let row = try await list.row(isPlan: rules.isPlan, id) { present.append(row) }
        }
        if !isAnother, let other = present.first(where: \.isActive) {
            throw RecurringError.exists(noun: rules.noun, id: other.id)
        }
        if !isAnother, !rules.isPlan,
            let other = listing.rows.first(where: { $0.isActive && RecurringList.customer(of: $0.tree) == nil })
        {
            throw RecurringError.unattributed(noun: rules.noun, id: other.id)
        }
        var operation = planned
        operation.request.known = present.map(\.id)
        operation.request.listedAt = listing.readAt
        // The service shows the time of the list in whole seconds; what is sent after that second is certainly later.
        do {
            try await runner.clock.sleep(1)
        } catch {
            throw OperationRunner.NotCarriedOut(operation: operation, cause: error)
        }
        return try await runner.performOnce(operation)
    }
}
