import CloverThreads
import Synchronization

/// Leave for one request to go now, with the in-flight slots that it occupies until it is over.
package final class Permit: Sendable {
    /// How long the caller waited for it.
    package let waited: Duration
    /// The moment that the ledger counts for this request; with several budgets, the oldest.
    package let moment: BootInstant
    /// The part of `waited` that went by until there was a slot.
    package let waitedForSlot: Duration
    /// The cause of the pause that the caller waited for; nil when there was none.
    package let pause: String?
    private let admission: Admission
    /// The moments that the ledgers have for this request by now.
    private let known: Mutex<[BootInstant]>
    private let hasLeft = Mutex(false)
    /// Asks the ledgers about these moments; nil when they cannot be asked.
    private let confirm: @Sendable (_ known: [BootInstant]) -> [BootInstant]?
    private let onAnswer: @Sendable () -> Void
    private let onLateDeparture: @Sendable (_ departure: BootInstant, _ known: [BootInstant]) -> Void
    private let onStay: @Sendable (_ known: [BootInstant]) -> Void

    /// A departure that is later than its grant by no more than these nanoseconds is not worth a turn at the ledger.
    private static let tolerance: Int64 = 500_000
    /// How often a request that is late at its departure goes back to the ledger. After that it leaves anyhow.
    private static let confirmations = 3
    /// Nanoseconds for which a departure is held back at most: whoever calls may have other transfers to look after. What has to
    /// wait for longer, which is for the end of a pause, does not leave.
    private static let longestHold = 2 * GrantWindow.span

    init(
        admission: Admission, waited: Duration,
        confirm: @escaping @Sendable (_ known: [BootInstant]) -> [BootInstant]?,
        onAnswer: @escaping @Sendable () -> Void,
        onLateDeparture: @escaping @Sendable (_ departure: BootInstant, _ known: [BootInstant]) -> Void,
        onStay: @escaping @Sendable (_ known: [BootInstant]) -> Void
    ) {
        self.waited = waited
        self.confirm = confirm
        self.onAnswer = onAnswer
        self.onLateDeparture = onLateDeparture
        self.onStay = onStay
        moment = admission.moment
        known = Mutex(admission.moments)
        waitedForSlot = .nanoseconds(admission.waitedForSlot)
        pause = admission.pause
        self.admission = admission
    }

    /// Which of the token's in-flight slots it occupies, from 0.
    package var slotNumber: Int { admission.slots[0].number }

    /// How long ago `moment` was.
    package var age: Duration { .nanoseconds(BootInstant.now.nanoseconds(since: moment)) }

    /// The request is about to leave, or has just left: the first call is for the former. From any thread but the ledger's
    /// own, any number of times.
    ///
    /// When the request is later than a grant is good for, as after a TLS handshake or because the process was stopped, the
    /// first call asks the ledger again and blocks the thread until the moment that it gets, two seconds at most. What is
    /// noticed later is noted only: from then on the ledger counts the true moment, because the service does.
    ///
    /// - Returns: false from the first call when a pause has begun that is longer than that: the request must not leave with
    ///   this permit, whose grants are given back.
    package func departed() -> Bool {
        let isFirst = hasLeft.withLock { hasLeft in
            defer { hasLeft = true }
            return !hasLeft
        }
        if isFirst, !confirmDeparture() {
            onStay(known.withLock(\.self))
            return false
        }
        let now = BootInstant.now
        let before: [BootInstant]? = known.withLock { known in
            guard known.contains(where: { abs(now.nanoseconds(since: $0)) > Self.tolerance }) else { return nil }
            defer { known = known.map { _ in now } }
            return known
        }
        if let before { onLateDeparture(now, before) }
        return true
    }

    /// Whether it may leave, which is now.
    private func confirmDeparture() -> Bool {
        let start = BootInstant.now
        for _ in 0..<Self.confirmations {
            let before = known.withLock(\.self)
            let now = BootInstant.now
            guard before.contains(where: { now.nanoseconds(since: $0) > GrantWindow.patience }),
                let moments = confirm(before)
            else { return true }
            known.withLock { $0 = moments }
            let moment = moments.reduce(now, max)
            guard moment.nanoseconds(since: start) <= Self.longestHold else { return false }
            BootInstant.sleep(until: moment)
        }
        return true
    }

    /// The moments that the ledgers have for this request, in the order of the budgets.
    package var moments: [BootInstant] { known.withLock(\.self) }

    /// The service answered, and not with a 429: the next pause begins with the shortest again. Never blocks.
    package func answered() {
        if admission.refusals > 0 { onAnswer() }
    }

    /// Gives the slots back, when the answer has been received or the request has failed. From any thread, any number
    /// of times; a permit that is dropped does it by itself.
    package func release() {
        admission.release()
    }

    deinit {
        admission.release()
    }
}
