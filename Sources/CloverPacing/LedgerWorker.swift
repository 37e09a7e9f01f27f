import CloverStorage
import CloverThreads
import Glibc

/// What runs on the ledger's thread: admits one request after the other, higher classes first, each in the order in which
/// they came.
///
/// It is made, used and dropped on that thread, and it is the only place in this module that waits.
struct LedgerWorker: ~Copyable {
    private enum Step {
        case admitted(Admission)
        case wait(Wait)
    }

    /// What the front of the queue waits for, besides new orders.
    private struct Wait {
        var until: BootInstant?
        /// The gate at which it waits.
        var gate: Int?
        /// Whether it listens for slots there.
        var isListening = false
        var reason = LedgerWait.slot
    }

    /// How often a request goes past the gates when that takes longer than a grant is good for. After that it leaves
    /// anyhow: the rest of the margin has to do.
    private static let passageLimit = 3
    /// A moment at one gate that is no further ahead than this many nanoseconds is no reason to give up what it has at
    /// the next.
    private static let shortWait = GrantWindow.margin

    /// Nanoseconds for which nobody gives a slot back before somebody is named for it.
    static let longHold: Int64 = 2_000_000_000

    private let inbox: LedgerInbox
    private let doorbell: Doorbell
    private let timer: BootTimer
    private let limits: [RateLimits]
    private let onNotice: @Sendable (LedgerNotice) -> Void
    private let makeStores: @Sendable () throws(LedgerError) -> [any LedgerStore]
    private var openStores: [any LedgerStore] = []
    private var queue: [Passage] = []
    private var slotPatience = SlotPatience()

