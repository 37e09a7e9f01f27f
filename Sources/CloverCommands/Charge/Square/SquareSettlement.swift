import CloverAuth
import CloverCore
import CloverPayments
import CloverSquare
import CloverSystem

/// Settles hand-offs in the journal with the responses of the Square app.
///
/// Printing a response has priority over recording it: an error of the journal is reported after the response.
struct SquareSettlement {
    private let isOn: Bool
    private let environment: CommandEnvironment
    /// Opened for the first response; nil if there is no journal.
    private var journal: ChargeJournal?
    private var wasOpened = false
    /// Whether several responses are read. Those that settle nothing are then counted, not reported one by one.
    private let isForMany: Bool
    private var unsettled = 0

    init(isOn: Bool, isForMany: Bool = false, in environment: CommandEnvironment) {
        self.isOn = isOn
        self.isForMany = isForMany
        self.environment = environment
    }

    /// Reports the number of responses that settled nothing.
    func finish() {
        guard unsettled > 0 else { return }
        environment.diagnostics.notice(
            "\(unsettled) of the responses match several requests in the journal or have no state, and settle nothing; "
                + Self.byHand)
    }

    /// The result of settling by a response, to be reported after the response's own line.
    struct Verdict: Sendable {
        fileprivate let match: HandOffMatch
        fileprivate let ending: OperationState
        /// Whether the journal has hand-offs, so that a response to none of them is conspicuous.
        fileprivate var isKept = true
        /// Why the journal could not record the response.
        var failure: (any Error)?

        /// The hand-off that is already settled as paid, where this response contradicts that.
        var paidHandOff: String? {
            guard case .contradicts(let handOff) = match, handOff.state == .approved, ending != .approved else {
                return nil
            }
            return handOff.id
        }

        /// Whether the response may belong to any of several hand-offs.
        var isAmbiguous: Bool {
            switch match {
            case .ambiguous, .stateless: true
            default: false
            }
        }

        /// Whether the response reports a payment that cannot be matched with one open request of the journal.
        var isUnmatched: Bool {
            guard ending == .approved else { return false }
            return switch match {
            case .none: isKept
            case .otherPayment, .paymentOfAnother, .ambiguous, .stateless: true
            case .known, .settles, .overturns, .completes, .contradicts: false
            }
        }
    }

    /// Settles by several responses in one transaction, which is on disk when this returns.
    ///
    /// - Parameter expected: the expected state, for a response that returns none.
    /// - Returns: the result for each response; nil for one that cannot settle anything. If the journal fails, each has
    ///   its error.
    mutating func settle(
        by results: [Result<any SquareOutcome, SquareFailure>], expected: String? = nil
    ) async -> [Verdict?] {
        var verdicts = [Verdict?](repeating: nil, count: results.count)
        guard isOn else { return verdicts }
        let outcomes = results.enumerated().compactMap { place, result in
            if case .success(let outcome) = result { (place: place, outcome: outcome) } else { nil }
        }
        guard !outcomes.isEmpty else { return verdicts }
        do {
            if !wasOpened {
                wasOpened = true
                journal = try await environment.existingJournal()
            }
            guard let journal else { return verdicts }
            let responses = outcomes.map { _, outcome in
                (Self.response(outcome, state: outcome.state?.string ?? expected), Self.detail(outcome))
            }
            let matches = try await journal.settle(byEach: responses, now: environment.clock.wall())
            // Without any hand-off, the requests are made elsewhere.
            let isKept = matches.contains(.none) ? try await journal.hasHandOffs() : true
            for ((place, outcome), match) in zip(outcomes, matches) {
                verdicts[place] = Verdict(match: match, ending: Self.ending(of: outcome), isKept: isKept)
            }
        } catch StorageError.noHomeDirectory {
            // Then there is no journal, either.
        } catch {
            // The error about a single payment says it.
            if outcomes.count > 1 || !outcomes[0].outcome.isSuccess {
                let responses = outcomes.count == 1 ? "this response" : "\(outcomes.count) responses"
                environment.diagnostics.notice("cannot record \(responses) in the charge journal: \(error)")
            }
            for (place, outcome) in outcomes {
                verdicts[place] = Verdict(
                    match: .none, ending: Self.ending(of: outcome), isKept: false, failure: error)
            }
        }
        return verdicts
    }

    /// Reports the result for a response, or counts it.
    mutating func tell(_ verdict: Verdict?) {
        guard let verdict else { return }
        switch verdict.match {
        case .ambiguous where isForMany, .stateless where isForMany: unsettled += 1
        // The error of the run counts them.
        case .none where isForMany || !verdict.isKept: break
        default: report(verdict.match, verdict.ending)
        }
    }

    /// The hand-off that a response's payment had settled before a time; nil if the payment is new.
    ///
    /// - Parameter time: milliseconds since 1970.
    func handOff(paidBy result: Result<any SquareOutcome, SquareFailure>, before time: Int64) async -> String? {
        guard isOn, case .success(let outcome) = result, outcome.isSuccess else { return nil }
        do {
            let response = Self.response(outcome, state: outcome.state?.string)
            guard let handOff = try await environment.existingJournal()?.handOff(paidBy: response) else { return nil }
            return handOff.updatedAt < time ? handOff.id : nil
        } catch {
            // The same error is reported when the response is settled.
            return nil
        }
    }

