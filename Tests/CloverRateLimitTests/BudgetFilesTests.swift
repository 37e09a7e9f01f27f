import CloverHTTP
import CloverRateLimit
import CloverSystem
import Glibc
import ProbeSupport
import Testing

@Suite("The ledger in files")
struct BudgetFilesTests {
    private let temporary: TemporaryDirectory
    private let scope = LedgerScope(service: "https://api.example", token: Secret("canary"))
    private let notices = NoticeRecorder()

    init() throws {
        temporary = try TemporaryDirectory()
    }

    private func store(
        limits: RateLimits = RateLimits(), boot: BootIdentity? = nil, in directory: TemporaryDirectory? = nil
    ) throws(LedgerError) -> BudgetFiles {
        try BudgetFiles(
            state: StateDirectory(path: (directory ?? temporary).path), scope: scope, limits: limits, boot: boot,
            onNotice: notices.record)
    }

    private var ledgerName: String { "ratelimit/\(scope.fileName).ledger" }
    private var lockName: String { "ratelimit/\(scope.fileName).lock" }

    /// Whether the next grant is a whole span away, as after an unknown past.
    private func startsFull(_ store: BudgetFiles) throws -> Bool {
        let before = BootInstant.now
        return try #require(try store.grant()).moment >= before.advanced(by: SlidingWindowLimiter.span)
    }

    @Test("File names tell nothing of the token and differ by service and token")
    func names() {
        #expect(scope.fileName.count == 32)
        #expect(scope.fileName.allSatisfy { $0.isHexDigit })
        let others = [
            LedgerScope(service: "https://api.example", token: Secret("canarz")),
            LedgerScope(service: "https://api.examplec", token: Secret("anary")),
            LedgerScope(service: "https://api.example", merchantID: "canary", appID: "A"),
            LedgerScope(service: "https://api.example", merchantID: "canaryA", appID: ""),
            LedgerScope(service: "https://api.example", appID: "canary"),
        ]
        #expect(Set(others + [scope]).count == 6)
        #expect(LedgerScope(service: "https://api.example", token: Secret("canary")) == scope)
    }

    @Test("A budget that was never used is there at once, in files that only this user can read")
    func firstUse() async throws {
        let (before, moments) = try await promptly(within: .nanoseconds(SlidingWindowLimiter.span)) {
            let temporary = try TemporaryDirectory()
            let store = try store(in: temporary)
            return (BootInstant.now, try (0..<17).map { _ in try store.grant()!.moment })
        }
        #expect(moments.dropLast().allSatisfy { $0 >= before && $0 < before.advanced(by: SlidingWindowLimiter.span) })
        #expect(moments[16] >= moments[0].advanced(by: SlidingWindowLimiter.span))
        _ = try store().grant()
        #expect(notices.notices == [])
        #expect(try temporary.mode("ratelimit") == 0o700)
        #expect(try temporary.mode(ledgerName) == 0o600)
        #expect(try temporary.mode(lockName) == 0o600)
    }

    @Test("Stores share the budget and the pause")
    func shared() throws {
        let one = try store()
        let two = try store()
        let first = try one.grant()!.moment
        for _ in 0..<15 { _ = try two.grant() }
        #expect(try one.grant()!.moment >= first.advanced(by: SlidingWindowLimiter.span))
        let end = BootInstant.now.advanced(by: 100_000_000_000)
        try one.pause(until: end, cause: "tokenLimit")
        let grant = try #require(try two.grant())
        #expect(grant.moment >= end)
        #expect(grant.pause == "tokenLimit")
        #expect(try one.confirm(first) >= end)
    }

    @Test("A ledger that was deleted counts as used up")
    func deleted() throws {
        _ = try store().grant()
        #expect(unlink(temporary.path(ledgerName)) == 0)
        #expect(try startsFull(store()))
        #expect(notices.notices == [.missing(path: temporary.path(ledgerName))])
    }

    @Test("A process that has used a ledger remembers it when the whole directory is deleted")
    func directoryDeleted() throws {
        let store = try store()
        _ = try store.grant()
        for name in try temporary.names("ratelimit") { #expect(unlink(temporary.path("ratelimit/" + name)) == 0) }
        #expect(rmdir(temporary.path("ratelimit")) == 0)
        #expect(try startsFull(store))
        #expect(notices.notices == [.missing(path: temporary.path(ledgerName))])
    }

    struct Damage: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let fault: LedgerFault
        let change: @Sendable ([UInt8]) -> [UInt8]
    }

