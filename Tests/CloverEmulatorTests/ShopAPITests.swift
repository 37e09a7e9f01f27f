import CloverEmulator
import Foundation
import NIOCore
import Testing

@Suite("Lists")
struct ShopAPITests {
    private let shop = TestShop.common
    private let day = 86_400_000

    private func times(_ records: [Node]) -> [Int] {
        records.compactMap { $0["createdTime"]?.integer }
    }

    // MARK: Envelope and paging

    @Test("The envelope has elements and an href with the effective limit, and nothing else")
    func envelope() throws {
        let merchant = shop.merchant
        let page = try shop.json("orders?filter=state%3Dopen&limit=5000&foo=bar")
        #expect(page.keys == ["elements", "href"])
        #expect(
            page["href"]?.text == "http://api.clover.com/v3/merchants/\(merchant)/orders?filter=state%3Dopen&limit=1000"
        )
        #expect(
            try shop.json("items")["href"]?.text == "http://api.clover.com/v3/merchants/\(merchant)/items?limit=100")
        let order = try #require(try shop.json("orders?limit=1").elements.first)
        #expect(order["href"]?.text == "https://www.clover.com/v3/merchants/\(merchant)/orders/\(order.id)")
    }

    @Test("A page has 100 records without a limit and at most 1,000 with one")
    func limits() throws {
        #expect(try shop.json("orders").elements.count == 100)
        #expect(try shop.json("orders?limit=7").elements.count == 7)
        #expect(try TestShop(orders: 1100).json("orders?limit=5000").elements.count == 1000)
        #expect(try shop.json("orders?offset=590").elements.count == 10)
        #expect(try shop.json("orders?offset=600").elements.isEmpty)
        #expect(try shop.json("orders?offset=9223372036854775807").elements.isEmpty)
    }

    @Test("Pages of any size make up the whole list", arguments: [1, 37, 100, 599, 600])
    func pages(limit: Int) throws {
        let whole = try shop.everything("orders").map(\.id)
        #expect(whole.count == 600)
        #expect(Set(whole).count == 600)
        let paged =
            limit == 1
            ? try (0..<40).flatMap { try shop.json("orders?limit=1&offset=\($0)").elements }
            : try shop.everything("orders", limit: limit)
        #expect(paged.map(\.id) == Array(whole.prefix(paged.count)))
    }

    @Test("Orders and payments come newest first", arguments: ["orders", "payments", "refunds"])
    func newestFirst(list: String) throws {
        let times = times(try shop.everything(list))
        #expect(times.count > 5)
        #expect(times == times.sorted(by: >))
    }

    @Test(
        "Refuses limits and offsets that are not numbers",
        arguments: [
            "limit=x", "limit=0", "limit=-1", "offset=-1", "offset=x", "filter=state", "filter=nope%3D1",
            "filter=total%3Dx",
        ])
    func badRequests(query: String) {
        #expect {
            try shop.answer("orders?\(query)")
        } throws: { error in
            (error as? APIError)?.status == 400
        }
    }

    // MARK: Filters and order

    @Test(
        "Filters return the matching records",
        arguments: [
            "total>=1500", "total<700", "total!=376", "state=OPEN", "payType=split_guest", "manualTransaction=true",
        ])
    func filters(filter: String) throws {
        let found = try shop.everything("orders", query: "filter=\(QueryString.encode(filter))")
        let expression = try #require(FilterExpression(filter))
        let all = try shop.everything("orders")
        let expected = all.filter { order in
            guard let value = order[expression.field],
                (order["createdTime"]?.integer ?? 0) >= ShopSettings.defaultNow - 90 * day
            else { return false }
            let given = expression.values[0]
            switch expression.comparison {
            case .greaterOrEqual: return value.integer ?? 0 >= Int(given) ?? 0
            case .less: return value.integer ?? 0 < Int(given) ?? 0
            case .notEqual: return value.integer != Int(given)
            default: return value.text?.lowercased() == given.lowercased() || (given == "true" && value.integer == 1)
            }
        }
        #expect(!expected.isEmpty)
        #expect(found.map(\.id) == expected.map(\.id))
    }

    @Test("Applies repeated filters, encoded or not")
    func repeatedFilters() throws {
        let encoded = try shop.everything("orders", query: "filter=total%3E500&filter=total%3C900")
        #expect(!encoded.isEmpty)
        #expect(encoded.allSatisfy { (501...899).contains($0["total"]?.integer ?? 0) })
        let raw = try shop.everything("orders", query: "filter=total>500&filter=total<900")
        #expect(raw.map(\.id) == encoded.map(\.id))
    }

    @Test("Returns a list of ids in the default order")
    func lists() throws {
        let ids = try shop.json("orders?limit=20").elements.map(\.id)
        let list = [ids[7], ids[3], "AAAAAAAAAAAAA"].map { "'\($0)'" }.joined(separator: ",")
        let found = try shop.json("orders?filter=id%20in%20(\(list))").elements.map(\.id)
        #expect(found == [ids[3], ids[7]])
    }

    @Test("Creation times bound a list exactly")
    func timeBounds() throws {
        let all = times(try shop.everything("orders"))
        let middle = all[120]
        for (filter, expected) in [
            ("createdTime>=\(middle)", 121), ("createdTime>\(middle)", 120), ("createdTime=\(middle)", 1),
        ] {
            #expect(try shop.everything("orders", query: "filter=\(filter)").count == expected)
        }
        let window = try shop.everything(
            "orders", query: "filter=createdTime<\(all[10])&filter=createdTime>=\(all[50])")
        #expect(times(window) == Array(all[11...50]))
    }

    @Test("Nested fields can be filtered")
    func nestedFields() throws {
        let employee = try #require(try shop.json("employees?limit=1").elements.first)
        let orders = try shop.everything("orders", query: "filter=employee.id%3D\(employee.id)")
        #expect(!orders.isEmpty)
        #expect(orders.allSatisfy { $0["employee"]?.id == employee.id })
        let items = try shop.everything("items", query: "filter=name%3DCa*")
        #expect(items.count > 2)
        #expect(items.allSatisfy { $0["name"]?.text?.hasPrefix("Ca") ?? false })
        let category = try #require(try shop.json("categories").elements.first)
        let inside = try shop.everything("items", query: "filter=categoryId%3D\(category.id)").map(\.id)
        #expect(inside == (try shop.everything("categories/\(category.id)/items").map(\.id)))
    }

    @Test("The filter fields are announced, but not for an order's lines")
    func announcedFields() throws {
        let order = try #require(try shop.json("orders?limit=1").elements.first)
        let fields = try #require(try shop.answer("orders").filterFields)
        #expect(fields.components(separatedBy: ", ").contains("cardTransaction.last4"))
        #expect(try shop.answer("employees").filterFields?.hasPrefix("modifiedTime, role, role.id") == true)
        #expect(try shop.answer("orders/\(order.id)/line_items").filterFields == nil)
    }

    @Test("orderBy takes several fields and directions and ignores unknown ones")
    func order() throws {
        let orders = try shop.everything("orders", query: "orderBy=state%20ASC,nope,total%20DESC")
        let keys = orders.map { ($0["state"]?.text?.lowercased() ?? "", $0["total"]?.integer ?? 0) }
        #expect(orders.count == 600)
        for (left, right) in zip(keys, keys.dropFirst()) {
            #expect(left.0 < right.0 || (left.0 == right.0 && left.1 >= right.1))
        }
        let unknown = try shop.everything("orders", query: "orderBy=nope%20DESC").map(\.id)
        #expect(unknown == (try shop.everything("orders").map(\.id)))
        let oldest = times(try shop.everything("orders", query: "orderBy=createdTime"))
        #expect(oldest == oldest.sorted())
    }

    @Test(
        "Lists are sorted by members that they do not filter by",
        arguments: [
            ("refunds", "amount"), ("refunds", "taxAmount"), ("refunds", "createdTime"), ("credits", "createdTime"),
            ("shifts", "inTime"), ("shifts", "cashTipsCollected"), ("items", "cost"), ("payments", "tipAmount"),
        ])
    func memberOrder(list: String, field: String) throws {
        let plain = try shop.everything(list)
        for (direction, isDescending) in [("ASC", false), ("DESC", true)] {
            let records = try shop.everything(list, query: "orderBy=\(field)%20\(direction)")
            let values = records.map { $0[field]?.integer ?? .min }
            #expect(values == values.sorted { isDescending ? $0 > $1 : $0 < $1 })
            #expect(Set(values).count > 1, "no two records differ")
            #expect(records.count == plain.count)
        }
    }

    @Test("A list in the order of a time is the same whether its order is kept or made", arguments: [0, 3])
    func keptOrder(writes: Int) throws {
        let shop = TestShop(orders: 150)
        let all = try shop.everything("orders")
        for (place, order) in all.dropFirst(50).prefix(writes).enumerated() {
            _ = try shop.write("POST", "orders/\(order.id)", #"{"note":"later"}"#)
            _ = try shop.write("DELETE", "orders/\(all[all.count - 1 - place].id)")
            _ = try shop.write("POST", "orders", #"{"state":"open"}"#)
        }
        let times = try shop.everything("orders").compactMap { $0["modifiedTime"]?.integer }.sorted()
        let (early, late) = (times[times.count / 5], times[times.count * 4 / 5])
        for list in ["orders", "payments", "refunds", "customers"] {
            for field in ["modifiedTime", "createdTime", "customerSince"] {
                for filter in [
                    "", "&filter=\(field)>=\(early)", "&filter=\(field)>\(early)&filter=\(field)<\(late)",
                    "&filter=\(field)>=\(late)&filter=\(field)<=\(early)", "&filter=createdTime<\(late)",
                    "&filter=\(field)=\(early)",
                ] {
                    for page in ["limit=1000", "limit=7&offset=143"] {
                        let target = "\(list)?\(page)\(filter)&orderBy=\(field)%20ASC,id%20ASC"
                            .replacing(">", with: "%3E").replacing("<", with: "%3C")
                        // The first response scans all records.
                        let made = TestShop(another: shop).call("GET", target)
                        #expect(shop.call("GET", target).body == made.body, "\(target)")
                        #expect(shop.call("GET", target).body == made.body, "\(target)")
                    }
                }
            }
        }
    }

    // MARK: 90 days

    @Test("Silently limits filtered orders and all payments to 90 days")
    func history() throws {
        let large = TestShop(orders: 5000)
        let start = ShopSettings.defaultNow - 90 * day
        let all = times(try large.everything("orders"))
        let recent = all.filter { $0 >= start }.count
        #expect(all.count == 5000)
        #expect((1..<5000).contains(recent))
        #expect(try large.everything("orders", query: "filter=total%3E%3D0").count == recent)
        #expect(try large.everything("orders", query: "filter=createdTime%3E0").count == recent)
        #expect(try large.everything("orders", query: "filter=modifiedTime%3E0").count == 5000)
        let payments = times(try large.everything("payments"))
        #expect(payments.allSatisfy { $0 >= start })
        #expect(payments.count > recent / 2)
    }

    @Test("Reaches the whole history in windows of 89 days")
    func windows() throws {
        let large = TestShop(orders: 5000)
        for list in ["orders", "payments"] {
            var found = 0
            var end = ShopSettings.defaultNow + 1000 * day
            while end > ShopSettings.defaultNow - 200 * day {
                let query = "filter=createdTime%3E%3D\(end - 89 * day)&filter=createdTime%3C\(end)"
                found += try large.everything(list, query: query).count
                end -= 89 * day
            }
            let inside = try large.everything("orders", query: "expand=payments")
            let expected = list == "orders" ? 5000 : inside.map { $0["payments"]?.elements.count ?? 0 }.reduce(0, +)
            #expect(found == expected)
        }
    }

    @Test("A range wider than 90 days loses its older part")
    func wideRange() throws {
        let large = TestShop(orders: 5000)
        let end = ShopSettings.defaultNow - 10 * day
        let query = "filter=createdTime%3C%3D\(end)&filter=createdTime%3E%3D\(end - 110 * day)"
        let found = times(try large.everything("orders", query: query))
        #expect(try #require(found.last) >= end - 90 * day)
        #expect(try #require(found.last) < end - 88 * day)
    }

    // MARK: Nested collections

    @Test("Cuts nested collections at 100; the list of lines is complete")
    func nestedCap() throws {
        let large = TestShop(orders: 3000)
        let orders = try large.everything("orders", query: "expand=lineItems")
        let full = orders.filter { $0["lineItems"]?.elements.count == 100 }
        #expect(orders.allSatisfy { ($0["lineItems"]?.elements.count ?? 0) <= 100 })
        var beyond = 0
        for order in full {
            let lines = try large.everything("orders/\(order.id)/line_items")
            #expect(lines.prefix(100).map(\.id) == order["lineItems"]?.elements.map(\.id))
            if lines.count > 100 { beyond += 1 }
        }
        #expect(beyond > 0)
        #expect(beyond < full.count, "some orders have exactly 100 lines")
    }

    @Test("Expansion replaces references and unknown names are ignored")
    func expansion() throws {
        let plain = try shop.json("orders?limit=3")
        #expect(plain.elements.allSatisfy { $0["lineItems"] == nil && $0["employee"]?.keys == ["id"] })
        let expanded = try shop.json("orders?limit=3&expand=employee,nope,lineItems.nope")
        #expect(expanded.elements.allSatisfy { $0["employee"]?["name"] != nil })
        let payments = try shop.json("payments?expand=cardTransaction,tender,order.lineItems,refunds")
        #expect(payments.elements.contains { $0["cardTransaction"]?["last4"] != nil })
        #expect(payments.elements.allSatisfy { $0["tender"]?["label"] != nil })
        #expect(payments.elements.contains { $0["order"]?["lineItems"] != nil })
        #expect(try shop.json("payments").elements.allSatisfy { $0["cardTransaction"] == nil })
        let group = try #require(try shop.json("modifier_groups?expand=modifiers,items").elements.first)
        #expect(group["modifiers"]?.elements.isEmpty == false)
        #expect(group["items"]?.elements.isEmpty == false)
    }

    // MARK: Other endpoints

    @Test(
        "Every endpoint responds, and each record of a list individually",
        arguments: [
            "orders", "payments", "refunds", "customers", "items", "categories", "tags", "discounts", "tenders",
            "employees",
            "roles", "devices", "modifier_groups", "modifiers", "tax_rates", "order_types", "opening_hours",
            "tip_suggestions",
        ])
    func endpoints(list: String) throws {
        let records = try shop.json("\(list)?limit=20").elements
        #expect(!records.isEmpty)
        for record in records { #expect(try shop.json("\(list)/\(record.id)").id == record.id) }
    }

    @Test("Parts of records have separate lists")
    func parts() throws {
        let orders = try shop.json("orders?limit=50&expand=lineItems,payments,discounts").elements
        for order in orders {
            for (name, path) in [("lineItems", "line_items"), ("payments", "payments"), ("discounts", "discounts")] {
                let expected = order[name]?.elements.map(\.id) ?? []
                let found = try shop.json("orders/\(order.id)/\(path)?limit=1000").elements.map(\.id)
                #expect(Set(found) == Set(expected))
            }
            if let line = order["lineItems"]?.elements.first {
                #expect(try shop.json("orders/\(order.id)/line_items/\(line.id)").id == line.id)
            }
        }
        let employee = try #require(try shop.json("employees?limit=1").elements.first)
        let own = try shop.everything("employees/\(employee.id)/orders")
        #expect(!own.isEmpty)
        #expect(own.allSatisfy { $0["employee"]?.id == employee.id })
        #expect(
            try shop.everything("employees/\(employee.id)/payments").allSatisfy { $0["employee"]?.id == employee.id })
    }

    @Test("The merchant, its address and its properties are objects")
    func merchant() throws {
        let merchant = try shop.json("?expand=address,properties,employees")
        #expect(merchant.id == shop.merchant)
        #expect(merchant["defaultCurrency"]?.text == "USD")
        #expect(merchant["address"]?["city"]?.text == "New York")
        #expect(merchant["properties"]?["timezone"]?.text == "America/New_York")
        #expect(merchant["employees"]?.elements.count == 12)
        #expect(try shop.json("address")["zip"] != nil)
        #expect(try shop.json("properties")["elements"] == nil)
    }

    // MARK: Errors

    @Test(
        "Returns the service's response for unknown paths and records",
        arguments: [
            ("orders/AAAAAAAAAAAAA", #"{"message":"Not Found","details":"Order not found"}"#),
            ("orders/nope/line_items", #"{"message":"Not Found","details":"Order not found"}"#),
            ("customers/x", #"{"message":"Not Found","details":"Customer not found"}"#),
            ("payments/x", #"{"message":"Not Found","details":"Payment not found"}"#),
            ("items/AAAAAAAAAAAAA", #"{"message":"invalid ID"}"#),
            ("categories/x/items", #"{"message":"invalid ID"}"#),
            ("nonsense", "404 Not Found"),
            ("orders/a/b/c/d", "404 Not Found"),
        ])
    func notFound(path: String, body: String) throws {
        let error = #expect(throws: APIError.self) { try shop.answer(path) }
        let answer = EmulatorResponse(try #require(error))
        #expect(answer.status == 404)
        #expect(String(buffer: answer.body) == body)
    }

    @Test("Another merchant is not authorised, with the body the service sends")
    func otherMerchant() throws {
        let error = #expect(throws: APIError.self) {
            try shop.api.answer(to: APIRequest(path: ["merchants", "AAAAAAAAAAAAA", "orders"]))
        }
        let answer = EmulatorResponse(try #require(error))
        #expect(answer.status == 401)
        #expect(String(buffer: answer.body) == #"{"message":"401 Unauthorized"}"#)
    }

    @Test("A bad filter field is named in the body")
    func badFilterBody() throws {
        let refusal = #expect(throws: APIError.self) { try shop.answer("items?filter=categories.id%3DX") }
        let answer = EmulatorResponse(try #require(refusal))
        #expect(answer.status == 400)
        let error = #"{"type":"invalid_request_error","code":400,"message":"Unsupported filter field: categories.id"}"#
        #expect(String(buffer: answer.body) == #"{"message":"400 Bad Request","error":\#(error)}"#)
    }
}