    /// Settles the named hand-off; throws if the response cannot belong to it.
    ///
    /// - Throws: `SquareError.otherState`, `PaymentPlanError.unknownOperation`, `SquareError.notHandOff`; errors of the journal.
    func settle(_ identifier: String, by outcome: any SquareOutcome) async throws -> Verdict {
        let (journal, handOff) = try await SquareHandOffLookup.find(identifier, in: environment)
        // The app always returns the state, except on Android if it has no result.
        let isLost = outcome.state == nil && !outcome.isSuccess
        guard handOff.externalID.map({ SquareText($0) }) == outcome.state || isLost else {
            throw SquareError.otherState(id: identifier)
        }
        let match: HandOffMatch
        do {
            match = try await journal.settle(
                by: Self.response(outcome, state: outcome.state?.string), chosen: identifier,
                detail: Self.detail(outcome), now: environment.clock.wall())
        } catch {
            guard outcome.isSuccess else { throw error }
            throw SquareError.unrecorded(payment: outcome.transactionName, error)
        }
        let verdict = Verdict(match: match, ending: Self.ending(of: outcome))
        report(match, verdict.ending)
        return verdict
    }

    private func report(_ match: HandOffMatch, _ ending: OperationState) {
        let diagnostics = environment.diagnostics
        switch match {
        case .none: diagnostics.notice("this response belongs to no request in the journal")
        case .known(let handOff): diagnostics.detail("\(handOff.id) was already settled by this response")
        case .settles(let handOff), .completes(let handOff):
            diagnostics.detail("\(handOff.id) is settled: \(ending.rawValue)")
        case .overturns(let handOff):
            diagnostics.notice(
                "\(handOff.id) was already settled as \(handOff.state.rawValue), but this response says that it was paid: "
                    + "it is now \(ending.rawValue)")
        case .contradicts(let handOff):
            guard handOff.state != ending else { return }
            diagnostics.notice(
                "\(handOff.id) was already settled as \(handOff.state.rawValue), and stays so; "
                    + "this response says \(ending.rawValue)")
        case .otherPayment(let handOff):
            diagnostics.notice(
                "this payment is not that of \(handOff.id), which has the same state, and the journal has no open request "
                    + "for it; check in the Square app whether the payer paid twice")
        case .paymentOfAnother(let handOff):
            diagnostics.notice(
                "this response has the payment of \(handOff.id), which is another request, and settles nothing; "
                    + "check in the Square app what was paid")
        case .ambiguous(let handOffs):
            diagnostics.notice(
                "this response may belong to \(Self.list(handOffs)), which have the same state, so none is settled; "
                    + Self.byHand)
        case .stateless(let handOffs):
            diagnostics.notice(
                "this response has no state; it may belong to \(Self.list(handOffs)), and alone settles nothing; "
                    + Self.byHand)
        }
    }

    private static let byHand = "to choose one: clover charge square response --charge ID URL"

    /// The ids of the newest hand-offs, of which there may be many.
    private static func list(_ handOffs: [PaymentOperation]) -> String {
        handOffs.prefix(3).map(\.id).joined(separator: " or ") + (handOffs.count > 3 ? " or another" : "")
    }

    private static func response(_ outcome: any SquareOutcome, state: String?) -> HandOffResponse {
        HandOffResponse(state: state, ending: ending(of: outcome), outcome: facts(of: outcome))
    }

    /// The state for the journal. An unknown error, or one with a transaction, does not show whether money moved.
    static func ending(of outcome: any SquareOutcome) -> OperationState {
        if outcome.contradictsItself { return .unknown }
        return switch outcome.reportedError?.name {
        case nil: .approved
        case "SCCAPIErrorCodePaymentCanceled", "ERROR_TRANSACTION_CANCELED": .cancelled
        case "SCCAPIErrorCodeUnknown", "UNKNOWN", "ERROR_UNEXPECTED", "ERROR_NO_RESULT": .unknown
        default: .failed
        }
    }

    private static func facts(of outcome: any SquareOutcome) -> OperationOutcome {
        var facts = OperationOutcome()
        // An empty id identifies no payment.
        facts.paymentID = outcome.transactionID.flatMap { $0.isEmpty ? nil : $0.string }
        facts.clientPaymentID = outcome.clientTransactionID.flatMap { $0.isEmpty ? nil : $0.string }
        if let error = outcome.reportedError {
            facts.code = error.wire.string
            facts.text = error.message
        } else if facts.paymentID == nil {
            facts.reason = "the app returned no transaction id: it was offline, or the payment was not by card"
        }
        return facts
    }

    private static func detail(_ outcome: any SquareOutcome) -> String? {
        outcome.clientTransactionID.map { "client transaction \($0)" }
    }
}

extension SquareOutcome {
    /// Names the payment in a message, such as `payment T-1`.
    var transactionName: String {
        let names = [transactionID, clientTransactionID].compactMap { $0.flatMap { $0.isEmpty ? nil : $0.string } }
        return names.first.map { "payment \($0)" } ?? "payment without a transaction ID"
    }
}

/// Finds hand-offs in the journal by their ids.
enum SquareHandOffLookup {
    /// Returns the journal and the hand-off with this id.
    ///
    /// - Throws: `PaymentPlanError.unknownOperation`; `SquareError.notHandOff` for any other charge.
    static func find(
        _ identifier: String, in environment: CommandEnvironment
    ) async throws -> (ChargeJournal, PaymentOperation) {
        guard let journal = try await environment.existingJournal(),
            let operation = try await journal.operation(identifier)
        else { throw PaymentPlanError.unknownOperation(identifier) }
        guard operation.rail.isHandedOff else { throw SquareError.notHandOff(id: identifier) }
        return (journal, operation)
    }
}
