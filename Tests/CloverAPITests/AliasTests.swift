import CloverAPI
import Testing

@Suite("iOS SDK aliases")
struct AliasTests {
    @Test("there is an alias for each of the SDK's 71 methods, and each finds its operation")
    func all() {
        #expect(EndpointCatalogue.aliases.count == 71)
        #expect(Set(EndpointCatalogue.aliases).count == 71)
        for operation in EndpointCatalogue.operations {
            guard let alias = operation.alias, let method = operation.sdkMethod else { continue }
            for name in [method, "get-" + alias, alias == "merchant" ? method : alias] {
                #expect(EndpointCatalogue.operation(alias: name) == operation, "\(name)")
            }
        }
    }

    struct Row: Sendable, CustomTestStringConvertible {
        var alias: String
        var identifier: String?
        var encoded: String
        var testDescription: String { alias }
    }

    @Test(
        "an alias resolves to its path, with ids replacing the names in braces in order",
        arguments: [
            Row(alias: "merchant-orders", encoded: "/v3/merchants/M1/orders"),
            Row(alias: "getMerchantOrders", encoded: "/v3/merchants/M1/orders"),
            Row(alias: "get-merchant-orders", encoded: "/v3/merchants/M1/orders"),
            Row(alias: "Merchant-Orders", encoded: "/v3/merchants/M1/orders"),
            Row(alias: "getMerchant", encoded: "/v3/merchants/M1"),
            Row(alias: "merchant-order", identifier: "A1", encoded: "/v3/merchants/M1/orders/A1"),
            Row(alias: "merchant-order-line-items/A1", encoded: "/v3/merchants/M1/orders/A1/line_items"),
            Row(
                alias: "merchant-order-line-item/A1", identifier: "B2",
                encoded: "/v3/merchants/M1/orders/A1/line_items/B2"),
            Row(alias: "merchant-employee-shift/E1/S1", encoded: "/v3/merchants/M1/employees/E1/shifts/S1"),
            Row(
                alias: "app-merchant-metered/APP", identifier: "X",
                encoded: "/v3/apps/APP/merchants/M1/metereds/X"),
        ])
    func resolves(row: Row) throws {
        let path = try ResourcePath(
            parsing: row.alias, identifier: row.identifier, merchantID: "M1", isChecked: true)
        #expect(path.encoded == row.encoded)
        #expect(path.endpoint?.sdkMethod != nil)
    }

    @Test("an alias with a missing or extra id reports its path")
    func identifiers() {
        #expect(
            throws: QueryError.aliasIdentifiers(
                "merchant-order-line-items", path: "orders/{orderId}/line_items", given: 0)
        ) {
            try ResourcePath(
                parsing: "merchant-order-line-items", identifier: nil, merchantID: "M1", isChecked: true)
        }
        #expect(throws: QueryError.aliasIdentifiers("merchant-orders", path: "orders", given: 1)) {
            try ResourcePath(parsing: "merchant-orders", identifier: "A1", merchantID: "M1", isChecked: true)
        }
    }

    @Test("a mistyped alias suggests the nearest ones")
    func suggests() {
        let error = #expect(throws: QueryError.self) {
            try ResourcePath(parsing: "merchant-ordrs", identifier: nil, merchantID: "M1", isChecked: true)
        }
        guard case .unknownPath("merchant-ordrs", let suggestions, _) = error else {
            Issue.record("another error: \(String(describing: error))")
            return
        }
        #expect(suggestions.first == "merchant-orders")
    }
}
