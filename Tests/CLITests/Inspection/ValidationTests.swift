import CloverTestSupport
import Testing

@Suite("get --validate")
struct ValidationTests {
    private func run(_ records: [String], _ body: (Sandbox) async throws -> Void) async throws {
        try await Sandbox.run(server: { request, _ in ServedList(records: records).answer(to: request) }) {
            sandbox, _ in try await body(sandbox)
        }
    }

    @Test("each mismatch is a line on stderr; every record is printed, and the status is 0")
    func strays() async throws {
        let records = [
            #"{"id":"O1","total":"12","lineItems":{"elements":[{"price":1.5}]}}"#, #"{"id":"O2","total":12}"#,
            #"{"total":3,"payType":"NEW"}"#,
        ]
        try await run(records) { sandbox in
            let result = try await sandbox.clover("get", "orders", "--validate")
            #expect(result.ending == .exited(0))
            #expect(result.outputText == records.map { $0 + "\n" }.joined())
            #expect(
                result.errorText == """
                    clover: record O1 does not match order.Order: /total is string, not int64
                    clover: record O1 does not match order.Order: /lineItems/elements/0/price is number, not int64
                    clover: record without id does not match order.Order: /payType is 'NEW', which is not in order.PayType
                    clover: 2 of 3 records do not match order.Order

                    """)
            let json = try await sandbox.clover("get", "orders", "--validate", "--json")
            let lines = try JSONValue.lines(json.errorText.split(separator: "\n").map(String.init))
            #expect(lines.first?["stray"]?["pointer"]?.string == "/total")
            #expect(lines.first?["stray"]?["id"]?.string == "O1")
            #expect(lines.last?["validation"]?["strays"]?.integer == 2)
            #expect(lines.last?["validation"]?["records"]?.integer == 3)
        }
    }

    @Test("at most twenty lines; the rest is counted by kind")
    func manyStrays() async throws {
        let records = (0..<300).map { #"{"id":"O\#($0)","lineItems":{"elements":[{"price":"x"},{"price":"y"}]}}"# }
        try await run(records) { sandbox in
            let result = try await sandbox.clover("get", "orders", "--all", "--validate")
            #expect(result.ending == .exited(0))
            #expect(result.lines.count == 300)
            let lines = result.errorText.split(separator: "\n")
            #expect(lines.count == 21)
            #expect(
                lines.last
                    == "clover: 300 of 300 records do not match order.Order: 600 times /lineItems/elements/*/price is string, not int64"
            )
        }
    }

    @Test("records are compared as received, before sensitive fields are masked")
    func beforeTheMask() async throws {
        try await run([#"{"id":"E","pin":1234}"#]) { sandbox in
            let result = try await sandbox.clover("get", "employees", "--validate")
            #expect(result.outputText == #"{"id":"E","pin":"[masked]"}"# + "\n")
            #expect(
                result.errorText.contains("record E does not match employees.Employee: /pin is integer, not string"))
        }
    }

    @Test("matching records are reported, except with --quiet; a path without a model is refused")
    func fitting() async throws {
        try await run([#"{"id":"O1","total":12}"#]) { sandbox in
            let result = try await sandbox.clover("get", "orders", "--validate")
            #expect(result.errorText == "clover: 1 record matches order.Order\n")
            expectSuccess(try await sandbox.clover("get", "orders", "--validate", "-q"))
            expectFailure(
                try await sandbox.clover("get", "tax_rules", "--validate"), status: 64, saying: "no model", "tax_rules")
            expectFailure(
                try await sandbox.clover("get", "orders", "--validate", "--no-complete"), status: 64,
                saying: "exclude each other")
            expectFailure(
                try await sandbox.clover("get", "customers.csv", "--validate"), status: 64, saying: "returns text")
        }
    }

    @Test("unknown fields are reported once per name with a count; numbers that are too large are mismatches")
    func remarks() async throws {
        let records = [
            #"{"id":"O1","novel":1,"lineItems":{"elements":[{"odd":1},{"odd":2}],"href":"x"},"href":"x"}"#,
            #"{"id":"O2","novel":{"a":1},"total":9007199254740993}"#, #"{"id":"O3","total":9223372036854775808}"#,
        ]
        try await run(records) { sandbox in
            let result = try await sandbox.clover("get", "orders", "--validate")
            #expect(result.ending == .exited(0))
            #expect(
                result.errorText == """
                    clover: record O3 does not match order.Order: /total is a number too large for int64
                    clover: fields that order.Order does not have: /lineItems/elements/*/odd (2 times), /novel (2 times)
                    clover: whole numbers beyond 2^53, which --jq and many programs round: /total (once)
                    clover: 1 of 3 records does not match order.Order

                    """, "\(result)")
            let json = try await sandbox.clover("get", "orders", "--validate", "--json")
            let lines = try JSONValue.lines(json.errorText.split(separator: "\n").map(String.init))
            #expect(lines[1]["validation"]?["unknownFields"]?["/novel"]?.integer == 2)
            #expect(lines[2]["validation"]?["beyond53Bits"]?["/total"]?.integer == 1)
        }
    }
}
