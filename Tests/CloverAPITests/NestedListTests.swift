import CloverAPI
import CloverHTTP
import Foundation
import Testing

@Suite("Nested lists that Clover cuts at 100 entries")
struct NestedListTests {
    /// An order's line item, or another entry.
    private static func line(_ order: String, _ number: Int, discounts: Int? = nil) -> String {
        let inner = discounts.map { count in
            ",\"discounts\":{\"elements\":[\((0..<count).map { "{\"id\":\"D\($0)\"}" }.joined(separator: ","))]}"
        }
        return "{\"id\":\"\(order)L\(number)\",\"name\":\"a, \\\"[b\"\(inner ?? "")}"
    }

    private static func order(_ id: String, lines: [String], spaced: Bool = false) -> String {
        let list = lines.joined(separator: spaced ? " , " : ",")
        return
            "{\"id\":\"\(id)\",\"note\":\"elements\",\"lineItems\":{\"elements\":[\(spaced ? " \(list) " : list)]},\"total\":7}"
    }

    private static func lines(_ order: String, _ count: Int) -> [String] { (0..<count).map { line(order, $0) } }

    private static func body(_ records: [String]) -> String { "{\"elements\":[\(records.joined(separator: ","))]}" }

    /// Serves orders whose line items are cut, and the line items by themselves.
    private static func service(_ counts: [String: Int], order ids: [String]) -> ScriptedTransport {
        ScriptedTransport { request, _ in
            let path = URLComponents(string: request.url)?.path ?? ""
            let offset = Int(request.url.values(of: "offset").first ?? "0") ?? 0
            let limit = Int(request.url.values(of: "limit").first ?? "100") ?? 0
            if path.hasSuffix("/line_items") {
                let id = path.split(separator: "/").dropLast().last.map(String.init) ?? ""
                let all = lines(id, counts[id] ?? 0)
                return .init(chunks: [body(Array(all.dropFirst(offset).prefix(limit)))])
            }
            let records = ids.map { order($0, lines: lines($0, min(100, counts[$0] ?? 0))) }
            return .init(chunks: [body(Array(records.dropFirst(offset).prefix(limit)))])
        }
    }

    private func query(_ names: String...) -> RecordQuery {
        var query = RecordQuery()
        query.expand = names
        return query
    }

    @Test("an order with 250 line items has all 250, in order, and every other byte as it was")
    func completed() async throws {
        let counts = ["A": 3, "B": 250, "C": 100, "D": 99, "E": 2100, "F": 0]
        let ids = ["A", "B", "C", "D", "E", "F"]
        let transport = Self.service(counts, order: ids)
        let run = try await ReadRun.read(
            transport, path: "orders", query: query("lineItems"),
            plan: PagePlan(offset: 0, limit: nil, pageSize: 1000))
        #expect(run.records == ids.map { Self.order($0, lines: Self.lines($0, counts[$0] ?? 0)) })
        #expect(run.summary.isWhole)
        #expect(run.summary.completedLists == 2)
        // Only lists of exactly 100 are looked at.
        let asked = Set(run.urls.filter { $0.contains("line_items") }.map { $0.split(separator: "/").dropLast().last })
        #expect(asked == ["B", "C", "E"])
        #expect(try await transport.isClosed())
    }

    @Test("many cut orders on many pages come in order, whatever the size of the pages", arguments: [2, 7, 1000])
    func manyPages(_ size: Int) async throws {
        let ids = (0..<40).map { "O\($0)" }
        let counts = Dictionary(uniqueKeysWithValues: ids.enumerated().map { ($1, $0 % 3 == 0 ? 120 + $0 : $0) })
        let run = try await ReadRun.read(
            Self.service(counts, order: ids), path: "orders", query: query("lineItems"),
            plan: PagePlan(offset: 0, limit: nil, pageSize: size))
        #expect(run.records == ids.map { Self.order($0, lines: Self.lines($0, counts[$0] ?? 0)) })
        #expect(run.summary.isWhole)
    }

    @Test("a single order is completed too, and its expansions go with the request")
    func single() async throws {
        let transport = ScriptedTransport { request, _ in
            if request.url.contains("/line_items") {
                return .init(chunks: [Self.body((0..<130).map { Self.line("B", $0, discounts: 1) })])
            }
            return .init(chunks: [Self.order("B", lines: (0..<100).map { Self.line("B", $0, discounts: 1) })])
        }
        let run = try await ReadRun.read(
            transport, path: "orders/B", query: query("lineItems", "lineItems.discounts", "payments"), plan: nil)
        #expect(run.records == [Self.order("B", lines: (0..<130).map { Self.line("B", $0, discounts: 1) })])
        let url = try #require(run.urls.first { $0.contains("line_items") })
        #expect(url.values(of: "expand") == ["discounts"])
        #expect(url.hasPrefix("https://service.invalid/v3/merchants/M1/orders/B/line_items?"))
    }

    @Test("entries that are no longer the first 100 replace the list; white space is ignored")
    func replaced() async throws {
        let fresh = (5..<140).map { Self.line("B", $0) }
        let transport = ScriptedTransport { request, _ in
            if request.url.contains("/line_items") {
                let offset = Int(request.url.values(of: "offset").first ?? "0") ?? 0
                return .init(chunks: [Self.body(Array(fresh.dropFirst(offset)))])
            }
            return .init(chunks: [Self.order("B", lines: Self.lines("B", 100), spaced: true)])
        }
        let run = try await ReadRun.read(transport, path: "orders/B", query: query("lineItems"), plan: nil)
        #expect(run.records == [Self.order("B", lines: fresh)])
        #expect(run.summary.isWhole)
    }

    @Test("a list without a separate path is reported, and its record is delivered unchanged")
    func noPath() async throws {
        let record = Self.order("B", lines: [Self.line("B", 0, discounts: 100), Self.line("B", 1)])
        let transport = ScriptedTransport { _, _ in .init(chunks: [record]) }
        let run = try await ReadRun.read(
            transport, path: "orders/B", query: query("lineItems", "lineItems.discounts"), plan: nil)
        #expect(run.records == [record])
        #expect(
            run.summary.truncatedRecords == [.init(id: "B", list: "lineItems.discounts", reason: .noEndpoint)])
        #expect(!run.summary.isWhole)
    }

    @Test("a list that is whole is not named because of a cut list inside its entries, which is named once")
    func cutInside() async throws {
        let lines = (0..<150).map { Self.line("B", $0, discounts: $0 == 3 || $0 == 120 ? 100 : 1) }
        let transport = ScriptedTransport { request, _ in
            .init(chunks: [
                request.url.contains("/line_items")
                    ? Self.body(lines) : Self.order("B", lines: Array(lines.prefix(100)))
            ])
        }
        let run = try await ReadRun.read(
            transport, path: "orders/B", query: query("lineItems", "lineItems.discounts"), plan: nil)
        #expect(run.records == [Self.order("B", lines: lines)])
        #expect(run.summary.truncatedRecords == [.init(id: "B", list: "lineItems.discounts", reason: .noEndpoint)])
        #expect(run.summary.completedLists == 1)
    }

    @Test("a record whose list cannot be read is named, and all others are delivered whole")
    func failing() async throws {
        let ids = ["A", "B", "C"]
        let service = Self.service(["A": 150, "B": 150, "C": 150], order: ids)
        let transport = ScriptedTransport { request, _ in
            request.url.contains("/orders/B/line_items")
                ? .init(status: 500) : service.answer(to: request)
        }
        let run = try await ReadRun.read(
            transport, path: "orders", query: query("lineItems"),
            plan: PagePlan(offset: 0, limit: nil, pageSize: 1000), retries: 2)
        #expect(run.ids == ids)
        #expect(run.records[0] == Self.order("A", lines: Self.lines("A", 150)))
        #expect(run.records[1] == Self.order("B", lines: Self.lines("B", 100)))
        #expect(run.records[2] == Self.order("C", lines: Self.lines("C", 150)))
        #expect(
            run.summary.truncatedRecords == [.init(id: "B", list: "lineItems", reason: .failed("500 after 2 retries"))])
    }

    @Test("a list that is shorter when read separately is not trusted")
    func shorter() async throws {
        let transport = ScriptedTransport { request, _ in
            request.url.contains("/line_items")
                ? .init(chunks: [Self.body(Self.lines("B", 40))])
                : .init(chunks: [Self.order("B", lines: Self.lines("B", 100))])
        }
        let run = try await ReadRun.read(transport, path: "orders/B", query: query("lineItems"), plan: nil)
        #expect(run.summary.truncatedRecords.map(\.reason) == [.shorter])
    }

    @Test(
        "lists of other records are found by the catalogue's paths",
        arguments: [
            ("categories/K", "items", "categories/K/items"), ("tags/T", "items", "tags/T/items"),
            ("modifier_groups/G", "modifiers", "modifier_groups/G/modifiers"),
            ("employees/E", "shifts", "employees/E/shifts"),
            ("merchant", "employees", "employees"), ("merchant", "modifierGroups", "modifier_groups"),
        ])
    func otherLists(path: String, name: String, place: String) async throws {
        let entries = (0..<130).map { "{\"id\":\"E\($0)\"}" }
        let id = path == "merchant" ? "M1" : path.split(separator: "/").last.map(String.init) ?? ""
        let transport = ScriptedTransport { request, _ in
            if URLComponents(string: request.url)?.path == "/v3/merchants/M1/\(place)" {
                return .init(chunks: [Self.body(entries)])
            }
            return .init(chunks: [
                "{\"\(name)\":{\"elements\":[\(entries.prefix(100).joined(separator: ","))]},\"id\":\"\(id)\"}"
            ])
        }
        let run = try await ReadRun.read(transport, path: path, query: query(name), plan: nil)
        #expect(run.records == ["{\"\(name)\":{\"elements\":[\(entries.joined(separator: ","))]},\"id\":\"\(id)\"}"])
        #expect(run.summary.isWhole)
    }

    @Test("a list is noticed by its entries alone, whatever they are", arguments: ["{}", "1", "\"a,b\"", "[1,2]"])
    func entries(entry: String) async throws {
        for count in [99, 100, 101] {
            let list = Array(repeating: entry, count: count).joined(separator: ",")
            // There are no other commas, and without an id the rest cannot be had.
            let transport = ScriptedTransport { _, _ in
                .init(chunks: [Self.body(["{\"lineItems\":{\"elements\":[\(list)]}}"])])
            }
            let run = try await ReadRun.read(transport, query: query("lineItems"))
            #expect(run.summary.truncatedCount == (count == 100 ? 1 : 0), "\(count)")
        }
    }

    @Test("without an expansion nothing is checked")
    func unexpanded() async throws {
        let transport = ScriptedTransport { _, _ in .init(chunks: [Self.order("B", lines: Self.lines("B", 100))]) }
        let run = try await ReadRun.read(transport, path: "orders/B", plan: nil)
        #expect(run.urls.count == 1)
        #expect(run.summary.isWhole)
    }

    @Test("a line break inside a string is invalid JSON and never becomes two lines")
    func lineBreaks() async throws {
        let transport = ScriptedTransport { _, _ in
            .init(chunks: [Self.body(["{\"id\":\"A\",\"note\":\"two\nlines\"}"])])
        }
        await #expect(throws: ServiceError.self) { try await ReadRun.read(transport) }
    }
}
