import CloverAPI
import CloverCalendar
import CloverHTTP
import CloverJSON
import Foundation
import Testing

@Suite("Paging")
struct RecordPagerTests {
    /// A list of `count` records, cut into pages as the service does.
    private static func list(_ count: Int) -> @Sendable (HTTPRequest) -> String {
        { request in
            let page = Self.page(of: request)
            let ids = (page.offset..<max(page.offset, min(count, page.offset + page.limit)))
            return Self.body(ids.map { "{\"id\":\"R\($0)\"}" })
        }
    }

    private static func body(_ records: [String]) -> String {
        "{\"elements\":[\(records.joined(separator: ","))]}"
    }

    private static func page(of request: HTTPRequest) -> (offset: Int, limit: Int) {
        let items = URLComponents(string: request.url)?.queryItems ?? []
        func number(_ name: String) -> Int? { items.first { $0.name == name }?.value.flatMap { Int($0) } }
        return (number("offset") ?? 0, number("limit") ?? 100)
    }

    private func run(
        _ transport: ScriptedTransport, path: String = "orders", plan: PagePlan?, retries: Int = 5,
        query: RecordQuery = RecordQuery(), stopAfter: Int = .max
    ) async throws -> (records: [String], summary: RecordPager.Summary) {
        let resolved = try ResourcePath(parsing: path, identifier: nil, merchantID: "M1", isChecked: true)
        let client = try ServiceClient.scripted(transport, retries: retries)
        let pager = RecordPager(client: client, path: resolved, query: query, isChecked: true, now: 0)
        var records: [String] = []
        let summary = try await pager.run(plan: plan) { batch in
            records += String(decoding: batch.bytes, as: UTF8.self).split(separator: "\n").map(String.init)
            return records.count >= stopAfter ? .stop : .more
        }
        return (records, summary)
    }

    private func expected(_ range: Range<Int>) -> [String] {
        range.map { "{\"id\":\"R\($0)\"}" }
    }

    @Test("every record is delivered once and in order, for any number", arguments: [0, 1, 9, 10, 11, 57, 60])
    func everything(count: Int) async throws {
        let list = Self.list(count)
        let transport = ScriptedTransport { request, _ in .init(chunks: [list(request)]) }
        let result = try await run(transport, plan: PagePlan(offset: 0, limit: nil, pageSize: 10))
        #expect(result.records == expected(0..<count))
        #expect(result.summary.records == count)
        #expect(!result.summary.mayHaveMore)
        #expect(transport.peak <= 5)
        #expect(try await transport.isClosed())
    }

    @Test(
        "a list that fits on one page costs that page and a check of its end, whatever its possible length",
        arguments: [
            ("orders", nil, 2), ("items", nil, 2), ("orders/O1/line_items", nil, 2),
            // With a filter in windows: the merchant's own age and its oldest order come before.
            ("orders", "state=open", 4),
        ])
    func shortLists(path: String, filter: String?, requests: Int) async throws {
        let list = Self.list(7)
        let transport = ScriptedTransport { request, _ in .init(chunks: [list(request)]) }
        var query = RecordQuery()
        if let filter {
            query.filters = [try FilterExpression(parsing: filter, times: TimeExpression.Context(now: 0, zone: .utc))]
        }
        let result = try await run(
            transport, path: path, plan: PagePlan(offset: 0, limit: nil, pageSize: 10), query: query)
        #expect(result.records == expected(0..<7))
        #expect(transport.urls.count == requests, "\(transport.urls)")
    }

    @Test("a merchant's records are requested five pages at a time once the first was full")
    func longList() async throws {
        let list = Self.list(100)
        let transport = ScriptedTransport { request, _ in .init(chunks: [list(request)]) }
        let result = try await run(transport, path: "orders", plan: PagePlan(offset: 0, limit: nil, pageSize: 10))
        #expect(result.records == expected(0..<100))
        // 12 pages that overlap, and what was asked ahead of the end with its proof.
        #expect((13...17).contains(transport.urls.count), "\(transport.urls)")
        #expect(transport.peak == 5)
    }

    @Test(
        "a wrong page estimate loses no record and wastes only the extra pages",
        arguments: [0, 1, 9, 10, 11, 57, 60], [1, 2, 5, 9])
    func guess(count: Int, pages: Int) async throws {
        let list = Self.list(count)
        let transport = ScriptedTransport { request, _ in .init(chunks: [list(request)]) }
        var plan = PagePlan(offset: 0, limit: nil, pageSize: 10)
        plan.expectedPages = pages
        let result = try await run(transport, path: "items", plan: plan)
        #expect(result.records == expected(0..<count))
        #expect(!result.summary.mayHaveMore)
        #expect(result.summary.isWhole)
        #expect(transport.peak <= 5)
        #expect(try await transport.isClosed())
        // Pages that overlap, the proof of the end, and what may be asked ahead of it.
        #expect(transport.urls.count <= count / 9 + 2 + max(4, pages - 1), "\(transport.urls)")
    }

