import CloverAPI
import CloverHTTP
import Testing

@Suite("Reading in windows of time")
struct WindowTests {
    private static let day: Int64 = 86_400_000
    private static let now: Int64 = 1_800_000_000_000

    /// A payment every nine days for two years, but for one without any.
    private static let rows = MovingList.rows(160, now: now - 1000, step: 9 * day)
        .filter { !(now - 700 * day..<now - 400 * day).contains($0.time) }

    private func read(
        _ behaviour: MovingList.Behaviour, query: RecordQuery = RecordQuery(), limit: Int? = nil, offset: Int = 0,
        path: String = "payments", retries: Int = 1
    ) async throws -> ReadRun {
        let list = MovingList(Self.rows, behaviour)
        let transport = ScriptedTransport { request, _ in list.answer(request) }
        return try await ReadRun.read(
            transport, path: path, query: query, plan: PagePlan(offset: offset, limit: limit, pageSize: 10),
            now: Self.now, retries: retries)
    }

    private var behaviour: MovingList.Behaviour {
        .init(cutsHistory: true, merchantSince: Self.now - 1500 * Self.day)
    }

    @Test("a list with a 90-day rule is read completely and in order, across a long gap")
    func everything() async throws {
        let run = try await read(behaviour)
        #expect(run.ids == Self.rows.map(\.id))
        #expect(run.summary.isWhole)
        let windows = run.summary.windows.compactMap(\.bounds)
        #expect(windows.count == run.summary.windowCount)
        #expect(windows.first?.to == Self.now)
        #expect((windows.last?.from ?? .max) <= Self.now - 1500 * Self.day)
        #expect(windows.allSatisfy { $0.to - $0.from <= 89 * Self.day })
        for (newer, older) in zip(windows, windows.dropFirst()) { #expect(older.to == newer.from) }
        for url in run.urls where url.contains("/payments") {
            let filters = url.values(of: "filter")
            #expect(filters.count == 2)
            #expect(
                filters.contains { $0.hasPrefix("createdTime>=") } && filters.contains { $0.hasPrefix("createdTime<") })
        }
        #expect(run.summary.windows.map(\.records).reduce(0, +) == Self.rows.count)
        #expect(run.summary.windows.first?.firstID == Self.rows.first?.id)
    }

    @Test("a merchant of unknown age is read back to Clover's beginning")
    func withoutMerchant() async throws {
        var behaviour = behaviour
        behaviour.merchantSince = nil
        let run = try await read(behaviour)
        #expect(run.ids == Self.rows.map(\.id))
        #expect(run.summary.windows.last?.bounds?.from == TimeWindows.beginning)
    }

