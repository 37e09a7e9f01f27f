import CloverAPI
import CloverCalendar
import CloverHTTP
import CloverJSON
import Testing

@Suite("ecommerce lists, paged by cursor")
struct CursorPagingTests {
    /// A list of charges, newest first, as a service with these habits serves it.
    struct Service: Sendable, CustomTestStringConvertible {
        let name: String
        var count = 250
        /// Whether a page begins with the cursor's own record (Clover: ecommerce, paginating requests).
        var repeatsCursor = false
        /// Whether pages say `has_more` (it is missing in Clover: get charges).
        var saysMore = true
        var isBare = false
        /// The largest page, below what is requested.
        var cap = 100
        var listName = "data"
        var testDescription: String { name }

        func body(of request: HTTPRequest) -> String {
            let limit = min(request.url.values(of: "limit").first.flatMap { Int($0) } ?? 10, cap)
            let cursor = request.url.values(of: "starting_after").first.flatMap { Int($0.dropFirst()) }
            let start = cursor.map { $0 + (repeatsCursor ? 0 : 1) } ?? 0
            let ids = start..<max(start, min(count, start + limit))
            let records = ids.map { #"{"id":"C\#($0)","created":\#(1_700_000_000_000 - $0).5}"# }.joined(separator: ",")
            if isBare { return "[\(records)]" }
            let more = saysMore ? #""has_more":\#(ids.upperBound < count),"# : ""
            return #"{"object":"list","url":"/v1/charges",\#(more)"\#(listName)":[\#(records)]}"#
        }
    }

    static let services = [
        Service(name: "as documented"), Service(name: "nothing", count: 0), Service(name: "one page", count: 100),
        Service(name: "the cursor comes again", repeatsCursor: true),
        Service(name: "no has_more", saysMore: false),
        Service(name: "no has_more, and full pages only", count: 200, saysMore: false),
        Service(name: "no has_more, and the cursor comes again", count: 300, repeatsCursor: true, saysMore: false),
        Service(name: "an array without envelope", isBare: true),
        Service(name: "elements instead of data", listName: "elements"),
        Service(name: "a smaller page than requested", repeatsCursor: true, saysMore: false, cap: 7),
    ]

    private static let all = PagePlan(offset: 0, limit: nil, pageSize: 100)

    @Test("every charge comes once, in order", arguments: services)
    func everything(_ service: Service) async throws {
        let transport = ScriptedTransport { request, _ in .init(chunks: [service.body(of: request)]) }
        let run = try await ReadRun.read(transport, path: "charges", plan: Self.all)
        #expect(run.ids == (0..<service.count).map { "C\($0)" })
        #expect(run.summary.isWhole)
        #expect(!run.summary.mayHaveMore)
        #expect(run.urls.allSatisfy { $0.contains("/v1/charges?limit=100") })
    }

    @Test("a limit and an offset are kept, whether or not the cursor comes again", arguments: [false, true])
    func limits(repeats: Bool) async throws {
        let service = Service(name: "", repeatsCursor: repeats)
        let transport = ScriptedTransport { request, _ in .init(chunks: [service.body(of: request)]) }
        let plan = PagePlan(offset: 5, limit: 120, pageSize: 100)
        let run = try await ReadRun.read(transport, path: "ecommerce/refunds", plan: plan)
        #expect(run.ids == (5..<125).map { "C\($0)" })
        #expect(run.summary.mayHaveMore)
        #expect(run.urls.map { $0.values(of: "limit") } == [["100"], ["26"]])
    }

    struct Broken: Sendable, CustomTestStringConvertible {
        let name: String
        let body: String
        let delivered: [String]
        var testDescription: String { name }
    }

