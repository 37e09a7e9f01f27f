import CloverTestSupport
import Testing

@Suite("endpoints")
struct EndpointsTests {
    @Test("every operation is a JSON line, with the same members")
    func everything() async throws {
        let result = try await Sandbox.run { try await $0.clover("endpoints") }
        expectSuccess(result)
        let operations = try result.lines.map { try JSONValue($0) }
        #expect(operations.count == 256)
        let members = [
            "alias", "api", "body", "changeField", "expand", "family", "filter", "filterComplete", "historyDays",
            "historyFilters", "largestPage", "method", "model", "notes", "operation", "parameters", "path",
            "permission",
            "permissionInferred", "returns", "sdkMethod", "shortPath", "sort", "timeField", "unconfirmed",
        ]
        for operation in operations { #expect(operation.keys == members) }
        #expect(operations.count { $0["api"]?.string == "v3" } == 232)
        #expect(operations.count { $0["sdkMethod"]?.string != nil } == 71)
    }

    struct Selection: Sendable, CustomTestStringConvertible {
        let arguments: [String]
        let calls: [String]
        var testDescription: String { arguments.joined(separator: " ") }
    }

    @Test(
        "a family, a path or an alias chooses operations, and a method among them",
        arguments: [
            Selection(
                arguments: ["tip_suggestions"],
                calls: ["GET tip_suggestions", "GET tip_suggestions/{tId}", "POST tip_suggestions/{tId}"]),
            Selection(arguments: ["tip_suggestions", "--method", "post"], calls: ["POST tip_suggestions/{tId}"]),
            Selection(arguments: ["items/ABC", "--method", "GET"], calls: ["GET items/{itemId}"]),
            Selection(arguments: ["merchant-order-line-items"], calls: ["GET orders/{orderId}/line_items"]),
            Selection(arguments: ["merchant-order", "--method", "DELETE"], calls: ["DELETE orders/{orderId}"]),
            Selection(arguments: ["/v1/refunds"], calls: ["GET /v1/refunds", "POST /v1/refunds"]),
        ])
    func selects(_ selection: Selection) async throws {
        let result = try await Sandbox.run { try await $0.clover(["endpoints"] + selection.arguments) }
        expectSuccess(result)
        let calls = try result.lines.map { line in
            let operation = try JSONValue(line)
            return "\(operation["method"]?.string ?? "") \(operation["shortPath"]?.string ?? "")"
        }
        #expect(calls == selection.calls)
    }

    @Test("what the catalogue has not is refused with what is near")
    func refuses() async throws {
        try await Sandbox.run { sandbox in
            expectFailure(try await sandbox.clover("endpoints", "ordrs"), status: 64, saying: "ordrs", "orders")
            expectFailure(
                try await sandbox.clover("endpoints", "merchant-ordrs"), status: 64, saying: "merchant-orders")
            expectFailure(
                try await sandbox.clover("endpoints", "orders", "--method", "put"), status: 64, saying: "PUT", "POST")
            expectFailure(try await sandbox.clover("endpoints", "xyzzy"), status: 64, saying: "tenders")
            let below = try await sandbox.clover("endpoints", "items/X/Y")
            expectFailure(below, status: 64, saying: "items/X/Y", "items/{itemId}/")
            #expect(!below.errorText.contains("tenders"), "\(below)")
            let alias = try await sandbox.clover("endpoints", "merchant-order", "--method", "put")
            expectFailure(alias, status: 64, saying: "clover post orders/{orderId}")
            let method = try await sandbox.clover("endpoints", "--method", "patch")
            #expect(method.ending == .exited(64), "\(method)")
        }
    }

    @Test("on a terminal there is a table, and the path that was named is explained")
    func terminal() async throws {
        try await Sandbox.run { sandbox in
            let family = try await sandbox.cloverOnTerminal("endpoints", "tenders")
            #expect(family.ending == .exited(0), "\(family)")
            try Snapshot.check(family.terminalText, "endpoints-tenders")
            let path = try await sandbox.cloverOnTerminal("endpoints", "'orders/{orderId}'")
            try Snapshot.check(path.terminalText, "endpoints-order")
            let json = try await sandbox.cloverOnTerminal("endpoints", "tenders", "--json")
            #expect(json.terminalText.hasPrefix("{\"method\":\"GET\""))
        }
    }

    @Test("a table fits the terminal: paths stay whole, and columns on the right give way", arguments: [40, 80, 120])
    func narrow(_ width: Int) async throws {
        try await Sandbox.run { sandbox in
            let result = try await sandbox.cloverOnTerminal("endpoints", "orders", columns: width)
            #expect(result.ending == .exited(0), "\(result)")
            let table = result.terminalText.split(separator: "\n\n")[0].split(separator: "\n")
                .filter { !$0.hasPrefix("clover: ") }
            #expect(table.count > 20)
            // A path that is longer than the terminal is wide goes on in its next line.
            #expect(table.allSatisfy { $0.count <= max(width, 80) }, "\(result)")
            #expect(table.allSatisfy { !$0.prefix(75).contains("…") }, "\(result)")
            #expect(table.contains { $0.wholeMatch(of: /GET +orders( .*)?/) != nil }, "\(result)")
            #expect(result.terminalText.contains("clover: no room for") == (width <= 80), "\(result)")
        }
    }

    @Test("nothing is read, written or sent, also without a sign-in")
    func leavesNothing() async throws {
        try await Sandbox.run { sandbox in
            expectSuccess(try await sandbox.clover("endpoints", "orders"))
            expectSuccess(try await sandbox.clover("schema", "order.Order"))
            #expect(sandbox.directory.files(below: "") == [])
        }
    }

    @Test("get takes the words of the SDK's users")
    func aliases() async throws {
        try await Sandbox.run(emulator: ["--orders", "20"]) { sandbox, _ in
            let plain = try await sandbox.clover("get", "orders", "--limit", "3")
            expectSuccess(plain)
            let alias = try await sandbox.clover("get", "merchant-orders", "--limit", "3")
            expectSuccess(alias)
            #expect(alias.output == plain.output)
            let first = try JSONValue(try #require(plain.lines.first))["id"]?.string ?? ""
            let order = try await sandbox.clover("get", "getMerchantOrder", first)
            expectSuccess(order)
            #expect(order.lines.count == 1)
            expectFailure(
                try await sandbox.clover("get", "merchant-order"), status: 64, saying: "orders/{orderId}", "0 IDs")
        }
    }
}
