import Glibc

/// What runs on the ledger's thread: admits one request after the other, in the order in which they came.
///
/// It is made, used and dropped on that thread, and it is the only place in this module that waits.
struct LedgerWorker: ~Copyable {
    /// A request on its way: first a slot, then a grant, then its moment.
    private struct Admittance {
        let ticket: Ticket<Admission>
        var slot: (any LedgerSlot)?
        var moment: BootInstant?
        let since = BootInstant.now
        var slotWait: SlotWait?
        var wasToldToWait = false
        /// Nanoseconds until it had a slot.
        var waitedForSlot: Int64 = 0
        /// The cause of the pause that it waited for.
        var pause: String?
    }

    /// How a request waits for a slot; both end with a look for one.
    private enum SlotWait {
        /// Until the moment, whatever happens.
        case politely(until: BootInstant)
        /// Until word comes, or the moment.
        case listening(until: BootInstant)
    }

    private enum Step {
        case admitted(Admission)
        case wait(Wait)
    }

    /// What the front of the queue waits for, besides new orders.
    private struct Wait {
        var until: BootInstant?
        var forSlot = false
    }

    private let inbox: LedgerInbox
    private let doorbell: Doorbell
    private let timer: BootTimer
    private let limits: RateLimits
    private let onNotice: @Sendable (LedgerNotice) -> Void
    private let makeStore: @Sendable () throws(LedgerError) -> any LedgerStore
    private var openStore: (any LedgerStore)?
    private var queue: [Admittance] = []
    private var slotPatience = SlotPatience()

    init(
        inbox: LedgerInbox, doorbell: Doorbell, timer: BootTimer, limits: RateLimits,
        makeStore: @escaping @Sendable () throws(LedgerError) -> any LedgerStore,
        onNotice: @escaping @Sendable (LedgerNotice) -> Void
    ) {
        self.inbox = inbox
        self.doorbell = doorbell
        self.timer = timer
        self.limits = limits
        self.makeStore = makeStore
        self.onNotice = onNotice
    }

    /// Works until the inbox is closed.
    mutating func run() {
        while let orders = inbox.collect() {
            for order in orders { accept(order) }
            do throws(LedgerError) {
                try wait(admitFromFront())
            } catch {
                // Without timer or poll nobody can be served: say so to all, and try again for whoever comes next.
                for request in queue { fail(request, with: error) }
                queue = []
            }
        }
        for request in queue { fail(request, with: CancellationError()) }
    }

    private mutating func accept(_ order: LedgerOrder) {
        switch order {
        case .admit(let ticket):
            queue.append(Admittance(ticket: ticket))
        case .admitAgain(let ticket, let admission):
            queue.insert(
                Admittance(
                    ticket: ticket, slot: admission.slot, moment: admission.moment,
                    waitedForSlot: admission.waitedForSlot, pause: admission.pause), at: 0)
        case .look(let ticket):
            do {
                ticket.settle(.success(try store().look()))
            } catch {
                ticket.settle(.failure(error))
            }
        case .departed(let moment, let granted):
            do {
                try store().note(departure: moment, of: granted)
            } catch {
                // The margin covers what could not be noted; the next turn reports the trouble to somebody who waits.
            }
        case .pause(let ticket, let moment, let cause):
            do {
                try store().pause(until: moment, cause: cause)
                ticket.settle(.success(()))
            } catch {
                ticket.settle(.failure(error))
            }
        }
    }

    /// Admits from the front of the queue until a request has to wait.
    private mutating func admitFromFront() -> Wait {
        while !queue.isEmpty {
            if queue[0].ticket.isSettled {
                // Cancelled: its slot goes back, its grant stays used.
                giveUp(queue.removeFirst())
                continue
            }
            do {
                switch try advance() {
                case .wait(let wait):
                    return wait
                case .admitted(let admission):
                    let request = queue.removeFirst()
                    if !request.ticket.settle(.success(admission)) { admission.slot.release() }
                }
            } catch {
                fail(queue.removeFirst(), with: error)
            }
        }
        return Wait()
    }

