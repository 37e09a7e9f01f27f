import CloverAPI
import CloverCalendar
import CloverJSON
import Testing

@Suite("Queries")
struct RecordQueryTests {
    private static let times = TimeExpression.Context(now: 0, zone: .utc)

    @Test("filters, expansions, order, parameters and page become one query, in this order")
    func encodes() throws {
        var query = RecordQuery()
        query.parameters = [try RecordQuery.Parameter(parsing: "a b=c&d=e")]
        query.sort = [try SortKey(parsing: "total:desc"), try SortKey(parsing: "id")]
        query.expand = ["lineItems.discounts", "customers"]
        query.filters = [
            try FilterExpression(parsing: "total>5", times: Self.times),
            try FilterExpression(parsing: "total<9", times: Self.times),
        ]
        let page = RecordQuery.Page(offset: 20, limit: 1000)
        #expect(
            query.encoded(page: page)
                == "filter=total%3E5&filter=total%3C9&expand=lineItems.discounts,customers"
                + "&orderBy=total%20DESC,id%20ASC&a%20b=c%26d%3De&limit=1000&offset=20")
        #expect(RecordQuery().encoded(page: nil) == "")
    }

    @Test("a malformed sort is refused", arguments: ["", ":desc", "total:down", "total:asc:x", "to tal"])
    func refusesSorts(text: String) {
        #expect(throws: QueryError.malformedSort(text)) { try SortKey(parsing: text) }
    }

    @Test("parameters without a name, with an option of their own, or that hold a token are refused")
    func refusesParameters() {
        #expect(throws: QueryError.malformedParameter("x")) { try RecordQuery.Parameter(parsing: "x") }
        #expect(throws: QueryError.malformedParameter("=x")) { try RecordQuery.Parameter(parsing: "=x") }
        #expect(throws: QueryError.reservedParameter("limit", option: "--limit")) {
            try RecordQuery.Parameter(parsing: "limit=5")
        }
        #expect(throws: QueryError.self) { try RecordQuery.Parameter(parsing: "access_token=S") }
    }

    @Test("unknown names are refused with the nearest ones")
    func checksNames() throws {
        let path = try ResourcePath(parsing: "orders", identifier: nil, merchantID: "M1", isChecked: true)
        var query = RecordQuery()
        query.expand = ["lineitems"]
        let error = #expect(throws: QueryError.self) { try QueryValidator.check(query, of: path) }
        guard case .unknownName("lineitems", .expand, "orders", let suggestions) = error else {
            Issue.record("another error: \(String(describing: error))")
            return
        }
        #expect(suggestions.first == "lineItems")
    }

    @Test("every kind of name is checked, and known names pass")
    func checksEveryKind() throws {
        let path = try ResourcePath(parsing: "orders", identifier: nil, merchantID: "M1", isChecked: true)
        var query = RecordQuery()
        query.filters = [try FilterExpression(parsing: "totl>5", times: Self.times)]
        #expect(throws: QueryError.self) { try QueryValidator.check(query, of: path) }
        query.filters = []
        query.sort = [try SortKey(parsing: "totl")]
        #expect(throws: QueryError.self) { try QueryValidator.check(query, of: path) }
        query.sort = [try SortKey(parsing: "total")]
        query.expand = ["lineItems.discounts", "customers"]
        query.filters = [try FilterExpression(parsing: "state=open", times: Self.times)]
        try QueryValidator.check(query, of: path)
    }

    @Test(
        "times in the wrong order are refused",
        arguments: [
            ["createdTime>=2026-11-20", "createdTime<2026-01-01"],
            ["createdTime=2026-01-01T00:00Z", "createdTime<2025-01-01"],
        ])
    func exchangedTimes(_ filters: [String]) throws {
        let path = try ResourcePath(parsing: "orders", identifier: nil, merchantID: "M1", isChecked: true)
        var query = RecordQuery()
        query.filters = try filters.map { try FilterExpression(parsing: $0, times: Self.times) }
        let error = #expect(throws: QueryError.self) { try QueryValidator.check(query, of: path) }
        guard case .reversedTimeRange("createdTime", let from, let to) = error else {
            Issue.record("another error: \(String(describing: error))")
            return
        }
        #expect(from > to)
    }

    @Test(
        "times in order, of two fields, and a time of no length are not refused",
        arguments: [
            ["createdTime>=2026-01-01", "createdTime<2026-01-01"],
            ["createdTime>=2026-11-20", "modifiedTime<2026-01-01"],
            ["createdTime>=2026-01-01", "createdTime<2026-11-20"],
        ])
    func orderedTimes(_ filters: [String]) throws {
        let path = try ResourcePath(parsing: "orders", identifier: nil, merchantID: "M1", isChecked: true)
        var query = RecordQuery()
        query.filters = try filters.map { try FilterExpression(parsing: $0, times: Self.times) }
        #expect(throws: Never.self) { try QueryValidator.check(query, of: path) }
    }

    @Test("a single record takes no filter")
    func singleRecords() throws {
        let path = try ResourcePath(parsing: "orders/A", identifier: nil, merchantID: "M1", isChecked: true)
        var query = RecordQuery()
        query.filters = [try FilterExpression(parsing: "total>5", times: Self.times)]
        #expect(throws: QueryError.notTaken(.filter, path: "orders/A")) { try QueryValidator.check(query, of: path) }
    }

    @Test("lists of the ecommerce API take no order", arguments: ["charges", "ecommerce/refunds"])
    func ecommerceOrder(_ text: String) throws {
        let path = try ResourcePath(parsing: text, identifier: nil, merchantID: "M1", isChecked: true)
        var query = RecordQuery()
        query.sort = [try SortKey(parsing: "-created")]
        #expect(throws: QueryError.notTaken(.sort, path: text)) { try QueryValidator.check(query, of: path) }
    }
}

@Suite("The 90-day rules")
struct HistoryLimitTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var path: String
        var filters: [String]
        var mayCut: Bool
        var testDescription: String { "\(path) \(filters)" }
    }

    @Test(
        "a list that may be silently cut is detected",
        arguments: [
            Row(path: "payments", filters: [], mayCut: true),
            Row(path: "payments", filters: ["createdTime>=-89d"], mayCut: false),
            Row(path: "payments", filters: ["createdTime>=-91d"], mayCut: true),
            Row(path: "payments", filters: ["createdTime>=-200d", "createdTime<-120d"], mayCut: false),
            Row(path: "payments", filters: ["createdTime<-120d"], mayCut: true),
            Row(path: "payments", filters: ["createdTime=1700000000000"], mayCut: false),
            Row(path: "payments", filters: ["amount>5"], mayCut: true),
            Row(path: "orders", filters: [], mayCut: false),
            Row(path: "orders", filters: ["modifiedTime>=-200d"], mayCut: false),
            Row(path: "orders", filters: ["total>5"], mayCut: true),
            Row(path: "orders", filters: ["total>5", "createdTime>=-30d"], mayCut: false),
            Row(path: "orders/A1", filters: [], mayCut: false),
            Row(path: "items", filters: [], mayCut: false),
        ])
    func rules(row: Row) throws {
        let now: Int64 = 1_763_700_000_000
        let path = try ResourcePath(parsing: row.path, identifier: nil, merchantID: "M1", isChecked: true)
        var query = RecordQuery()
        query.filters = try row.filters.map {
            try FilterExpression(parsing: $0, times: TimeExpression.Context(now: now, zone: .utc))
        }
        #expect(HistoryLimit.mayCut(query, of: path, now: now) == row.mayCut)
    }
}
