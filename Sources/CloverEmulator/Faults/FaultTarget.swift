/// The calls a fault is for.
package enum FaultTarget: Sendable {
    /// Requests for the shop's records.
    case records
    /// Calls that give codes or tokens.
    case oauth

    /// The faults such calls can have.
    package var kinds: [FaultKind] {
        switch self {
        case .records: FaultKind.allCases
        case .oauth: [.loseAnswer, .reset, .serverError, .unavailable, .notJSON, .truncate]
        }
    }
}
