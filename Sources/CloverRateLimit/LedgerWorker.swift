import CloverSystem
import Glibc

/// The work of the ledger's thread: admits requests one at a time, higher classes first, each class in order of
/// arrival.
///
/// The worker is created, used and destroyed on that thread, and is the only place in this module that waits.
struct LedgerWorker: ~Copyable {
    private enum Step {
        case admitted(Admission)
        case wait(Wait)
    }

    /// What the first request in the queue waits for, apart from new commands.
    private struct Wait {
        var until: BootInstant?
        /// The index of the gate (the budget) at which it waits.
        var gate: Int?
        /// Whether it listens for released slots there.
        var isListening = false
        var reason = LedgerWait.slot
    }

    /// Maximum number of rounds through the gates when they take longer than a grant stays fresh. After that the
    /// request is sent anyway, within the rest of the margin.
    private static let roundLimit = 3
    /// Longest wait in nanoseconds at one gate during which a request keeps what it holds at the next ones.
    private static let shortWait = SlidingWindowLimiter.margin

    /// Nanoseconds without a released slot after which a holder is reported.
    static let longHold: Int64 = 2_000_000_000

    private let inbox: LedgerQueue
    private let doorbell: EventFD
    private let timer: BootTimer
    private let limits: [RateLimits]
    private let onNotice: @Sendable (LedgerNotice) -> Void
    private let makeStores: @Sendable () throws(LedgerError) -> [any LedgerStore]
    private var openStores: [any LedgerStore] = []
    private var queue: [PendingRequest] = []
    private var slotPatience = SlotBackoff()

    /// - Parameter limits: one for each budget, in the order of the stores: the token's, then the app's if there is
    ///   one.
    init(
        inbox: LedgerQueue, doorbell: EventFD, timer: BootTimer, limits: [RateLimits],
        makeStores: @escaping @Sendable () throws(LedgerError) -> [any LedgerStore],
        onNotice: @escaping @Sendable (LedgerNotice) -> Void
    ) {
        self.inbox = inbox
        self.doorbell = doorbell
        self.timer = timer
        self.limits = limits
        self.makeStores = makeStores
        self.onNotice = onNotice
    }

    /// Works until the command queue is closed.
    mutating func run() {
        while let orders = inbox.collect() {
            for order in orders { accept(order) }
            do throws(LedgerError) {
                try wait(admitFromFront())
            } catch {
                // Without a timer or poll no request can be served: fail all of them, and try again for the next one.
                for request in queue { fail(request, with: error) }
                queue = []
            }
        }
        for request in queue { fail(request, with: CancellationError()) }
    }

    private mutating func accept(_ order: LedgerCommand) {
        switch order {
        case .admit(let promise, let pacingClass):
            let first = queue.first.map { $0.hasSlot ? 1 : 0 } ?? 0
            let place = queue[first...].firstIndex { $0.pacingClass < pacingClass } ?? queue.endIndex
            queue.insert(PendingRequest(promise, pacingClass, gates: limits.count), at: place)
        case .admitAgain(let promise, let admission):
            queue.insert(PendingRequest(promise, again: admission), at: 0)
        case .look(let promise):
            do {
                var budgets: [LedgerBudget] = []
                for store in try stores() { budgets.append(try store.look()) }
                promise.settle(.success(budgets))
            } catch {
                promise.settle(.failure(error))
            }
        case .confirm(let granted, let confirmation):
            do {
                let moments = try zip(stores(), granted).map { store, grant in try store.confirm(grant) }
                confirmation.update { $0 = .moments(moments) }
            } catch {
                confirmation.update { $0 = .failed }
            }
        case .departed(let moment, let granted):
            do {
                for (store, grant) in zip(try stores(), granted) { try store.note(departure: moment, of: grant) }
            } catch {
                // The margin covers the missing record; the next transaction reports the error to a request that waits.
            }
        case .withdraw(let granted):
            do {
                for (store, grant) in zip(try stores(), granted) { try store.withdraw(grant) }
            } catch {
                // The grant stays used, which only costs time.
            }
        case .refuse(let promise, let scope):
            do {
                let stores = try stores()
                promise.settle(.success(try stores[scope == .app ? stores.count - 1 : 0].refuse()))
            } catch {
                promise.settle(.failure(error))
            }
        case .succeed:
            do {
                for store in try stores() { try store.succeed() }
            } catch {
                // The next pause will be longer than necessary.
            }
        case .pause(let promise, let scope, let refusal, let moment, let cause):
            do {
                let stores = try stores()
                // Without an app budget, only the token's is known.
                let index = scope == .app ? stores.count - 1 : 0
                try stores[index].pause(until: moment, cause: cause)
                if let refusal {
                    // The app's limit does not apply to the token, whose share of it is unknown.
                    let isForeign = refusal.scope == .app && stores.count == 1
                    try stores[index].learn(isForeign ? refusal.withoutLimit : refusal)
                }
                promise.settle(.success(()))
            } catch {
                promise.settle(.failure(error))
            }
        }
    }