    @Test("the user's own bounds are the bounds of the windows, whatever the operators")
    func ownBounds() async throws {
        let from = Self.now - 300 * Self.day
        let to = Self.now - 20 * Self.day
        let expected = Self.rows.filter { $0.time >= from && $0.time < to }.map(\.id)
        for (lower, upper) in [(">=\(from)", "<\(to)"), (">\(from - 1)", "<=\(to - 1)")] {
            let query = try ReadRun.filters("createdTime\(lower)", "createdTime\(upper)", "result=SUCCESS")
            let run = try await read(behaviour, query: query)
            #expect(run.ids == expected)
            #expect(run.summary.windowCount == 4)
            #expect(run.summary.windows.first?.bounds?.to == to)
            #expect(run.summary.windows.last?.bounds?.from == from)
            // The merchant's age is not requested, and the other filter is sent with every page.
            #expect(
                run.urls.allSatisfy { $0.contains("/payments?") && $0.values(of: "filter").contains("result=SUCCESS") })
        }
    }

    @Test("an upper bound in the future adds at most two windows, whose records are read")
    func futureBound() async throws {
        let far = [
            MovingList.Row(id: "YEARS", time: Self.now + 4000 * Self.day),
            MovingList.Row(id: "WEEKS", time: Self.now + 30 * Self.day),
            MovingList.Row(id: "HOURS", time: Self.now + Self.day / 4),
        ]
        let from = Self.now - 300 * Self.day
        let rows = far + Self.rows.filter { $0.time >= from }
        for (order, expected) in [("desc", rows), ("asc", rows.reversed())] {
            for bound in [9_999_999_999_999, Int64.max - 1] {
                var query = try ReadRun.filters("createdTime>=\(from)", "createdTime<\(bound)", "result=SUCCESS")
                query.sort = [try SortKey(parsing: "createdTime:\(order)")]
                let list = MovingList(rows, behaviour)
                let transport = ScriptedTransport { request, _ in list.answer(request) }
                let run = try await ReadRun.read(transport, path: "payments", query: query, now: Self.now)
                #expect(run.ids == expected.map(\.id))
                #expect(run.summary.windowCount == 6)
                let windows = run.summary.windows.compactMap(\.bounds).sorted { $0.from < $1.from }
                #expect(windows.first?.from == from)
                #expect(windows.last?.to == bound)
                for (older, newer) in zip(windows, windows.dropFirst()) { #expect(older.to == newer.from) }
            }
        }
    }

    @Test("an upper bound in the future and no lower one: the newest comes with a few requests")
    func futureBoundOnly() async throws {
        let run = try await read(behaviour, query: try ReadRun.filters("createdTime<9999999999999"), limit: 1)
        #expect(run.ids == [Self.rows[0].id])
        #expect(run.urls.count <= 4)
        let all = try await read(behaviour, query: try ReadRun.filters("createdTime<9999999999999"))
        #expect(all.ids == Self.rows.map(\.id))
        let near = try await read(
            behaviour,
            query: try ReadRun.filters("createdTime>=\(Self.now - Self.day)", "createdTime<\(Self.now + Self.day)"))
        #expect(near.summary.windowCount == 1)
    }

    @Test("bounds entirely in the future are requested unchanged")
    func wholeFuture() async throws {
        let from = Self.now + 10 * Self.day
        let query = try ReadRun.filters("createdTime>=\(from)", "createdTime<\(from + Self.day)")
        let run = try await read(behaviour, query: query)
        #expect(run.summary.windows.map(\.bounds) == [TimeWindow(from: from, to: from + Self.day)])
        #expect(run.urls.count == 1)
    }

    @Test("the orders of an employee are read in windows, as all orders are")
    func ordersOfEmployee() async throws {
        let query = try ReadRun.filters("createdTime>=\(Self.now - 700 * Self.day)")
        let run = try await read(behaviour, query: query, path: "employees/E/orders")
        #expect(run.ids == Self.rows.filter { $0.time >= Self.now - 700 * Self.day }.map(\.id))
        #expect((run.summary.windowCount ?? 0) > 5)
    }

    @Test("a limit stops as soon as it is reached, and goes back as far as it must", arguments: [1, 5, 10, 12, 60])
    func limit(_ limit: Int) async throws {
        let run = try await read(behaviour, limit: limit)
        #expect(run.ids == Self.rows.prefix(limit).map(\.id))
        if limit <= 10 { #expect(run.urls.count == 1) }
        let skipped = try await read(behaviour, limit: limit, offset: 7)
        #expect(skipped.ids == Self.rows.dropFirst(7).prefix(limit).map(\.id))
    }

    @Test("windows that fail permanently are named, and the others are delivered")
    func failedWindows() async throws {
        var behaviour = behaviour
        let middle = Self.now - 200 * Self.day
        behaviour.isDown = { $0 <= middle && middle < $1 }
        let run = try await read(behaviour)
        let failed = run.summary.windows.filter { $0.failure != nil }
        #expect(failed.map(\.failure) == ["503 after 1 retry"])
        let bounds = try #require(failed.first?.bounds)
        #expect(run.ids == Self.rows.filter { !(bounds.from..<bounds.to).contains($0.time) }.map(\.id))
        #expect(!run.summary.isWhole)
    }

    @Test("a service that is down ends the run after a few windows")
    func down() async throws {
        var behaviour = behaviour
        behaviour.isDown = { _, _ in true }
        await #expect(throws: ServiceError.self) { try await read(behaviour) }
        behaviour.isDown = { $1 <= Self.now - 100 * Self.day }
        let run = try await read(behaviour)
        #expect(run.summary.windows.count == run.summary.windowCount)
        #expect(run.summary.windows.filter { $0.failure == "not tried" }.count > 5)
    }

    @Test("oldest first reads the windows in reverse order")
    func ascending() async throws {
        var query = RecordQuery()
        query.sort = [try SortKey(parsing: "createdTime:asc")]
        let run = try await read(behaviour, query: query)
        #expect(run.ids == Self.rows.reversed().map(\.id))
    }

    @Test("another order is refused when there are several windows, and kept within one")
    func otherOrder() async throws {
        var query = RecordQuery()
        query.sort = [try SortKey(parsing: "amount:desc")]
        let error = await #expect(throws: QueryError.self) { try await read(behaviour, query: query) }
        #expect(error == .sortAcrossWindows("amount", path: "payments", timeField: "createdTime"))
        query.filters = try ReadRun.filters("createdTime>=\(Self.now - 80 * Self.day)").filters
        let run = try await read(behaviour, query: query)
        #expect(run.summary.windowCount == 1)
    }

    @Test("orders are read in windows only if their filters trigger the rule")
    func ordersWithoutRule() async throws {
        let plain = try await read(.init(), path: "orders")
        #expect(plain.ids == Self.rows.map(\.id))
        #expect(plain.summary.windowCount == nil)
        #expect(plain.urls.allSatisfy { $0.values(of: "filter").isEmpty })
        let filtered = try await read(behaviour, query: try ReadRun.filters("state=open"), path: "orders")
        #expect(filtered.ids == Self.rows.map(\.id))
        #expect((filtered.summary.windowCount ?? 0) > 10)
    }

    @Test("windows share the five requests that may be in flight")
    func sideBySide() async throws {
        let list = MovingList(Self.rows, behaviour)
        let transport = ScriptedTransport { request, _ in list.answer(request) }
        _ = try await ReadRun.read(transport, path: "payments", now: Self.now)
        #expect(transport.peak > 1 && transport.peak <= 5)
        #expect(try await transport.isClosed())
    }
}
