import CloverAPI
import Synchronization

/// Keeps the journal true about one request: it has the operation as sent before the first byte leaves, each time, and as
/// created again while it waits because the service refused it without doing anything.
final class DepartureBook: Sendable {
    /// The journal could not be told, so that it did not leave.
    struct Unwritten: Error {
        let cause: any Error
    }

    private struct State {
        var isSent = false
        var departures = 0
        var isRefused = false
    }

    private let runner: OperationRunner
    private let id: String
    private let state = Mutex(State())

    init(_ runner: OperationRunner, _ operation: PaymentOperation) {
        self.runner = runner
        id = operation.id
    }

    /// Whether the journal has it as sent.
    var isSent: Bool { state.withLock(\.isSent) }

    /// Whether the service refused it.
    var isRefused: Bool { state.withLock(\.isRefused) }

    var terms: RequestTerms {
        var terms = RequestTerms()
        terms.endsEveryWait = true
        terms.willLeave = { try await self.willLeave() }
        terms.didNothing = { await self.didNothing(isRefused: $0) }
        return terms
    }

    private func willLeave() async throws {
        if let reason = runner.stop.waits.reason { throw reason }
        guard !isSent else { return }
        let isFirst = state.withLock { $0.departures == 0 }
        let sent: PaymentOperation
        do {
            sent = try await runner.journal.advance(
                id, to: .sent, outcome: OperationOutcome(),
                detail: isFirst ? nil : "again, after nothing was done", now: runner.clock.now())
        } catch {
            throw Unwritten(cause: error)
        }
        state.withLock { state in
            state.isSent = true
            state.departures += 1
        }
        if isFirst { await runner.onEvent(.sent(sent, isAgain: false)) }
    }

    private func didNothing(isRefused: Bool) async {
        let words = isRefused ? Self.refusal : "it was held back by a pause of the service"
        state.withLock { if isRefused { $0.isRefused = true } }
        do {
            _ = try await runner.journal.advance(
                id, to: .created, outcome: OperationOutcome(reason: words), detail: words, now: runner.clock.now())
            state.withLock { $0.isSent = false }
        } catch {
            // The journal has it as sent, so that recovery asks the service before it says that nothing was done.
        }
    }

    static let refusal = "the service refused it for now (429), and nothing was done"
}

/// What a run about money tells on the way.
package enum ChargeEvent: Sendable {
    /// Written down, nothing sent.
    case created(PaymentOperation)
    /// From here on it may be carried out. `isAgain`: the answer to the first try was lost; the same key is used.
    case sent(PaymentOperation, isAgain: Bool)
    /// A word of the reader or device, as it came.
    case progress(PaymentOperation, String)
    /// It is being cancelled on the device.
    case cancelling(PaymentOperation)
    /// What became of it: the state is final, or `unknown`.
    case settled(PaymentOperation)
    /// Somebody else works on it, so that nothing was done.
    case skipped(PaymentOperation)
}