    @Test("a limit requests no more than needed and reports that more may exist")
    func limit() async throws {
        let list = Self.list(100)
        let transport = ScriptedTransport { request, _ in .init(chunks: [list(request)]) }
        let result = try await run(transport, plan: PagePlan(offset: 5, limit: 25, pageSize: 10))
        #expect(result.records == expected(5..<30))
        #expect(result.summary.mayHaveMore)
        // Pages overlap by one record, so the third brings six new ones.
        #expect(transport.urls.map { Self.page(of: HTTPRequest(url: $0)).limit }.sorted() == [7, 10, 10])
    }

    @Test("a page with more records than requested is cut to the limit")
    func tooMany() async throws {
        let transport = ScriptedTransport { _, _ in .init(chunks: [Self.body(self.expected(0..<7))]) }
        let result = try await run(transport, plan: PagePlan(offset: 0, limit: 3, pageSize: 1000))
        #expect(result.records == expected(0..<3))
    }

    @Test("a truncated page is read again without loss or duplicates")
    func cutPages() async throws {
        let list = Self.list(25)
        let transport = ScriptedTransport { request, time in
            let body = list(request)
            guard time == 1 else { return .init(chunks: [body]) }
            let middle = body.index(body.startIndex, offsetBy: body.count * 2 / 3)
            return Self.page(of: request).offset == 10
                ? .init(chunks: [String(body[..<middle])], bodyFailure: .cutOff(host: "h", detail: "d"))
                : .init(chunks: [String(body[..<middle])])
        }
        let result = try await run(transport, plan: PagePlan(offset: 0, limit: nil, pageSize: 10))
        #expect(result.records == expected(0..<25))
    }

    @Test("a truncated page of records without ids is read again without loss or duplicates")
    func cutPagesWithoutIdentifiers() async throws {
        let records = (0..<9).map { "{\"n\":\($0)}" }
        let body = Self.body(records)
        let transport = ScriptedTransport { _, time in
            .init(chunks: [time < 3 ? String(body.prefix(30 * time)) : body])
        }
        let result = try await run(transport, plan: PagePlan(offset: 0, limit: nil, pageSize: 10))
        #expect(result.records == records)
    }

