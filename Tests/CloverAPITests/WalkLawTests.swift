import CloverAPI
import CloverHTTP
import CloverJSON
import Foundation
import Synchronization
import Testing

/// The law of a walk by time, for thousands of small lists that seeds draw: a row that is there all the time comes exactly
/// once, and one that changes comes in some version, or is left to the next run.
@Suite("Invariants of reading a list in time order")
struct WalkLawTests {
    private static let start: Int64 = 1_700_000_000_000

    /// More of them by `WALK_SEEDS`; a failure names its own.
    private static let seeds = 1...(ProcessInfo.processInfo.environment["WALK_SEEDS"].flatMap { UInt64($0) } ?? 500)

    struct Sky: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var cuts: [Double]
        var clamps: ClosedRange<Int>?
        var changes: ClosedRange<Int>
    }

    static let skies: [Sky] = [
        Sky(testDescription: "rows come, go and change", cuts: [0], clamps: nil, changes: 1...4),
        Sky(testDescription: "pages are clamped", cuts: [0], clamps: 2...7, changes: 0...3),
        Sky(testDescription: "pages are cut", cuts: [0.2, 0.5, 0.9], clamps: nil, changes: 0...1),
        Sky(testDescription: "everything at once", cuts: [0, 0.3, 0.7], clamps: 1...9, changes: 1...3),
    ]

    /// What one seed draws.
    private struct Draw {
        var service: ChangingService
        var rows: [ChangingService.Row]
        var to: Int64
        var pageSize: Int
        /// Whether the service is one that pages are waited for.
        var isFar: Bool

        init(_ sky: Sky, seed: UInt64) {
            var random = SplitMix(state: seed)
            func one<Value>(_ values: [Value]) -> Value { values.randomElement(using: &random) ?? values[0] }
            // How far apart the rows are: from all of one instant to further than times are rounded.
            let unit: Int64 = one([1, 50, 5000])
            let places = Int64(one([1, 2, 5, 20, 200]))
            let count = Int.random(in: 0...40, using: &random)
            let rows = (0..<count).map { id in
                ChangingService.Row(
                    id: id, time: WalkLawTests.start + Int64.random(in: 0..<places, using: &random) * unit,
                    place: random.next())
            }
            let newest = WalkLawTests.start + places * unit
            // The service's clock is behind, or what changes is later than the end.
            to = newest + one([0, 3 * unit, 1000 * unit])
            self.rows = rows
            pageSize = one([2, 3, 5, 10])
            isFar = one([true, false])
            var weather = ChangingService.Weather()
            weather.changes = Int.random(in: sky.changes, using: &random)
            weather.mostChanges = one([1, 5, 40])
            if let clamps = sky.clamps {
                weather.clamps = (0..<3).map { _ in Int.random(in: clamps, using: &random) }
                weather.changesClamp = Bool.random(using: &random)
            }
            weather.cuts = one(sky.cuts)
            weather.nearness = one([0, 0.5, 0.9])
            weather.delay = one([0, 2, 9])
            weather.backdates = Bool.random(using: &random)
            weather.tick = one([0, 1, unit])
            service = ChangingService(
                rows, span: WalkLawTests.start...newest, clock: newest, weather, seed: random.next())
        }
    }

    private func read(_ draw: Draw) async throws -> (records: [String], isWhole: Bool) {
        var query = try ReadRun.filters("modifiedTime>=\(Self.start)", "modifiedTime<\(draw.to)", now: Self.start)
        query.sort = [try SortKey(parsing: "modifiedTime")]
        var plan = PagePlan(offset: 0, limit: nil, pageSize: draw.pageSize)
        plan.isReadInTimeOrder = true
        plan.slowResponseThreshold = draw.isFar ? .zero : .seconds(3600)
        let path = try ResourcePath(parsing: "orders", identifier: nil, merchantID: "M1", isChecked: true)
        let client = ServiceClient(
            environment: try ServiceEnvironment(parsing: "https://service.invalid"),
            tokens: FixedToken(Secret("T0KEN")), transport: draw.service, ledger: nil, policy: RetryPolicy(),
            sleep: { _ in try Task.checkCancellation() }, onEvent: { _ in })
        let pager = RecordPager(client: client, path: path, query: query, isChecked: true, now: Self.start)
        let records = Mutex<[String]>([])
        let summary = try await withTaskExecutorPreference(OneByOne()) {
            try await pager.run(plan: plan) { batch in
                let lines = batch.records.map { String(decoding: batch.bytes[$0.range], as: UTF8.self) }
                records.withLock { $0 += lines.map { $0.trimmingCharacters(in: .newlines) } }
                return .more
            }
        }
        return (records.withLock { $0 }, summary.isWhole)
    }

    /// What is wrong with a run; empty for nothing.
    private func faults(_ draw: Draw) async throws -> [String] {
        let service = draw.service
        let (records, isWhole) = try await read(draw)
        let delivered = Set(records)
        var faults: [String] = []
        if !isWhole { faults.append("not whole") }
        if delivered.count != records.count { faults.append("a version came twice") }
        let invented = delivered.subtracting(service.versions)
        if !invented.isEmpty { faults.append("never was: \(invented)") }
        let touched = service.touched
        for row in draw.rows where !touched.contains(row.id) && !delivered.contains(ChangingService.version(row)) {
            faults.append("lost: R\(row.id)")
        }
        // Rows that changed are there at the end in one version.
        for row in service.rows where row.id < draw.rows.count && touched.contains(row.id) && row.time < draw.to {
            if !records.contains(where: { $0.hasPrefix("{\"id\":\"R\(row.id)\"") }) {
                faults.append("changed, and in no version: R\(row.id)")
            }
        }
        let bound = 60 + 12 * (draw.rows.count + service.weather.mostChanges)
        if service.requests > bound { faults.append("\(service.requests) requests") }
        return faults
    }

    @Test("no unchanged row is lost or duplicated, and no changed row is lost", arguments: skies)
    func law(_ sky: Sky) async throws {
        for seed in Self.seeds {
            let found = try await faults(Draw(sky, seed: seed))
            #expect(found == [], "seed \(seed) of '\(sky.testDescription)'")
        }
    }

    @Test("a seed gives the same run again")
    func repeats() async throws {
        for seed in UInt64(1)...20 {
            let (one, other) = (Draw(Self.skies[3], seed: seed), Draw(Self.skies[3], seed: seed))
            let (first, second) = (try await read(one), try await read(other))
            #expect(first.records == second.records)
            #expect(one.service.requests == other.service.requests)
        }
    }
}
