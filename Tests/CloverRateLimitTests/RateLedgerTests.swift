import CloverHTTP
import CloverRateLimit
import CloverSystem
import Glibc
import ProbeSupport
import Testing

@Suite("One process at the ledger")
struct RateLedgerTests {
    private let temporary: TemporaryDirectory
    private let scope = LedgerScope(service: "https://api.example", token: Secret("canary"))
    private let notices = NoticeRecorder()

    init() throws {
        temporary = try TemporaryDirectory()
    }

    private func ledger(rate: Int = 400, slots: Int = 5, in folder: TemporaryDirectory? = nil) -> RateLedger {
        RateLedger(
            directory: StateDirectory(path: (folder ?? temporary).path), scope: scope,
            limits: RateLimits(requestsPerSecond: rate, inFlight: slots), onNotice: notices.record)
    }

    private func freeSlots(_ count: Int) throws -> Int {
        try freeSlots(
            of: BudgetFiles(
                state: StateDirectory(path: temporary.path), scope: scope, limits: RateLimits(inFlight: count),
                onNotice: { _ in }))
    }

    private func freeSlots(of store: BudgetFiles) throws -> Int {
        var slots: [any LedgerSlot] = []
        while let slot = try store.takeSlot(isNewcomer: false) { slots.append(slot) }
        for slot in slots { slot.release() }
        return slots.count
    }

    private var waitsForSlot: Bool { notices.notices.contains(.waitingForSlot(limit: 1, of: .token)) }

    @Test("Nothing is opened or created before the first request")
    func lazy() throws {
        _ = ledger()
        #expect(try temporary.names() == [])
    }

    @Test("Limits outside what is possible become the nearest possible ones")
    func limits() {
        #expect(RateLimits() == RateLimits(requestsPerSecond: 16, inFlight: 5))
        #expect(RateLimits(requestsPerSecond: 0, inFlight: -1) == RateLimits(requestsPerSecond: 1, inFlight: 1))
        #expect(RateLimits(requestsPerSecond: 10_000).requestsPerSecond == 480)
    }

    @Test("A permit holds a slot until it is released or dropped")
    func permit() async throws {
        let ledger = ledger()
        let first = try await ledger.acquire()
        do {
            let second = try await ledger.acquire()
            // The ledger's thread may withdraw its announcement after the permit is here; until then others take none.
            #expect(try await eventually { try freeSlots(5) == 3 })
            #expect(second.moment > first.moment)
        }
        #expect(try await eventually { try freeSlots(5) == 4 })
        first.release()
        first.release()
        #expect(try await eventually { try freeSlots(5) == 5 })
    }

    @Test("A slot is free as soon as it is released, also while a child that is being started shares its files")
    func releaseBesideFork() async throws {
        let permit = try await ledger().acquire()
        // What a child has between fork(2) and execve(2): the same open files under separate descriptors.
        let copies = try ownDescriptors().map { dup($0) }.filter { $0 >= 0 }
        // Others may have been closed, or become another test's, since they were listed.
        let shared = try ownDescriptors().filter(copies.contains)
        for copy in copies where !shared.contains(copy) { close(copy) }
        defer { for copy in shared { close(copy) } }
        // The slot is locked in two files.
        #expect(shared.count >= 2)
        permit.release()
        #expect(try freeSlots(5) == 5)
        #expect(try await ledger().budget().slotsTaken == 0)
    }

    @Test("Requests of one process are served in the order in which they came")
    @MainActor
    func order() async throws {
        let ledger = ledger(slots: 1)
        let holder = try await ledger.acquire()
        var asked: [Int] = []
        var served: [Int] = []
        // Tasks of one actor begin in the order in which they are made, and each asks before the next begins.
        let tasks = (0..<20).map { index in
            Task {
                asked.append(index)
                let permit = try await ledger.acquire()
                served.append(index)
                permit.release()
            }
        }
        #expect(await eventually { asked.count == 20 && waitsForSlot })
        #expect(served.isEmpty)
        holder.release()
        for task in tasks { try await task.value }
        #expect(asked == Array(0..<20))
        #expect(served == asked)
    }

