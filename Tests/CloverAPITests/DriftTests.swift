import CloverAPI
import CloverHTTP
import Synchronization
import Testing

@Suite("Completeness while rows come and go")
struct DriftTests {
    struct Weather: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var behaviour: MovingList.Behaviour
    }

    static let weathers: [Weather] = [
        Weather(testDescription: "rows arrive", behaviour: .init(inserts: 0...3)),
        Weather(testDescription: "rows go", behaviour: .init(deletes: 0...2)),
        Weather(testDescription: "rows arrive and go", behaviour: .init(inserts: 0...2, deletes: 0...2)),
        Weather(testDescription: "pages are cut short", behaviour: .init(shortPages: 0.3)),
        Weather(
            testDescription: "rows arrive, pages are cut short", behaviour: .init(inserts: 0...1, shortPages: 0.2)),
        Weather(testDescription: "rows arrive, pages are clamped", behaviour: .init(inserts: 0...1, clamp: 8)),
    ]

    @Test("every row that stays is delivered exactly once", arguments: weathers, [1, 10, 11, 60, 251])
    func everyLastingRow(_ weather: Weather, count: Int) async throws {
        var incomplete = 0
        for seed in 1...12 {
            let rows = MovingList.rows(count)
            let list = MovingList(rows, weather.behaviour, seed: UInt64(seed))
            let transport = ScriptedTransport { request, _ in list.answer(request) }
            let run = try await ReadRun.read(transport)
            let lasting = list.lasting(of: rows)
            let delivered = Set(run.ids)
            #expect(delivered.count == run.ids.count, "seed \(seed): some came twice")
            #expect(lasting.filter { !delivered.contains($0) } == [], "seed \(seed)")
            #expect(run.ids.filter { lasting.contains($0) } == lasting, "seed \(seed): out of order")
            if !run.summary.isWhole { incomplete += 1 }
            #expect(try await transport.isClosed())
        }
        // About one list in 150 whose pages are cut while rows arrive is called incomplete although it is not.
        #expect(incomplete <= 1)
    }

    @Test("in the worst conditions nothing is lost silently", arguments: 1...40)
    func storm(_ seed: Int) async throws {
        let rows = MovingList.rows(300)
        let list = MovingList(
            rows, .init(inserts: 0...3, deletes: 0...4), seed: UInt64(seed))
        let transport = ScriptedTransport { request, _ in list.answer(request) }
        let run = try await ReadRun.read(transport)
        let delivered = Set(run.ids)
        #expect(delivered.count == run.ids.count)
        if run.summary.isWhole { #expect(list.lasting(of: rows).filter { !delivered.contains($0) } == []) }
        #expect(run.urls.count < 1000)
    }

    @Test("rows that change faster than pages are read make the run incomplete, with the place reported")
    func tooFast() async throws {
        // No page ever begins with anything that was there before.
        let pages = Mutex(0)
        let transport = ScriptedTransport { request, _ in
            let page = pages.withLock { pages in
                pages += 1
                return pages
            }
            let offset = Int(request.url.values(of: "offset").first ?? "0") ?? 0
            let limit = Int(request.url.values(of: "limit").first ?? "0") ?? 0
            let ids = (0..<max(0, min(limit, 40 - offset))).map { "{\"id\":\"\(page).\($0)\"}" }
            return .init(chunks: ["{\"elements\":[\(ids.joined(separator: ","))]}"])
        }
        let run = try await ReadRun.read(transport, plan: PagePlan(offset: 3, limit: 35, pageSize: 10))
        #expect(!run.summary.isWhole)
        #expect(!run.summary.gapsNear.isEmpty)
    }

    /// Rows arrive at the end of the list, one at each request, so that behind the last one there is always another.
    private func readOldestFirst(_ behaviour: MovingList.Behaviour, now: Int64, seed: UInt64 = 1) async throws
        -> (run: ReadRun, lasting: [String])
    {
        let rows = MovingList.rows(350)
        let list = MovingList(rows, behaviour, seed: seed)
        let requests = Mutex(0)
        let transport = ScriptedTransport { request, _ in
            // Ends a run that would not end.
            let count = requests.withLock { count in
                count += 1
                return count
            }
            return count > 2000 ? .init(status: 404) : list.answer(request)
        }
        var query = RecordQuery()
        query.sort = [try SortKey(parsing: "createdTime")]
        let run = try await ReadRun.read(
            transport, path: "orders", query: query, plan: PagePlan(offset: 0, limit: nil, pageSize: 100), now: now)
        return (run, list.lasting(of: rows).reversed())
    }

    @Test("a list that keeps growing ends with rows created after the start")
    func arrivalsAtTheEnd() async throws {
        // The newest row is made at the instant 1 000 000.
        for behaviour in [MovingList.Behaviour(inserts: 1...1), .init(inserts: 1...1, deletes: 0...1)] {
            let (run, lasting) = try await readOldestFirst(behaviour, now: 1_000_000)
            #expect(run.summary.isWhole)
            #expect(run.ids.filter { lasting.contains($0) } == lasting)
            #expect(Set(run.ids).count == run.ids.count)
            #expect(run.urls.count < 60)
        }
    }

    @Test("a run ends and reports moved rows even if times do not show that rows arrived")
    func endlessArrivals() async throws {
        for behaviour in [MovingList.Behaviour(inserts: 1...1), .init(inserts: 1...2, deletes: 0...1)] {
            let (run, lasting) = try await readOldestFirst(behaviour, now: 9_000_000)
            #expect(!run.summary.gapsNear.isEmpty)
            #expect(run.ids.filter { lasting.contains($0) } == lasting)
            #expect(run.urls.count < 1500)
        }
    }

    @Test("small pages are accepted for a list of any length")
    func fewRowsAPage() async throws {
        let rows = MovingList.rows(3000)
        let list = MovingList(rows, .init(clamp: 10))
        let transport = ScriptedTransport { request, _ in list.answer(request) }
        let run = try await ReadRun.read(transport, plan: PagePlan(offset: 0, limit: nil, pageSize: 1000))
        #expect(run.summary.isWhole)
        #expect(run.ids == rows.map(\.id))
    }

    @Test("a list returned in full for any offset is delivered once", arguments: [1, 3, 9])
    func onePiece(_ count: Int) async throws {
        let rows = MovingList.rows(count)
        let transport = ScriptedTransport { _, _ in
            .init(chunks: ["{\"elements\":[\(rows.map(\.json).joined(separator: ","))]}"])
        }
        let run = try await ReadRun.read(transport)
        #expect(run.ids == rows.map(\.id))
        #expect(run.summary.isWhole)
        #expect(run.urls.count <= 4)
    }

    @Test("a service that repeats the same full page ends the run as incomplete")
    func samePage() async throws {
        let rows = MovingList.rows(10)
        let transport = ScriptedTransport { _, _ in
            .init(chunks: ["{\"elements\":[\(rows.map(\.json).joined(separator: ","))]}"])
        }
        let run = try await ReadRun.read(transport)
        #expect(run.ids == rows.map(\.id))
        #expect(!run.summary.isWhole)
        #expect(run.urls.count <= 24)
    }

    /// A list whose pages are spoiled by `spoil`, which gets the offset, the page and the rows of the whole list.
    private static func list(
        _ rows: [String], _ spoil: @escaping @Sendable (Int, [String], [String]) -> [String]
    ) -> ScriptedTransport {
        ScriptedTransport { request, _ in
            let offset = Int(request.url.values(of: "offset").first ?? "0") ?? 0
            let limit = Int(request.url.values(of: "limit").first ?? "0") ?? 0
            let page = spoil(offset, Array(rows.dropFirst(offset).prefix(limit)), rows)
            return .init(
                chunks: ["{\"elements\":[\(page.map { "{\"id\":\"\($0)\"}" }.joined(separator: ","))]}"])
        }
    }

    @Test("rows that come again in the place of others are collected by reading the list again")
    func changingOrder() async throws {
        let rows = (0..<60).map { "R\($0)" }
        let transport = Self.list(rows) { offset, page, rows in
            guard offset > 0, page.count > 5 else { return page }
            return Array(page[..<3] + rows[..<2] + page[5...])
        }
        let run = try await ReadRun.read(transport)
        #expect(run.ids.sorted() == rows.sorted())
        #expect(run.summary.isWhole, "\(run.summary)")
        #expect(try await transport.isClosed())
    }

    @Test("a row that always comes in the place of another makes the run incomplete, with the numbers")
    func lostForGood() async throws {
        let rows = (0..<60).map { "R\($0)" }
        let transport = Self.list(rows) { _, page, _ in page.map { $0 == "R3" ? "R2" : $0 } }
        let run = try await ReadRun.read(transport)
        #expect(run.ids == rows.filter { $0 != "R3" })
        #expect(!run.summary.isWhole)
        let shortage = try #require(run.summary.shortages.first)
        #expect(shortage.rows == 60)
        #expect(shortage.records == 59)
        #expect(shortage.readings > 1)
        #expect(run.urls.count < 100)
    }

    @Test("in a list too long to recognize each row, a changing order is reported without reading it again")
    func changingOrderOfLongList() async throws {
        let rows = (0..<20_000).map { "R\($0)" }
        let transport = Self.list(rows) { _, page, _ in page.map { $0 == "R17003" ? "R16002" : $0 } }
        let run = try await ReadRun.read(transport, plan: PagePlan(offset: 0, limit: nil, pageSize: 1000))
        #expect(run.ids == rows.filter { $0 != "R17003" })
        #expect(run.summary.shortages.map(\.readings) == [1])
    }

    @Test("a list that is read again, and then does not end, is incomplete, and its rows are not compared without end")
    func endlessSecondReading() async throws {
        let rows = (0..<60).map { "R\($0)" }
        let isReadAgain = Mutex(false)
        let transport = ScriptedTransport { request, _ in
            let offset = Int(request.url.values(of: "offset").first ?? "0") ?? 0
            let limit = Int(request.url.values(of: "limit").first ?? "0") ?? 0
            // Another reading has pages of another size.
            let isAgain = isReadAgain.withLock { isReadAgain in
                isReadAgain = isReadAgain || offset == 0 && limit == 8
                return isReadAgain
            }
            let page =
                isAgain
                ? (offset..<offset + 30_000).map { "N\($0)" }
                : rows.dropFirst(offset).prefix(limit).map { $0 == "R3" ? "R2" : $0 }
            let records = page.map { "{\"id\":\"\($0)\"}" }
            let pieces = stride(from: 0, to: records.count, by: 500).map {
                records[$0..<min($0 + 500, records.count)].joined(separator: ",")
            }
            return .init(
                chunks: ["{\"elements\":[" + (pieces.first ?? "")] + pieces.dropFirst().map { "," + $0 } + ["]}"])
        }
        let run = try await ReadRun.read(transport)
        #expect(run.ids.count < 20_000)
        #expect(!run.summary.isWhole)
        #expect(run.summary.windows.last?.failure?.contains("than can be compared") == true, "\(run.summary)")
        #expect(run.urls.count < 100)
    }

    @Test("a row that moves to the end while the list is read needs no second reading")
    func movedRow() async throws {
        let rows = (0..<45).map { "R\($0)" }
        let moved = rows.filter { $0 != "R5" } + ["R5"]
        let transport = ScriptedTransport { request, _ in
            let offset = Int(request.url.values(of: "offset").first ?? "0") ?? 0
            let limit = Int(request.url.values(of: "limit").first ?? "0") ?? 0
            let page = (offset == 0 ? rows : moved).dropFirst(offset).prefix(limit)
            return .init(
                chunks: ["{\"elements\":[\(page.map { "{\"id\":\"\($0)\"}" }.joined(separator: ","))]}"])
        }
        let run = try await ReadRun.read(transport)
        #expect(run.ids == rows)
        #expect(run.summary.isWhole, "\(run.summary)")
        #expect(transport.urls.count { !$0.contains("offset") } == 1, "\(transport.urls)")
    }

    @Test("a limit that is reached needs no second reading")
    func changingOrderWithinLimit() async throws {
        let rows = (0..<60).map { "R\($0)" }
        let transport = Self.list(rows) { _, page, _ in page.map { $0 == "R3" ? "R2" : $0 } }
        let run = try await ReadRun.read(transport, plan: PagePlan(offset: 0, limit: 25, pageSize: 10))
        #expect(run.ids.count == 25)
        #expect(run.urls.count <= 4)
    }

    @Test("a list of rows without ids is read once in full, and repeats are recognized by their position")
    func nameless() async throws {
        let rows = (0..<35).map { "{\"n\":\($0 / 2)}" }
        let transport = ScriptedTransport { request, _ in
            let offset = Int(request.url.values(of: "offset").first ?? "0") ?? 0
            let limit = Int(request.url.values(of: "limit").first ?? "0") ?? 0
            return .init(
                chunks: ["{\"elements\":[\(rows.dropFirst(offset).prefix(limit).joined(separator: ","))]}"])
        }
        let run = try await ReadRun.read(transport)
        #expect(run.records == rows)
        #expect(run.summary.isWhole)
    }
}
