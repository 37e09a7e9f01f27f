import CloverEmulator
import Foundation
import NIOCore
import Testing

@Suite("Endpoints")
struct EndpointTests {
    /// Names that some record of a list shows when expanded.
    struct Expansion: Sendable, CustomTestStringConvertible {
        let list: String
        let names: [String]

        var testDescription: String { list }
    }

    private static let shop = TestShop(orders: 2000)
    private static let reads = RouteTable.all.list.filter { $0.method == "GET" }

    /// A path for an operation, with the id of the first record for each parameter.
    private func target(_ route: Route) throws -> String {
        let shop = Self.shop
        switch route.key {
        case "/merchants/current", "/accounts/current", "/accounts/current/business-topology",
            "/accounts/current/merchants", "/apps", "/merchant_plans", "/resellers":
            return route.key
        case _ where route.key.hasPrefix("/apps/"):
            let words = route.key.split(separator: "/").dropFirst(4).map(String.init)
            let list = "/apps/\(shop.shop.identity.appID)/merchants/\(shop.merchant)/metereds/METERED00000A"
            let event = try Node(Array(shop.call("GET", list).body.readableBytesView)).elements.first?.id ?? ""
            let values = ["metereds": "METERED00000A", "events": event]
            var path = "/apps/\(shop.shop.identity.appID)/merchants/\(shop.merchant)"
            for (word, before) in zip(words, [""] + words) {
                path += "/" + (word == "{}" ? values[before] ?? "" : word)
            }
            return path
        default: break
        }
        var path: [String] = []
        for word in route.key.split(separator: "/") {
            guard word == "{}" else {
                path.append(String(word))
                continue
            }
            path.append(try firstID(of: path.joined(separator: "/")))
        }
        return path.joined(separator: "/")
    }

