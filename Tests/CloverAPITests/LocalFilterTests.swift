import CloverAPI
import CloverCalendar
import CloverHTTP
import Synchronization
import Testing

@Suite("filters that only the tool applies")
struct LocalFilterTests {
    /// The time of R0, the newest row.
    private static let newest: Int64 = 1_700_000_000_000

    /// A list at a service that filters by nothing.
    private final class FakeList: Sendable {
        struct Row: Sendable {
            var id: String
            /// Nil: the record lacks it.
            var time: Int64?

            var json: String { "{\"id\":\"\(id)\"" + (time.map { ",\"createdTime\":\($0)" } ?? "") + "}" }
        }

        private let state: Mutex<(rows: [Row], requests: Int)>
        private let sorts: Bool
        private let change: @Sendable (_ rows: inout [Row], _ request: Int) -> Void

        /// - Parameters:
        ///   - sorts: whether the service knows `orderBy`; otherwise it returns the rows as they are.
        ///   - change: changes the rows before each request, which are counted from 1.
        init(_ rows: [Row], sorts: Bool = true, change: @escaping @Sendable (inout [Row], Int) -> Void = { _, _ in }) {
            state = Mutex((rows, 0))
            self.sorts = sorts
            self.change = change
        }

        /// `count` rows, R0 first, each `step` milliseconds older than the one before.
        convenience init(
            _ count: Int, step: Int64 = 10_000, sorts: Bool = true,
            change: @escaping @Sendable (inout [Row], Int) -> Void = { _, _ in }
        ) {
            self.init(Self.rows(count, step: step), sorts: sorts, change: change)
        }

        static func rows(_ count: Int, step: Int64 = 10_000) -> [Row] {
            (0..<count).map { Row(id: "R\($0)", time: newest - Int64($0) * step) }
        }

        var transport: ScriptedTransport { ScriptedTransport { [self] request, _ in answer(request.url) } }

        private func answer(_ url: String) -> ScriptedTransport.Answer {
            func number(_ name: String) -> Int? { url.values(of: name).first.flatMap { Int($0) } }
            let found = state.withLock { state in
                state.requests += 1
                change(&state.rows, state.requests)
                return state.rows
            }
            let order = sorts ? url.values(of: "orderBy").first : nil
            let sorted =
                switch order {
                case "createdTime DESC": found.sorted { $0.time ?? .min > $1.time ?? .min }
                case "createdTime ASC": found.sorted { $0.time ?? .min < $1.time ?? .min }
                default: found
                }
            let page = sorted.dropFirst(number("offset") ?? 0).prefix(number("limit") ?? 100)
            return .init(chunks: ["{\"elements\":[\(page.map(\.json).joined(separator: ","))]}"])
        }
    }

    private static func read(
        _ list: FakeList, _ filters: String..., path: String = "refunds", sort: String? = nil, limit: Int? = nil,
        offset: Int = 0
    ) async throws -> ReadRun {
        let query = try query(filters, path: path, sort: sort)
        return try await ReadRun.read(
            list.transport, path: path, query: query, plan: PagePlan(offset: offset, limit: limit, pageSize: 10))
    }

    private static func query(_ filters: [String], path: String, sort: String? = nil) throws -> RecordQuery {
        var query = RecordQuery()
        query.filters = try filters.map {
            try FilterExpression(parsing: $0, times: TimeExpression.Context(now: 0, zone: .utc))
        }
        if let sort { query.sort = [try SortKey(parsing: sort)] }
        let resolved = try ResourcePath(parsing: path, identifier: nil, merchantID: "M1", isChecked: true)
        query.separateLocalFilters(of: resolved)
        try QueryValidator.check(query, of: resolved)
        return query
    }

    private static func ids(_ range: Range<Int>) -> [String] { range.map { "R\($0)" } }

    /// The filter for the first `count` rows, ten seconds apart.
    private static func first(_ count: Int) -> String { "createdTime>=\(newest - Int64(count - 1) * 10_000)" }

    struct Operator: Sendable, CustomTestStringConvertible {
        let filters: [String]
        let expected: Range<Int>
        var testDescription: String { filters.joined(separator: ", ") }
    }

