import CloverTestSupport
import Testing

@Suite("schema")
struct SchemaTests {
    @Test("every model is a JSON line, and after them every enum")
    func everything() async throws {
        let result = try await Sandbox.run { try await $0.clover("schema") }
        expectSuccess(result)
        let lines = try result.lines.map { try JSONValue($0) }
        let models = lines.filter { $0["model"] != nil }
        #expect(models.count == 503)
        let enums = lines.dropFirst(503)
        #expect(enums.count == 146)
        for value in enums {
            #expect(value.keys == ["cases", "enum", "in", "kind"])
            #expect(value["kind"]?.string == "enum")
        }
        for model in models { #expect(model.keys == ["api", "fields", "in", "model"]) }
        #expect(models.compactMap { $0["fields"]?.integer }.reduce(0, +) == 3488)
    }

    @Test("a model's fields are JSON lines, by name or by path", arguments: ["order.Order", "Order", "orders"])
    func fields(_ name: String) async throws {
        let result = try await Sandbox.run { try await $0.clover("schema", name) }
        expectSuccess(result)
        let fields = try result.lines.map { try JSONValue($0) }
        let members = [
            "cases", "deprecated", "expand", "field", "in", "model", "nested", "nullable", "reference", "scale",
            "sensitive", "type", "unit",
        ]
        for field in fields { #expect(field.keys == members) }
        let total = try #require(fields.first { $0["field"]?.string == "total" })
        #expect(total["model"]?.string == "order.Order")
        #expect(total["type"]?.string == "int64")
        #expect(total["unit"]?.string == "minor")
        let lines = try #require(fields.first { $0["field"]?.string == "lineItems" })
        #expect(lines["type"]?.string == "elements<order.LineItem>")
        #expect(lines["nested"]?.string == "order.LineItem")
        #expect(lines["expand"]?.elements?.contains(.string("orders")) == true)
    }

    @Test("an enum is one JSON line")
    func enumeration() async throws {
        let result = try await Sandbox.run { try await $0.clover("schema", "PayType") }
        expectSuccess(result)
        #expect(result.lines.count == 1)
        let value = try JSONValue(try #require(result.lines.first))
        #expect(value["enum"]?.string == "order.PayType")
        #expect(value["cases"]?.elements?.contains(.string("FULL")) == true)
    }

    @Test("a JSON Schema is one JSON object that holds all it refers to")
    func jsonSchema() async throws {
        let result = try await Sandbox.run { try await $0.clover("schema", "order.Order", "--json-schema") }
        expectSuccess(result)
        let schema = try JSONValue(result.outputText)
        #expect(schema["$schema"]?.string == "https://json-schema.org/draft/2020-12/schema")
        #expect(schema["$ref"]?.string == "#/$defs/order.Order")
        #expect(schema["$defs"]?["order.LineItem"]?["properties"]?["price"]?["x-unit"]?.string == "minor")
    }

    @Test("what is in the catalogue without a description is not called unknown")
    func undescribed() async throws {
        try await Sandbox.run { sandbox in
            for name in ["tax_rules", "docs:TaxRule"] {
                let result = try await sandbox.clover("schema", name)
                expectFailure(result, status: 64, saying: "the fields of docs:TaxRule are not known")
            }
            let status = try await sandbox.clover("schema", "payments/X/status")
            expectFailure(
                status, status: 64, saying: "the catalogue does not know the records of payments/X/status",
                "clover endpoints payments/X/status")
            #expect(!status.errorText.contains("did you mean"), "\(status)")
        }
    }

    @Test("a table of models and fields fits the terminal")
    func narrow() async throws {
        try await Sandbox.run { sandbox in
            for arguments in ["", "order.Order"] {
                let result = try await sandbox.cloverOnTerminal("schema", arguments, columns: 70)
                #expect(result.ending == .exited(0), "\(result)")
                let lines = result.terminalText.split(separator: "\n").filter { !$0.hasPrefix("clover: ") }
                #expect(lines.count > 20)
                let table = arguments.isEmpty ? lines[...] : lines.filter { !$0.hasPrefix("  ") }.dropFirst(1)
                #expect(table.allSatisfy { $0.count <= 70 }, "\(result)")
            }
        }
    }

    @Test("what is unknown, means several or has no schema is refused")
    func refuses() async throws {
        try await Sandbox.run { sandbox in
            expectFailure(try await sandbox.clover("schema", "Ordr"), status: 64, saying: "Ordr", "order.Order")
            expectFailure(
                try await sandbox.clover("schema", "Address"), status: 64, saying: "base.Address", "customers.Address")
            expectFailure(try await sandbox.clover("schema", "xyzzy"), status: 64, saying: "clover schema")
            for arguments in [["--json-schema"], ["PayType", "--json-schema"]] {
                let result = try await sandbox.clover(["schema"] + arguments)
                #expect(result.ending == .exited(64), "\(result)")
                #expect(result.output == [])
            }
        }
    }

    @Test("on a terminal there is a table, and the cases of the model's enums")
    func terminal() async throws {
        try await Sandbox.run { sandbox in
            let model = try await sandbox.cloverOnTerminal("schema", "inventory.Discount")
            #expect(model.ending == .exited(0), "\(model)")
            try Snapshot.check(model.terminalText, "schema-discount")
            let payment = try await sandbox.cloverOnTerminal("schema", "order.LineItem")
            try Snapshot.check(payment.terminalText, "schema-line-item")
        }
    }
}
