import CloverTestSupport
import Testing

/// What the catalogue's notes say, tried.
@Suite("the catalogue's notes")
struct CatalogueNoteTests {
    /// Arguments of `clover get`, and what a jq program makes of its whole output.
    struct Row: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let arguments: [String]
        let program: String
        /// What stderr says.
        let notice: String?

        init(_ note: String, _ arguments: String..., program: String, notice: String? = nil) {
            testDescription = note
            self.arguments = arguments
            self.program = program
            self.notice = notice
        }
    }

    private static let rows = [
        Row(
            "merchants/current: returns the merchant of the token, regardless of --merchant", "/v3/merchants/current",
            "--merchant", "OTHERMERCHANT", program: "map(.id) != [\"OTHERMERCHANT\"] and length == 1"),
        Row(
            "properties: returns one object", "properties",
            program: "length == 1 and (.[0] | has(\"elements\") | not)"),
        Row(
            "default_service_charge: returns one object, not a list", "default_service_charge",
            program: "length == 1 and (.[0] | has(\"elements\") | not)"),
        Row(
            "item_stocks: an item that was never stocked has only the item field", "item_stocks", "--all",
            program: "any(keys == [\"item\"]) and any(has(\"quantity\"))"),
        Row(
            "items: the category filter is categoryId", "items", "--all", "--expand", "categories", "--filter",
            "categoryId=$category", program: "length > 1 and all(any(.categories.elements[]; .id == $category))"),
        Row(
            "items: name=Cof* finds names by prefix", "items", "--all", "--filter", "name=C*",
            program: "length > 3 and all(.name | startswith(\"C\"))"),
        Row(
            "discounts: the filter for changes is spelled modifiedtime", "discounts", "--filter",
            "modifiedtime>=2020-01-01T00:00Z", program: "length > 1"),
        Row(
            "tags/ID/items: a list", "tags/$tag/items", "--all", program: "length > 1 and all(has(\"price\"))"),
        Row(
            "tax_rates: a rate of 825000 is 8.25 %", "payments", "--limit", "300", "--expand", "taxRates",
            program: """
                [.[] | .amount as $amount | .taxAmount as $tax | .taxRates.elements // [] | select(length == 1)[]
                    | select(.rate > 0 and .taxableAmount > 0) | .taxAmount - .taxableAmount * .rate / 10000000]
                | length > 100 and all(. > -2 and . < 2)
                """),
        Row(
            "orders: modifiedTime may be a second before createdTime", "orders", "--all",
            program: "any(.modifiedTime == .createdTime - 1000)"),
        Row(
            "orders/ID/line_items: unitQty is in thousandths, and absent for pieces", "orders/$order/line_items",
            "--all",
            program: "length == 100 and any(.unitQty) and all((.unitName == null) == (.unitQty == null))"),
        Row(
            "payments: returns card data only with --expand cardTransaction", "payments", "--all",
            program: "all(has(\"cardTransaction\") | not)"),
        Row(
            "payments/ID: returns card data with --expand cardTransaction", "payments", "--all", "--expand",
            "cardTransaction",
            program: "any(.cardTransaction.last4)"),
        Row(
            "payments: amount includes tax; tipAmount is added to it", "orders", "--all", "--expand", "payments",
            "--filter", "state=locked",
            program: """
                [.[] | {total, paid: ([.payments.elements[].amount] | add), tips: ([.payments.elements[].tipAmount] | add)}]
                | length > 100 and any(.tips > 0) and all(.total == .paid)
                """),
        Row("refunds: the amount is positive", "refunds", "--all", program: "length > 5 and all(.amount > 0)"),
        Row(
            "employees/ID/orders: Clover itself is asked about each name", "employees/$employee/orders", "--all",
            "--filter",
            "total>2000", "--filter", "createdTime>=2026-01-05T00:00Z", "--filter", "createdTime<2026-02-05T00:00Z",
            program: "length > 1 and all(.total > 2000)", notice: "Clover filters by total, which the catalogue lacks"),
    ]

    @Test("notes about responses are correct", arguments: rows)
    func answers(_ row: Row) async throws {
        try await CatalogueShop.read { shop in
            var values: [String: String] = [:]
            for (name, list, program) in [
                ("category", "categories", ".elements[0].id"), ("tag", "tags", ".elements[0].id"),
                ("employee", "employees", ".elements[0].id"),
            ] where row.arguments.contains(where: { $0.contains("$\(name)") }) {
                values[name] = try await shop.raw([shop.absolute(list)], jq: program).joined()
            }
            if row.arguments.contains(where: { $0.contains("$order") }) {
                values["order"] = try await shop.raw(
                    ["\(shop.absolute("orders"))?limit=1000&offset=1000&expand=lineItems"],
                    jq: "first(.elements[] | select(.lineItems.elements | length == 100)).id"
                ).joined()
            }
            let arguments = row.arguments.map { argument in
                values.reduce(argument) { $0.replacing("$\($1.key)", with: $1.value) }
            }
            let known = values.map { ["--arg", $0.key, $0.value] }.joined()
            let result = try await shop.get(arguments + known + ["--slurp", "--jq", row.program])
            if let notice = row.notice {
                #expect(result.ending == .exited(0) && result.errorText.hasSuffix("\(notice)\n"), "\(result)")
            } else {
                expectSuccess(result)
            }
            #expect(result.outputText == "true\n", "\(result)")
        }
    }

    @Test("withdrawn filters of payments are refused by clover, and by the service when they are sent anyway")
    func withdrawnFilters() async throws {
        try await CatalogueShop.read { shop in
            let order = try await shop.raw([shop.absolute("orders") + "?limit=1"], jq: ".elements[0].id").joined()
            let employee = try await shop.raw([shop.absolute("employees")], jq: ".elements[0].id").joined()
            for path in ["payments", "orders/\(order)/payments", "employees/\(employee)/payments"] {
                for name in ["tipAmount", "taxAmount", "order.id", "voidReason"] {
                    let filter = [path, "--all", "--filter", "\(name)=1"]
                    expectFailure(try await shop.get(filter), status: 64, saying: "unknown filter '\(name)'")
                    expectFailure(try await shop.get(filter + ["--no-check"]), status: 64, saying: "400", name)
                }
            }
        }
    }

    @Test("lists of text are not paged and are not records")
    func text() async throws {
        try await CatalogueShop.read { shop in
            for path in ["customers.csv", "shifts.csv"] {
                let text = try await shop.get([path])
                expectSuccess(text)
                #expect(text.output == (try await shop.emulator.fetch(shop.absolute(path))))
                #expect(text.lines.count > 50)
                expectFailure(try await shop.get([path, "--jq", ".id"]), status: 64, saying: path)
                expectFailure(try await shop.get([path, "--all"]), status: 64, saying: path)
            }
        }
    }

    @Test("resources without a separate path are refused: voided lines of an order, finished print jobs")
    func absent() async throws {
        try await CatalogueShop.read { shop in
            let order = try await shop.raw([shop.absolute("orders") + "?limit=1"], jq: ".elements[0].id").joined()
            let path = "orders/\(order)/voided_line_items"
            expectFailure(try await shop.get([path]), status: 64, saying: "GET", "POST")
            expectFailure(try await shop.get([path, "--no-check"]), status: 64, saying: "405")
            expectFailure(try await shop.get(["print_event/GONE000000001"]), status: 66, saying: "GONE000000001")
            expectFailure(
                try await shop.get(["discounts", "--filter", "modifiedTime>=2020-01-01T00:00Z"]), status: 64,
                saying: "modifiedtime")
        }
    }

    @Test("cash events come in pages of 500, which a program that asks for more does not get")
    func cashEvents() async throws {
        try await CatalogueShop.run(flags: ["--orders", "14000", "--no-limits"]) { shop in
            let all = try await shop.get(["cash_events", "--all"])
            expectSuccess(all)
            #expect(all.lines.count > 500)
            let some = try await shop.get(["cash_events", "--limit", "501"])
            expectSuccess(some)
            #expect(some.lines == Array(all.lines.prefix(501)))
            let status = try await shop.sandbox.shell(
                """
                curl -q -sS -o /dev/null -w '%{http_code}' -H 'Authorization: Bearer \(shop.emulator.accessToken)' \
                '\(shop.emulator.url)\(shop.absolute("cash_events"))?limit=501'
                """)
            #expect(status.outputText == "400")
        }
    }
}
