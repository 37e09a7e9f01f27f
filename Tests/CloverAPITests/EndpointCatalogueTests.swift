import CloverAPI
import CloverHTTP
import Testing

@Suite("Catalogue of operations")
struct EndpointCatalogueTests {
    @Test("it holds every operation of V3 and those of the other services")
    func counts() {
        let v3 = EndpointCatalogue.operations.filter { $0.api == .v3 }
        #expect(v3.count == 232)
        #expect(EndpointCatalogue.operations.count == 256)
        let byMethod = Dictionary(grouping: v3, by: \.method).mapValues(\.count)
        #expect(byMethod == [.get: 108, .post: 82, .put: 4, .delete: 38])
        #expect(EndpointCatalogue.endpoints.count == 108)
        #expect(Set(EndpointCatalogue.operations.map { $0.method.rawValue + $0.path }).count == 256)
    }

    @Test("every operation is found by its own path and method")
    func lookUp() {
        for operation in EndpointCatalogue.operations {
            let segments = operation.segments.map { $0.first == "{" ? "X1" : String($0) }
            #expect(EndpointCatalogue.operation(operation.method, at: segments) == operation, "\(operation.path)")
            #expect(EndpointCatalogue.operations(at: segments).contains(operation), "\(operation.path)")
        }
    }

    @Test("an operation's description is complete")
    func orders() throws {
        let orders = try #require(EndpointCatalogue.operation(.get, at: ["v3", "merchants", "M1", "orders"]))
        #expect(orders.operation == "GetOrders")
        #expect(orders.shape == .list)
        #expect(orders.model == "order.Order")
        #expect(orders.permission == "ORDERS_R")
        #expect(!orders.isPermissionInferred)
        #expect(orders.maximumPage == 1000)
        #expect(orders.timeField == "createdTime")
        #expect(orders.changeField == "modifiedTime")
        #expect(orders.expandable.contains("lineItems"))
        #expect(orders.expandable.contains("lineItems.discounts"))
        #expect(orders.expandable.contains("payments.cardTransaction"))
        #expect(orders.filterable.contains("cardTransaction.last4"))
        #expect(orders.sortable.contains("total"))
        #expect(!orders.sortable.contains("lineItems"))
        #expect(orders.alias == "merchant-orders")
        #expect(!orders.notes.isEmpty)
        guard case .cutByFilter(let fields) = orders.history else {
            Issue.record("another rule: \(orders.history)")
            return
        }
        #expect(fields.count == 12)
        #expect(fields.contains("total"))
    }

    struct HistoryRow: Sendable, CustomTestStringConvertible {
        var path: String
        var isCut: Bool
        var testDescription: String { path }
    }

    @Test(
        "lists of payments and authorizations return 90 days",
        arguments: [
            HistoryRow(path: "payments", isCut: true), HistoryRow(path: "authorizations", isCut: true),
            HistoryRow(path: "orders/A/payments", isCut: true), HistoryRow(path: "employees/A/payments", isCut: true),
            HistoryRow(path: "payments/A", isCut: false), HistoryRow(path: "refunds", isCut: false),
        ])
    func history(row: HistoryRow) throws {
        let path = try ResourcePath(parsing: row.path, identifier: nil, merchantID: "M1", isChecked: true)
        #expect(path.endpoint?.history == (row.isCut ? .cut : .whole))
    }

    @Test("pages of cash events are smaller, CSV has none, and writes say what they take")
    func oddOnes() throws {
        func operation(_ method: Endpoint.Method, _ path: String) throws -> Endpoint {
            try #require(
                EndpointCatalogue.operation(
                    method, at: ["v3", "merchants", "M1"] + path.split(separator: "/").map(String.init)))
        }
        #expect(try operation(.get, "cash_events").maximumPage == 500)
        #expect(try operation(.get, "customers.csv").shape == .csv)
        #expect(try operation(.post, "customers").body == "customers.Customer")
        #expect(try operation(.post, "tag_items").body == "elements<inventory.TagItem>")
        #expect(try operation(.delete, "items").parameters == ["itemIds"])
        #expect(try operation(.get, "printers").isUnconfirmed)
        #expect(try !operation(.get, "employees/A/orders").isFilterListComplete)
        #expect(try operation(.get, "modifiers").permission == "INVENTORY_R")
        #expect(try operation(.get, "modifiers").isPermissionInferred)
        #expect(try operation(.delete, "orders/A/line_items/B").permission == "ORDERS_W")
        #expect(EndpointCatalogue.operation(.post, at: ["v1", "charges"])?.api == .ecommerce)
    }

    @Test("a literal path has only its own methods, not those of the placeholder path")
    func literalsWin() {
        let current = EndpointCatalogue.operations(at: ["v3", "merchants", "M1", "employees", "current"])
        #expect(current.map(\.path) == ["/v3/merchants/{mId}/employees/current"])
        let one = EndpointCatalogue.operations(at: ["v3", "merchants", "M1", "employees", "A1"])
        #expect(one.map(\.method) == [.get, .post, .delete])
    }

    @Test("names of one place are given once, and every list can be sorted")
    func names() {
        for operation in EndpointCatalogue.operations {
            #expect(Set(operation.expandable).count == operation.expandable.count, "\(operation.path)")
            #expect(Set(operation.filterable).count == operation.filterable.count, "\(operation.path)")
            #expect(!operation.family.isEmpty)
            if operation.api == .v3, operation.method == .get {
                #expect(operation.shape != .undocumented, "\(operation.path)")
            }
            if let field = operation.timeField { #expect(operation.filterable.contains(field), "\(operation.path)") }
        }
        let unsorted = EndpointCatalogue.endpoints.filter { $0.shape == .list && $0.sortable.isEmpty }
        #expect(unsorted.map(\.path) == ["/v3/merchants/{mId}/tag_items", "/v3/merchants/{mId}/tax_rules"])
    }

    @Test("the nearest paths and aliases to a mistyped one are found")
    func suggestions() {
        #expect(EndpointCatalogue.suggestions(for: ["v3", "merchants", "M1", "ordrs"]) == ["orders"])
        #expect(
            EndpointCatalogue.suggestions(for: ["v3", "merchants", "M1", "tag_itms"], method: .post) == ["tag_items"])
        #expect(EndpointCatalogue.aliasSuggestions(for: "merchant-ordrs").first == "merchant-orders")
        #expect(EndpointCatalogue.aliasSuggestions(for: "ordrs").isEmpty)
    }
}
