import CloverAPI
import CloverHTTP
import Testing

@Suite("Selecting operations")
struct EndpointSelectionTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var text: String
        var method: Endpoint.Method?
        var count: Int
        var explained: [String]
        var testDescription: String { "\(text) \(method?.rawValue ?? "")" }
    }

    @Test(
        "a family, a path, or an alias of the SDK",
        arguments: [
            Row(text: "tenders", count: 5, explained: ["GET tenders", "POST tenders"]),
            Row(text: "merchant", count: 2, explained: ["GET merchant", "POST merchant"]),
            Row(text: "tenders", method: .delete, count: 1, explained: []),
            Row(
                text: "orders/{orderId}", count: 3,
                explained: ["GET orders/{orderId}", "POST orders/{orderId}", "DELETE orders/{orderId}"]),
            Row(text: "order/ABC", method: .get, count: 1, explained: ["GET orders/{orderId}"]),
            Row(text: "/v3/merchants/M1/customers.csv", count: 1, explained: ["GET customers.csv"]),
            Row(text: "v3/merchants/{mId}/customers.csv", count: 1, explained: ["GET customers.csv"]),
            Row(text: "merchant-tip-suggestion", count: 1, explained: ["GET tip_suggestions/{tId}"]),
            Row(text: "/v1/charges", count: 2, explained: ["GET /v1/charges", "POST /v1/charges"]),
            Row(text: "charges", count: 2, explained: ["GET /v1/charges", "POST /v1/charges"]),
            Row(text: "charges/ABC", count: 1, explained: ["GET /v1/charges/{chargeId}"]),
            Row(text: "ecommerce/refunds", count: 2, explained: ["GET /v1/refunds", "POST /v1/refunds"]),
            Row(text: "oauth", count: 5, explained: []),
        ])
    func selects(row: Row) throws {
        let selection = try EndpointSelection(row.text, method: row.method)
        #expect(selection.operations.count == row.count)
        #expect(
            selection.explained.map { "\($0.method.rawValue) \(EndpointCatalogue.displayPath($0))" } == row.explained)
    }

    @Test("without an argument, all operations are selected, or all with one method")
    func everything() throws {
        #expect(try EndpointSelection(nil).operations.count == 256)
        #expect(try EndpointSelection(nil, method: .put).operations.map(\.method) == [.put, .put, .put, .put, .put])
    }

    @Test("every path of the catalogue is explained by itself")
    func everyPath() throws {
        for operation in EndpointCatalogue.operations {
            let selection = try EndpointSelection(operation.path, method: operation.method)
            #expect(selection.explained == [operation], "\(operation.path)")
            let short = try EndpointSelection(EndpointCatalogue.displayPath(operation), method: operation.method)
            #expect(short.explained == [operation], "\(operation.path)")
        }
    }

    @Test("unknown names are refused with the nearest ones")
    func refuses() {
        #expect(throws: QueryError.unknownEndpoint("ordrs", suggestions: ["orders"])) { try EndpointSelection("ordrs") }
        #expect(throws: QueryError.unknownEndpoint("xyzzy", suggestions: [])) { try EndpointSelection("xyzzy") }
        #expect(throws: QueryError.noSuchOperation(.put, path: "tenders", takes: [.get, .post, .delete])) {
            try EndpointSelection("tenders", method: .put)
        }
        #expect(throws: QueryError.malformedPath("orders?x", reason: .query)) { try EndpointSelection("orders?x") }
    }
}
