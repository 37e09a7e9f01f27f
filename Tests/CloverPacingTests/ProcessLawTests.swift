import CloverHTTP
import CloverPacing
import CloverStorage
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
        milliseconds: Int, hold: Int, tasks: Int = 3, pacingClass: PacingClass = .interactive
    ) async throws -> ProbeProcess {
        let probe = try ProbeProcess(
            "admit", temporary.path, "law", "\(rate)", "\(slots)", "\(tasks)", "\(milliseconds)", "\(hold)",
            "\(pacingClass.rawValue)")
        #expect(await probe.line() == "ready")
        return probe
    }

    private func spans(_ probes: [ProbeProcess]) async throws -> [(from: Int64, to: Int64)] {
        try await visits(probes).map { ($0.from, $0.to) }
    }

    /// All permits that the probes had, and how long each was waited for, in nanoseconds.
    private func visits(_ probes: [ProbeProcess]) async throws -> [(from: Int64, to: Int64, waited: Int64)] {
        var visits: [(from: Int64, to: Int64, waited: Int64)] = []
        for probe in probes {
            for line in await probe.lines() {
                let numbers = line.split(separator: " ").compactMap { Int64($0) }
                try #require(numbers.count == 3)
                visits.append((numbers[0], numbers[1], numbers[2]))
            }
            #expect(await probe.exitStatus() == 0)
        }
        return visits
    }

    @Test("No second has more requests than the limit, no moment more in flight, and the budget is used")
    func contenders() async throws {
        var probes: [ProbeProcess] = []
        for index in 0..<6 { probes.append(try await contender(milliseconds: 4000, hold: index * 40)) }
        for probe in probes { probe.go() }
        let spans = try await spans(probes)
        #expect(WindowLaw.peak(spans.map(\.from)) <= rate)
        #expect(WindowLaw.overlap(spans) <= slots)
        // Four seconds hold four budgets; half of them is what even a crippled machine should manage.
        #expect(spans.count >= 2 * rate)
    }

    @Test("Slow requests fill the slots and no more")
    func slowRequests() async throws {
        var probes: [ProbeProcess] = []
        for _ in 0..<3 { probes.append(try await contender(milliseconds: 900, hold: 1000)) }
        for probe in probes { probe.go() }
        let spans = try await spans(probes)
        #expect(WindowLaw.overlap(spans) == slots)
    }

    @Test("Killed processes leave the law intact and their slots to the others")
    func killed() async throws {
        var victims: [ProbeProcess] = []
        for _ in 0..<4 { victims.append(try await contender(milliseconds: 60_000, hold: 30_000)) }
        let survivors = [
            try await contender(milliseconds: 3000, hold: 5), try await contender(milliseconds: 3000, hold: 5),
        ]
        for probe in victims { probe.go() }
        #expect(try await eventually { try freeSlots() == 0 })
        for probe in survivors { probe.go() }
        for probe in victims { await probe.killNow() }
        let spans = try await spans(survivors)
        #expect(WindowLaw.peak(spans.map(\.from)) <= rate)
        #expect(spans.count >= slots)
        #expect(try freeSlots() == slots)
    }

    @Test("The law holds while the ledger is deleted, cut and overwritten under everybody's feet")
    func sabotage() async throws {
        var probes: [ProbeProcess] = []
        for _ in 0..<4 { probes.append(try await contender(milliseconds: 6000, hold: 1)) }
        for probe in probes { probe.go() }
        let name = LedgerScope(service: "law", token: Secret("token")).fileName
        let path = temporary.path("ratelimit/\(name).ledger")
        var random = SeededGenerator(seed: 3)
        for round in 0..<9 {
            #expect(await eventually { access(path, F_OK) == 0 })
            switch round % 3 {
            case 0: unlink(path)
            case 1: truncate(path, Int.random(in: 0..<96, using: &random))
            default:
                let noise = (0..<200).map { _ in UInt8.random(in: 0...255, using: &random) }
                try temporary.write("noise", bytes: noise)
                rename(temporary.path("noise"), path)
            }
            // The next round waits until somebody has made a ledger anew.
            #expect(await eventually { isWhole(path) })
        }
        let spans = try await spans(probes)
        #expect(WindowLaw.peak(spans.map(\.from)) <= rate)
        #expect(!spans.isEmpty)
    }

    @Test(
        "With ten of bulk work at it, interactive work and charges wait less than a second in the middle, and nobody starves"
    )
    func classes() async throws {
        var bulk: [ProbeProcess] = []
        for _ in 0..<10 {
            bulk.append(try await contender(milliseconds: 9000, hold: 40, pacingClass: .bulk))
        }
        let get = try await contender(milliseconds: 9000, hold: 40, tasks: 1)
        let charge = try await contender(milliseconds: 9000, hold: 40, tasks: 1, pacingClass: .charge)
        for probe in bulk + [get, charge] { probe.go() }
        let bulkSpans = try await spans(bulk)
        let getVisits = try await visits([get])
        let chargeVisits = try await visits([charge])
        for visits in [getVisits, chargeVisits] {
            let waits = visits.map(\.waited).sorted()
            try #require(!waits.isEmpty)
            #expect(waits[waits.count / 2] < WindowLaw.second)
        }
        let all = bulkSpans + (getVisits + chargeVisits).map { ($0.from, $0.to) }
        #expect(WindowLaw.peak(all.map(\.from)) <= rate)
        #expect(WindowLaw.overlap(all) <= slots)
        // Two that ask without end take what they can; a request a second is left to bulk work, half of it on a
        // crippled machine.
        #expect(bulkSpans.count >= 4)
    }

    @Test("Three tokens of an app keep their own limits and the app's, and use what these allow")
    func threeTokens() async throws {
        let appRate = 24
        let appSlots = 7
        var probes: [(token: Int, probe: ProbeProcess)] = []
        for index in 0..<6 {
            let probe = try ProbeProcess(
                "admit", temporary.path, "app/\(index % 3)", "\(rate)", "\(slots)", "3", "6000", "\(index * 20)",
                "\(index % 2)", "\(appRate)", "\(appSlots)")
            #expect(await probe.line() == "ready")
            probes.append((index % 3, probe))
        }
        for (_, probe) in probes { probe.go() }
        var all: [(from: Int64, to: Int64)] = []
        for token in 0..<3 {
            let spans = try await spans(probes.filter { $0.token == token }.map(\.probe))
            #expect(WindowLaw.peak(spans.map(\.from)) <= rate)
            #expect(WindowLaw.overlap(spans) <= slots)
            all += spans
        }
        #expect(WindowLaw.peak(all.map(\.from)) <= appRate)
        #expect(WindowLaw.overlap(all) <= appSlots)
        // Six seconds hold six budgets of the app; half of them is what even a crippled machine should manage.
        #expect(all.count >= 3 * appRate)
    }

    private func isWhole(_ path: String) -> Bool {
        guard let text = try? temporary.read(String(path.dropFirst(temporary.path.count + 1))) else { return false }
        return text.count >= 96 && text.starts(with: "CLVRLEDG".utf8)
    }

    private func freeSlots() throws -> Int {
        let store = try FileLedgerStore(
            state: StateDirectory(path: temporary.path), scope: LedgerScope(service: "law", token: Secret("token")),
            limits: RateLimits(inFlight: slots), onNotice: { _ in })
        var held: [any LedgerSlot] = []
        while let slot = try store.takeSlot(isNewcomer: false) { held.append(slot) }
        for slot in held { slot.release() }
        return held.count
    }
}
