import CloverHTTP
import CloverRateLimit
import CloverSystem
import Glibc
import ProbeSupport
import Testing

@Suite("Priority of requests")
struct RequestPriorityTests {
    private let temporary: TemporaryDirectory
    private let scope = LedgerScope(service: "x", token: Secret("token"))

    init() throws {
        temporary = try TemporaryDirectory()
    }

    private func store(
        command: String = "test", slots: Int = 1, in directory: TemporaryDirectory? = nil
    ) throws -> BudgetFiles {
        try BudgetFiles(
            state: StateDirectory(path: (directory ?? temporary).path), scope: scope,
            limits: RateLimits(requestsPerSecond: 400, inFlight: slots), command: command, onNotice: { _ in })
    }

    private func ledger(slots: Int = 1, rate: Int = 400) -> RateLedger {
        RateLedger(
            directory: StateDirectory(path: temporary.path),
            token: RateBudget(scope, limits: RateLimits(requestsPerSecond: rate, inFlight: slots)), command: "test it",
            onNotice: { _ in })
    }

    @Test("A lower class takes no slot while a higher one waits, and the same class none as a newcomer")
    func heldBack() async throws {
        let got = try await promptly(within: .nanoseconds(SlidingWindowLimiter.span)) {
            let temporary = try TemporaryDirectory()
            let waiter = try store(in: temporary)
            let other = try store(in: temporary)
            func getsSlot(_ priority: RequestPriority, isNewcomer: Bool) throws -> Bool {
                let slot = try other.takeSlot(isNewcomer: isNewcomer, for: priority)
                slot?.release()
                return slot != nil
            }
            // Bulk work that has just had its share.
            _ = try other.grant(for: .bulk)
            try waiter.announce(.interactive)
            var got = [
                try getsSlot(.bulk, isNewcomer: false), try getsSlot(.interactive, isNewcomer: true),
                try getsSlot(.interactive, isNewcomer: false), try getsSlot(.charge, isNewcomer: true),
            ]
            waiter.endWaiting()
            got.append(try getsSlot(.bulk, isNewcomer: true))
            return got
        }
        #expect(got == [false, false, true, true, true])
    }

    @Test("Bulk work that has had nothing for a while takes a slot although others wait")
    func starving() async throws {
        // A waiter is considered present for a while.
        let got = try await promptly(within: .seconds(1)) {
            let temporary = try TemporaryDirectory()
            let waiter = try store(in: temporary)
            try waiter.announce(.charge)
            let bulk = try store(in: temporary)
            return [
                try bulk.takeSlot(isNewcomer: true, for: .bulk) != nil,
                try bulk.takeSlot(isNewcomer: false, for: .bulk) != nil,
            ]
        }
        #expect(got == [false, true])
    }

    @Test("The end of an announcement is heard of, also when its process is killed")
    func endIsHeard() async throws {
        let listener = try store()
        try listener.listenForSlots()
        let waiter = try store()
        try waiter.announce(.interactive)
        #expect(!isReadable(listener.slotSignal))
        waiter.endWaiting()
        #expect(isReadable(listener.slotSignal))
        // The probe says once that it waits, which is believed for a while.
        let (probe, before) = try await promptly(within: .seconds(1)) {
            let probe = try ProbeProcess("announce", temporary.path, "x", "400", "1", "1")
            #expect(await probe.line() == "held")
            return (probe, try listener.takeSlot(isNewcomer: true, for: .interactive) != nil)
        }
        #expect(!before)
        #expect(try store().look().waiting.map(\.pid) == [probe.id])
        try listener.listenForSlots()
        #expect(!isReadable(listener.slotSignal))
        await probe.killNow()
        #expect(isReadable(listener.slotSignal))
        #expect(try store().look().waiting == [])
        #expect(try listener.takeSlot(isNewcomer: true, for: .interactive) != nil)
    }

