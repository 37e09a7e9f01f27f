import CloverSystem
import Synchronization

/// Permission to send one request now, with the in-flight slots that it occupies until it completes.
package final class Permit: Sendable {
    /// How long the caller waited for it.
    package let waited: Duration
    private let admission: Admission
    /// The times that the budgets currently count for this request.
    private let known: Mutex<[BootInstant]>
    private let wasSent = Mutex(false)
    private let store: any RateLimitStore
    /// Timeout in seconds for confirmations.
    private let timeout: Double

    /// Lateness in nanoseconds up to which the send time is not worth a ledger transaction.
    private static let tolerance: Int64 = 500_000
    /// Maximum number of confirmations for a request that is late. After that it is sent anyway.
    private static let confirmations = 3
    /// Maximum nanoseconds for which a send is delayed, because the calling thread may serve other transfers. A request
    /// that has to wait longer, for the end of a pause, is not sent.
    private static let longestDelay = 2 * SlidingWindowLimiter.span

    init(_ admission: Admission, waited: Duration, store: any RateLimitStore, timeout: Double) {
        self.admission = admission
        self.waited = waited
        self.store = store
        self.timeout = timeout
        known = Mutex(admission.moments)
    }

    /// The time that the ledger counted for this request; with several budgets, the oldest.
    package var moment: BootInstant { admission.moment }

    /// The part of `waited` until a slot was available.
    package var waitedForSlot: Duration { .nanoseconds(admission.waitedForSlot) }

    /// The cause of the pause that the caller waited for; nil if there was none.
    package var pause: String? { admission.pause }

    /// Which of the token's in-flight slots it occupies, from 0.
    package var slotNumber: Int { admission.slots[0].number }

    /// Time since `moment`.
    package var age: Duration { .nanoseconds(BootInstant.now.nanoseconds(since: moment)) }

    /// Reports that the request is about to be sent or has just been sent; the first call must come before sending. May
    /// be called any number of times, from any thread but the store's own.
    ///
    /// If the request is later than a grant stays fresh, for example after a TLS handshake or because the process was
    /// stopped, the first call confirms the grant again and blocks the thread until the confirmed time, at most two
    /// seconds. Later calls only record the time: from then on the ledger counts the true send time, because the
    /// service does.
    ///
    /// - Returns: false from the first call if a longer pause has begun, or if the store has to confirm the grant and
    ///   cannot. The request must then not be sent with this permit, whose grants are returned.
    package func departed() -> Bool {
        let isFirst = wasSent.withLock { wasSent in
            defer { wasSent = true }
            return !wasSent
        }
        if isFirst, !confirmDeparture() {
            store.record(.withdrawn(moments))
            return false
        }
        let now = BootInstant.now
        let before: [BootInstant]? = known.withLock { known in
            guard known.contains(where: { abs(now.nanoseconds(since: $0)) > Self.tolerance }) else { return nil }
            defer { known = known.map { _ in now } }
            return known
        }
        if let before { store.record(.sent(at: now, granted: before)) }
        return true
    }

    /// Whether the request may be sent, which is then immediately.
    private func confirmDeparture() -> Bool {
        let start = BootInstant.now
        for _ in 0..<Self.confirmations {
            let before = moments
            let now = BootInstant.now
            guard before.contains(where: { now.nanoseconds(since: $0) > SlidingWindowLimiter.freshness }) else {
                return true
            }
            guard let moments = confirmed(before) else { return store.allowsUnconfirmed }
            known.withLock { $0 = moments }
            let moment = moments.reduce(now, max)
            guard moment.nanoseconds(since: start) <= Self.longestDelay else { return false }
            BootInstant.sleep(until: moment)
        }
        return true
    }

    /// The times that the store counts now; nil if it cannot be consulted in time.
    private func confirmed(_ moments: [BootInstant]) -> [BootInstant]? {
        let answer = Monitor<[BootInstant]??>(nil)
        store.confirm(moments) { confirmed in answer.update { $0 = .some(confirmed) } }
        return answer.wait(atMost: timeout) { $0 } ?? nil
    }

    /// The times that the ledgers have for this request, in the order of the budgets.
    package var moments: [BootInstant] { known.withLock(\.self) }

    /// Reports a response other than 429, after which the next pause starts at the shortest length again. Never blocks.
    package func answered() {
        if admission.refusals > 0 { store.record(.answered) }
    }

    /// Releases the slots once the response has been received or the request has failed. May be called any number of
    /// times, from any thread; a permit that is dropped releases them by itself.
    package func release() {
        admission.release()
    }

    deinit {
        admission.release()
    }
}