    private func firstID(of list: String) throws -> String {
        let shop = Self.shop
        switch list {
        case "sync": return "items"
        case "print_event":
            let order = try #require(try shop.json("orders?limit=1").elements.first)
            return try shop.write("POST", "print_event", #"{"orderRef":{"id":"\#(order.id)"}}"#).id
        case "orders":
            // One with fees, because those are separate lists.
            let orders = try shop.json("orders?limit=1000&expand=lineItems").elements
            return orders.first { ($0["lineItems"]?.elements.count ?? 0) >= 8 }?.id ?? ""
        case "item_stocks": return try shop.json(list).elements.first?["item"]?.id ?? ""
        default: return try shop.json(list).elements.first?.id ?? ""
        }
    }

    @Test("The catalogue has 108 documented reads")
    func count() {
        // One read beyond the catalogue: a modifier without its group.
        #expect(Self.reads.count == 109)
        #expect(RouteTable.all.list.count == 231)
    }

    @Test("Every read has the response form of the catalogue", arguments: reads.map(\.key))
    func answers(key: String) throws {
        let route = try #require(Self.reads.first { $0.key == key })
        let target = try target(route)
        let answer = Self.shop.call("GET", target)
        #expect(answer.status == 200)
        if route.shape == .csv {
            #expect(answer.contentType == "text/csv")
            return
        }
        let json = try Node(Array(answer.body.readableBytesView))
        #expect((json.keys == ["elements", "href"]) == (route.shape == .list))
        if route.shape == .list, key != "orders/{}/discounts" { #expect(!json.elements.isEmpty) }
    }

    @Test(
        "Every list accepts and announces exactly its documented filters",
        arguments: reads.filter { $0.shape != .one && !$0.filters.isEmpty }.map(\.key))
    func filters(key: String) throws {
        let route = try #require(Self.reads.first { $0.key == key })
        let target = try target(route)
        let announced = Set(Self.shop.call("GET", target).filterFields?.components(separatedBy: ", ") ?? [])
        for field in route.filters {
            #expect(announced.contains(field.name), "\(field.name) of \(target)")
            let answer = Self.shop.call("GET", "\(target)?filter=\(field.name)%20IS%20NOT%20NULL")
            #expect(answer.status == 200, "\(field.name) of \(target)")
        }
        #expect(Self.shop.call("GET", "\(target)?filter=nope%3D1").status == 400)
    }

    @Test(
        "The pages of every list add up to the whole list", arguments: reads.filter { $0.shape == .list }.map(\.key))
    func pages(key: String) throws {
        let route = try #require(Self.reads.first { $0.key == key })
        let target = try target(route)
        func page(_ query: String) throws -> [String] {
            let answer = Self.shop.call("GET", "\(target)?\(query)")
            return try Node(Array(answer.body.readableBytesView)).elements.map {
                String(
                    decoding: try JSONSerialization.data(withJSONObject: $0.value, options: .sortedKeys), as: UTF8.self)
            }
        }
        let whole = try page("limit=20")
        var paged: [String] = []
        while paged.count < whole.count { paged += try page("limit=7&offset=\(paged.count)") }
        #expect(Array(paged.prefix(whole.count)) == whole)
        #expect(try page("limit=20&nonsense=1&expand=nonsense") == whole)
    }

    @Test(
        "Expanded names are in the records that have them",
        arguments: [
            Expansion(
                list: "orders",
                names: [
                    "employee", "payments", "refunds", "credits", "voids", "lineItems", "customers", "serviceCharge",
                    "discounts", "orderType", "orderFulfillmentEvent",
                ]),
            Expansion(
                list: "payments",
                names: [
                    "tender", "germanInfo", "lineItemPayments", "cardTransaction", "dccInfo", "refunds",
                    "transactionInfo", "externalReferenceId", "oceanGatewayInfo", "taxRates", "additionalCharges",
                    "appTracking", "paymentAttributes", "order",
                ]),
            Expansion(
                list: "refunds",
                names: [
                    "payment", "germanInfo", "appTracking", "employee", "overrideMerchantTender", "serviceCharge",
                    "lineItems", "transactionInfo", "oceanGatewayInfo",
                ]),
            Expansion(
                list: "items",
                names: [
                    "tags", "categories", "taxRates", "modifierGroups", "itemStock", "options", "ageRestricted",
                ]),
            Expansion(list: "customers", names: ["addresses", "emailAddresses", "phoneNumbers", "cards", "metadata"]),
            Expansion(list: "employees", names: ["roles", "shifts", "orders", "payments"]),
            Expansion(list: "shifts", names: ["employee", "overrideInEmployee", "overrideOutEmployee"]),
            Expansion(list: "item_groups", names: ["items", "attributes"]),
            Expansion(list: "order_types", names: ["hours", "attributes", "categories"]),
            Expansion(list: "tags", names: ["items", "printers"]),
            Expansion(
                list: "credits",
                names: ["tender", "employee", "cardTransaction", "order", "taxRates", "transactionInfo", "dccInfo"]),
            Expansion(list: "authorizations", names: ["payment"]),
            Expansion(list: "credit_refunds", names: ["credit", "appTracking", "transactionInfo"]),
        ])
    func expansions(_ row: Expansion) throws {
        let plain = try Self.shop.json("\(row.list)?limit=1000").elements
        let expanded = try Self.shop.json("\(row.list)?limit=1000&expand=\(row.names.joined(separator: ","))").elements
        #expect(expanded.map(\.id) == plain.map(\.id))
        for name in row.names {
            #expect(expanded.contains { $0[name] != nil && $0[name]?.keys != ["id"] }, "\(name) of \(row.list)")
        }
    }

    @Test("A customer without a card has an empty list of cards where it is expanded, and none otherwise")
    func noCards() throws {
        let expanded = try Self.shop.json("customers?limit=1000&expand=cards").elements
        #expect(expanded.allSatisfy { $0["cards"] != nil })
        #expect(expanded.contains { $0["cards"]?.elements.isEmpty == true })
        #expect(try Self.shop.json("customers?limit=1000").elements.allSatisfy { $0["cards"] == nil })
    }

    @Test(
        "The merchant shows every requested part",
        arguments: [
            "employees", "bankProcessing", "externalMerchant", "merchantBoarding", "merchantL3Prerequisite",
            "deviceBoarding", "programExpress", "hierarchy", "shifts", "orders", "address", "logos", "owner", "items",
            "tags", "tenders", "payments", "gateway", "printers", "modifierGroups", "properties", "tipSuggestions",
            "openingHours", "partnerApp", "selfBoardingApplication", "enterprises", "equipment", "equipmentSummary",
        ])
    func merchantParts(name: String) throws {
        let merchant = try Self.shop.json("?expand=\(name)")
        #expect(merchant.id == Self.shop.merchant)
        let part = try #require(merchant[name])
        #expect(part.keys != ["href"])
    }

    @Test("Shifts are filtered by their names in snake case")
    func shifts() throws {
        let all = try Self.shop.everything("shifts")
        let open = try Self.shop.everything("shifts", query: "filter=out_time%20IS%20NOT%20NULL")
        #expect(open.count == all.filter { $0["outTime"] != nil }.count)
        let middle = try #require(all[all.count / 2]["inTime"]?.integer)
        let early = try Self.shop.everything("shifts", query: "filter=in_time%3C\(middle)")
        #expect(early.map(\.id) == all.filter { ($0["inTime"]?.integer ?? 0) < middle }.map(\.id))
        let employee = try #require(all.first?["employee"]?.id)
        let own = try Self.shop.everything("employees/\(employee)/shifts").map(\.id)
        #expect(own == all.filter { $0["employee"]?.id == employee }.map(\.id))
        let name = try #require(try Self.shop.json("employees/\(employee)")["name"]?.text)
        let named = try Self.shop.everything("shifts", query: "filter=employee.name%3D\(QueryString.encode(name))")
        #expect(named.map(\.id) == own)
    }

    @Test("Customers and shifts as comma-separated values with CRLF and quotes")
    func csv() throws {
        let customers = try Self.shop.everything("customers")
        let text = String(buffer: Self.shop.call("GET", "customers.csv").body)
        let lines = text.components(separatedBy: "\r\n")
        #expect(lines.count == customers.count + 2)
        #expect(lines.first?.hasPrefix("Customer ID,First Name,Last Name") == true)
        #expect(zip(lines.dropFirst(), customers).allSatisfy { $0.hasPrefix($1.id) })
        #expect(text.contains(#""Robert ""Bob""""#))
        let marketing = String(
            buffer: Self.shop.call("GET", "customers.csv?filter=marketingAllowed%3Dtrue&limit=3").body)
        #expect(marketing.components(separatedBy: "\r\n").count == 5)
        let shifts = String(buffer: Self.shop.call("GET", "shifts.csv").body).components(separatedBy: "\r\n")
        #expect(shifts.count == (try Self.shop.everything("shifts").count) + 2)
    }

    @Test("Two orders have 250 lines, of which an order shows 100", arguments: [100, 2000])
    func longOrders(orders: Int) throws {
        let shop = TestShop(orders: orders)
        let cut = try shop.everything("orders", query: "expand=lineItems").filter {
            $0["lineItems"]?.elements.count == 100
        }
        let long = try cut.filter { try shop.everything("orders/\($0.id)/line_items").count == 250 }
        #expect(long.count == 2)
        for order in long {
            let lines = try shop.everything("orders/\(order.id)/line_items", limit: 40)
            #expect(Set(lines.map(\.id)).count == 250)
            #expect(lines.prefix(100).map(\.id) == order["lineItems"]?.elements.map(\.id))
        }
    }

    @Test("Cash events have pages of at most 500")
    func cashEvents() throws {
        #expect(Self.shop.call("GET", "cash_events?limit=500").status == 200)
        #expect(Self.shop.call("GET", "cash_events?limit=501").status == 400)
    }

    @Test(
        "Refuses unsupported methods and lists the supported ones",
        arguments: [
            ("PUT", "customers/X", "DELETE, GET, POST, OPTIONS"),
            ("PATCH", "customers/X", "DELETE, GET, POST, OPTIONS"),
            ("GET", "orders/X/voided_line_items", "POST, OPTIONS"), ("GET", "time_cards", "OPTIONS"),
            ("GET", "employees/X/timecards", "OPTIONS"), ("DELETE", "orders", "GET, POST, OPTIONS"),
            ("GET", "items/X/tax_rates", "OPTIONS"),
        ])
    func methods(method: String, path: String, allowed: String) {
        let answer = Self.shop.call(method, path)
        #expect(answer.status == 405)
        #expect(answer.contentType == nil && String(buffer: answer.body) == "405 \(method) not allowed.")
        #expect(answer.headers.first { $0.name == "Allow" }?.value == allowed)
    }
}
