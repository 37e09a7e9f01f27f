import CloverTestSupport
import Synchronization
import Testing

/// Random queries through `clover get`, against what this file's own arithmetic makes of everything that curl gets.
@Suite("get: random queries")
struct DifferentialTests {
    /// Lists, and names to expand in them that bring no list of more than 100 entries.
    private static let lists: [(path: String, expand: [String])] = [
        (
            "orders",
            [
                "employee", "payments", "refunds", "customers", "serviceCharge", "discounts", "orderType", "voids",
                "credits", "payments.tender", "payments.cardTransaction", "payments.dccInfo", "refunds.employee",
                "customers.addresses", "customers.cards", "employee.roles", "orderType.hours", "voids.tender",
            ]
        ),
        (
            "payments",
            [
                "tender", "cardTransaction", "refunds", "taxRates", "order", "transactionInfo", "externalReferenceId",
                "additionalCharges", "refunds.lineItems", "refunds.employee",
            ]
        ),
        (
            "items",
            [
                "tags", "categories", "taxRates", "modifierGroups", "itemStock", "options", "modifierGroups.modifiers",
                "tags.printers",
            ]
        ),
        ("customers", ["addresses", "emailAddresses", "phoneNumbers", "cards", "metadata"]),
        ("shifts", ["employee", "overrideInEmployee", "overrideOutEmployee", "employee.roles"]),
        ("employees", ["roles"]), ("modifier_groups", ["modifiers", "items", "items.tags"]),
        ("categories", ["items", "items.categories"]), ("modifiers", []), ("cash_events", ["employee", "device"]),
        ("tenders", []), ("authorizations", ["payment", "payment.tender", "payment.cardTransaction"]),
        ("credits", ["tender", "employee", "cardTransaction", "order", "taxRates"]), ("voided_line_items", []),
        ("tax_rates", ["items"]), ("options", []),
    ]

    @Test("200 random queries give what a plain evaluation of filter, expand, sort, limit and offset gives")
    func random() async throws {
        let seed = Scale.isFull ? UInt64.random(in: 0...UInt64.max) : 20_260_131
        let count = Scale.pick(200, full: 4000)
        try await CatalogueShop.run(flags: ["--orders", "300", "--seed", "150", "--no-limits"]) { shop in
            let operations = try await shop.readable()
            var lists: [(path: String, list: ReferenceList)] = []
            for (path, expand) in Self.lists {
                let operation = try #require(operations.first { $0.shortPath == path })
                #expect(expand.filter { !operation.expandNames.contains($0) } == [], "\(path)")
                lists.append((path, try await ReferenceList(operation, expandable: expand, in: shop)))
            }
            var generator = SeededGenerator(seed: seed)
            var queries: [(path: String, list: ReferenceList, query: RandomQuery)] = []
            for number in 0..<count {
                let (path, list) = lists[number % 3 == 0 ? 0 : number % lists.count]
                queries.append((path, list, RandomQuery(of: list, by: &generator)))
            }
            let answered = Mutex(0)
            try await shop.forEach(queries) { path, list, query in
                let expected = list.answer(query)
                if !expected.isEmpty { answered.withLock { $0 += 1 } }
                let result = try await shop.get([path] + query.arguments)
                // Bounds that exclude each other are a mistake of the user, and refused. No record is within them.
                if result.status == 64, result.errorText.contains("swap the two times") {
                    #expect(expected.isEmpty, "seed \(seed): \(path) \(query)")
                    return
                }
                expectSuccess(result)
                let records = try JSONValue.lines(result.lines)
                let ids = records.map { $0["id"]?.string ?? "" }
                #expect(ids == expected.map { $0["id"]?.string ?? "" }, "seed \(seed): \(path) \(query)")
                #expect(records == expected, "seed \(seed): \(path) \(query)")
            }
            // Not all of nothing.
            #expect(answered.withLock(\.self) > count / 2)
        }
        try Scale.report(
            "Random queries against a plain evaluation (seed \(seed))", count: "\(count) queries",
            result: "the same records, in the same order, with the same parts")
    }
}
