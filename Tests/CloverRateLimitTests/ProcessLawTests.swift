import CloverHTTP
import CloverRateLimit
import CloverSystem
import Glibc
import ProbeSupport
import Testing

@Suite("Many processes at one ledger")
struct ProcessLawTests {
    private let temporary: TemporaryDirectory
    private let rate = 16
    private let slots = 5

    init() throws {
        temporary = try TemporaryDirectory()
    }

    private func contender(
        _ temporary: TemporaryDirectory, milliseconds: Int, hold: Int, tasks: Int = 3,
        priority: RequestPriority = .interactive, limits: RateLimits? = nil
    ) async throws -> ProbeProcess {
        let probe = try ProbeProcess(
            "admit", temporary.path, "law", "\(limits?.requestsPerSecond ?? rate)", "\(limits?.inFlight ?? slots)",
            "\(tasks)", "\(milliseconds)", "\(hold)",
            "\(priority.rawValue)")
        #expect(await probe.line() == "ready")
        return probe
    }

    /// One permit that a probe had, in nanoseconds; times are on CLOCK_BOOTTIME.
    private struct Visit {
        /// What the ledger counts.
        let moment: Int64
        let from: Int64
        let to: Int64
        /// How long it was waited for.
        let waited: Int64

        init(_ line: String) throws {
            let numbers = line.split(separator: " ").compactMap { Int64($0) }
            try #require(numbers.count == 4)
            (moment, from, to, waited) = (numbers[0], numbers[1], numbers[2], numbers[3])
        }
    }

    /// All permits that the probes had, up to their end.
    private func visits(_ probes: [ProbeProcess]) async throws -> [Visit] {
        var visits: [Visit] = []
        for probe in probes {
            for line in await probe.lines() { visits.append(try Visit(line)) }
            #expect(await probe.exitStatus() == 0)
        }
        return visits
    }

    /// No second has more than `rate`, as the ledger counts, and at no time more than `slots` are in flight.
    private func expectLaw(_ visits: [Visit], rate: Int, slots: Int) {
        #expect(WindowLaw.peak(visits.map(\.moment)) <= rate)
        #expect(WindowLaw.overlap(visits.map { ($0.from, $0.to) }) <= slots)
        #expect(visits.allSatisfy { $0.from >= $0.moment })
        // Nor as the service sees it, but for those that the machine stopped between the last look at the clock and the
        // departure.
        let punctual = visits.filter { $0.from - $0.moment <= SlidingWindowLimiter.margin }
        #expect(WindowLaw.peak(punctual.map(\.from)) <= rate)
    }

    /// Runs `round` until it says that the budget was used as it should be: what every round must keep, it expects by
    /// itself, but how much gets done in a given number of seconds is also a matter of what else the machine does.
    private func eventuallyUsesBudget(_ round: (TemporaryDirectory) async throws -> Bool) async throws {
        for _ in 0..<8 where try await round(TemporaryDirectory()) { return }
        Issue.record("the budget was used in no round")
    }

    @Test("No second has more requests than the limit, no more are ever in flight, and the budget is used")
    func contenders() async throws {
        try await eventuallyUsesBudget { temporary in
            var probes: [ProbeProcess] = []
            for index in 0..<6 { probes.append(try await contender(temporary, milliseconds: 4000, hold: index * 40)) }
            for probe in probes { probe.go() }
            let visits = try await visits(probes)
            expectLaw(visits, rate: rate, slots: slots)
            // Four seconds hold four budgets.
            return visits.count >= 2 * rate
        }
    }

    @Test("Slow requests fill the slots and no more")
    func slowRequests() async throws {
        try await eventuallyUsesBudget { temporary in
            var probes: [ProbeProcess] = []
            for _ in 0..<3 { probes.append(try await contender(temporary, milliseconds: 900, hold: 1000)) }
            for probe in probes { probe.go() }
            let visits = try await visits(probes)
            expectLaw(visits, rate: rate, slots: slots)
            return WindowLaw.overlap(visits.map { ($0.from, $0.to) }) == slots
        }
    }

