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
    private let onLateDeparture: @Sendable (_ departure: BootInstant, _ known: [BootInstant]) -> Void

    /// A departure that is later than its grant by no more than these nanoseconds is not worth a turn at the ledger.
    private static let tolerance: Int64 = 2_000_000

    init(
        admission: Admission, waited: Duration,
        onLateDeparture: @escaping @Sendable (_ departure: BootInstant, _ known: [BootInstant]) -> Void
    ) {
        self.waited = waited
        self.onLateDeparture = onLateDeparture
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

    /// The request leaves now, or has just left. When that is noticeably later than what the ledger counts, as after a TLS
    /// handshake or on an overloaded machine, it counts this moment, because the service does. From any thread, any number
    /// of times; never blocks.
    package func departed() {
        let now = BootInstant.now
        let before: [BootInstant]? = known.withLock { known in
            guard known.contains(where: { now.nanoseconds(since: $0) > Self.tolerance }) else { return nil }
            defer { known = known.map { _ in now } }
            return known
        }
        if let before { onLateDeparture(now, before) }
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
