import CloverAPI
import CloverHTTP
import Testing

@Suite("Pages shorter than requested")
struct ShortPageTests {
    private func read(
        _ count: Int, _ behaviour: MovingList.Behaviour, plan: PagePlan, seed: UInt64 = 1
    ) async throws -> ReadRun {
        let list = MovingList(MovingList.rows(count), behaviour, seed: seed)
        let transport = ScriptedTransport { request, _ in list.answer(request) }
        return try await ReadRun.read(transport, plan: plan)
    }

    @Test("the end of a one-page list costs one request, and none if it was not reached")
    func costOfTheEnd() async throws {
        let all = try await read(20, .init(), plan: PagePlan(offset: 0, limit: nil, pageSize: 1000))
        #expect(all.ids.count == 20)
        #expect(all.urls.map { $0.values(of: "limit").first } == ["1000", "1000"])
        let some = try await read(20, .init(), plan: PagePlan(offset: 0, limit: 100, pageSize: 1000))
        #expect(some.urls.map { $0.values(of: "limit").first } == ["100", "1000"])
        let satisfied = try await read(20, .init(), plan: PagePlan(offset: 0, limit: 20, pageSize: 1000))
        #expect(satisfied.urls.count == 1)
        let empty = try await read(0, .init(), plan: PagePlan(offset: 0, limit: nil, pageSize: 1000))
        #expect(empty.urls.count == 1)
    }

    /// Places that a service leaves out of its pages after it applied offset and limit, of 2500.
    private static let hiddenPlaces: [[Int]] = [
        [999], [1000], [999, 1000], Array(998...1002), Array(500...1400), Array(0..<900), [2499], Array(1400..<2500),
        Array(stride(from: 1, to: 2500, by: 2)), Array(stride(from: 3, to: 2500, by: 10)),
    ]

    @Test("pages that lack rows in their middle or at their end hide no later rows", arguments: hiddenPlaces)
    func hiddenRows(_ hidden: [Int]) async throws {
        let rows = MovingList.rows(2500)
        let left = Set(hidden)
        let transport = ScriptedTransport { request, _ in
            let offset = Int(request.url.values(of: "offset").first ?? "0") ?? 0
            let limit = Int(request.url.values(of: "limit").first ?? "100") ?? 100
            let page = rows.indices.dropFirst(offset).prefix(limit).filter { !left.contains($0) }.map { rows[$0] }
            let records = page.map { #"{"id":"\#($0.id)","createdTime":\#($0.time)}"# }
            return ScriptedTransport.Answer(chunks: [#"{"elements":[\#(records.joined(separator: ","))]}"#])
        }
        let run = try await ReadRun.read(transport, plan: PagePlan(offset: 0, limit: nil, pageSize: 1000))
        let expected = rows.indices.filter { !left.contains($0) }.map { rows[$0].id }
        // With every other row left out, pages look capped, and are asked for in ever smaller sizes.
        #expect(run.summary.isWhole || hidden.count > 1000)
        #expect(run.ids == expected || !run.summary.isWhole)
    }

    @Test("a service with a smaller page cap is read to the end", arguments: [1, 2, 3, 7, 10, 99])
    func clamp(_ clamp: Int) async throws {
        for count in [0, 1, 2, 9, 50, 101] {
            let run = try await read(
                count, .init(clamp: clamp), plan: PagePlan(offset: 0, limit: nil, pageSize: 100))
            #expect(run.ids == MovingList.rows(count).map(\.id))
            #expect(run.summary.isWhole)
        }
        let limited = try await read(50, .init(clamp: clamp), plan: PagePlan(offset: 4, limit: 30, pageSize: 100))
        #expect(limited.ids == MovingList.rows(50)[4..<34].map(\.id))
    }

    @Test("once the page cap is known, no page is requested twice")
    func clampIsLearned() async throws {
        let run = try await read(100, .init(clamp: 10), plan: PagePlan(offset: 0, limit: nil, pageSize: 100))
        #expect(run.ids.count == 100)
        // 11 pages that overlap, one that found the clamp, and what was asked ahead of the end.
        #expect(run.urls.count <= 20)
    }

    @Test("a limit is respected whatever the pages contain")
    func limits() async throws {
        for seed in 1...20 {
            for limit in [1, 2, 10, 11, 25, 40, 60] {
                let run = try await read(
                    50, .init(shortPages: 0.4), plan: PagePlan(offset: 0, limit: limit, pageSize: 10),
                    seed: UInt64(seed))
                #expect(run.ids == MovingList.rows(50).prefix(limit).map(\.id))
                #expect(run.summary.mayHaveMore == (limit <= 50))
            }
        }
    }
}