    static let operators = [
        Operator(filters: ["createdTime>=\(newest - 10)"], expected: 0..<11),
        Operator(filters: ["createdTime>\(newest - 10)"], expected: 0..<10),
        Operator(filters: ["createdTime<\(newest - 10)"], expected: 11..<41),
        Operator(filters: ["createdTime<=\(newest - 10)"], expected: 10..<41),
        Operator(filters: ["createdTime=\(newest - 10)"], expected: 10..<11),
        Operator(filters: ["createdTime>=\(newest - 20)", "createdTime<\(newest - 10)"], expected: 11..<21),
        Operator(filters: ["createdTime in (\(newest - 10),\(newest - 9))"], expected: 9..<11),
        Operator(filters: ["createdTime is not null"], expected: 0..<41),
    ]

    @Test("every operator selects to the millisecond, and no filter is sent", arguments: operators)
    func exactSelection(_ row: Operator) async throws {
        let query = try Self.query(row.filters, path: "refunds")
        let run = try await ReadRun.read(FakeList(41, step: 1).transport, path: "refunds", query: query)
        #expect(run.ids == Self.ids(row.expected))
        #expect(run.summary.records == row.expected.count)
        #expect(run.summary.recordsRead == 41)
        #expect(run.urls.allSatisfy { $0.values(of: "filter").isEmpty })
    }

    @Test("an inequality leaves out the one record")
    func inequality() async throws {
        let run = try await Self.read(FakeList(5, step: 1), "createdTime!=\(Self.newest - 2)")
        #expect(run.ids == ["R0", "R1", "R3", "R4"])
    }

    @Test("reading a list that the service sorts ends on the page that passes the bound")
    func endsEarly() async throws {
        let run = try await Self.read(FakeList(100), Self.first(5))
        #expect(run.ids == Self.ids(0..<5))
        #expect(run.summary.endedEarlyBy == "createdTime")
        #expect(run.summary.recordsRead == 10)
        #expect(!run.summary.mayHaveMore)
        #expect(run.urls.map { $0.values(of: "orderBy") } == [["createdTime DESC"], ["createdTime ASC"]])
        #expect(run.urls.last?.values(of: "limit") == ["1"])
    }

    @Test("a range in the middle of the list is read to its older end", arguments: [19, 20, 35])
    func middle(last: Int) async throws {
        let run = try await Self.read(
            FakeList(200), Self.first(last + 1), "createdTime<\(Self.newest - 100_000)")
        #expect(run.ids == Self.ids(11..<last + 1))
        #expect(run.summary.endedEarlyBy == "createdTime")
        #expect(run.summary.recordsRead < 100)
    }

    @Test("with the oldest first, the upper bound ends the reading")
    func ascending() async throws {
        let run = try await Self.read(
            FakeList(100), "createdTime<\(Self.newest - 95 * 10_000)", sort: "createdTime:asc")
        #expect(run.ids == ["R99", "R98", "R97", "R96"])
        #expect(run.summary.endedEarlyBy == "createdTime")
        #expect(run.summary.recordsRead == 10)
    }

    @Test("a time in seconds is not compared, and is counted as missing")
    func seconds() async throws {
        var rows = FakeList.rows(5)
        rows[3].time = Self.newest / 1000
        let run = try await Self.read(FakeList(rows, sorts: false), "createdTime>=1000000000000")
        #expect(run.ids == ["R0", "R1", "R2", "R4"])
        #expect(run.summary.recordsWithoutTime == 1)
    }

    @Test("a service that ignores the sort field proves nothing by a sorted page: a late match is found")
    func sortedByChance() async throws {
        var rows = FakeList.rows(100)
        rows[95].time = Self.newest - 1
        let run = try await Self.read(FakeList(rows, sorts: false), Self.first(5))
        #expect(run.ids == Self.ids(0..<5) + ["R95"])
        #expect(run.summary.endedEarlyBy == nil)
        #expect(run.summary.recordsRead == 100)
    }

    @Test("a record out of order before the bound is passed is found, and the list is read to its end")
    func nearlySorted() async throws {
        var rows = FakeList.rows(100)
        rows.swapAt(3, 7)
        rows[60].time = Self.newest
        // The service sorts for the check alone: the pages themselves show that they are not sorted.
        let list = FakeList(rows, sorts: false)
        let run = try await Self.read(list, Self.first(5))
        #expect(run.ids == ["R0", "R1", "R2", "R4", "R3", "R60"])
        #expect(run.summary.endedEarlyBy == nil)
        #expect(run.urls.allSatisfy { $0.values(of: "orderBy") == ["createdTime DESC"] })
    }