    @Test(
        "A ledger that cannot be used is kept under another name and counts as used up",
        arguments: [
            Damage(testDescription: "empty", fault: .empty) { _ in [] },
            Damage(testDescription: "cut", fault: .cut) { Array($0.dropLast()) },
            Damage(testDescription: "random", fault: .foreign) { $0.map { ~$0 } },
            Damage(testDescription: "damaged", fault: .damaged) { $0.dropLast() + [0xAA] },
            Damage(testDescription: "newer", fault: .newer) { $0.prefix(8) + [9] + $0.dropFirst(9) },
        ])
    func unusable(damage: Damage) throws {
        _ = try store().grant()
        let bytes = damage.change(try temporary.read(ledgerName))
        try temporary.write(ledgerName, bytes: bytes)
        let store = try store()
        #expect(try startsFull(store))
        let aside = try #require(try temporary.names("ratelimit").first { $0.contains(".\(damage.fault.rawValue)-") })
        #expect(try temporary.read("ratelimit/" + aside) == bytes)
        #expect(
            notices.notices == [
                .setAside(
                    path: temporary.path(ledgerName), to: temporary.path("ratelimit/" + aside), reason: damage.fault)
            ])
        // From here on it is a ledger like any other.
        _ = try store.grant()
        #expect(notices.notices.count == 1)
    }

    @Test("A ledger of another boot is set aside")
    func otherBoot() throws {
        let other = try #require(BootIdentity(bytes: [UInt8](repeating: 7, count: 16)))
        _ = try store(boot: other).grant()
        #expect(try startsFull(store()))
        let names = try temporary.names("ratelimit")
        #expect(names.contains { $0.hasPrefix(scope.fileName + ".ledger.other-boot-") })
    }

    @Test("What is no file at all is set aside", arguments: ["link", "fifo", "directory"])
    func foreign(kind: String) throws {
        _ = try store().grant()
        let path = temporary.path(ledgerName)
        #expect(unlink(path) == 0)
        switch kind {
        case "link": #expect(symlink("/dev/null", path) == 0)
        case "fifo": #expect(mkfifo(path, 0o600) == 0)
        default: #expect(mkdir(path, 0o700) == 0)
        }
        #expect(try startsFull(store()))
        #expect(try temporary.names("ratelimit").contains { $0.hasPrefix(scope.fileName + ".ledger.foreign-") })
    }

    @Test("Slots are as many as the limit says, and come back")
    func slots() throws {
        let one = try store(limits: RateLimits(inFlight: 3))
        let two = try store(limits: RateLimits(inFlight: 3))
        let held = try (0..<3).map { index in try #require(try (index == 1 ? two : one).takeSlot(isNewcomer: false)) }
        #expect(try one.takeSlot(isNewcomer: false) == nil)
        #expect(try two.takeSlot(isNewcomer: false) == nil)
        held[1].release()
        held[1].release()
        let again = try one.takeSlot(isNewcomer: false)
        #expect(again != nil)
        #expect(try two.takeSlot(isNewcomer: false) == nil)
        again?.release()
        for slot in held { slot.release() }
    }

    @Test("A slot that is dropped comes back")
    func droppedSlot() throws {
        let store = try store(limits: RateLimits(inFlight: 1))
        do {
            let slot = try store.takeSlot(isNewcomer: false)
            #expect(slot != nil)
            #expect(try store.takeSlot(isNewcomer: false) == nil)
            slot?.release()
        }
        _ = try store.takeSlot(isNewcomer: false)
        #expect(try store.takeSlot(isNewcomer: false) != nil)
    }

    @Test("A slot that comes back is heard of")
    func signal() async throws {
        let holder = try store(limits: RateLimits(inFlight: 1))
        let waiter = try store(limits: RateLimits(inFlight: 1))
        let slot = try #require(try holder.takeSlot(isNewcomer: false))
        #expect(try waiter.takeSlot(isNewcomer: false) == nil)
        try waiter.listenForSlots()
        #expect(!isReadable(waiter.slotSignal))
        slot.release()
        // A process that another test starts may keep a copy of the lock's file until it has become another program.
        #expect(await eventually { isReadable(waiter.slotSignal) })
        try waiter.listenForSlots()
        #expect(!isReadable(waiter.slotSignal))
        #expect(try waiter.takeSlot(isNewcomer: false) != nil)
    }

    /// Whether each of the things that `body` tries, in a separate directory, gave a slot; within a time in which no
    /// waiter is considered gone.
    private func slotsGot(_ body: (TemporaryDirectory) throws -> [(any LedgerSlot)?]) async throws -> [Bool] {
        try await promptly(within: .seconds(1)) {
            let temporary = try TemporaryDirectory()
            return try body(temporary).map { $0 != nil }
        }
    }

    @Test("A newcomer leaves a free slot to a waiter for as long as there is one")
    func newcomer() async throws {
        let limits = RateLimits(inFlight: 1)
        let got = try await slotsGot { temporary in
            let waiter = try store(limits: limits, in: temporary)
            let newcomer = try store(limits: limits, in: temporary)
            let slot = try newcomer.takeSlot(isNewcomer: true)
            let without = try waiter.takeSlot(isNewcomer: true)
            try waiter.announce()
            let otherWaiter = try store(limits: limits, in: temporary)
            try otherWaiter.announce()
            slot?.release()
            let early = try newcomer.takeSlot(isNewcomer: true)
            let second = try waiter.takeSlot(isNewcomer: false)
            waiter.endWaiting()
            second?.release()
            let stillEarly = try newcomer.takeSlot(isNewcomer: true)
            otherWaiter.endWaiting()
            let last = try newcomer.takeSlot(isNewcomer: true)
            return [slot, without, early, second, stillEarly, last]
        }
        #expect(got == [true, false, false, true, false, true])
    }

    @Test("Others no longer yield to a request that gave up waiting")
    func giveUp() async throws {
        let got = try await slotsGot { temporary in
            let waiter = try store(in: temporary)
            let newcomer = try store(in: temporary)
            try waiter.announce()
            let early = try newcomer.takeSlot(isNewcomer: true)
            waiter.endWaiting()
            return [early, try newcomer.takeSlot(isNewcomer: true)]
        }
        #expect(got == [false, true])
    }

    @Test(
        "Slots that are held stay so when a file of theirs is deleted, and come back", arguments: [".slots", ".lock"])
    func slotsDeleted(_ ending: String) throws {
        let store = try store(limits: RateLimits(inFlight: 1))
        let other = try self.store(limits: RateLimits(inFlight: 1))
        let slot = try #require(try store.takeSlot(isNewcomer: false))
        #expect(try other.takeSlot(isNewcomer: false) == nil)
        #expect(unlink(temporary.path("ratelimit/\(scope.fileName)\(ending)")) == 0)
        #expect(try other.takeSlot(isNewcomer: false) == nil)
        #expect(try store.takeSlot(isNewcomer: false) == nil)
        #expect(try other.look().slotsTaken == 1)
        slot.release()
        #expect(try other.look().slotsTaken == 0)
        let fresh = try #require(try other.takeSlot(isNewcomer: false))
        #expect(try store.takeSlot(isNewcomer: false) == nil)
        fresh.release()
        #expect(try store.takeSlot(isNewcomer: false) != nil)
    }

    @Test("A directory that cannot be used is an error that names it")
    func unusableDirectory() throws {
        try temporary.makeDirectory("ratelimit", mode: 0o777)
        let store = try store()
        #expect(
            throws: LedgerError.storage(.refused(path: temporary.path("ratelimit"), .looseMode(0o777)))
        ) {
            try store.grant()
        }
    }

    private func isReadable(_ descriptor: Int32) -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&entry, 1, 0) == 1
    }

    @Test("The holder of the lock is reported to waiters whose timeout expires, and they no longer block others")
    func lockIsHeld() async throws {
        let patient = try store()
        _ = try patient.grant()
        let hasty = try BudgetFiles(
            state: StateDirectory(path: temporary.path), scope: scope, limits: RateLimits(), timeout: 50,
            onNotice: notices.record)
        let path = temporary.path + "/" + lockName
        let holder = open(path, O_RDWR | O_CLOEXEC)
        try #require(flock(holder, LOCK_EX) == 0)
        let expected = LedgerError.storage(
            .lockHeld(path: path, seconds: 0, by: LockHolder(pid: getpid(), isStopped: false)))
        #expect(throws: expected) { try hasty.grant() }
        #expect(throws: expected) { try hasty.confirm(BootInstant.now) }
        close(holder)
        // Both wait in the kernel still; what they get too late they give back, which on a busy machine takes longer than
        // the hasty one has.
        _ = try patient.grant()
        let isFree = try await eventually {
            do throws(LedgerError) {
                _ = try hasty.grant()
                return true
            } catch {
                guard case .storage(.lockHeld) = error else { throw error }
                return false
            }
        }
        #expect(isFree)
        #expect(notices.notices == [])
    }
}