    @Test("A request that waits for a slot gets it when another process is killed")
    func killedHolder() async throws {
        let holder = try ProbeProcess("hold", temporary.path, "x", "400", "5", "5")
        #expect(await holder.line() == "held")
        let shared = RateLedger(
            directory: StateDirectory(path: temporary.path), scope: LedgerScope(service: "x", token: Secret("token")),
            limits: RateLimits(requestsPerSecond: 400), onNotice: notices.record)
        async let permit = shared.acquire()
        #expect(await eventually { notices.notices.contains(.waitingForSlot(limit: 5, of: .token)) })
        await holder.killNow()
        try await permit.release()
    }

    @Test("A ledger whose lock was held by a killed process stays usable")
    func killedLockHolder() async throws {
        // Ten seconds are as long as anybody waits for the lock.
        let (killed, served) = try await promptly(within: .seconds(8)) {
            let holder = try ProbeProcess("lock", temporary.path, "ratelimit/\(scope.fileName).lock")
            #expect(await holder.line() == "locked")
            let ledger = ledger()
            let waiting = Task {
                try await ledger.acquire().release()
                return BootInstant.now
            }
            // It has a slot, so that it is at the lock or about to be.
            #expect(try await eventually { try freeSlots(5) == 4 })
            let killed = BootInstant.now
            await holder.killNow()
            return (killed, await waiting.result)
        }
        #expect(try served.get() > killed)
    }

    @Test("A request that is late at its departure is held back until the law lets it go")
    func lateDeparture() async throws {
        let ledger = ledger(rate: 2)
        let late = try await ledger.acquire()
        // Its own grant no longer counts when the budget is used up again.
        #expect(await eventually { BootInstant.now.nanoseconds(since: late.moment) > SlidingWindowLimiter.span })
        var others: [BootInstant] = []
        for _ in 0..<2 {
            let permit = try await ledger.acquire()
            let hasLeft = permit.departed()
            #expect(hasLeft)
            others.append(permit.moments[0])
        }
        let hasLeft = late.departed()
        #expect(hasLeft)
        let departure = try #require(late.moments.first)
        #expect(departure.nanoseconds(since: others[0]) >= SlidingWindowLimiter.span, "\(others) \(departure)")
        #expect(BootInstant.now >= departure)
    }

