import ServiceLifecycle
import Synchronization

/// Changes the shop while it is open: so many times a second, and as often as it is told to.
package final class ChurnDesk: Service {
    /// More than any test needs, and little enough to be answered.
    static let mostChanges = 10_000
    static let highestRate = 10_000.0

    private struct State: Sendable {
        package var report = ChurnReport()
        var rate = 0.0
    }

    private let ledger: ShopLedger
    private let churn: Churn
    private let state = Mutex(State())
    private let rates: AsyncStream<Double>
    private let newRate: AsyncStream<Double>.Continuation

    /// - Parameter rate: changes per second.
    package init(ledger: ShopLedger, seed: UInt64, rate: Double = 0) {
        self.ledger = ledger
        churn = Churn(seed: seed)
        // Only the last rate counts.
        (rates, newRate) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        if rate > 0 { setRate(rate) }
    }

    /// What happened so far, and how often something happens.
    package var report: JSONValue {
        state.withLock { $0.report.json(perSecond: $0.rate) }
    }

    func setRate(_ rate: Double) {
        state.withLock { $0.rate = rate }
        newRate.yield(rate)
    }

    /// Makes changes now. Changes of two callers come one after the other.
    package func change(times count: Int) {
        for _ in 0..<count {
            state.withLock { state in
                let (request, isDone) = ledger.write { churn.request(state.report.changes, $0) }
                state.report.count(request, isDone: isDone)
            }
        }
    }

    /// Makes changes at the present rate until the emulator is told to stop.
    package func run() async {
        var changing: Task<Void, Never>?
        for await rate in rates.cancelOnGracefulShutdown() {
            // The one before is waited for, so that there are never two.
            changing?.cancel()
            await changing?.value
            changing = rate > 0 ? Task { await change(perSecond: rate) } : nil
        }
        changing?.cancel()
        await changing?.value
    }

    private func change(perSecond rate: Double) async {
        let clock = ContinuousClock()
        let start = clock.now
        for number in 1... {
            do {
                try await clock.sleep(until: start + .seconds(Double(number) / rate))
            } catch {
                return
            }
            change(times: 1)
        }
    }
}
