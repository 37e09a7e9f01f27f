/// What an answer says about an operation.
enum Verdict: Equatable {
    /// It is known what became of it: approved, declined, cancelled or failed.
    case settled(OperationState, OperationOutcome)
    /// It may have been carried out. `isRepeatable`: asking again under the same key is safe and may tell.
    case unknown(OperationOutcome, isRepeatable: Bool)
}