    static let broken = [
        Broken(
            name: "the same full page for any cursor",
            body: #"{"data":["# + (0..<100).map { #"{"id":"C\#($0)"}"# }.joined(separator: ",") + "]}",
            delivered: (0..<100).map { "C\($0)" }),
        Broken(
            name: "the same short page for any cursor, without has_more",
            body: #"{"data":[{"id":"C0"},{"id":"C1"},{"id":"C2"}]}"#, delivered: ["C0", "C1", "C2"]),
        Broken(
            name: "the same short array for any cursor", body: #"[{"id":"C0"},{"id":"C1"}]"#, delivered: ["C0", "C1"]),
        Broken(name: "more, but never another", body: #"{"has_more":true,"data":[{"id":"C0"}]}"#, delivered: ["C0"]),
        Broken(name: "more, but nothing", body: #"{"has_more":true,"data":[]}"#, delivered: []),
        Broken(name: "a record without an id", body: #"{"has_more":true,"data":[{"amount":1}]}"#, delivered: ["-"]),
    ]

    @Test("a list whose end is not proved is incomplete", arguments: broken)
    func incomplete(_ broken: Broken) async throws {
        let transport = ScriptedTransport { _, _ in .init(chunks: [broken.body]) }
        let run = try await ReadRun.read(transport, path: "charges", plan: Self.all)
        #expect(run.ids == broken.delivered)
        #expect(!run.summary.isWhole)
        #expect(run.summary.windows.first?.failure != nil)
    }

    @Test("a record that comes again with other contents is named, on one page and at the cursor")
    func twins() async throws {
        for (first, second, twin) in [
            (#"{"id":"C0","amount":1},{"id":"C0","amount":2}"#, "", "C0"),
            (#"{"id":"C0","amount":1},{"id":"C1","amount":1}"#, #"{"id":"C1","amount":2}"#, "C1"),
        ] {
            let transport = ScriptedTransport { request, _ in
                let isFirst = request.url.values(of: "starting_after").isEmpty
                return .init(chunks: [#"{"data":[\#(isFirst ? first : second)]}"#])
            }
            let run = try await ReadRun.read(transport, path: "charges", plan: Self.all)
            #expect(!run.summary.isWhole && run.summary.twins == [twin])
            #expect(run.summary.windows.first?.failure == nil)
        }
        let same = ScriptedTransport { _, _ in .init(chunks: [#"{"data":[{"id":"C0","amount":1}]}"#]) }
        #expect(try await ReadRun.read(same, path: "charges", plan: Self.all).summary.isWhole)
    }

    @Test("filters become parameters, and times are compared by the tool as well, with or without a fraction")
    func filters() async throws {
        let service = Service(name: "ignores created", count: 4, saysMore: false)
        let transport = ScriptedTransport { request, _ in .init(chunks: [service.body(of: request)]) }
        var query = try ReadRun.filters("created>=1699999999998", "created<1700000000000", "customer=K1")
        let path = try ResourcePath(parsing: "charges", identifier: nil, merchantID: "M1", isChecked: true)
        try QueryValidator.check(query, of: path)
        query.separateLocalFilters(of: path)
        let run = try await ReadRun.read(transport, path: "charges", query: query, plan: Self.all)
        #expect(run.ids == ["C1", "C2"])
        #expect(run.urls[0].values(of: "created.gte") == ["1699999999998"])
        #expect(run.urls[0].values(of: "created.lt") == ["1700000000000"])
        #expect(run.urls[0].values(of: "customer") == ["K1"])
        #expect(run.urls[0].values(of: "filter") == [])
    }

    @Test("a condition that these lists do not have is refused", arguments: ["customer!=K1", "customer in (A,B)"])
    func conditions(_ filter: String) throws {
        let path = try ResourcePath(parsing: "charges", identifier: nil, merchantID: "M1", isChecked: true)
        let query = try ReadRun.filters(filter)
        #expect(throws: QueryError.conditionNotTaken(query.filters[0], path: "charges", isTime: false)) {
            try QueryValidator.check(query, of: path)
        }
    }

    @Test("names and paths mean the same, and are sent to the ecommerce host of the region")
    func hosts() async throws {
        for (text, display, url) in [
            ("charges", "charges", "/v1/charges"), ("/v1/charges", "charges", "/v1/charges"),
            ("charges/C1", "charges/C1", "/v1/charges/C1"),
            ("ecommerce/orders", "ecommerce/orders", "/v1/orders"),
            ("/v1/refunds/R1", "ecommerce/refunds/R1", "/v1/refunds/R1"),
        ] {
            let path = try ResourcePath(parsing: text, identifier: nil, merchantID: "M1", isChecked: true)
            #expect(path.display == display)
            for (region, host) in [("us", "https://scl.clover.com"), ("sandbox", "https://scl-sandbox.dev.clover.com")]
            {
                let client = try ServiceClient.scripted(ScriptedTransport { _, _ in .init() }, environment: region)
                try client.checkService(of: path)
                #expect(client.url(of: path, query: "") == host + url)
            }
            let client = try ServiceClient.scripted(ScriptedTransport { _, _ in .init() }, environment: "eu")
            #expect(throws: QueryError.noEcommerce(environment: "eu", path: display)) {
                try client.checkService(of: path)
            }
        }
    }
}