    /// Admits requests from the front of the queue until one has to wait.
    private mutating func admitFromFront() -> Wait {
        while !queue.isEmpty {
            if queue[0].promise.isSettled {
                giveUp(queue.removeFirst())
                continue
            }
            do {
                switch try advance() {
                case .wait(let wait):
                    return try announced(wait)
                case .admitted(let admission):
                    let request = queue.removeFirst()
                    endWaiting(request)
                    if !request.promise.settle(.success(admission)) { giveUp(request) }
                }
            } catch {
                fail(queue.removeFirst(), with: error)
            }
        }
        return Wait()
    }

    /// Advances the first request in the queue as far as possible.
    private mutating func advance() throws(LedgerError) -> Step {
        let stores = try stores()
        for attempt in 1... {
            for index in stores.indices {
                if let wait = try pass(index, of: stores) { return .wait(wait) }
            }
            // After the last gate, the first gate's time may be stale; it is then confirmed again.
            if attempt == Self.roundLimit || queue[0].isFresh(at: .now) { break }
        }
        guard let admission = queue[0].admission else { preconditionFailure("past all gates without a slot or grant") }
        return .admitted(admission)
    }

    /// Takes the first request in the queue through one gate.
    ///
    /// - Returns: what it has to wait for; nil if it is through.
    private mutating func pass(_ index: Int, of stores: [any LedgerStore]) throws(LedgerError) -> Wait? {
        let store = stores[index]
        if let wait = try waitToAsk(at: index, store) { return wait }
        guard try takeSlot(at: index, from: store) else { return waitForSlot(at: index) }
        let moment: BootInstant
        if let granted = queue[0].gates[index].moment {
            moment = granted <= BootInstant.now ? try store.confirm(granted) : granted
        } else {
            guard let grant = try store.grant(for: queue[0].pacingClass) else {
                // Another process was faster. A slot without a grant would only block others.
                queue[0].gates[index].slot?.release()
                queue[0].gates[index].slot = nil
                queue[0].gates[index].nextAsk = nil
                return try waitToAsk(at: index, store, isRefused: true)
                    ?? Wait(until: BootInstant.now, gate: index, reason: .grant)
            }
            moment = grant.moment
            queue[0].refusals = max(queue[0].refusals, grant.refusals)
            if let pause = grant.pause { queue[0].pause = pause }
            reportPause(grant)
        }
        queue[0].gates[index].moment = moment
        let now = BootInstant.now
        guard moment > now else { return nil }
        if moment.nanoseconds(since: now) > Self.shortWait {
            // Meanwhile others can use what it holds at later gates.
            for later in stores.indices where later > index { giveUp(later, of: queue[0], in: stores[later]) }
            for later in stores.indices where later > index { queue[0].gates[later] = PendingRequest.Gate() }
        }
        return Wait(until: moment, gate: index, reason: .grant)
    }