    @Test("an unsorted list is read completely", arguments: 1...5)
    func unsorted(seed: UInt64) async throws {
        var random = SplitMix(state: seed)
        let rows = FakeList.rows(95).shuffled(using: &random)
        let run = try await Self.read(FakeList(rows, sorts: false), Self.first(40))
        #expect(Set(run.ids) == Set(Self.ids(0..<40)))
        #expect(run.ids.count == 40)
        #expect(run.summary.endedEarlyBy == nil)
    }

    @Test("sorted by another field, the list is read completely")
    func otherSort() async throws {
        let run = try await Self.read(FakeList(35), Self.first(5), sort: "amount")
        #expect(run.ids == Self.ids(0..<5))
        #expect(run.summary.endedEarlyBy == nil)
        #expect(run.summary.recordsRead == 35)
    }

    @Test("rows that are added while reading cost no record and bring none twice", arguments: [1, 3])
    func added(count: Int) async throws {
        let list = FakeList(200) { rows, request in
            let new = (0..<count).map {
                FakeList.Row(id: "N\(request).\($0)", time: Self.newest + Int64(request * 100 + $0))
            }
            rows.insert(contentsOf: new, at: 0)
        }
        let run = try await Self.read(list, Self.first(45))
        let old = run.ids.filter { $0.hasPrefix("R") }
        #expect(old == Self.ids(0..<45))
        #expect(Set(run.ids).count == run.ids.count)
        #expect(run.summary.isWhole)
    }

    @Test("rows that are removed while reading cost no other record")
    func removed() async throws {
        let list = FakeList(200) { rows, request in if [2, 4].contains(request) { rows.removeFirst(2) } }
        let run = try await Self.read(list, Self.first(45))
        #expect(run.ids == Self.ids(0..<45))
        #expect(run.summary.isWhole)
    }

    @Test("a limit and an offset count the records that match")
    func limit() async throws {
        let bound = "createdTime<\(Self.newest - 145_000)"
        let run = try await Self.read(FakeList(100), bound, limit: 7, offset: 2)
        #expect(run.ids == Self.ids(17..<24))
        #expect(run.summary.mayHaveMore)
        let few = try await Self.read(FakeList(100), Self.first(5), limit: 7)
        #expect(few.ids == Self.ids(0..<5))
        #expect(!few.summary.mayHaveMore)
    }

    @Test("records without the time do not match, are counted, and prove no order")
    func withoutTime() async throws {
        var rows = FakeList.rows(40)
        rows[2].time = nil
        rows[30].time = nil
        let run = try await Self.read(FakeList(rows, sorts: false), Self.first(5))
        #expect(run.ids == ["R0", "R1", "R3", "R4"])
        #expect(run.summary.recordsWithoutTime == 2)
        #expect(run.summary.endedEarlyBy == nil)
    }

    @Test("the service keeps the filters that it knows")
    func serviceFilters() async throws {
        let run = try await Self.read(FakeList(100), "employee.id=E1", Self.first(5), path: "credits")
        #expect(run.ids == Self.ids(0..<5))
        #expect(run.urls.count == 2)
        #expect(run.urls.allSatisfy { $0.values(of: "filter") == ["employee.id=E1"] })
        let orders = try Self.query([Self.first(5)], path: "orders")
        #expect(orders.localFilters.isEmpty)
        #expect(orders.filters.count == 1)
    }

    @Test(
        "a field that the records do not have, and one that is no time, is left to the check of names",
        arguments: ["creatdTime>=\(newest)", "voidReasonTime>=\(newest)", "createdTimes=1", "tipAmount>=1"])
    func otherFields(filter: String) throws {
        #expect(throws: QueryError.self) { try Self.query([filter], path: "credits") }
    }

    @Test("a reversed range is refused, as for the service")
    func reversed() throws {
        #expect(throws: QueryError.self) {
            try Self.query(["createdTime>=\(Self.newest)", "createdTime<\(Self.newest - 1)"], path: "refunds")
        }
    }
}