    /// - Parameter limits: of each budget, in the order of the stores: the token's, then the app's where there is one.
    init(
        inbox: LedgerInbox, doorbell: Doorbell, timer: BootTimer, limits: [RateLimits],
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
        case .admit(let ticket, let pacingClass):
            let first = queue.first.map { $0.hasSlot ? 1 : 0 } ?? 0
            let place = queue[first...].firstIndex { $0.pacingClass < pacingClass } ?? queue.endIndex
            queue.insert(Passage(ticket, pacingClass, gates: limits.count), at: place)
        case .admitAgain(let ticket, let admission):
            queue.insert(Passage(ticket, again: admission), at: 0)
        case .look(let ticket):
            do {
                var budgets: [LedgerBudget] = []
                for store in try stores() { budgets.append(try store.look()) }
                ticket.settle(.success(budgets))
            } catch {
                ticket.settle(.failure(error))
            }
        case .confirm(let granted, let answer):
            do {
                let moments = try zip(stores(), granted).map { store, grant in try store.confirm(grant) }
                answer.update { $0 = .moments(moments) }
            } catch {
                answer.update { $0 = .failed }
            }
        case .departed(let moment, let granted):
            do {
                for (store, grant) in zip(try stores(), granted) { try store.note(departure: moment, of: grant) }
            } catch {
                // The margin covers what could not be noted; the next turn reports the trouble to somebody who waits.
            }
        case .withdraw(let granted):
            do {
                for (store, grant) in zip(try stores(), granted) { try store.withdraw(grant) }
            } catch {
                // It stays used, which only costs time.
            }
        case .refuse(let ticket, let scope):
            do {
                let stores = try stores()
                ticket.settle(.success(try stores[scope == .app ? stores.count - 1 : 0].refuse()))
            } catch {
                ticket.settle(.failure(error))
            }
        case .succeed:
            do {
                for store in try stores() { try store.succeed() }
            } catch {
                // The next pause is longer than need be.
            }
        case .pause(let ticket, let scope, let refusal, let moment, let cause):
            do {
                let stores = try stores()
                // Without a budget of the app, all that is known of is the token's.
                let index = scope == .app ? stores.count - 1 : 0
                try stores[index].pause(until: moment, cause: cause)
                if let refusal {
                    // The app's number is not the token's, which has a share of it that nobody knows.
                    let isForeign = refusal.scope == .app && stores.count == 1
                    try stores[index].learn(isForeign ? refusal.withoutLimit : refusal)
                }
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
                    if !request.ticket.settle(.success(admission)) { giveUp(request) }
                }
            } catch {
                fail(queue.removeFirst(), with: error)
            }
        }
        return Wait()
    }

    /// Takes the first request in the queue as far as it gets.
    private mutating func advance() throws(LedgerError) -> Step {
        let stores = try stores()
        for attempt in 1... {
            for index in stores.indices {
                if let wait = try pass(index, of: stores) { return .wait(wait) }
            }
            // Past the last gate the moment of the first may be stale; it is then confirmed once more.
            if attempt == Self.passageLimit || queue[0].isFresh(at: .now) { break }
        }
        guard let admission = queue[0].admission else { preconditionFailure("past all gates without a slot or grant") }
        return .admitted(admission)
    }

    /// Takes the first request in the queue past one gate.
    ///
    /// - Returns: what it has to wait for; nil when it is past.
    private mutating func pass(_ index: Int, of stores: [any LedgerStore]) throws(LedgerError) -> Wait? {
        let store = stores[index]
        if let wait = try waitToAsk(at: index, store) { return wait }
        guard try takeSlot(at: index, from: store) else { return waitForSlot(at: index) }
        let moment: BootInstant
        if let granted = queue[0].gates[index].moment {
            moment = granted <= BootInstant.now ? try store.confirm(granted) : granted
        } else {
            guard let grant = try store.grant(for: queue[0].pacingClass) else {
                // Somebody was quicker. A slot without a grant stands in others' way.
                queue[0].gates[index].slot?.release()
                queue[0].gates[index].slot = nil
                queue[0].gates[index].nextAsk = nil
                return try waitToAsk(at: index, store, isRefused: true)
                    ?? Wait(until: BootInstant.now, gate: index, reason: .grant)
            }
            moment = grant.moment
            queue[0].refusals = max(queue[0].refusals, grant.refusals)
            if let pause = grant.pause { queue[0].pause = pause }
            tellOfPause(grant)
        }
        queue[0].gates[index].moment = moment
        let now = BootInstant.now
        guard moment > now else { return nil }
        if moment.nanoseconds(since: now) > Self.shortWait {
            // Others can use what it has at the gates behind meanwhile.
            for later in stores.indices where later > index { giveUp(later, of: queue[0], in: stores[later]) }
            for later in stores.indices where later > index { queue[0].gates[later] = Passage.Gate() }
        }
        return Wait(until: moment, gate: index, reason: .grant)
    }

    /// What a request waits for that has nothing at this gate and had better ask later; nil when it may ask.
    ///
    /// - Parameter isRefused: whether the store has just said so; only bulk work looks before it asks for the first time.
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
            next = try store.askMoment(for: request.pacingClass)
            if let ask = next {
                // Who has waited longest comes first.
                let elders = try store.elders(
                    of: request.pacingClass, since: request.since, most: SlotPatience.mostElders)
                next = AskMoment(
                    moment: ask.moment.advanced(by: SlotPatience.politeness(elders: elders)), isOwn: ask.isOwn)
            }
            queue[0].gates[index].nextAsk = next
        }
        return next.map { Wait(until: $0.moment, gate: index, reason: $0.isOwn ? .ownLimit : .grant) }
    }

    /// Tells others of the first request in the queue that it waits, where that is due.
    private mutating func announced(_ wait: Wait) throws(LedgerError) -> Wait {
        guard let index = wait.gate else { return wait }
        let request = queue[0]
        let now = BootInstant.now
        var wait = wait
        var last = request.gates[index].announced
        if last.map({ $0.for != wait.reason || now.nanoseconds(since: $0.at) >= WaitingList.heartbeat }) ?? true {
            try stores()[index].announce(request.pacingClass, since: request.since, for: wait.reason)
            last = (now, wait.reason)
            queue[0].gates[index].announced = last
        }
        if let last {
            let next = last.at.advanced(by: WaitingList.heartbeat)
            wait.until = min(wait.until ?? next, next)
        }
        return wait
    }

    /// The request waits no longer; the one behind it announces itself anew.
    private mutating func endWaiting(_ request: Passage) {
        for (index, store) in openStores.enumerated() where request.gates[index].announced != nil {
            store.endWaiting()
            for place in queue.indices { queue[place].gates[index].announced = nil }
        }
    }

    /// Whether the first request in the queue has a slot at the gate, after a look for one where it is time.
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
                let interval = slotPatience.lookedInVain(isListening: store.slotSignal >= 0)
                queue[0].gates[index].slotWait = .listening(until: now.advanced(by: interval))
                if !queue[0].wasToldToWait {
                    onNotice(.waitingForSlot(limit: store.slotLimit, of: index == 0 ? .token : .app))
                }
                queue[0].wasToldToWait = true
                try tellOfHolders(of: store, now: now)
            }
        } else {
            slot = try store.takeSlot(
                isNewcomer: queue[0].gates[index].announced == nil, for: pacingClass, since: queue[0].since)
            if slot == nil {
                try store.listenForSlots()
                slotPatience = SlotPatience()
                queue[0].gates[index].slotWait = .politely(until: now.advanced(by: SlotPatience.firstLook))
            }
        }
        guard let slot else { return false }
        queue[0].gates[index].slot = slot
        queue[0].gates[index].slotWait = nil
        queue[0].waitedForSlot = BootInstant.now.nanoseconds(since: queue[0].since)
        return true
    }

    /// Says who keeps the slots when nobody has given one back for long, or what the pause is in which those who have one
    /// wait. A service that is slow looks like that too; a process that was stopped keeps its slots until it goes on.
    private mutating func tellOfHolders(of store: any LedgerStore, now: BootInstant) throws(LedgerError) {
        let request = queue[0]
        guard now.nanoseconds(since: request.lookedAtHolders ?? request.since) >= Self.longHold else { return }
        queue[0].lookedAtHolders = now
        let budget = try store.look()
        if let pause = budget.pause {
            let seconds = pause / .seconds(1)
            onNotice(.waitingForPause(seconds: seconds, cause: budget.pauseCause ?? ""))
            queue[0].lookedAtHolders = now.advanced(by: Int64(seconds * 1e9))
            return
        }
        let holders = budget.holding.sorted { $0.since < $1.since }
        guard let oldest = holders.first, let newest = holders.last,
            now.nanoseconds(since: newest.since) >= Self.longHold
        else { return }
        let stopped = holders.first { LockHolder.isStopped($0.pid) }
        guard request.namedStopped.map({ !$0 && stopped != nil }) ?? true else { return }
        queue[0].namedStopped = stopped != nil
        let party = stopped ?? oldest
        onNotice(
            .slotsKept(
                by: party, isStopped: stopped != nil, seconds: Double(now.nanoseconds(since: party.since)) / 1e9))
    }

    private func waitForSlot(at index: Int) -> Wait {
        switch queue.first?.gates[index].slotWait {
        case .politely(let moment): Wait(until: moment, gate: index)
        case .listening(let moment): Wait(until: moment, gate: index, isListening: true)
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
        let signal = wait.gate.map { wait.isListening ? openStores[$0].slotSignal : -1 } ?? -1
        // poll(2) passes over negative descriptors.
        var descriptors = [doorbell.number, timer.number, signal].map {
            pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
        }
        while poll(&descriptors, nfds_t(descriptors.count), -1) < 0 {
            if errno != EINTR { throw .system(call: "poll", errno: errno) }
        }
        if descriptors[0].revents != 0 { doorbell.silence() }
        if descriptors[2].revents != 0, let index = wait.gate, !queue.isEmpty {
            let elders = eldersOfFirst(at: index)
            queue[0].gates[index].slotWait = .politely(
                until: BootInstant.now.advanced(by: slotPatience.heard(elders: elders)))
        }
    }

    /// How many go before the first request in the queue; where that cannot be told, its look tells the trouble.
    private func eldersOfFirst(at index: Int) -> Int {
        do {
            return try openStores[index].elders(
                of: queue[0].pacingClass, since: queue[0].since, most: SlotPatience.mostElders)
        } catch {
            return 0
        }
    }

    private mutating func stores() throws(LedgerError) -> [any LedgerStore] {
        if openStores.isEmpty { openStores = try makeStores() }
        return openStores
    }

    private mutating func fail(_ request: Passage, with error: any Error) {
        giveUp(request)
        request.ticket.settle(.failure(error))
    }

    /// Gives back what a request has that will not leave.
    private mutating func giveUp(_ request: Passage) {
        for (index, store) in openStores.enumerated() { giveUp(index, of: request, in: store) }
        endWaiting(request)
    }

    private func giveUp(_ index: Int, of request: Passage, in store: any LedgerStore) {
        let gate = request.gates[index]
        gate.slot?.release()
        if gate.slotWait != nil || gate.announced != nil { store.endWaiting() }
        guard let moment = gate.moment else { return }
        do {
            try store.withdraw(moment)
        } catch {
            // It stays used, which only costs time.
        }
    }
}