    /// Takes the first request in the queue as far as it gets.
    private mutating func advance() throws(LedgerError) -> Step {
        let store = try store()
        guard let slot = try slot(from: store) else { return .wait(waitForSlot) }
        let moment: BootInstant
        if let granted = queue[0].moment {
            moment = granted <= BootInstant.now ? try store.confirm(granted) : granted
        } else {
            let grant = try store.grant()
            moment = grant.moment
            queue[0].pause = grant.pause
            tellOfPause(grant)
        }
        queue[0].moment = moment
        if moment <= BootInstant.now {
            let request = queue[0]
            return .admitted(
                Admission(
                    slot: slot, moment: moment, waitedForSlot: request.waitedForSlot, pause: request.pause))
        }
        return .wait(Wait(until: moment))
    }

    /// The slot of the first request in the queue; nil when it has to wait for one.
    private mutating func slot(from store: any LedgerStore) throws(LedgerError) -> (any LedgerSlot)? {
        if let slot = queue[0].slot { return slot }
        let now = BootInstant.now
        switch queue[0].slotWait {
        case nil:
            queue[0].slot = try store.takeSlot(isNewcomer: true)
            if queue[0].slot == nil {
                try store.waitForSlot()
                slotPatience = SlotPatience()
                queue[0].slotWait = .politely(until: now.advanced(by: SlotPatience.firstLook))
            }
        case .politely(let moment) where now < moment, .listening(let moment) where now < moment:
            break
        case .politely, .listening:
            try store.waitForSlot()
            queue[0].slot = try store.takeSlot(isNewcomer: false)
            if queue[0].slot == nil {
                let interval = slotPatience.lookedInVain(isListening: store.slotSignal >= 0)
                queue[0].slotWait = .listening(until: now.advanced(by: interval))
                if !queue[0].wasToldToWait { onNotice(.waitingForSlot(limit: limits.inFlight)) }
                queue[0].wasToldToWait = true
            }
        }
        if queue[0].slot != nil {
            queue[0].slotWait = nil
            queue[0].waitedForSlot = BootInstant.now.nanoseconds(since: queue[0].since)
        }
        return queue[0].slot
    }

    private var waitForSlot: Wait {
        switch queue.first?.slotWait {
        case .politely(let moment): Wait(until: moment)
        case .listening(let moment): Wait(until: moment, forSlot: true)
        case nil: Wait()
        }
    }

    private func tellOfPause(_ grant: Grant) {
        guard let cause = grant.pause else { return }
        let nanoseconds = grant.moment.nanoseconds(since: .now)
        if nanoseconds > 0 {
            onNotice(.waitingForPause(seconds: Double(nanoseconds) / 1e9, cause: cause))
        }
    }

    /// Sleeps until the moment, an order, or word of a slot.
    private mutating func wait(_ wait: Wait) throws(LedgerError) {
        try timer.set(wait.until)
        let signal = wait.forSlot ? openStore?.slotSignal ?? -1 : -1
        // poll(2) passes over negative descriptors.
        var descriptors = [doorbell.number, timer.number, signal].map {
            pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
        }
        while poll(&descriptors, nfds_t(descriptors.count), -1) < 0 {
            if errno != EINTR { throw .system(call: "poll", errno: errno) }
        }
        if descriptors[0].revents != 0 { doorbell.silence() }
        if descriptors[2].revents != 0, !queue.isEmpty {
            let now = BootInstant.now
            let pause = slotPatience.heard(waited: now.nanoseconds(since: queue[0].since))
            queue[0].slotWait = .politely(until: now.advanced(by: pause))
        }
    }

    private mutating func store() throws(LedgerError) -> any LedgerStore {
        if let openStore { return openStore }
        let store = try makeStore()
        openStore = store
        return store
    }

    private func fail(_ request: Admittance, with error: any Error) {
        giveUp(request)
        request.ticket.settle(.failure(error))
    }

    private func giveUp(_ request: Admittance) {
        request.slot?.release()
        if request.slotWait != nil { openStore?.giveUpWaiting() }
    }
}
