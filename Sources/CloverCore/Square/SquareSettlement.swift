import CloverAuth
import CloverPayments
import CloverSquare
import CloverStorage

/// Settles the hand-offs of the journal by the answers of the Square app.
///
/// An answer is worth more than its entry: trouble with the journal is said, and changes nothing else.
struct SquareSettlement {
    private let isOn: Bool
    private let environment: CommandEnvironment
    /// Opened by the first answer with a state; nil when there is no journal.
    private var journal: ChargeJournal?
    private var wasOpened = false

    init(isOn: Bool, in environment: CommandEnvironment) {
        self.isOn = isOn
        self.environment = environment
    }

    mutating func settle(by result: Result<any SquareOutcome, SquareFailure>) async {
        guard isOn, case .success(let outcome) = result, let state = outcome.state?.string, !state.isEmpty else {
            return
        }
        do {
            if !wasOpened {
                wasOpened = true
                journal = try await environment.existingJournal()
            }
            guard let journal, let operation = try await journal.handOff(state: state) else { return }
            try await settle(operation, by: outcome, in: journal)
        } catch StorageError.noHomeDirectory {
            // Then there is no journal either.
        } catch {
            environment.diagnostics.notice("the journal of charges did not learn of this answer: \(error)")
        }
    }

    private func settle(
        _ operation: PaymentOperation, by outcome: any SquareOutcome, in journal: ChargeJournal
    ) async throws {
        let next = Self.state(of: outcome)
        guard !operation.state.isFinal else {
            if operation.state != next {
                environment.diagnostics.notice(
                    "\(operation.id) was settled before as \(operation.state.rawValue), and stays so; "
                        + "this answer says \(next.rawValue)")
            }
            return
        }
        let settled = try await journal.advance(
            operation.id, to: next, outcome: Self.facts(of: outcome),
            detail: outcome.clientTransactionID.map { "client transaction \($0)" }, now: environment.clock.wall())
        environment.diagnostics.detail("\(settled.id) is settled: \(settled.state.rawValue)")
    }

    /// What the journal calls it. An error that nobody knows tells nothing about money.
    private static func state(of outcome: any SquareOutcome) -> OperationState {
        switch SquareReportedError(outcome)?.name {
        case nil: .approved
        case "SCCAPIErrorCodePaymentCanceled", "ERROR_TRANSACTION_CANCELED": .cancelled
        case "SCCAPIErrorCodeUnknown", "UNKNOWN", "ERROR_UNEXPECTED", "ERROR_NO_RESULT": .unknown
        default: .failed
        }
    }

    private static func facts(of outcome: any SquareOutcome) -> OperationOutcome {
        var facts = OperationOutcome()
        facts.paymentID = outcome.transactionID?.string
        if let error = SquareReportedError(outcome) {
            facts.code = error.wire
            facts.text = error.message
        } else if facts.paymentID == nil {
            facts.reason = "the app gave no transaction id: offline, or paid in another way than by card"
        }
        return facts
    }
}
