import CloverAPI
import CloverHTTP
import Testing

@Suite("path completion")
struct PathCompletionTests {
    private struct Row: Sendable, CustomTestStringConvertible {
        let typed: String
        var method: Endpoint.Method? = .get
        let offered: [String]
        var testDescription: String { "\(typed) (\(method?.rawValue ?? "any"))" }
    }

    @Test(
        "complete with the next segment of every matching path",
        arguments: [
            Row(typed: "order_t", offered: ["order_types"]),
            Row(typed: "orders/ABC/line_i", offered: ["orders/ABC/line_items"]),
            Row(
                typed: "orders/ABC/line_items/XYZ/disc", method: .post,
                offered: ["orders/ABC/line_items/XYZ/discounts"]),
            // An id is not known here.
            Row(typed: "orders/AB", offered: []),
            Row(typed: "orders//line_i", offered: []),
            Row(typed: "nothing/ABC/", offered: []),
            Row(typed: "bulk_it", method: .put, offered: ["bulk_items"]),
            Row(typed: "bulk_it", method: .get, offered: []),
        ])
    private func completes(_ row: Row) {
        #expect(EndpointCatalogue.completions(of: row.typed, method: row.method) == row.offered)
    }

    @Test("an empty path offers every family once, without placeholders")
    func families() {
        let offered = EndpointCatalogue.completions(of: "", method: .get)
        #expect(offered.contains("orders") && offered.contains("merchant"))
        #expect(Set(offered).count == offered.count)
        #expect(!offered.contains { $0.contains("{") || $0.contains("/") })
    }

    @Test("a typed path means an operation, with ids in their places")
    func operation() {
        #expect(EndpointCatalogue.operation(typed: "orders")?.expandable.contains("lineItems") == true)
        #expect(EndpointCatalogue.operation(typed: "orders/ABC/line_items")?.path.hasSuffix("/line_items") == true)
        #expect(EndpointCatalogue.operation(typed: "/v3/merchants/M/items")?.family == "items")
        #expect(EndpointCatalogue.operation(typed: "merchant")?.path == "/v3/merchants/{mId}")
        #expect(EndpointCatalogue.operation(typed: "nothing") == nil)
    }
}
