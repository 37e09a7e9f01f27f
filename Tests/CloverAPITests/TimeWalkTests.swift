import CloverAPI
import CloverHTTP
import Foundation
import Synchronization
import Testing

@Suite("Reading a list in time order")
struct TimeWalkTests {
    private static let now: Int64 = 1_700_000_000_000

    struct Weather: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var behaviour: MovingList.Behaviour
    }

    static let weathers: [Weather] = [
        Weather(testDescription: "nothing happens", behaviour: .init()),
        Weather(testDescription: "rows arrive", behaviour: .init(inserts: 0...3)),
        Weather(testDescription: "rows go", behaviour: .init(deletes: 0...2)),
        Weather(testDescription: "rows arrive and go", behaviour: .init(inserts: 0...2, deletes: 0...2)),
        Weather(testDescription: "pages are cut short", behaviour: .init(shortPages: 0.3)),
        Weather(testDescription: "pages are clamped", behaviour: .init(inserts: 0...1, deletes: 0...1, clamp: 7)),
    ]

    /// `count` rows, newest first, in groups with the same time.
    private static func rows(_ count: Int, ties: Int) -> [MovingList.Row] {
        (0..<count).map { MovingList.Row(id: "R\($0)", time: now - Int64($0 / ties) * 10) }
    }

    /// Reads what was made up to, and not at, a time, from the oldest on.
    private func read(
        _ transport: ScriptedTransport, to end: Int64, pageSize: Int = 10, provesEnd: Bool = true,
        readsAhead: Bool = true
    ) async throws -> ReadRun {
        var query = try ReadRun.filters("createdTime>=\(Self.now - 86_400_000)", "createdTime<\(end)", now: Self.now)
        query.sort = [try SortKey(parsing: "createdTime")]
        var plan = PagePlan(offset: 0, limit: nil, pageSize: pageSize)
        plan.isReadInTimeOrder = true
        plan.provesEnd = provesEnd
        plan.readsAhead = readsAhead
        return try await ReadRun.read(transport, path: "orders", query: query, plan: plan, now: Self.now)
    }

    @Test(
        "every row that stays is delivered exactly once, however many have the same time", arguments: weathers,
        [1, 3, 10, 25])
    func everyLastingRow(_ weather: Weather, ties: Int) async throws {
        for (count, seed) in [1, 9, 10, 11, 60, 251].flatMap({ count in (1...3).map { (count, $0) } }) {
            let rows = Self.rows(count, ties: ties)
            let list = MovingList(rows, weather.behaviour, seed: UInt64(seed))
            let transport = ScriptedTransport { request, _ in list.answer(request) }
            // What arrives is made later.
            let run = try await read(transport, to: Self.now + 1)
            let lasting = list.lasting(of: rows)
            let delivered = Set(run.ids)
            #expect(delivered.count == run.ids.count, "\(count), seed \(seed): some came twice")
            #expect(lasting.filter { !delivered.contains($0) } == [], "\(count), seed \(seed)")
            #expect(run.summary.isWhole, "\(count), seed \(seed): \(run.summary)")
            #expect(run.urls.count < 60 + 2 * count, "\(count), seed \(seed)")
            #expect(try await transport.isClosed())
        }
    }

    @Test(
        "extreme times cause no overflow: a service that ignores the end of the range is read",
        arguments: [Int64.max, Int64.max - 1, 9_000_000_000_000_000_000])
    func farTimes(_ far: Int64) async throws {
        let rows = Self.rows(30, ties: 1).reversed() + (0..<12).map { MovingList.Row(id: "F\($0)", time: far) }
        let transport = ScriptedTransport { request, _ in
            func number(after name: String) -> Int64? {
                request.url.firstRange(of: name).flatMap {
                    Int64(request.url[$0.upperBound...].prefix { $0.isNumber })
                }
            }
            let from = number(after: "createdTime%3E%3D") ?? 0
            let page = rows.filter { $0.time >= from }.dropFirst(Int(number(after: "offset=") ?? 0))
                .prefix(Int(number(after: "limit=") ?? 10))
            let list = page.map { #"{"id":"\#($0.id)","createdTime":\#($0.time)}"# }.joined(separator: ",")
            return ScriptedTransport.Answer(chunks: [#"{"elements":[\#(list)]}"#])
        }
        let run = try await read(transport, to: Self.now + 1)
        #expect(Set(run.ids).count == run.ids.count)
        #expect(try await transport.isClosed())
    }

    @Test("a row that comes twice on a page, in the place of another, is reported")
    func twins() async throws {
        let rows = Self.rows(35, ties: 1).reversed()
        let transport = ScriptedTransport { request, _ in
            let from = request.url.firstRange(of: "createdTime%3E%3D").flatMap {
                Int64(request.url[$0.upperBound...].prefix { $0.isNumber })
            }
            let offset = Int(request.url.values(of: "offset").first ?? "0") ?? 0
            let limit = Int(request.url.values(of: "limit").first ?? "10") ?? 10
            let page = rows.filter { $0.time >= from ?? 0 }.dropFirst(offset).prefix(limit)
            let list = page.map { row in
                let time = row.id == "R20" ? row.time - 10 : row.time
                return #"{"id":"\#(row.id == "R20" ? "R21" : row.id)","createdTime":\#(time)}"#
            }
            return ScriptedTransport.Answer(chunks: [#"{"elements":[\#(list.joined(separator: ","))]}"#])
        }
        let run = try await read(transport, to: Self.now + 1)
        #expect(Set(run.ids).count == run.ids.count)
        #expect(run.ids.count == 34)
        #expect(run.summary.shortages.map(\.rows) == [35] && run.summary.shortages.allSatisfy(\.isFixed))
        #expect(!run.summary.isWhole)
    }

    @Test("pages that lack rows hide no later rows", arguments: [[9], [10], Array(8...12), Array(5...12), [250]])
    func hiddenRows(_ hidden: [Int]) async throws {
        let rows = Self.rows(251, ties: 1)
        let transport = ScriptedTransport { request, _ in
            let from = request.url.firstRange(of: "createdTime%3E%3D").flatMap {
                Int64(request.url[$0.upperBound...].prefix { $0.isNumber })
            }
            let offset = Int(request.url.values(of: "offset").first ?? "0") ?? 0
            let limit = Int(request.url.values(of: "limit").first ?? "10") ?? 10
            let page = rows.filter { $0.time >= from ?? 0 }.dropFirst(offset).prefix(limit)
            let shown = page.filter { row in !hidden.contains { rows[$0].id == row.id } }
            let list = shown.map { #"{"id":"\#($0.id)","createdTime":\#($0.time)}"# }
            return ScriptedTransport.Answer(chunks: [#"{"elements":[\#(list.joined(separator: ","))]}"#])
        }
        let run = try await read(transport, to: Self.now + 1)
        #expect(Set(run.ids).count == run.ids.count)
        #expect(Set(run.ids) == Set(rows.indices.filter { !hidden.contains($0) }.map { rows[$0].id }))
        #expect(run.summary.isWhole)
    }

    @Test("no page is requested by offset, and few requests are wasted")
    func calls() async throws {
        let list = MovingList(Self.rows(251, ties: 1), .init())
        let transport = ScriptedTransport { request, _ in list.answer(request) }
        let run = try await read(transport, to: Self.now + 1)
        #expect(run.summary.records == 251)
        // The check at the end.
        #expect(run.urls.filter { !$0.values(of: "offset").isEmpty }.count == 1)
        #expect(run.urls.count <= 26 * 3 / 2, "\(run.urls.count)")
    }

    @Test(
        "if no proof of the end is wanted, a page of few rows is the last one",
        arguments: [(1, 1), (49, 1), (100, 2), (120, 2)])
    func unprovedEnd(count: Int, requests: Int) async throws {
        let rows = Self.rows(count, ties: 1)
        let list = MovingList(rows, .init())
        let transport = ScriptedTransport { request, _ in list.answer(request) }
        let run = try await read(transport, to: Self.now + 1, pageSize: 100, provesEnd: false)
        #expect(Set(run.ids) == Set(rows.map(\.id)) && run.ids.count == count)
        #expect(run.urls.count == requests && run.summary.isWhole, "\(run.urls)")
    }

    @Test(
        "if nothing is to be read ahead, each page brings all but one of its rows, and three requests prove the end",
        arguments: [1, 100, 250, 1000])
    func withoutReadingAhead(count: Int) async throws {
        let rows = Self.rows(count, ties: 1)
        let list = MovingList(rows, .init())
        let transport = ScriptedTransport { request, _ in list.answer(request) }
        // Nothing came since.
        let run = try await read(transport, to: Self.now + 3_600_000, pageSize: 100, readsAhead: false)
        #expect(Set(run.ids) == Set(rows.map(\.id)) && run.ids.count == count)
        #expect(run.urls.count <= (count - 1) / 99 + 3 && run.summary.isWhole, "\(run.urls)")
    }

    @Test("rows that arrive within the range end the run, or are reported with a hint")
    func arrivals() async throws {
        for inserts in [0...1, 1...1, 1...2] {
            let rows = Self.rows(120, ties: 1)
            let list = MovingList(rows, .init(inserts: inserts, deletes: 0...1), seed: 3)
            let transport = ScriptedTransport { request, _ in list.answer(request) }
            let run = try await read(transport, to: Self.now + 10_000_000, pageSize: 100)
            let delivered = Set(run.ids)
            #expect(delivered.count == run.ids.count)
            #expect(list.lasting(of: rows).filter { !delivered.contains($0) } == [])
            let failures = run.summary.windows.compactMap(\.failure)
            #expect(failures.allSatisfy { $0.contains("clock") }, "\(failures)")
            if inserts.lowerBound == 0 { #expect(failures == []) }
            #expect(run.urls.count < 600)
        }
    }

    @Test("if the service does not sort, the list is read completely by offset")
    func unsorted() async throws {
        for count in [1, 10, 11, 95] {
            let rows = Self.rows(count, ties: 2)
            let list = MovingList(rows, .init())
            let transport = ScriptedTransport { request, _ in
                var request = request
                request.url = request.url.replacing("orderBy=createdTime%20ASC&", with: "")
                return list.answer(request)
            }
            let run = try await read(transport, to: Self.now + 1)
            #expect(run.ids == rows.map(\.id))
            #expect(run.summary.isWhole)
        }
    }

    @Test("a service that stops sorting midway is reported as incomplete")
    func lostOrder() async throws {
        let list = MovingList(Self.rows(95, ties: 1), .init())
        let count = Mutex(0)
        let transport = ScriptedTransport { request, _ in
            let number = count.withLock { count in
                count += 1
                return count
            }
            var request = request
            if number > 3 { request.url = request.url.replacing("orderBy=createdTime%20ASC&", with: "") }
            return list.answer(request)
        }
        let run = try await read(transport, to: Self.now + 1)
        #expect(!run.summary.isWhole)
        #expect(run.summary.windows.compactMap(\.failure) == ["the service stopped sorting by createdTime"])
    }

    @Test("only a record that changes within the range is delivered again, in its new version")
    func changes() async throws {
        let count = Mutex(0)
        let transport = ScriptedTransport { request, _ in
            let number = count.withLock { count in
                count += 1
                return count
            }
            var from: Int64 = 0
            for filter in request.url.values(of: "filter") where filter.hasPrefix("modifiedTime>=") {
                from = Int64(filter.dropFirst(14)) ?? 0
            }
            let rows = (0..<40).map { place in
                (id: place, time: Self.now + (place == 3 && number > 2 ? 395 : Int64(place) * 10))
            }
            let found = rows.filter { $0.time >= from }.sorted { $0.time < $1.time }
            let offset = Int(request.url.values(of: "offset").first ?? "0") ?? 0
            let limit = Int(request.url.values(of: "limit").first ?? "0") ?? 0
            let page = found.dropFirst(offset).prefix(limit).map { row in
                "{\"id\":\"R\(row.id)\",\"modifiedTime\":\(row.time)}"
            }
            return .init(chunks: ["{\"elements\":[\(page.joined(separator: ","))]}"])
        }
        var query = try ReadRun.filters("modifiedTime>=\(Self.now)", "modifiedTime<\(Self.now + 1000)", now: Self.now)
        query.sort = [try SortKey(parsing: "modifiedTime")]
        var plan = PagePlan(offset: 0, limit: nil, pageSize: 10)
        plan.isReadInTimeOrder = true
        let run = try await ReadRun.read(transport, path: "orders", query: query, plan: plan, now: Self.now)
        #expect(run.summary.isWhole)
        #expect(run.ids == (0..<40).map { "R\($0)" } + ["R3"])
        #expect(run.records.last == "{\"id\":\"R3\",\"modifiedTime\":\(Self.now + 395)}")
    }
}
