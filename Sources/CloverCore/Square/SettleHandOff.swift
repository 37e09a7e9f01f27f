import CloverAuth
import CloverPayments

/// `charge square settle`: a person says how a hand-off ended, because nobody came back with an answer.
package struct SettleHandOff: Sendable {
    package var identifier: String
    package var isPaid: Bool
    /// The id of the payment on Square's servers, where it is known.
    package var transaction: String?
    package var isJSON = false

    package init(_ identifier: String, isPaid: Bool, transaction: String? = nil) {
        self.identifier = identifier
        self.isPaid = isPaid
        self.transaction = transaction
    }

    /// Writes it down, and prints the hand-off's end.
    ///
    /// - Throws: `PlanRefusal.unknownOperation`, `SquareError.notHandOff`; `SquareError.settledBefore` when that was
    ///   another end; `.paidOtherwise`, `.transactionElsewhere`; trouble with the journal.
    package func run(in environment: CommandEnvironment) async throws {
        let (journal, before) = try await SquareHandOffLookup.find(identifier, in: environment)
        var outcome = OperationOutcome(reason: "settled by hand")
        outcome.paymentID = transaction
        outcome.isByHand = true
        let answer = HandOffAnswer(
            state: before.externalID, ending: isPaid ? .approved : .cancelled, outcome: outcome)
        let match = try await journal.settle(
            by: answer, chosen: identifier, detail: "by hand", now: environment.clock.wall())
        switch match {
        case .settles, .overturns, .completes: break
        case .known(let handOff) where handOff.id == identifier: break
        case .known(let handOff): throw SquareError.transactionElsewhere(id: handOff.id)
        case .contradicts(let handOff) where handOff.state != .approved: break
        case .contradicts(let handOff): throw SquareError.settledBefore(id: handOff.id, handOff.state)
        case .otherPayment(let handOff): throw SquareError.paidOtherwise(id: handOff.id)
        // Only an answer that has to be looked for ends so.
        case .none, .ambiguous, .stateless: break
        }
        let after = try await journal.operation(identifier) ?? before
        let output = ChargeOutput(isJSON: isJSON, isQuiet: false, in: environment)
        await output.show(.settled(after))
        try output.finish()
    }
}
