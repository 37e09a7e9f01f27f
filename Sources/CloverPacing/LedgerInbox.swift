import CloverStorage
import Synchronization

/// The way into the ledger's thread, which is started by the first order.
final class LedgerInbox: Sendable {
    private struct Mail {
        var orders: [LedgerOrder] = []
        var isClosed = false
        var doorbell: Doorbell?
    }

    private let mail = Mutex(Mail())

    /// Puts an order in the box.
    ///
    /// - Parameter start: starts the thread that will empty the box when the doorbell rings; called for the first
    ///   order, and again when it threw.
    func post(_ order: LedgerOrder, start: (Doorbell) throws -> Void) throws {
        try mail.withLock { mail in
            let doorbell: Doorbell
            if let known = mail.doorbell {
                doorbell = known
            } else {
                doorbell = try Doorbell()
                try start(doorbell)
                mail.doorbell = doorbell
            }
            mail.orders.append(order)
            doorbell.ring()
        }
    }

    /// Puts an order in the box of a thread that has been started; without one nothing happens.
    func postToRunning(_ order: LedgerOrder) {
        mail.withLock { mail in
            guard let doorbell = mail.doorbell else { return }
            mail.orders.append(order)
            doorbell.ring()
        }
    }

    /// Wakes the thread because a ticket was settled from outside.
    func nudge() {
        mail.withLock { $0.doorbell?.ring() }
    }

    /// Tells the thread to end; nobody may post afterwards.
    func close() {
        mail.withLock { mail in
            mail.isClosed = true
            mail.doorbell?.ring()
        }
    }

    /// Empties the box, oldest order first.
    ///
    /// - Returns: nil when it is closed, and the thread should end.
    func collect() -> [LedgerOrder]? {
        mail.withLock { mail in
            if mail.isClosed { return nil }
            defer { mail.orders = [] }
            return mail.orders
        }
    }
}
