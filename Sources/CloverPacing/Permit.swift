/// Leave for one request to go now, with the in-flight slot that it occupies until it is over.
package final class Permit: Sendable {
    /// How long the caller waited for it.
    package let waited: Duration
    /// The moment that the ledger counts for this request.
    package let moment: BootInstant
    private let slot: any LedgerSlot
    private let onLateDeparture: @Sendable (BootInstant) -> Void

    /// A departure that is later than its grant by no more than these nanoseconds is not worth a turn at the ledger.
    private static let tolerance: Int64 = 2_000_000

    init(admission: Admission, waited: Duration, onLateDeparture: @escaping @Sendable (BootInstant) -> Void) {
        self.waited = waited
        self.onLateDeparture = onLateDeparture
        moment = admission.moment
        slot = admission.slot
    }

    /// The request leaves now. When that is noticeably later than granted, as after a TLS handshake, the ledger counts
    /// the true moment, because the service does. From any thread; never blocks.
    package func departed() {
        let now = BootInstant.now
        if now.nanoseconds(since: moment) > Self.tolerance { onLateDeparture(now) }
    }

    /// Gives the slot back, when the answer has been received or the request has failed. From any thread, any number
    /// of times; a permit that is dropped does it by itself.
    package func release() {
        slot.release()
    }

    deinit {
        slot.release()
    }
}