    @Test("a page that stays cut ends the run as unreadable")
    func cutForGood() async throws {
        let transport = ScriptedTransport { _, _ in .init(chunks: ["{\"elements\":[{\"id\":\"R0\"},"]) }
        let error = await #expect(throws: ServiceError.self) {
            try await run(transport, plan: PagePlan(offset: 0, limit: nil, pageSize: 10), retries: 2)
        }
        guard case .unreadable(.cutOff, _, retries: 2) = error else {
            Issue.record("another error: \(String(describing: error))")
            return
        }
        // The pages behind it were asked for side by side.
        #expect(transport.urls.count { !$0.contains("offset") } == 3)
    }

    @Test("rows that shift to a later page while paging are delivered once")
    func shiftingRows() async throws {
        // Two rows arrive before the second page is read: it begins with the last two of the first one.
        let transport = ScriptedTransport { request, _ in
            let page = Self.page(of: request)
            let shift = page.offset == 0 ? 0 : 2
            let start = min(25, page.offset - shift)
            let ids = start..<min(25, start + page.limit)
            return .init(chunks: [Self.body(ids.map { "{\"id\":\"R\($0)\"}" })])
        }
        let result = try await run(transport, plan: PagePlan(offset: 0, limit: nil, pageSize: 10))
        #expect(result.records == expected(0..<25))
    }

    @Test("when the consumer stops, no further page is requested and nothing stays open")
    func stops() async throws {
        let list = Self.list(10_000)
        let transport = ScriptedTransport { request, _ in .init(chunks: [list(request)]) }
        let result = try await run(
            transport, plan: PagePlan(offset: 0, limit: nil, pageSize: 10), stopAfter: 10)
        #expect(result.records.count == 10)
        #expect(transport.urls.count <= 6)
        #expect(try await transport.isClosed())
    }

    @Test("a filter that the service ignores is an error despite the response")
    func ignoredFilter() async throws {
        let transport = ScriptedTransport { _, _ in
            .init(
                headers: [HTTPHeader(name: "x-clover-allowed-filter-fields", value: "id, createdTime")],
                chunks: [Self.body([])])
        }
        var query = RecordQuery()
        query.filters = [try FilterExpression(parsing: "total>5", times: TimeExpression.Context(now: 0, zone: .utc))]
        let error = await #expect(throws: ServiceError.self) {
            try await run(transport, plan: PagePlan(offset: 0, limit: 5, pageSize: 10), query: query)
        }
        guard case .filterIgnored(fields: ["total"], _, allowed: ["id", "createdTime"]) = error else {
            Issue.record("another error: \(String(describing: error))")
            return
        }
    }

    struct Refusal: Sendable, CustomTestStringConvertible {
        var status: Int
        var body: String
        var message: String?
        var testDescription: String { "\(status)" }
    }

    @Test(
        "refusals carry the service's words",
        arguments: [
            Refusal(status: 401, body: "{\"message\":\"401 Unauthorized\"}", message: "401 Unauthorized"),
            Refusal(
                status: 404, body: "{\"details\":\"Order not found\",\"message\":\"Not Found\"}",
                message: "Not Found: Order not found"),
            Refusal(
                status: 400, body: "{\"message\":\"x\",\"error\":{\"code\":400,\"message\":\"bad\\nfield\"}}",
                message: "bad field"),
            Refusal(status: 405, body: "", message: nil),
        ])
    func refusals(row: Refusal) async throws {
        let transport = ScriptedTransport { _, _ in .init(status: row.status, chunks: [row.body]) }
        let error = await #expect(throws: ServiceError.self) { try await run(transport, path: "orders/X", plan: nil) }
        let message: String? =
            switch error {
            case .unauthorized(_, let message), .forbidden(_, let message), .notFound(_, let message),
                .refused(_, _, let message):
                message
            default: "another error: \(String(describing: error))"
            }
        #expect(message == row.message)
        #expect(transport.urls.count == 1)
    }

    @Test("an array in place of one record is refused at once, unless the response is not documented")
    func arrayInPlaceOfRecord() async throws {
        for body in ["[]", #"[{"id":"A"}]"#] {
            let transport = ScriptedTransport { _, _ in .init(chunks: [body]) }
            let error = await #expect(throws: ServiceError.self) {
                try await run(transport, path: "orders/X", plan: nil)
            }
            guard case .unreadable(.anArray, _, retries: 0) = error else {
                Issue.record("another error: \(String(describing: error))")
                return
            }
            #expect(transport.urls.count == 1)
            #expect(try await run(transport, path: "payments/X/status", plan: nil).records == [body])
        }
    }

    @Test(
        "a list in place of the record of an ID is refused; a record that has a list is not",
        arguments: [
            ("orders/X", #"{"elements":[]}"#, true), ("orders/X", #"{"elements":[],"id":"X"}"#, false),
            ("charges/X", #"{"object":"list","data":[{"id":"Z"}]}"#, true),
            ("payments/X/status", #"{"elements":[]}"#, false),
        ])
    func listInPlaceOfRecord(_ path: String, _ body: String, _ isRefused: Bool) async throws {
        let transport = ScriptedTransport { _, _ in .init(chunks: [body]) }
        do {
            let result = try await run(transport, path: path, plan: nil)
            #expect(!isRefused && result.records == [body])
        } catch let error as ServiceError {
            guard case .unreadable(.aList, _, retries: 0) = error, isRefused else {
                Issue.record("another error: \(String(describing: error))")
                return
            }
        }
        #expect(transport.urls.count == 1)
    }

    @Test(
        "the record of another ID, or of none, is refused; hyphens and case do not count",
        arguments: [
            ("orders/X1", #"{"id":"X2"}"#, true), ("charges/X1", #"{"id":"x-1","amount":1}"#, false),
            ("charges/X1", #"{"id":"X2","amount":1}"#, true), ("item_stocks/X1", #"{"id":"X2"}"#, false),
            ("orders/X1", #"{"total":1}"#, true), ("orders/X1", #"{"elements":"x"}"#, true),
        ])
    func otherRecord(_ path: String, _ body: String, _ isRefused: Bool) async throws {
        let transport = ScriptedTransport { _, _ in .init(chunks: [body]) }
        do {
            let result = try await run(transport, path: path, plan: nil)
            #expect(!isRefused && result.records == [body])
        } catch let error as ServiceError {
            let isOther = if case .unreadable(.otherRecord("X2"), _, retries: 0) = error { true } else { false }
            let isNone = if case .unreadable(.noRecord, _, retries: 0) = error { true } else { false }
            guard isRefused, isOther || isNone && !body.contains("X2") else {
                Issue.record("another error: \(String(describing: error))")
                return
            }
        }
        #expect(transport.urls.count == 1)
    }

    @Test("an array in place of a small object is refused, and does not show that a token is good")
    func arrayInPlaceOfObject() async throws {
        let transport = ScriptedTransport { _, _ in .init(chunks: ["[]"]) }
        let client = try ServiceClient.scripted(transport)
        let url = client.url(path: "/v3/merchants/M1/properties", query: "")
        let read = await #expect(throws: ServiceError.self) {
            var attempt = ServiceClient.Attempt()
            _ = try await client.object(of: url, limit: 1000, attempt: &attempt)
        }
        let asked = await #expect(throws: ServiceError.self) { _ = try await client.isAllowed(url) }
        for error in [read, asked] {
            guard case .unreadable(.anArray, _, retries: 0) = error else {
                Issue.record("another error: \(String(describing: error))")
                return
            }
        }
    }

    @Test("a redirect within the service is followed; one to another host never gets the token")
    func redirects() async throws {
        let list = Self.list(3)
        let inside = ScriptedTransport { request, _ in
            request.url.contains("/moved")
                ? .init(chunks: [list(request)])
                : .init(status: 307, headers: [HTTPHeader(name: "Location", value: "/moved?limit=5")])
        }
        let result = try await run(inside, plan: PagePlan(offset: 0, limit: 5, pageSize: 10))
        #expect(result.records == expected(0..<3))

        for target in ["https://elsewhere.invalid/x", "http://service.invalid/x", "https://service.invalid:444/x", ""] {
            let outside = ScriptedTransport { _, _ in
                .init(status: 302, headers: [HTTPHeader(name: "Location", value: target)])
            }
            await #expect(throws: ServiceError.self) {
                try await run(outside, plan: PagePlan(offset: 0, limit: 5, pageSize: 10))
            }
            #expect(outside.urls.count <= 6)
            #expect(outside.urls.allSatisfy { $0.hasPrefix("https://service.invalid/") })
        }
    }

    @Test("a web page proves nothing about the account or the record, whatever its status", arguments: [401, 403, 404])
    func pages(status: Int) async throws {
        let page = ScriptedTransport.Answer(status: status, chunks: ["<!DOCTYPE html><html>", "<title>Wait</title>"])
        let list = Self.list(3)
        let passing = ScriptedTransport { request, time in time == 1 ? page : .init(chunks: [list(request)]) }
        let result = try await run(passing, plan: PagePlan(offset: 0, limit: 5, pageSize: 10))
        #expect(result.records == expected(0..<3))
        let staying = ScriptedTransport { _, _ in page }
        let error = await #expect(throws: ServiceError.self) {
            try await run(staying, path: "orders/X", plan: nil, retries: 2)
        }
        guard case .failed(status, _, retries: 2, _, "an HTML page, 'Wait'") = error else {
            Issue.record("another error: \(String(describing: error))")
            return
        }
        #expect(staying.urls.count == 3)
    }

    @Test(
        "429 and statuses that may pass are repeated until the retries end",
        arguments: [(429, 3), (500, 3), (503, 3), (408, 3), (425, 3), (507, 3), (520, 3), (524, 3), (529, 3), (598, 3)])
    func repeats(status: Int, failures: Int) async throws {
        let list = Self.list(3)
        let transport = ScriptedTransport { request, time in
            time <= failures ? .init(status: status) : .init(chunks: [list(request)])
        }
        let result = try await run(transport, plan: PagePlan(offset: 0, limit: 5, pageSize: 10))
        #expect(result.records == expected(0..<3))

        let always = ScriptedTransport { _, _ in .init(status: status) }
        let error = await #expect(throws: ServiceError.self) {
            try await run(always, plan: PagePlan(offset: 0, limit: 5, pageSize: 10), retries: 2)
        }
        #expect(always.urls.count == 3)
        switch error {
        case .rateLimited where status == 429: break
        case .failed(status, _, retries: 2, _, _): break
        default: Issue.record("another error: \(String(describing: error))")
        }
    }

    @Test("the token goes into the header and nowhere else")
    func token() async throws {
        let list = Self.list(1)
        let transport = ScriptedTransport { request, _ in .init(chunks: [list(request)]) }
        _ = try await run(transport, plan: PagePlan(offset: 0, limit: 5, pageSize: 10))
        let request = try #require(transport.requests.first)
        #expect(request.bearer?.exposed == "T0KEN")
        #expect(!request.url.contains("T0KEN"))
        #expect(!request.headers.contains { $0.value.contains("T0KEN") })
    }
}
