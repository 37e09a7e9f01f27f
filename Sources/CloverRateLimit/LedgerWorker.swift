import CloverSystem
import Glibc

/// The work of the ledger's thread: admits requests one at a time, higher priorities first, each priority in order of
/// arrival.
///
/// The worker is created, used and destroyed on that thread, and is the only place in this module that waits.
final class LedgerWorker {
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
        /// Whether it has its slot and its grant there, and only waits for the time.
        var isGranted = false
    }

    /// Maximum number of rounds through the gates when they take longer than a grant stays fresh. After that the
    /// request is sent anyway, within the rest of the margin.
    private static let roundLimit = 3

    /// Nanoseconds without a released slot after which a holder is reported.
    static let longHold: Int64 = 2_000_000_000
    /// Nanoseconds between looks at the holders where that takes time of all.
    private static let costlyLook: Int64 = 10_000_000_000

    private let queue: LedgerQueue
    private let wake: EventFD
    private let timer: BootTimer
    private let budgetCount: Int
    private let onNotice: @Sendable (LedgerNotice) -> Void
    private let makeBudgets: @Sendable (LedgerThread) throws(LedgerError) -> any Budgets
    private var opened: (any Budgets)?
    /// When to look at the budgets again, whatever happens.
    private var attendAt: BootInstant?
    private var pending: [PendingRequest] = []
    private var slotBackoff = SlotBackoff(turn: 0)

    init(
        queue: LedgerQueue, wake: EventFD, timer: BootTimer, budgetCount: Int,
        makeBudgets: @escaping @Sendable (LedgerThread) throws(LedgerError) -> any Budgets,
        onNotice: @escaping @Sendable (LedgerNotice) -> Void
    ) {
        self.queue = queue
        self.wake = wake
        self.timer = timer
        self.budgetCount = budgetCount
        self.makeBudgets = makeBudgets
        self.onNotice = onNotice
    }

    /// Works until the command queue is closed.
    func run() {
        while let commands = queue.collect() {
            for command in commands { command(self) }
            do throws(LedgerError) {
                try wait(admitFromFront())
            } catch {
                // Without a timer or poll no request can be served: fail all of them, and try again for the next one.
                for request in pending { fail(request, with: error) }
                pending = []
            }
        }
        for request in pending { fail(request, with: CancellationError()) }
    }

    /// Queues a request behind all of the same and higher priorities, or ahead of all if it was admitted before.
    func admit(_ promise: Promise<Admission, any Error>, _ priority: RequestPriority, again late: Admission?) {
        if let late { return pending.insert(PendingRequest(promise, again: late), at: 0) }
        let first = pending.first.map { $0.hasSlot ? 1 : 0 } ?? 0
        let place = pending[first...].firstIndex { $0.priority < priority } ?? pending.endIndex
        pending.insert(PendingRequest(promise, priority, gates: budgetCount), at: place)
    }

    /// The budgets, opened by the first call.
    func budgets() throws(LedgerError) -> any Budgets {
        if let opened { return opened }
        let budgets = try makeBudgets(LedgerThread(queue))
        opened = budgets
        return budgets
    }

    /// The budget with this index; nil before the first request.
    func openBudget(_ index: Int) -> (any Budget)? { openBudgets.indices.contains(index) ? openBudgets[index] : nil }

    private var openBudgets: [any Budget] { opened?.all ?? [] }

    /// Without an app budget, only the token's is known.
    func budget(of scope: BudgetScope) throws(LedgerError) -> any Budget {
        let budgets = try budgets().all
        return budgets[scope == .app ? budgets.count - 1 : 0]
    }

    /// Admits requests from the front of the queue until one has to wait.
    private func admitFromFront() -> Wait {
        while !pending.isEmpty {
            if pending[0].promise.isSettled {
                giveUp(pending.removeFirst())
                continue
            }
            do {
                switch try advance() {
                case .wait(let wait):
                    return try announced(wait)
                case .admitted(let admission):
                    let request = pending.removeFirst()
                    endWaiting(request)
                    if !request.promise.settle(.success(admission)) { giveUp(request) }
                }
            } catch {
                fail(pending.removeFirst(), with: error)
            }
        }
        return Wait()
    }

    /// Advances the first request in the queue as far as possible.
    private func advance() throws(LedgerError) -> Step {
        let budgets = try budgets()
        for attempt in 1... {
            for index in budgets.all.indices {
                if let wait = try pass(index, of: budgets) { return .wait(wait) }
            }
            // After the last gate, the first gate's time may be stale; it is then confirmed again.
            if attempt == Self.roundLimit || pending[0].isFresh(at: .now) { break }
        }
        guard let admission = pending[0].admission else {
            preconditionFailure("past all gates without a slot or grant")
        }
        return .admitted(admission)
    }

    /// Takes the first request in the queue through one gate.
    ///
    /// - Returns: what it has to wait for; nil if it is through.
    private func pass(_ index: Int, of opened: any Budgets) throws(LedgerError) -> Wait? {
        let budgets = opened.all
        let budget = budgets[index]
        if let wait = try waitToAsk(at: index, budget) { return wait }
        guard try takeSlot(at: index, from: budget) else { return waitForSlot(at: index) }
        if let granted = pending[0].gates[index].moment {
            if granted <= BootInstant.now { pending[0].moments = try opened.confirm(at: index, pending[0].moments) }
        } else {
            guard let (grant, moments) = try opened.grant(at: index, for: pending[0].priority, pending[0].moments)
            else {
                // Another process was faster. A slot without a grant would only block others.
                pending[0].gates[index].slot?.release()
                pending[0].gates[index].slot = nil
                pending[0].gates[index].nextAsk = nil
                return try waitToAsk(at: index, budget, isRefused: true)
                    ?? Wait(until: BootInstant.now, gate: index, reason: .grant)
            }
            pending[0].moments = moments
            pending[0].refusals = max(pending[0].refusals, grant.refusals)
            if let pause = grant.pause { pending[0].pause = pause }
            reportPause(grant)
        }
        let now = BootInstant.now
        guard let moment = pending[0].gates[index].moment, moment > now else { return nil }
        if moment.nanoseconds(since: now) > opened.shortWait {
            // Meanwhile others can use what it holds at later gates.
            for later in budgets.indices where later > index { giveUp(later, of: pending[0], in: budgets[later]) }
            for later in budgets.indices where later > index { pending[0].gates[later] = PendingRequest.Gate() }
        }
        return Wait(until: moment, gate: index, reason: .grant, isGranted: true)
    }

    /// Determines whether a request that holds nothing at this gate should ask later; nil if it may ask now.
    ///
    /// - Parameter isRefused: whether the budget has just refused. Only bulk work checks before it first asks.
    private func waitToAsk(
        at index: Int, _ budget: any Budget, isRefused: Bool = false
    ) throws(LedgerError) -> Wait? {
        let request = pending[0]
        let known = request.gates[index].nextAsk
        // It can take no slot yet either, and to ask a server costs time of all.
        if budget.turn > 0, let wait = request.gates[index].slotWait, wait.end > BootInstant.now { return nil }
        guard request.gates[index].slot == nil, request.priority == .bulk || isRefused || known != nil else {
            return nil
        }
        var next = known
        if known.map({ $0.moment <= BootInstant.now }) ?? true {
            next = try budget.retryTime(for: request.priority, since: request.since).map { ask in
                // The request that has waited longest goes first.
                let delay = SlotBackoff(turn: budget.turn).yieldDelay(earlierWaiters: ask.earlierWaiters)
                return RetryTime(
                    moment: ask.moment.advanced(by: delay), isOwn: ask.isOwn, earlierWaiters: ask.earlierWaiters)
            }
            pending[0].gates[index].nextAsk = next
        }
        return next.map { Wait(until: $0.moment, gate: index, reason: $0.isOwn ? .ownLimit : .grant) }
    }

    /// Announces to other processes that the first request in the queue waits, if an announcement is due.
    private func announced(_ wait: Wait) throws(LedgerError) -> Wait {
        guard let index = wait.gate else { return wait }
        let request = pending[0]
        let now = BootInstant.now
        var wait = wait
        var last = request.gates[index].announced
        let budgets = try budgets()
        // Others need not yield to one that has all it needs, and to tell a server costs time of all.
        if wait.isGranted, last == nil, budgets.all[index].turn > 0,
            wait.until.map({ $0.nanoseconds(since: now) <= budgets.shortWait }) ?? false
        {
            return wait
        }
        if last.map({ $0.for != wait.reason || now.nanoseconds(since: $0.at) >= LedgerClient.heartbeat }) ?? true {
            try budgets.all[index].announce(request.priority, since: request.since, for: wait.reason)
            last = (now, wait.reason)
            pending[0].gates[index].announced = last
        }
        if let last {
            let next = last.at.advanced(by: LedgerClient.heartbeat)
            wait.until = min(wait.until ?? next, next)
        }
        return wait
    }

    /// Ends the announcement of a request; the next request in the queue makes its own.
    private func endWaiting(_ request: PendingRequest) {
        for (index, budget) in openBudgets.enumerated() where request.gates[index].announced != nil {
            budget.endWaiting()
            for place in pending.indices { pending[place].gates[index].announced = nil }
        }
    }

    /// Whether the first request in the queue has a slot at this gate; tries to take one if it is time.
    private func takeSlot(at index: Int, from budget: any Budget) throws(LedgerError) -> Bool {
        if pending[0].gates[index].slot != nil { return true }
        let now = BootInstant.now
        var slot: (any LedgerSlot)?
        let priority = pending[0].priority
        if let wait = pending[0].gates[index].slotWait {
            guard now >= wait.end else { return false }
            try budget.listenForSlots()
            slot = try budget.takeSlot(isNewcomer: false, for: priority, since: pending[0].since)
            if slot == nil, budget.slotsOpenAt == nil {
                let interval = slotBackoff.attemptFailed(isListening: budget.slotSignal >= 0)
                pending[0].gates[index].slotWait = .listening(until: now.advanced(by: interval))
                if !pending[0].hasReportedWait {
                    onNotice(.waitingForSlot(limit: budget.slotLimit, of: index == 0 ? .token : .app))
                }
                pending[0].hasReportedWait = true
                try reportHolders(of: budget, now: now)
            }
        } else {
            slot = try budget.takeSlot(
                isNewcomer: pending[0].gates[index].announced == nil, for: priority, since: pending[0].since)
            if slot == nil {
                try budget.listenForSlots()
                slotBackoff = SlotBackoff(turn: budget.turn)
                pending[0].gates[index].slotWait = .yielding(until: now.advanced(by: SlotBackoff.firstLook))
            }
        }
        guard let slot else {
            if let opening = budget.slotsOpenAt { pending[0].gates[index].slotWait = .yielding(until: opening) }
            return false
        }
        pending[0].gates[index].slot = slot
        pending[0].gates[index].slotWait = nil
        pending[0].waitedForSlot = BootInstant.now.nanoseconds(since: pending[0].since)
        return true
    }

    /// Reports who keeps the slots when none has been released for a long time, or the pause during which their holders
    /// wait. A slow service looks the same; a stopped process keeps its slots until it continues.
    private func reportHolders(of budget: any Budget, now: BootInstant) throws(LedgerError) {
        let request = pending[0]
        let interval = budget.turn > 0 ? Self.costlyLook : Self.longHold
        guard now.nanoseconds(since: request.holdersCheckedAt ?? request.since) >= interval else { return }
        pending[0].holdersCheckedAt = now
        let state = try budget.look()
        if let pause = state.pause {
            let seconds = pause / .seconds(1)
            onNotice(.waitingForPause(seconds: seconds, cause: state.pauseCause ?? ""))
            pending[0].holdersCheckedAt = now.advanced(by: Int64(seconds * 1e9))
            return
        }
        let holders = state.holding.sorted { $0.since < $1.since }
        guard let oldest = holders.first, let newest = holders.last,
            now.nanoseconds(since: newest.since) >= Self.longHold
        else { return }
        let stopped = budget.isOfThisMachine ? holders.first { LockHolder.isStopped($0.pid) } : nil
        guard request.reportedStopped.map({ !$0 && stopped != nil }) ?? true else { return }
        pending[0].reportedStopped = stopped != nil
        let client = stopped ?? oldest
        onNotice(
            .slotsKept(
                by: client, isStopped: stopped != nil, seconds: Double(now.nanoseconds(since: client.since)) / 1e9))
    }

    private func waitForSlot(at index: Int) -> Wait {
        switch pending.first?.gates[index].slotWait {
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
    private func wait(_ wait: Wait) throws(LedgerError) {
        try timer.set([wait.until, attendAt].compactMap(\.self).min())
        let signal = wait.gate.map { wait.isListening ? openBudgets[$0].slotSignal : -1 } ?? -1
        // poll(2) ignores negative descriptors.
        var descriptors = [wake.number, timer.number, signal, opened?.signal ?? -1].map {
            pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
        }
        while poll(&descriptors, nfds_t(descriptors.count), -1) < 0 {
            if errno != EINTR { throw .system(call: "poll", errno: errno) }
        }
        if descriptors[0].revents != 0 { wake.clear() }
        if descriptors[3].revents != 0 || attendAt.map({ $0 <= BootInstant.now }) ?? false {
            attendAt = opened?.attend()
        }
        if descriptors[2].revents != 0, let index = wait.gate, !pending.isEmpty,
            let earlierWaiters = countEarlierWaiters(at: index)
        {
            pending[0].gates[index].slotWait = .yielding(
                until: BootInstant.now.advanced(by: slotBackoff.heard(earlierWaiters: earlierWaiters)))
        }
    }

    /// Number of earlier waiters ahead of the first request in the queue; nil if no slot was released for it. 0 on an error,
    /// which its next attempt will report.
    private func countEarlierWaiters(at index: Int) -> Int? {
        do {
            return try openBudgets[index].earlierWaiters(
                of: pending[0].priority, since: pending[0].since, most: slotBackoff.earlierWaiterLimit)
        } catch {
            return 0
        }
    }

    private func fail(_ request: PendingRequest, with error: any Error) {
        giveUp(request)
        request.promise.settle(.failure(error))
    }

    /// Returns everything held by a request that will not be sent.
    private func giveUp(_ request: PendingRequest) {
        for (index, budget) in openBudgets.enumerated() { giveUp(index, of: request, in: budget) }
        endWaiting(request)
    }

    private func giveUp(_ index: Int, of request: PendingRequest, in budget: any Budget) {
        let gate = request.gates[index]
        gate.slot?.release()
        if gate.slotWait != nil || gate.announced != nil { budget.endWaiting() }
        guard let moment = gate.moment else { return }
        do {
            try budget.withdraw(moment)
        } catch {
            // The grant stays used, which only costs time.
        }
    }
}
