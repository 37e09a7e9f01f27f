/// A part that was approved and not asked for is given back, also after a crash.
extension Recovery {
    /// Gives the part back unless that was done or tried before.
    ///
    /// - Parameter charge: approved in part, by proof.
    /// - Returns: the void, or at the Ecommerce API the refund, as it is then.
    package func takeBack(_ charge: PaymentOperation) async throws -> PaymentOperation {
        // Of one charge, one operation at a time: two processes must not both give it back.
        let turn = try await runner.journal.lock(charge.id, waiting: true)
        defer { withExtendedLifetime(turn) {} }
        let earlier = try await runner.journal.followUps(of: charge.id).filter {
            $0.kind == .void || $0.kind == .refund
        }
        if let done = earlier.last(where: { $0.state == .approved }) { return done }
        if let open = earlier.last(where: { !$0.state.isFinal }) {
            return try await recover(open.id, waiting: true) ?? open
        }
        if let failed = earlier.last(where: { !$0.isNeverSent }) { return failed }
        var plan = FollowUpPlan(charge.rail == .ecommerce ? .refund : .void)
        plan.reason = charge.rail == .ecommerce ? nil : "REJECT_PARTIAL_AUTH"
        let void = try plan.operation(on: charge, after: [], now: runner.clock.now())
        // Whatever keeps it from being done, the part was taken: that is what has to be told.
        do {
            return try await runner.perform(void) ?? void
        } catch let error as OperationRunner.NotCarriedOut {
            return error.operation
        } catch let error as OperationRunner.Unrecorded {
            return error.operation
        }
    }
}