    @Test(
        "What is late at its departure does not leave in a pause that began meanwhile, and costs nothing of the budget")
    func departureInPause() async throws {
        // However long a busy machine keeps the ledger's thread from its transaction.
        let state = StateDirectory(path: temporary.path)
        let store = BudgetRateLimitStore(budgetCount: 1, onNotice: notices.record) { [scope] _ throws(LedgerError) in
            FileBudgets([try BudgetFiles(state: state, scope: scope, limits: RateLimits(), onNotice: { _ in })])
        }
        let ledger = RateLedger(store: store, confirmationTimeout: 300)
        let permit = try await ledger.acquire()
        try await ledger.pause(seconds: 80_000, cause: "429")
        #expect(
            await eventually { BootInstant.now.nanoseconds(since: permit.moment) > 2 * SlidingWindowLimiter.freshness })
        let hasLeft = permit.departed()
        #expect(!hasLeft)
        permit.release()
        // The ledger's thread gives the grants back when it comes to it.
        let isFree = try await eventually {
            let budget = try await ledger.budget()
            return budget.ahead == 0 && budget.slotsTaken == 0
        }
        let budget = try await ledger.budget()
        #expect(isFree, "\(budget)")
        #expect(budget.pause != nil)
    }

    @Test("What is late at its departure waits where it is for the end of a short pause")
    func departureInShortPause() async throws {
        let ledger = ledger()
        let permit = try await ledger.acquire()
        let end = BootInstant.now.advanced(by: 200_000_000)
        try await ledger.pause(seconds: 0.2, cause: "429")
        #expect(
            await eventually { BootInstant.now.nanoseconds(since: permit.moment) > 2 * SlidingWindowLimiter.freshness })
        let hasLeft = permit.departed()
        #expect(hasLeft && BootInstant.now >= end)
    }

    @Test("Pauses of unspecified length are counted across processes until a response arrives")
    func refusals() async throws {
        // Under way side by side, while the pause lasts: one refusal. Each round has its own folder.
        let (counts, folder) = try await promptly(within: .seconds(1)) {
            let folder = try TemporaryDirectory()
            let ledger = self.ledger(in: folder)
            let first = try await ledger.refusalsBefore(of: .token)
            try await ledger.pause(seconds: 1, cause: "429")
            return ([first, try await ledger.refusalsBefore(of: .token)], folder)
        }
        #expect(counts == [0, 0])
        let ledger = self.ledger(in: folder)
        let second = try await self.ledger(in: folder).acquire()
        #expect(try await self.ledger(in: folder).refusalsBefore(of: .token) == 1)
        second.release()
        let third = try await ledger.acquire()
        third.answered()
        #expect(try await ledger.refusalsBefore(of: .token) == 0)
    }

    @Test("Cancelling a request that waits for a slot ends it, and the next in line is served")
    func cancelWaitingForSlot() async throws {
        let ledger = ledger(slots: 1)
        let holder = try await ledger.acquire()
        let cancelled = Task { try await ledger.acquire() }
        #expect(await eventually { waitsForSlot })
        let next = Task { try await ledger.acquire() }
        cancelled.cancel()
        await #expect(throws: CancellationError.self) { _ = try await cancelled.value }
        holder.release()
        try await next.value.release()
    }

    @Test("Cancelling a request that waits for a pause to end gives its slot back")
    func cancelWaitingForGrant() async throws {
        let ledger = ledger(slots: 1)
        try await ledger.pause(seconds: 3600, cause: "X-RateLimit-tokenLimit")
        let cancelled = Task { try await ledger.acquire() }
        #expect(await eventually { !notices.notices.isEmpty })
        guard case .waitingForPause(let seconds, "X-RateLimit-tokenLimit")? = notices.notices.first else {
            Issue.record("another notice than that of the pause: \(notices.notices)")
            return
        }
        #expect(seconds > 0 && seconds <= 3600)
        #expect(try freeSlots(1) == 0)
        cancelled.cancel()
        await #expect(throws: CancellationError.self) { _ = try await cancelled.value }
        #expect(try await eventually { try freeSlots(1) == 1 })
    }

    @Test("A cancelled request is not waited for")
    func cancelWithdraws() async throws {
        let ledger = ledger(slots: 1)
        let holder = try await ledger.acquire()
        let cancelled = Task { try await ledger.acquire() }
        #expect(await eventually { waitsForSlot })
        cancelled.cancel()
        _ = await cancelled.result
        holder.release()
        let newcomer = try BudgetFiles(
            state: StateDirectory(path: temporary.path), scope: scope, limits: RateLimits(inFlight: 1),
            onNotice: { _ in })
        #expect(try await eventually { try newcomer.takeSlot(isNewcomer: true) != nil })
    }

    @Test("A task that is cancelled before it asks gets nothing and holds nothing")
    func cancelledBefore() async throws {
        let ledger = ledger(slots: 1)
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            return try await ledger.acquire()
        }
        await #expect(throws: CancellationError.self) { _ = try await task.value }
        #expect(try freeSlots(1) == 1)
    }

    @Test("Cancelling at any time loses no slot", arguments: 0..<4)
    func cancelAnywhere(round: UInt64) async throws {
        var random = SeededGenerator(seed: round)
        let ledger = ledger(slots: 2)
        for _ in 0..<50 {
            let tasks = (0..<6).map { _ in Task { try await ledger.acquire().release() } }
            for _ in 0..<Int.random(in: 0..<30, using: &random) { await Task.yield() }
            for task in tasks where Bool.random(using: &random) { task.cancel() }
            for task in tasks { _ = await task.result }
        }
        #expect(try await eventually { try freeSlots(2) == 2 })
    }

    @Test("No request is sent before the end of a pause")
    func pause() async throws {
        let ledger = ledger()
        let end = BootInstant.now.advanced(by: 300_000_000)
        try await ledger.pause(seconds: 0.3, cause: "X-RateLimit-tokenLimit")
        try await ledger.pause(seconds: 0.1, cause: "shorter")
        let permit = try await ledger.acquire()
        #expect(BootInstant.now >= end)
        #expect(permit.moment >= end)
        #expect(permit.waited > .zero)
    }

    @Test("A pause set by another ledger holds back a request that has its grant already")
    func pauseOvertakes() async throws {
        // On a machine that is busy with other things the request may be gone before the pause is set: once more then.
        for round in 0..<100 {
            let scope = LedgerScope(service: "https://api.example", token: Secret("canary \(round)"))
            func ledger() -> RateLedger {
                RateLedger(
                    directory: StateDirectory(path: temporary.path), scope: scope,
                    limits: RateLimits(requestsPerSecond: 1), onNotice: notices.record)
            }
            let here = ledger()
            let first = try await here.acquire()
            first.release()
            // The next grant lies a second ahead; the pause is set meanwhile and goes further.
            let waiting = Task { try await here.acquire() }
            let slots = try BudgetFiles(
                state: StateDirectory(path: temporary.path), scope: scope, limits: RateLimits(), onNotice: { _ in })
            #expect(try await eventually { try freeSlots(of: slots) == RateLimits().inFlight - 1 })
            let end = BootInstant.now.advanced(by: 1_500_000_000)
            try await ledger().pause(seconds: 1.5, cause: "tokenLimit")
            let wasInTime = BootInstant.now < first.moment.advanced(by: SlidingWindowLimiter.span)
            let permit = try await waiting.value
            guard wasInTime else { continue }
            #expect(BootInstant.now >= end)
            #expect(permit.moment >= end)
            return
        }
        Issue.record("the pause was never set in time")
    }

    @Test("Pauses of no length do nothing", arguments: [0, -1, -Double.infinity, .nan])
    func noPause(seconds: Double) async throws {
        try await ledger().pause(seconds: seconds, cause: "x")
        #expect(try temporary.names() == [])
    }

    @Test("A pause without end lasts a day")
    func endlessPause() async throws {
        let before = BootInstant.now
        try await ledger().pause(seconds: .infinity, cause: "x")
        let store = try BudgetFiles(
            state: StateDirectory(path: temporary.path), scope: scope, limits: RateLimits(), onNotice: notices.record)
        let moment = try store.grant()!.moment
        #expect(moment >= before.advanced(by: SlidingWindowLimiter.longestPause))
        #expect(moment <= BootInstant.now.advanced(by: SlidingWindowLimiter.longestPause))
        #expect(notices.notices == [])
    }

    @Test("A state directory that cannot be used fails every request with its reason")
    func unusable() async throws {
        try temporary.write("file", "")
        let path = temporary.path("file/state")
        let ledger = RateLedger(directory: StateDirectory(path: path), scope: scope, onNotice: notices.record)
        let expected = LedgerError.storage(.system(.makeDirectory, path: path, errno: ENOTDIR))
        await #expect(throws: expected) { try await ledger.acquire() }
        await #expect(throws: expected) { try await ledger.pause(seconds: 1, cause: "x") }
        await #expect(throws: expected) { try await ledger.acquire() }
    }

    @Test("A ledger that is dropped takes its thread and descriptors along")
    func dropped() async throws {
        for _ in 0..<30 { try await ledger().acquire().release() }
        #expect(try await eventually { try ownDescriptors() == [] })
    }

    /// This process's descriptors of files in the test's own directory.
    private func ownDescriptors() throws -> [Int32] {
        let directory = try OpenDirectory(path: "/proc/self/fd", rule: .secret)
        return try directory.names().compactMap { name in
            var buffer = [UInt8](repeating: 0, count: 4096)
            let length = buffer.withUnsafeMutableBytes { space in
                space.baseAddress.map { readlink("/proc/self/fd/" + name, $0, space.count) } ?? -1
            }
            guard length > 0, String(decoding: buffer[..<length], as: UTF8.self).hasPrefix(temporary.path) else {
                return nil
            }
            return Int32(name)
        }
    }
}