    @Test("A process of a higher class is stood back for until it is stopped, and no longer")
    func stopped() async throws {
        // The probe says once that it waits, which is believed for a while.
        let (probe, before, after) = try await promptly(within: .seconds(1)) {
            let temporary = try TemporaryDirectory()
            let bulk = try store(in: temporary)
            // Has just had its share, so that it is not starvation that lets it through.
            _ = try bulk.grant(for: .bulk)
            let probe = try ProbeProcess("announce", temporary.path, "x", "400", "1", "2")
            #expect(await probe.line() == "held")
            let before = try bulk.takeSlot(isNewcomer: false, for: .bulk) != nil
            #expect(kill(probe.id, SIGSTOP) == 0)
            while !LockHolder.isStopped(probe.id) { await Task.yield() }
            return (probe, before, try bulk.takeSlot(isNewcomer: false, for: .bulk) != nil)
        }
        #expect(!before)
        #expect(after)
        await probe.killNow()
    }

    @Test("A process of a higher class that is not heard of is not stood back for any more after a while")
    func silent() async throws {
        let bulk = try store()
        let probe = try ProbeProcess("announce", temporary.path, "x", "400", "1", "2")
        #expect(await probe.line() == "held")
        #expect(
            try await eventually {
                // Has just had its share, so that it is not starvation that lets it through.
                _ = try bulk.grant(for: .bulk)
                guard let slot = try bulk.takeSlot(isNewcomer: false, for: .bulk) else { return false }
                slot.release()
                return true
            })
        #expect(try store().look().waiting.map(\.pid) == [probe.id])
    }

    @Test("Earlier requests go first, however long both have waited, and higher classes before them")
    func earlierWaiters() async throws {
        // The others' announcements count for a while.
        let counts = try await promptly(within: .seconds(1)) {
            let temporary = try TemporaryDirectory()
            let now = BootInstant.now
            let waiters = try (0..<4).map { _ in try store(in: temporary) }
            for (index, waiter) in waiters.enumerated() {
                let since = now.advanced(by: Int64(index - 60) * 1_000_000_000)
                try waiter.announce(
                    index == 3 ? .interactive : .bulk, since: since, for: index == 2 ? .ownLimit : .slot)
            }
            let other = try store(in: temporary)
            func earlierWaiters(_ priority: RequestPriority, secondsAgo: Int64) throws -> Int? {
                let since = now.advanced(by: -secondsAgo * 1_000_000_000)
                return try other.earlierWaiters(of: priority, since: since, most: 16)
            }
            return [
                try earlierWaiters(.bulk, secondsAgo: 0), try earlierWaiters(.bulk, secondsAgo: 59),
                try earlierWaiters(.bulk, secondsAgo: 600),
                try earlierWaiters(.interactive, secondsAgo: 0), try earlierWaiters(.interactive, secondsAgo: 600),
                try earlierWaiters(.charge, secondsAgo: 0),
                // A waiter does not count itself.
                try waiters[1].earlierWaiters(of: .bulk, since: now.advanced(by: -59_000_000_000), most: 16),
                try other.earlierWaiters(of: .bulk, since: now, most: 2),
            ]
        }
        #expect(counts == [3, 2, 1, 1, 0, 0, 2, 2])
    }

    @Test("A process with few slots shares them last, and no process exceeds its limit")
    func mixedSlots() throws {
        let many = try store(slots: 3)
        let few = try store(slots: 1)
        let held = [try many.takeSlot(isNewcomer: true), try many.takeSlot(isNewcomer: true)]
        let one = try #require(try few.takeSlot(isNewcomer: true))
        #expect(held.compactMap { $0?.number } == [2, 1])
        #expect(one.number == 0)
        #expect(try few.takeSlot(isNewcomer: true) == nil)
        #expect(try many.takeSlot(isNewcomer: true) == nil)
        one.release()
        let third = try #require(try many.takeSlot(isNewcomer: true))
        #expect(try few.takeSlot(isNewcomer: true) == nil)
        for slot in held { slot?.release() }
        // Two are free, and still none for this one.
        #expect(try few.takeSlot(isNewcomer: true) == nil)
        third.release()
        #expect(try few.takeSlot(isNewcomer: true) != nil)
    }

    @Test("A slot is left to an earlier waiter that may have no other; the rest are not")
    func fewSlotsGoFirst() async throws {
        let (early, late, rest) = try await promptly(within: .seconds(1)) {
            let temporary = try TemporaryDirectory()
            let few = try store(slots: 1, in: temporary)
            let many = try store(slots: 2, in: temporary)
            let since = BootInstant.now
            try few.announce(.bulk, since: since)
            // Bulk work that has just had its share.
            _ = try many.grant(for: .bulk)
            let late = since.advanced(by: 1)
            let rest = try many.takeSlot(isNewcomer: false, for: .bulk, since: late)
            let second = try many.takeSlot(isNewcomer: false, for: .bulk, since: late)
            let third = try many.takeSlot(isNewcomer: false, for: .bulk, since: since.advanced(by: -1))
            return (third?.number, second?.number, rest?.number)
        }
        #expect(early == 0)
        #expect(late == nil)
        #expect(rest == 1)
    }

    @Test("A slot holder is reported until it releases the slot or is killed")
    func holders() async throws {
        let slot = try #require(try store(command: "get orders", slots: 2).takeSlot(isNewcomer: true, for: .charge))
        let probe = try ProbeProcess("hold", temporary.path, "x", "400", "2", "1")
        #expect(await probe.line() == "held")
        let holding = try store(slots: 2).look().holding
        #expect(Set(holding.map(\.pid)) == [getpid(), probe.id])
        let own = holding.first { $0.pid == getpid() }
        #expect(own?.command == "get orders")
        #expect(own?.priority == .charge)
        // Whatever limit the one who asks has.
        #expect(try store(slots: 1).look().slotsTaken == 2)
        slot.release()
        await probe.killNow()
        #expect(try store(slots: 2).look().holding == [])
        #expect(try store(slots: 2).look().slotsTaken == 0)
    }

    @Test("Within a process a charge goes before interactive work before bulk work")
    @MainActor
    func order() async throws {
        let ledger = ledger()
        let holder = try await ledger.acquire(for: .bulk)
        var asked = 0
        var served: [RequestPriority] = []
        let tasks = [RequestPriority.bulk, .interactive, .bulk, .charge, .interactive].map { priority in
            Task {
                asked += 1
                let permit = try await ledger.acquire(for: priority)
                served.append(priority)
                permit.release()
            }
        }
        #expect(try await eventually { try asked == 5 && store().look().waiting.map(\.priority) == [.charge] })
        holder.release()
        for task in tasks { try await task.value }
        #expect(served == [.charge, .interactive, .interactive, .bulk, .bulk])
        #expect(try store().look().waiting == [])
    }

    @Test("Waiting bulk work holds no slot")
    func noIdleSlots() async throws {
        let rate = 2
        let ledgers = (0..<4).map { _ in ledger(slots: 4, rate: rate) }
        for ledger in ledgers.prefix(rate) { try await ledger.acquire(for: .bulk).release() }
        try await ledgers[0].pause(seconds: 3600, cause: "x")
        let waiting = ledgers.map { ledger in Task { try await ledger.acquire(for: .bulk) } }
        #expect(try await eventually { try store(slots: 4).look().waiting.count == 4 })
        #expect(try await eventually { try store(slots: 4).look().slotsTaken == 1 })
        #expect(try store(slots: 4).look().ahead == 1)
        for task in waiting { task.cancel() }
        for task in waiting { _ = await task.result }
        #expect(try await eventually { try store(slots: 4).look().waiting == [] })
    }

    private func isReadable(_ descriptor: Int32) -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, 0) == 1
    }
}
