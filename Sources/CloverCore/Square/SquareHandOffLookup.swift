import CloverPayments

/// Hand-offs of the journal by their ids.
enum SquareHandOffLookup {
    /// The hand-off with this id, and the journal that has it.
    ///
    /// - Throws: `PlanRefusal.unknownOperation`; `SquareError.notHandOff` for any other charge.
    static func find(
        _ identifier: String, in environment: CommandEnvironment
    ) async throws -> (ChargeJournal, PaymentOperation) {
        guard let journal = try await environment.existingJournal(),
            let operation = try await journal.operation(identifier)
        else { throw PlanRefusal.unknownOperation(identifier) }
        guard operation.rail == .square else { throw SquareError.notHandOff(id: identifier) }
        return (journal, operation)
    }
}
