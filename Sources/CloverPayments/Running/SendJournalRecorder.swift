import CloverAPI
import Synchronization

/// Keeps the journal accurate about one request: records the operation as sent before the first byte of each attempt, and
/// as created again if nothing of it left after all.
final class SendJournalRecorder: Sendable {
    /// The journal could not be written, so the request was not sent.
    struct Unwritten: Error {
        let cause: any Error
    }

    private struct State {
        var isSent = false
        var sendCount = 0
        var isRefused = false
    }

    private let runner: OperationRunner
    private let id: String
    private let request: OperationRequest
    private let state = Mutex(State())

    init(_ runner: OperationRunner, _ operation: PaymentOperation) {
        self.runner = runner
        id = operation.id
        request = operation.request
    }

    /// Whether the journal has it as sent.
    var isSent: Bool { state.withLock(\.isSent) }

    /// Whether the service's rate limit refused the last attempt.
    var isRefused: Bool { state.withLock(\.isRefused) }

    var terms: SendHooks {
        var terms = SendHooks()
        terms.endsEveryWait = true
        terms.willSend = { try await self.willSend() }
        terms.hadNoEffect = { await self.hadNoEffect(isRefused: $0) }
        return terms
    }

    private func willSend() async throws {
        if let reason = runner.stop.waits.reason { throw reason }
        guard !isSent else { return }
        let isFirst = state.withLock { $0.sendCount == 0 }
        let sent: PaymentOperation
        do {
            sent = try await runner.journal.advance(
                id, to: .sent, outcome: OperationOutcome(),
                detail: isFirst ? nil : "again, after nothing was done", source: request, now: runner.clock.now())
        } catch {
            throw Unwritten(cause: error)
        }
        state.withLock { state in
            state.isSent = true
            state.isRefused = false
            state.sendCount += 1
        }
        if isFirst { await runner.onEvent(.sent(sent, isAgain: false)) }
    }

    private func hadNoEffect(isRefused: Bool) async {
        if isRefused { return await recordRefusal() }
        // What left before may have been carried out.
        guard state.withLock({ $0.sendCount <= 1 }) else { return }
        let words = "it was held back because the service paused requests"
        do {
            _ = try await runner.journal.advance(
                id, to: .created, outcome: OperationOutcome(reason: words), detail: words, now: runner.clock.now())
            state.withLock { $0.isSent = false }
        } catch {
            // The journal still has it as sent, so recovery asks the service before it concludes that nothing was done.
        }
    }

    /// Records that the rate limit refused the request, which stays as sent: recovery looks before it concludes.
    private func recordRefusal() async {
        state.withLock { state in
            state.isRefused = true
            state.isSent = false
        }
        do {
            _ = try await runner.journal.advance(
                id, to: .sent, outcome: Self.refusal, detail: Self.refusal.reason, now: runner.clock.now())
        } catch {
            // The journal has it as sent without the refusal, so that it stays unknown.
        }
    }

    /// The outcome while a request waits after the service's rate limit refused it.
    static let refusal: OperationOutcome = {
        var outcome = OperationOutcome(reason: "the service refused it for now", http: 429)
        outcome.isRateLimited = true
        return outcome
    }()
}

/// An event during an operation, for display.
package enum ChargeEvent: Sendable {
    /// Recorded; nothing sent yet.
    case created(PaymentOperation)
    /// Sent: from now on it may be carried out. `isAgain`: the response to the first attempt was lost, and the same key is
    /// used.
    case sent(PaymentOperation, isAgain: Bool)
    /// A progress code of the reader or device, unchanged.
    case progress(PaymentOperation, String)
    /// It is being cancelled on the device.
    case cancelling(PaymentOperation)
    /// The outcome: the state is final, or `unknown`.
    case settled(PaymentOperation)
    /// Another process works on it, so nothing was done.
    case skipped(PaymentOperation)
}
