import CloverHTTP
import CloverPacing
import CloverStorage
import Glibc
import ProbeSupport
import Testing

@Suite("Who goes first")
struct PacingClassTests {
    private let temporary: TemporaryDirectory
    private let scope = LedgerScope(service: "x", token: Secret("token"))

    init() throws {
        temporary = try TemporaryDirectory()
    }

    private func store(
        command: String = "test", slots: Int = 1, in directory: TemporaryDirectory? = nil
    ) throws -> FileLedgerStore {
        try FileLedgerStore(
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
        let got = try await promptly(within: .nanoseconds(GrantWindow.span)) {
            let temporary = try TemporaryDirectory()
            let waiter = try store(in: temporary)
            let other = try store(in: temporary)
            func getsSlot(_ pacingClass: PacingClass, isNewcomer: Bool) throws -> Bool {
                let slot = try other.takeSlot(isNewcomer: isNewcomer, for: pacingClass)
                slot?.release()
                return slot != nil
            }
            // Bulk work that had its share a moment ago.
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
        // Whoever waits is believed to be there for two seconds.
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
        // The probe says once that it waits, which is believed for two seconds.
        let (probe, before) = try await promptly(within: .seconds(1.5)) {
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

    @Test("A process of a higher class that was stopped is not stood back for any more after a while")
    func stopped() async throws {
        let bulk = try store()
        let probe = try ProbeProcess("announce", temporary.path, "x", "400", "1", "2")
        #expect(await probe.line() == "held")
        // The probe says nothing after its first sign of life, as if it were stopped.
        #expect(kill(probe.id, SIGSTOP) == 0)
        #expect(
            try await eventually {
                // Had its share a moment ago, so that it is not starvation that lets it through.
                _ = try bulk.grant(for: .bulk)
                guard let slot = try bulk.takeSlot(isNewcomer: false, for: .bulk) else { return false }
                slot.release()
                return true
            })
        #expect(try store().look().waiting.map(\.pid) == [probe.id])
    }

    @Test("Who holds a slot is told, and no longer once it is back or the process is killed")
    func holders() async throws {
        let slot = try #require(try store(command: "get orders", slots: 2).takeSlot(isNewcomer: true, for: .charge))
        let probe = try ProbeProcess("hold", temporary.path, "x", "400", "2", "1")
        #expect(await probe.line() == "held")
        let holding = try store(slots: 2).look().holding
        #expect(holding.map(\.pid) == [getpid(), probe.id])
        #expect(holding.first?.command == "get orders")
        #expect(holding.first?.pacingClass == .charge)
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
        var served: [PacingClass] = []
        let tasks = [PacingClass.bulk, .interactive, .bulk, .charge, .interactive].map { pacingClass in
            Task {
                asked += 1
                let permit = try await ledger.acquire(for: pacingClass)
                served.append(pacingClass)
                permit.release()
            }
        }
        #expect(try await eventually { try asked == 5 && store().look().waiting.map(\.pacingClass) == [.charge] })
        holder.release()
        for task in tasks { try await task.value }
        #expect(served == [.charge, .interactive, .interactive, .bulk, .bulk])
        #expect(try store().look().waiting == [])
    }

    @Test("Bulk work that waits for its turn holds no slot")
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