    /// Determines whether a request that holds nothing at this gate should ask later; nil if it may ask now.
    ///
    /// - Parameter isRefused: whether the store has just refused. Only bulk work checks before it first asks.
    private mutating func waitToAsk(
        at index: Int, _ store: any LedgerStore, isRefused: Bool = false
    ) throws(LedgerError) -> Wait? {
        let request = queue[0]
        let known = request.gates[index].nextAsk
        guard request.gates[index].slot == nil, request.pacingClass == .bulk || isRefused || known != nil else {
            return nil
        }
        var next = known
        if known.map({ $0.moment <= BootInstant.now }) ?? true {
            next = try store.retryTime(for: request.pacingClass)
            if let ask = next {
                // The request that has waited longest goes first.
                let earlierWaiters = try store.earlierWaiters(
                    of: request.pacingClass, since: request.since, most: SlotBackoff.earlierWaiterLimit)
                next = RetryTime(
                    moment: ask.moment.advanced(by: SlotBackoff.yieldDelay(earlierWaiters: earlierWaiters)),
                    isOwn: ask.isOwn)
            }
            queue[0].gates[index].nextAsk = next
        }
        return next.map { Wait(until: $0.moment, gate: index, reason: $0.isOwn ? .ownLimit : .grant) }
    }

    /// Announces to other processes that the first request in the queue waits, if an announcement is due.
    private mutating func announced(_ wait: Wait) throws(LedgerError) -> Wait {
        guard let index = wait.gate else { return wait }
        let request = queue[0]
        let now = BootInstant.now
        var wait = wait
        var last = request.gates[index].announced
        if last.map({ $0.for != wait.reason || now.nanoseconds(since: $0.at) >= WaiterRegistry.heartbeat }) ?? true {
            try stores()[index].announce(request.pacingClass, since: request.since, for: wait.reason)
            last = (now, wait.reason)
            queue[0].gates[index].announced = last
        }
        if let last {
            let next = last.at.advanced(by: WaiterRegistry.heartbeat)
            wait.until = min(wait.until ?? next, next)
        }
        return wait
    }

    /// Ends the announcement of a request; the next request in the queue makes its own.
    private mutating func endWaiting(_ request: PendingRequest) {
        for (index, store) in openStores.enumerated() where request.gates[index].announced != nil {
            store.endWaiting()
            for place in queue.indices { queue[place].gates[index].announced = nil }
        }
    }

    /// Whether the first request in the queue has a slot at this gate; tries to take one if it is time.
    private mutating func takeSlot(at index: Int, from store: any LedgerStore) throws(LedgerError) -> Bool {
        if queue[0].gates[index].slot != nil { return true }
        let now = BootInstant.now
        var slot: (any LedgerSlot)?
        let pacingClass = queue[0].pacingClass
        if let wait = queue[0].gates[index].slotWait {
            guard now >= wait.end else { return false }
            try store.listenForSlots()
            slot = try store.takeSlot(isNewcomer: false, for: pacingClass, since: queue[0].since)
            if slot == nil {
                let interval = slotPatience.attemptFailed(isListening: store.slotSignal >= 0)
                queue[0].gates[index].slotWait = .listening(until: now.advanced(by: interval))
                if !queue[0].hasReportedWait {
                    onNotice(.waitingForSlot(limit: store.slotLimit, of: index == 0 ? .token : .app))
                }
                queue[0].hasReportedWait = true
                try reportHolders(of: store, now: now)
            }
        } else {
            slot = try store.takeSlot(
                isNewcomer: queue[0].gates[index].announced == nil, for: pacingClass, since: queue[0].since)
            if slot == nil {
                try store.listenForSlots()
                slotPatience = SlotBackoff()
                queue[0].gates[index].slotWait = .yielding(until: now.advanced(by: SlotBackoff.firstLook))
            }
        }
        guard let slot else { return false }
        queue[0].gates[index].slot = slot
        queue[0].gates[index].slotWait = nil
        queue[0].waitedForSlot = BootInstant.now.nanoseconds(since: queue[0].since)
        return true
    }

