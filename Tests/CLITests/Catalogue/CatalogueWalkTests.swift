import CloverTestSupport
import Synchronization
import Testing

/// The whole catalogue, walked with `clover get` against the emulator; curl and jq say what is right.
@Suite("every operation of the catalogue")
struct CatalogueWalkTests {
    @Test("each of the 108 readable endpoints answers, byte for byte what curl gets")
    func answers() async throws {
        try await CatalogueShop.run { shop in
            let operations = try await shop.readable()
            #expect(operations.count == 108)
            try await shop.forEach(operations) { operation in
                let path = try #require(try await shop.concrete(operation.shortPath).first, "\(operation)")
                let result = try await shop.get([path, "--no-complete"])
                expectSuccess(result)
                let body = try await shop.emulator.fetch(shop.absolute(path))
                #expect(result.output == body + (operation.returns == "csv" ? [] : [10]), "\(path)")
            }
        }
    }

    @Test("each list comes in pages: parts of it make up the whole")
    func pages() async throws {
        try await CatalogueShop.run { shop in
            // Parts of orders of which the shop's own have one at most.
            let order = try await shop.raw([shop.absolute("orders") + "?limit=1"], jq: ".elements[0].id").joined()
            let fees = try await shop.raw([shop.absolute("order_fees")], jq: ".elements[].id")
            for amount in [-10, -20, -30] {
                _ = try await shop.post("orders/\(order)/discounts", #"{"name":"Off","amount":\#(amount)}"#)
            }
            for fee in fees + fees {
                _ = try await shop.post("orders/\(order)/order_fee_line_items", #"{"orderFee":{"id":"\#(fee)"}}"#)
            }
            let operations = try await shop.readable().filter(\.isList)
            #expect(operations.count == 58)
            let single = Mutex<[String]>([])
            try await shop.forEach(operations) { operation in
                let path = try await Self.longest(operation, in: shop)
                let whole = try await shop.get([path, "--all"])
                expectSuccess(whole)
                let count = whole.lines.count
                try #require(count > 0, "\(path) is empty")
                if count < 2 { single.withLock { $0.append(operation.shortPath) } }
                let part = min((count + 2) / 3, 400)
                var joined: [String] = []
                for offset in [0, part, 2 * part] {
                    let result = try await shop.get([path, "--limit", "\(part)", "--offset", "\(offset)"])
                    expectSuccess(result)
                    #expect(result.lines.count <= part)
                    joined += result.lines
                }
                #expect(joined == Array(whole.lines.prefix(3 * part)), "\(path)")
                let rest = try await shop.get([path, "--all", "--offset", "\(count)"])
                #expect(rest.lines == [], "\(path)")
            }
            // One merchant is all that an account of the emulator has.
            #expect(single.withLock { $0.sorted() } == ["/v3/accounts/current/merchants"])
        }
    }

    /// The list with the most records among those of some owners.
    private static func longest(_ operation: CatalogueOperation, in shop: CatalogueShop) async throws -> String {
        let paths = Array(try await shop.concrete(operation.shortPath).prefix(400))
        guard paths.count > 1 else { return try #require(paths.first) }
        let counts = try await shop.raw(
            paths.map { shop.absolute($0) + "?limit=\(operation.largestPage)" }, jq: ".elements|length")
        return try #require(zip(paths, counts.compactMap(Int.init)).max { $0.1 < $1.1 }?.0)
    }

    @Test("each list that does not fit into a page is read to its end", arguments: [11])
    func smallPages(size: Int) async throws {
        let flags = ["--orders", "200", "--seed", "150", "--no-limits"]
        try await CatalogueShop.run(flags: flags + ["--clamp", "\(size)"]) { shop in
            let whole = try await EmulatorProcess(flags)
            let names = ["orders", "payments", "items", "customers", "shifts", "modifiers", "cash_events", "employees"]
            try await shop.forEach(names) { name in
                let result = try await shop.get([name, "--all"])
                expectSuccess(result)
                let body = try await whole.fetch("\(shop.absolute(name))?limit=500")
                let elements = try JSONValue(String(decoding: body, as: UTF8.self))["elements"]?.elements
                #expect(try JSONValue.lines(result.lines) == elements, "\(name)")
            }
        }
    }

    @Test("each name that can be expanded brings its part")
    func expansions() async throws {
        try await CatalogueShop.run { shop in
            let operations = try await shop.readable().filter { !$0.expandNames.isEmpty && $0.returns != "csv" }
            let count = operations.map(\.expandNames.count).reduce(0, +)
            #expect(count > 650)
            try await shop.forEach(operations) { operation in
                let proof = ExpandProof(shop: shop, operation: operation)
                let unproved = Scale.isFull ? try await proof.unprovedAlone() : try await proof.unproved()
                #expect(unproved == Unprovable.expansions(of: operation.shortPath), "\(operation)")
            }
            try Scale.report(
                "Every name to expand, in a separate request", count: "\(count) names",
                result:
                    "each brings its part, but for those that Tests/CLITests/Catalogue/Unprovable.swift gives reasons for"
            )
        }
    }

    @Test("each filter name finds the records with a value, and no others")
    func filters() async throws {
        try await CatalogueShop.run { shop in
            let operations = try await shop.readable()
            let filtered = Self.withFilters(operations)
            let count = filtered.map(\.filterNames.count).reduce(0, +)
            #expect(filtered.count == 46 && count > 450, "\(filtered.count) lists with \(count) filters")
            let items = try #require(operations.first { $0.shortPath == "items" })
            let context = try await FilterContext(shop, items: items)
            try await shop.forEach(filtered) { operation in
                let unprovable = Unprovable.filters(of: operation.shortPath)
                // Unprovable names are requested as well: they are known, and a list is returned.
                guard Set(unprovable) != Set(operation.filterNames) else { return }
                let name = Self.listNames[operation.shortPath] ?? operation.shortPath
                let list = try #require(operations.first { $0.shortPath == name })
                let proof = FilterProof(shop: shop, context: context, operation: operation, list: list)
                let unproved = try await proof.unproved()
                let names = Set(unproved.map { String($0.prefix { $0 != ":" }) })
                #expect(names == Set(unprovable), "\(operation): \(unproved)")
            }
        }
    }

    private static func withFilters(_ operations: [CatalogueOperation]) -> [CatalogueOperation] {
        operations.filter { !$0.filterNames.isEmpty }
    }

    /// The lists that tell what is right for answers that are none.
    private static let listNames = [
        "customers.csv": "customers", "shifts.csv": "shifts", "voided_line_items/totals": "voided_line_items",
    ]
}
