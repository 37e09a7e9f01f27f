import CloverAPI
import CloverHTTP
import Testing

@Suite("Paths")
struct ResourcePathTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var path: String
        var identifier: String?
        var encoded: String
        var shape: Endpoint.Shape?
        var testDescription: String { path }
    }

    @Test(
        "a path is resolved to what is requested",
        arguments: [
            Row(path: "orders", encoded: "/v3/merchants/M1/orders", shape: .list),
            Row(path: "/orders/", encoded: "/v3/merchants/M1/orders", shape: .list),
            Row(path: "orders", identifier: "A1", encoded: "/v3/merchants/M1/orders/A1", shape: .object),
            Row(path: "order/A1", encoded: "/v3/merchants/M1/orders/A1", shape: .object),
            Row(path: "category", encoded: "/v3/merchants/M1/categories", shape: .list),
            Row(path: "orders/A1/line_items", encoded: "/v3/merchants/M1/orders/A1/line_items", shape: .list),
            Row(path: "merchant", encoded: "/v3/merchants/M1", shape: .object),
            Row(path: "/v3/merchants/{mId}", encoded: "/v3/merchants/M1", shape: .object),
            Row(path: "/v3/merchants/{mId}/items", encoded: "/v3/merchants/M1/items", shape: .list),
            Row(path: "v3/merchants/OTHER/items", encoded: "/v3/merchants/OTHER/items", shape: .list),
            Row(path: "items/a b%", encoded: "/v3/merchants/M1/items/a%20b%25", shape: .object),
        ])
    func resolves(row: Row) throws {
        let path = try ResourcePath(
            parsing: row.path, identifier: row.identifier, merchantID: "M1", isChecked: true)
        #expect(path.encoded == row.encoded)
        #expect(path.endpoint?.shape == row.shape)
    }

    @Test("an unknown path is refused and the nearest ones are offered")
    func suggests() {
        #expect(throws: QueryError.unknownPath("ordrs", suggestions: ["orders"], method: .get)) {
            try ResourcePath(parsing: "ordrs", identifier: nil, merchantID: "M1", isChecked: true)
        }
        #expect(
            throws: QueryError.unknownPath(
                "orders/A/lineitems", suggestions: ["orders/{orderId}/line_items"], method: .get)
        ) {
            try ResourcePath(parsing: "orders/A/lineitems", identifier: nil, merchantID: "M1", isChecked: true)
        }
        #expect(throws: QueryError.unknownPath("xyzzy-plugh", suggestions: [], method: .get)) {
            try ResourcePath(parsing: "xyzzy-plugh", identifier: nil, merchantID: "M1", isChecked: true)
        }
    }

    @Test("unchecked, an unknown path is accepted unchanged")
    func unchecked() throws {
        let path = try ResourcePath(parsing: "new_things", identifier: nil, merchantID: "M1", isChecked: false)
        #expect(path.encoded == "/v3/merchants/M1/new_things")
        #expect(path.endpoint == nil)
    }

    @Test("paths of versions other than V3 are accepted unchecked")
    func versions() throws {
        for isChecked in [true, false] {
            let old = try ResourcePath(
                parsing: "/v2/merchant/{mId}/name", identifier: nil, merchantID: "M1", isChecked: isChecked)
            #expect(old.encoded == "/v2/merchant/M1/name")
            #expect(old.endpoint == nil)
        }
    }

    @Test("a path of another Clover service is refused, and the service is named")
    func otherServices() throws {
        #expect(throws: QueryError.otherService(.ecommerce, path: "/v1/charges")) {
            try ResourcePath(
                parsing: "/v1/charges", identifier: nil, merchantID: "M1", isChecked: true, method: .post)
        }
        // The path above is one of them, and only written.
        #expect(throws: QueryError.otherService(.ecommerce, path: "/v1/customers/C1/sources")) {
            try ResourcePath(parsing: "/v1/customers/C1/sources", identifier: nil, merchantID: "M1", isChecked: true)
        }
        let sent = try ResourcePath(
            parsing: "/v1/charges", identifier: nil, merchantID: "M1", isChecked: false, method: .post)
        #expect(sent.encoded == "/v1/charges")
    }

    @Test("an unknown path of the ecommerce API is refused, and goes to its host unchecked")
    func unknownEcommerce() throws {
        #expect(
            throws: QueryError.unknownPath(
                "charges/C1/refunds", suggestions: ["ecommerce/refunds"], method: .get)
        ) { try ResourcePath(parsing: "charges/C1/refunds", identifier: nil, merchantID: "M1", isChecked: true) }
        let unchecked = try ResourcePath(
            parsing: "charges/C1/refunds", identifier: nil, merchantID: "M1", isChecked: false)
        #expect(unchecked.encoded == "/v1/charges/C1/refunds" && unchecked.isEcommerce)
        // A charge or refund is for 'clover charge', which has its journal.
        let write = try ResourcePath(
            parsing: "charges/C1/refunds", identifier: nil, merchantID: "M1", isChecked: false, method: .post)
        #expect(!write.isEcommerce)
    }

    @Test("SDK aliases are for reads: a write is pointed to the path")
    func aliasesOnlyRead() {
        #expect(throws: QueryError.unknownPath("merchant-orders", suggestions: ["orders"], method: .post)) {
            try ResourcePath(
                parsing: "merchant-orders", identifier: nil, merchantID: "M1", isChecked: true, method: .post)
        }
    }

    @Test("a path is checked with its method")
    func methods() throws {
        let path = try ResourcePath(
            parsing: "orders/A1/line_items", identifier: nil, merchantID: "M1", isChecked: true, method: .post)
        #expect(path.endpoint?.body == "order.LineItem")
        #expect(throws: QueryError.methodNotTaken(.put, path: "orders/A1", takes: [.get, .post, .delete])) {
            try ResourcePath(parsing: "orders/A1", identifier: nil, merchantID: "M1", isChecked: true, method: .put)
        }
        #expect(throws: QueryError.methodNotTaken(.get, path: "bulk_items", takes: [.post, .put])) {
            try ResourcePath(parsing: "bulk_items", identifier: nil, merchantID: "M1", isChecked: true)
        }
        #expect(throws: QueryError.unknownPath("ordrs", suggestions: ["orders"], method: .post)) {
            try ResourcePath(parsing: "ordrs", identifier: nil, merchantID: "M1", isChecked: true, method: .post)
        }
    }

    @Test("a path that Clover ends with a slash is sent with it")
    func trailingSlash() throws {
        for text in ["orders/A1/service_charge", "orders/A1/service_charge/"] {
            let path = try ResourcePath(
                parsing: text, identifier: nil, merchantID: "M1", isChecked: true, method: .post)
            #expect(path.encoded == "/v3/merchants/M1/orders/A1/service_charge/")
        }
    }

    struct BadRow: Sendable, CustomTestStringConvertible {
        var path: String
        var fault: QueryError.PathFault
        var testDescription: String { path.debugDescription }
    }

    @Test(
        "a malformed path is refused with its reason",
        arguments: [
            BadRow(path: "", fault: .empty), BadRow(path: "/", fault: .empty),
            BadRow(path: "https://api.clover.com/v3", fault: .wholeURL), BadRow(path: "orders?limit=5", fault: .query),
            BadRow(path: "orders#x", fault: .query), BadRow(path: "orders/../payments", fault: .dotSegment),
            BadRow(path: "orders//A", fault: .emptySegment), BadRow(path: "orders\n", fault: .controlCharacter),
        ])
    func refuses(row: BadRow) {
        #expect(throws: QueryError.malformedPath(row.path, reason: row.fault)) {
            try ResourcePath(parsing: row.path, identifier: nil, merchantID: "M1", isChecked: true)
        }
    }

    @Test(
        "an ID of a response is one segment of the path below, encoded, or none",
        arguments: [
            ("A", "/v3/merchants/M1/orders/A"), ("a/b?c#d", "/v3/merchants/M1/orders/a%2Fb%3Fc%23d"),
            ("\n%2e", "/v3/merchants/M1/orders/%0A%252e"), ("", nil), (".", nil), ("..", nil),
        ])
    func appended(_ id: String, _ encoded: String?) throws {
        let path = try ResourcePath(parsing: "orders", identifier: nil, merchantID: "M1", isChecked: true)
        #expect(path.appending([id])?.encoded == encoded)
        #expect(path.appending(["A"])?.endpoint?.path == "/v3/merchants/{mId}/orders/{orderId}")
    }

    @Test("every path of the catalogue resolves to itself")
    func wholeCatalogue() throws {
        #expect(EndpointCatalogue.endpoints.count == 108)
        for endpoint in EndpointCatalogue.endpoints {
            let segments = endpoint.path.split(separator: "/").map { $0 == "{mId}" ? "M1" : String($0) }
            let concrete = "/" + segments.map { $0.hasPrefix("{") ? "X1" : $0 }.joined(separator: "/")
            let path = try ResourcePath(parsing: concrete, identifier: nil, merchantID: "M1", isChecked: true)
            #expect(path.endpoint == endpoint, "\(endpoint.path)")
        }
    }
}