    /// Reports who keeps the slots when none has been released for a long time, or the pause during which their holders
    /// wait. A slow service looks the same; a stopped process keeps its slots until it continues.
    private mutating func reportHolders(of store: any LedgerStore, now: BootInstant) throws(LedgerError) {
        let request = queue[0]
        guard now.nanoseconds(since: request.holdersCheckedAt ?? request.since) >= Self.longHold else { return }
        queue[0].holdersCheckedAt = now
        let budget = try store.look()
        if let pause = budget.pause {
            let seconds = pause / .seconds(1)
            onNotice(.waitingForPause(seconds: seconds, cause: budget.pauseCause ?? ""))
            queue[0].holdersCheckedAt = now.advanced(by: Int64(seconds * 1e9))
            return
        }
        let holders = budget.holding.sorted { $0.since < $1.since }
        guard let oldest = holders.first, let newest = holders.last,
            now.nanoseconds(since: newest.since) >= Self.longHold
        else { return }
        let stopped = holders.first { LockHolder.isStopped($0.pid) }
        guard request.reportedStopped.map({ !$0 && stopped != nil }) ?? true else { return }
        queue[0].reportedStopped = stopped != nil
        let party = stopped ?? oldest
        onNotice(
            .slotsKept(
                by: party, isStopped: stopped != nil, seconds: Double(now.nanoseconds(since: party.since)) / 1e9))
    }

    private func waitForSlot(at index: Int) -> Wait {
        switch queue.first?.gates[index].slotWait {
        case .yielding(let moment): Wait(until: moment, gate: index)
        case .listening(let moment): Wait(until: moment, gate: index, isListening: true)
        case nil: Wait()
        }
    }

    private func reportPause(_ grant: Grant) {
        guard let cause = grant.pause else { return }
        let nanoseconds = grant.moment.nanoseconds(since: .now)
        if nanoseconds > 0 {
            onNotice(.waitingForPause(seconds: Double(nanoseconds) / 1e9, cause: cause))
        }
    }

    /// Sleeps until the time, a new command, or the release of a slot.
    private mutating func wait(_ wait: Wait) throws(LedgerError) {
        try timer.set(wait.until)
        let signal = wait.gate.map { wait.isListening ? openStores[$0].slotSignal : -1 } ?? -1
        // poll(2) ignores negative descriptors.
        var descriptors = [doorbell.number, timer.number, signal].map {
            pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
        }
        while poll(&descriptors, nfds_t(descriptors.count), -1) < 0 {
            if errno != EINTR { throw .system(call: "poll", errno: errno) }
        }
        if descriptors[0].revents != 0 { doorbell.clear() }
        if descriptors[2].revents != 0, let index = wait.gate, !queue.isEmpty {
            let earlierWaiters = countEarlierWaiters(at: index)
            queue[0].gates[index].slotWait = .yielding(
                until: BootInstant.now.advanced(by: slotPatience.heard(earlierWaiters: earlierWaiters)))
        }
    }

    /// Number of earlier waiters ahead of the first request in the queue; 0 on an error, which its next attempt will
    /// report.
    private func countEarlierWaiters(at index: Int) -> Int {
        do {
            return try openStores[index].earlierWaiters(
                of: queue[0].pacingClass, since: queue[0].since, most: SlotBackoff.earlierWaiterLimit)
        } catch {
            return 0
        }
    }

    private mutating func stores() throws(LedgerError) -> [any LedgerStore] {
        if openStores.isEmpty { openStores = try makeStores() }
        return openStores
    }

    private mutating func fail(_ request: PendingRequest, with error: any Error) {
        giveUp(request)
        request.promise.settle(.failure(error))
    }

    /// Returns everything held by a request that will not be sent.
    private mutating func giveUp(_ request: PendingRequest) {
        for (index, store) in openStores.enumerated() { giveUp(index, of: request, in: store) }
        endWaiting(request)
    }

    private func giveUp(_ index: Int, of request: PendingRequest, in store: any LedgerStore) {
        let gate = request.gates[index]
        gate.slot?.release()
        if gate.slotWait != nil || gate.announced != nil { store.endWaiting() }
        guard let moment = gate.moment else { return }
        do {
            try store.withdraw(moment)
        } catch {
            // The grant stays used, which only costs time.
        }
    }
}