    @Test("Killed processes keep the limits intact and release their slots")
    func killed() async throws {
        var victims: [ProbeProcess] = []
        for _ in 0..<4 { victims.append(try await contender(temporary, milliseconds: 600_000, hold: 600_000)) }
        let survivors = [
            try await contender(temporary, milliseconds: 600_000, hold: 5),
            try await contender(temporary, milliseconds: 600_000, hold: 5),
        ]
        for probe in victims { probe.go() }
        #expect(try await eventually { try freeSlots() == 0 })
        for probe in survivors { probe.go() }
        for probe in victims { await probe.killNow() }
        var first: [Visit] = []
        for probe in survivors {
            for _ in 0..<slots { first.append(try Visit(try #require(await probe.line()))) }
        }
        for probe in survivors { probe.endInput() }
        expectLaw(first + (try await visits(survivors)), rate: rate, slots: slots)
        #expect(try freeSlots() == slots)
    }

    @Test("The limit holds while the ledger is deleted, truncated and overwritten during use")
    func sabotage() async throws {
        var probes: [ProbeProcess] = []
        for _ in 0..<4 { probes.append(try await contender(temporary, milliseconds: 600_000, hold: 1)) }
        for probe in probes { probe.go() }
        let name = LedgerScope(service: "law", token: Secret("token")).fileName
        let path = temporary.path("ratelimit/\(name).ledger")
        var random = SeededGenerator(seed: 3)
        let otherBoot = LedgerFileFormat.encode(
            SlidingWindowLimiter(), boot: try #require(BootIdentity(bytes: [UInt8](repeating: 7, count: 16))))
        for round in 0..<12 {
            #expect(await eventually { access(path, F_OK) == 0 })
            switch round % 4 {
            case 0: unlink(path)
            case 1: truncate(path, Int.random(in: 0..<96, using: &random))
            case 2:
                try temporary.write("other", bytes: otherBoot)
                rename(temporary.path("other"), path)
            default:
                let noise = (0..<200).map { _ in UInt8.random(in: 0...255, using: &random) }
                try temporary.write("noise", bytes: noise)
                rename(temporary.path("noise"), path)
            }
            // The next round waits until a ledger has been recreated.
            #expect(await eventually { isWhole(path) })
        }
        for probe in probes { probe.endInput() }
        let visits = try await visits(probes)
        expectLaw(visits, rate: rate, slots: slots)
        #expect(!visits.isEmpty)
    }

    @Test(
        "With ten bulk workers, interactive work and charges wait less than a second at the median, and nothing starves"
    )
    func classes() async throws {
        try await eventuallyUsesBudget { temporary in
            var bulk: [ProbeProcess] = []
            for _ in 0..<10 {
                bulk.append(try await contender(temporary, milliseconds: 9000, hold: 40, priority: .bulk))
            }
            let get = try await contender(temporary, milliseconds: 9000, hold: 40, tasks: 1)
            let charge = try await contender(temporary, milliseconds: 9000, hold: 40, tasks: 1, priority: .charge)
            for probe in bulk + [get, charge] { probe.go() }
            let bulkVisits = try await visits(bulk)
            let others = [try await visits([get]), try await visits([charge])]
            expectLaw(bulkVisits + others.joined(), rate: rate, slots: slots)
            let areFast = others.allSatisfy { visits in
                let waits = visits.map(\.waited).sorted()
                return !waits.isEmpty && waits[waits.count / 2] < WindowLaw.second
            }
            // Two that ask without end take what they can; a request a second is left to bulk work.
            return areFast && bulkVisits.count >= 4
        }
    }

    @Test("Processes with different limits keep their own, and delay no process with a higher one", arguments: 0..<2)
    func mixedLimits(_ priority: UInt8) async throws {
        let few = RateLimits(requestsPerSecond: 4, inFlight: 1)
        let priority = try #require(RequestPriority(rawValue: priority))
        try await eventuallyUsesBudget { temporary in
            let low = try await contender(
                temporary, milliseconds: 5000, hold: 20, priority: priority, limits: few)
            let high = try await contender(temporary, milliseconds: 5000, hold: 20, priority: priority)
            for probe in [low, high] { probe.go() }
            let lowVisits = try await visits([low])
            let highVisits = try await visits([high])
            expectLaw(lowVisits, rate: few.requestsPerSecond, slots: few.inFlight)
            expectLaw(lowVisits + highVisits, rate: rate, slots: slots)
            // Five seconds hold twenty of the one, and sixty beside them.
            return lowVisits.count >= 12 && highVisits.count >= 36
        }
    }

    @Test("Bulk work that has waited for long is served in the order in which it came")
    func longWait() async throws {
        try await eventuallyUsesBudget { temporary in
            func store() throws -> BudgetFiles {
                try BudgetFiles(
                    state: StateDirectory(path: temporary.path),
                    scope: LedgerScope(service: "law", token: Secret("token")), limits: RateLimits(inFlight: 1),
                    onNotice: { _ in })
            }
            let holder = try #require(try store().takeSlot(isNewcomer: false))
            let limits = RateLimits(requestsPerSecond: 400, inFlight: 1)
            var probes: [ProbeProcess] = []
            for count in 1...5 {
                // Ends after its first transaction.
                let probe = try await contender(
                    temporary, milliseconds: 600, hold: 0, tasks: 1, priority: .bulk, limits: limits)
                probes.append(probe)
                probe.go()
                #expect(try await eventually { try store().look().waiting.count == count })
            }
            let youngest = try #require(try store().look().waiting.last?.since)
            #expect(await eventually { BootInstant.now.nanoseconds(since: youngest) > 1_100_000_000 })
            holder.release()
            var moments: [Int64] = []
            for probe in probes { moments += try await visits([probe]).map(\.from) }
            #expect(moments.count == probes.count)
            return moments == moments.sorted()
        }
    }

    @Test("Three tokens of an app keep their own limits and the app's, and use what these allow")
    func threeTokens() async throws {
        let appRate = 24
        let appSlots = 7
        try await eventuallyUsesBudget { temporary in
            var probes: [(token: Int, probe: ProbeProcess)] = []
            for index in 0..<6 {
                let probe = try ProbeProcess(
                    "admit", temporary.path, "app/\(index % 3)", "\(rate)", "\(slots)", "3", "6000",
                    "\(index * 20)", "\(index % 2)", "\(appRate)", "\(appSlots)")
                #expect(await probe.line() == "ready")
                probes.append((index % 3, probe))
            }
            for (_, probe) in probes { probe.go() }
            var all: [Visit] = []
            for token in 0..<3 {
                let visits = try await visits(probes.filter { $0.token == token }.map(\.probe))
                expectLaw(visits, rate: rate, slots: slots)
                all += visits
            }
            expectLaw(all, rate: appRate, slots: appSlots)
            // Six seconds hold six budgets of the app.
            return all.count >= 3 * appRate
        }
    }

    private func isWhole(_ path: String) -> Bool {
        guard let text = try? temporary.read(String(path.dropFirst(temporary.path.count + 1))) else { return false }
        return text.count >= 96 && text.starts(with: "CLVRLEDG".utf8)
    }

    private func freeSlots() throws -> Int {
        let store = try BudgetFiles(
            state: StateDirectory(path: temporary.path), scope: LedgerScope(service: "law", token: Secret("token")),
            limits: RateLimits(inFlight: slots), onNotice: { _ in })
        var held: [any LedgerSlot] = []
        while let slot = try store.takeSlot(isNewcomer: false) { held.append(slot) }
        for slot in held { slot.release() }
        return held.count
    }
}
