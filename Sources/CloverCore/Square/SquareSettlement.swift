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
    /// Opened by the first answer; nil when there is no journal.
    private var journal: ChargeJournal?
    private var wasOpened = false
    /// Whether more than one answer is read, so that those that settle nothing are counted instead of told one by one.
    private let isForMany: Bool
    private var unsettled = 0

    init(isOn: Bool, isForMany: Bool = false, in environment: CommandEnvironment) {
        self.isOn = isOn
        self.isForMany = isForMany
        self.environment = environment
    }

    /// Tells what was counted.
    func finish() {
        guard unsettled > 0 else { return }
        environment.diagnostics.notice(
            "\(unsettled) of the answers may be those of several requests of the journal, or have no state, and settle "
                + "nothing; \(Self.byHand)")
    }

    /// What came of an answer, to be told once the answer's own line is out.
    struct Verdict: Sendable {
        fileprivate let match: HandOffMatch
        fileprivate let ending: OperationState
    }

    /// Settles by answers all at once: what is settled is on the device when this returns.
    ///
    /// - Parameter expected: the state that was waited for, for an answer that gives none back.
    /// - Returns: for each answer what came of it; nil for one that settles nothing by its kind.
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
            let answers = outcomes.map { _, outcome in
                (Self.answer(outcome, state: outcome.state?.string ?? expected), Self.detail(outcome))
            }
            let matches = try await journal.settle(byEach: answers, now: environment.clock.wall())
            for ((place, outcome), match) in zip(outcomes, matches) {
                verdicts[place] = Verdict(match: match, ending: Self.ending(of: outcome))
            }
        } catch StorageError.noHomeDirectory {
            // Then there is no journal either.
        } catch {
            let answers = outcomes.count == 1 ? "this answer" : "\(outcomes.count) answers"
            environment.diagnostics.notice("the journal of charges did not learn of \(answers): \(error)")
        }
        return verdicts
    }

    /// Tells what came of an answer, or counts it.
    mutating func tell(_ verdict: Verdict?) {
        guard let verdict else { return }
        switch verdict.match {
        case .ambiguous where isForMany, .stateless where isForMany: unsettled += 1
        default: say(verdict.match, verdict.ending)
        }
    }

    /// The hand-off that an answer's payment settled before a moment; nil when the payment is new.
    ///
    /// - Parameter moment: milliseconds since 1970.
    func handOff(paidBy result: Result<any SquareOutcome, SquareFailure>, before moment: Int64) async -> String? {
        guard isOn, case .success(let outcome) = result, outcome.isSuccess else { return nil }
        do {
            let answer = Self.answer(outcome, state: outcome.state?.string)
            guard let handOff = try await environment.existingJournal()?.handOff(paidBy: answer) else { return nil }
            return handOff.updatedAt < moment ? handOff.id : nil
        } catch {
            // Whoever settles by the answer says so.
            return nil
        }
    }

    /// Settles the hand-off that was named; throws when it cannot be the answer's.
    ///
    /// - Throws: `SquareError.otherState`, `PlanRefusal.unknownOperation`, `SquareError.notHandOff`; trouble with the
    ///   journal.
    func settle(_ identifier: String, by outcome: any SquareOutcome) async throws {
        let (journal, handOff) = try await SquareHandOffLookup.find(identifier, in: environment)
        // The app gives every state back, but for Android's when it has no result.
        let isLost = outcome.state == nil && !outcome.isSuccess
        guard handOff.externalID.map({ SquareText($0) }) == outcome.state || isLost else {
            throw SquareError.otherState(id: identifier)
        }
        let match = try await journal.settle(
            by: Self.answer(outcome, state: outcome.state?.string), chosen: identifier, detail: Self.detail(outcome),
            now: environment.clock.wall())
        say(match, Self.ending(of: outcome))
    }

    private func say(_ match: HandOffMatch, _ ending: OperationState) {
        let diagnostics = environment.diagnostics
        switch match {
        case .none: break
        case .known(let handOff): diagnostics.detail("\(handOff.id) was settled by this answer before")
        case .settles(let handOff), .completes(let handOff):
            diagnostics.detail("\(handOff.id) is settled: \(ending.rawValue)")
        case .overturns(let handOff):
            diagnostics.notice(
                "\(handOff.id) was settled before as \(handOff.state.rawValue), and this answer says that it was paid: "
                    + "it is \(ending.rawValue) now")
        case .contradicts(let handOff):
            guard handOff.state != ending else { return }
            diagnostics.notice(
                "\(handOff.id) was settled before as \(handOff.state.rawValue), and stays so; "
                    + "this answer says \(ending.rawValue)")
        case .otherPayment(let handOff):
            diagnostics.notice(
                "this is another payment than that of \(handOff.id), which has the same state, and no request for it is "
                    + "open in the journal; look in the Square app whether the payer paid twice")
        case .ambiguous(let handOffs):
            diagnostics.notice(
                "this answer may be that of \(Self.list(handOffs)), which have the same state, so none is settled; "
                    + Self.byHand)
        case .stateless(let handOffs):
            diagnostics.notice(
                "this answer has no state; it may be that of \(Self.list(handOffs)), and settles nothing by itself; "
                    + Self.byHand)
        }
    }

    private static let byHand = "say which with: clover charge square response --charge ID URL"

    /// The newest of them, which may be many.
    private static func list(_ handOffs: [PaymentOperation]) -> String {
        handOffs.prefix(3).map(\.id).joined(separator: " or ") + (handOffs.count > 3 ? " or another" : "")
    }

    private static func answer(_ outcome: any SquareOutcome, state: String?) -> HandOffAnswer {
        HandOffAnswer(state: state, ending: ending(of: outcome), outcome: facts(of: outcome))
    }

    /// What the journal calls it. An error that nobody knows tells nothing about money.
    private static func ending(of outcome: any SquareOutcome) -> OperationState {
        switch SquareReportedError(outcome)?.name {
        case nil: .approved
        case "SCCAPIErrorCodePaymentCanceled", "ERROR_TRANSACTION_CANCELED": .cancelled
        case "SCCAPIErrorCodeUnknown", "UNKNOWN", "ERROR_UNEXPECTED", "ERROR_NO_RESULT": .unknown
        default: .failed
        }
    }

    private static func facts(of outcome: any SquareOutcome) -> OperationOutcome {
        var facts = OperationOutcome()
        // An empty id is none that could tell one payment from another.
        facts.paymentID = outcome.transactionID.flatMap { $0.isEmpty ? nil : $0.string }
        facts.clientPaymentID = outcome.clientTransactionID.flatMap { $0.isEmpty ? nil : $0.string }
        if let error = SquareReportedError(outcome) {
            facts.code = error.wire
            facts.text = error.message
        } else if facts.paymentID == nil {
            facts.reason = "the app gave no transaction id: offline, or paid in another way than by card"
        }
        return facts
    }

    private static func detail(_ outcome: any SquareOutcome) -> String? {
        outcome.clientTransactionID.map { "client transaction \($0)" }
    }
}
