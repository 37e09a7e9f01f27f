import CloverEmulator
import NIOCore
import Testing

@Suite("Writes")
struct WriteTests {
    /// A kind of record that is created, changed and deleted like the others.
    struct Family: Sendable, CustomTestStringConvertible {
        let path: String
        let body: String
        /// The member that the change sets.
        let member: String
        let change: String

        init(_ path: String, _ body: String, _ member: String, _ change: String) {
            self.path = path
            self.body = body
            self.member = member
            self.change = change
        }

        var testDescription: String { path }
    }

    private let shop = TestShop(orders: 300)

    private func first(_ list: String) throws -> String {
        try #require(try shop.json("\(list)?limit=1").elements.first?.id)
    }

    private func message(_ answer: EmulatorResponse) throws -> String? {
        try Node(Array(answer.body.readableBytesView))["message"]?.text
    }

    // MARK: All families

    @Test(
        "Creates, finds, changes and deletes records",
        arguments: [
            Family("items", #"{"name":"Affogato","price":650}"#, "price", "700"),
            Family("categories", #"{"name":"Ices"}"#, "sortOrder", "9"),
            Family("tags", #"{"name":"Cold"}"#, "name", #""Colder""#),
            Family("tax_rates", #"{"name":"City","rate":100000}"#, "rate", "125000"),
            Family("discounts", #"{"name":"Rain","amount":-100}"#, "amount", "-150"),
            Family("modifier_groups", #"{"name":"Cone"}"#, "minRequired", "1"),
            Family("customers", #"{"firstName":"Ada","lastName":"Ng"}"#, "firstName", #""Adaline""#),
            Family("employees", #"{"name":"New Hand","pin":"4711"}"#, "nickname", #""Newt""#),
            Family("orders", #"{"total":500,"state":"open"}"#, "note", #""by the door""#),
            Family("item_groups", #"{"name":"Cups"}"#, "name", #""Mugs""#),
            Family("attributes", #"{"name":"Colour"}"#, "name", #""Color""#),
            Family("roles", #"{"name":"Barback"}"#, "name", #""Runner""#),
            Family("tenders", #"{"label":"Voucher"}"#, "enabled", "false"),
            Family("order_types", #"{"label":"Drive by"}"#, "isHidden", "true"),
            Family("opening_hours", #"{"name":"Summer"}"#, "name", #""Winter""#),
        ])
    func life(_ family: Family) throws {
        let before = try shop.everything(family.path).map(\.id)
        let made = try shop.write("POST", family.path, family.body)
        #expect(made.id.utf8.count == 13)
        #expect(try shop.everything(family.path).map(\.id) == [made.id] + before)
        #expect(
            try shop.bytes("\(family.path)/\(made.id)")
                == Array(shop.call("GET", "\(family.path)/\(made.id)").body.readableBytesView))
        let changed = try shop.write("POST", "\(family.path)/\(made.id)", "{\"\(family.member)\":\(family.change)}")
        #expect(changed.id == made.id)
        let found = try shop.json("\(family.path)/\(made.id)")
        #expect(found[family.member] != nil)
        #expect("\(found[family.member]?.value ?? "")" == "\(changed[family.member]?.value ?? "-")")
        #expect("\(found[family.member]?.value ?? "")" != "\(made[family.member]?.value ?? "-")")
        if let time = made["modifiedTime"]?.integer {
            #expect(found["modifiedTime"]?.integer ?? 0 > time)
        }
        #expect(shop.call("DELETE", "\(family.path)/\(made.id)").status == 200)
        #expect(shop.call("GET", "\(family.path)/\(made.id)").status == 404)
        #expect(shop.call("DELETE", "\(family.path)/\(made.id)").status == 404)
        #expect(try shop.everything(family.path).map(\.id) == before)
    }

    @Test(
        "Changes seeded records in place and deletes them",
        arguments: [
            ("items", "name"), ("categories", "name"), ("customers", "firstName"), ("employees", "nickname"),
            ("orders", "note"), ("tags", "name"), ("tenders", "label"),
        ])
    func seeded(list: String, member: String) throws {
        let before = try shop.everything(list)
        let record = before[before.count / 2]
        try shop.write("POST", "\(list)/\(record.id)", "{\"\(member)\":\"changed\"}")
        let after = try shop.everything(list)
        #expect(after.map(\.id) == before.map(\.id))
        #expect(after.filter { $0[member]?.text == "changed" }.map(\.id) == [record.id])
        #expect(after[before.count / 2].keys.isSuperset(of: record.keys))
        try shop.write("DELETE", "\(list)/\(record.id)")
        #expect(try shop.everything(list).map(\.id) == before.map(\.id).filter { $0 != record.id })
        #expect(shop.call("GET", "\(list)/\(record.id)").status == 404)
    }

    @Test("A write to a seeded order leaves its other parts unchanged")
    func orderInside() throws {
        let names = "expand=lineItems.discounts,lineItems.modifications,discounts,payments,customers,refunds"
        for order in try shop.json("orders?limit=60").elements {
            let before = try shop.json("orders/\(order.id)?\(names)")
            let lines = try shop.everything("orders/\(order.id)/line_items")
            try shop.write("POST", "orders/\(order.id)", #"{"note":"seen"}"#)
            let after = try shop.json("orders/\(order.id)?\(names)")
            for name in ["lineItems", "discounts", "payments", "customers", "refunds"] {
                let old = before[name]?.elements ?? []
                let new = after[name]?.elements ?? []
                #expect(old.map(\.id) == new.map(\.id))
                #expect(old.map(\.keys) == new.map(\.keys))
            }
            #expect(try shop.everything("orders/\(order.id)/line_items").map(\.id) == lines.map(\.id))
            #expect(after["modifiedTime"]?.integer ?? 0 > ShopSettings.defaultNow)
        }
    }

    @Test("Appends a line to an order with 250 lines")
    func longOrder() throws {
        let cut = try shop.everything("orders", query: "expand=lineItems").filter {
            $0["lineItems"]?.elements.count == 100
        }
        let order = try #require(try cut.first { try shop.everything("orders/\($0.id)/line_items").count == 250 })
        let line = try shop.write("POST", "orders/\(order.id)/line_items", #"{"name":"More","price":1}"#)
        let lines = try shop.everything("orders/\(order.id)/line_items")
        #expect(lines.count == 251)
        #expect(lines.last?.id == line.id)
        #expect(try shop.json("orders/\(order.id)?expand=lineItems")["lineItems"]?.elements.count == 100)
    }

    // MARK: Bodies

    @Test(
        "Refuses invalid bodies and names the field",
        arguments: [
            ("POST", "items", #"{"name":"x""#, 400, "Malformed JSON"),
            ("POST", "items", "[1]", 400, "Expected a JSON object"),
            ("POST", "items", #"{"price":1}"#, 400, "Missing field: name"),
            ("POST", "items", #"{"name":"x","price":"1"}"#, 400, "Invalid value for field: price"),
            ("POST", "items", #"{"name":"x","price":-1}"#, 400, "Invalid value for field: price"),
            ("POST", "items", #"{"name":"x","price":1.5}"#, 400, "Invalid value for field: price"),
            (
                "POST", "items", #"{"name":"x","price":1,"tags":[{"id":"nope"}]}"#, 400,
                "Invalid reference in field: tags"
            ),
            ("POST", "orders", #"{"employee":{"id":"nope"}}"#, 400, "Invalid reference in field: employee"),
            ("POST", "discounts", #"{"name":"x","amount":5}"#, 400, "Invalid value for field: amount"),
            ("POST", "tax_rates", #"{"name":"x"}"#, 400, "Missing field: rate"),
            ("POST", "customers", "{}", 400, "Missing field: firstName"),
            ("DELETE", "items", "", 400, "Missing parameter: itemIds"),
            ("POST", "atomic_order/orders", "{}", 400, "Missing field: orderCart"),
        ])
    func badBodies(method: String, path: String, body: String, status: Int, message: String) throws {
        let before = try shop.everything("items").count
        let answer = shop.call(method, path, body)
        #expect(answer.status == status)
        #expect(try self.message(answer) == message)
        #expect(try shop.everything("items").count == before)
    }

    @Test(
        "A body that is not declared as JSON is refused",
        arguments: ["text/plain", "application/x-www-form-urlencoded", ""])
    func mediaType(type: String) {
        #expect(shop.call("POST", "items", #"{"name":"x","price":1}"#, type: type).status == 415)
        #expect(shop.call("POST", "items", #"{"name":"x","price":1}"#, type: nil).status == 415)
        #expect(
            shop.call("POST", "items", #"{"name":"x","price":1}"#, type: "Application/JSON; charset=utf-8").status
                == 200)
    }

    @Test("Requires the name in a PUT of an item, not in a POST")
    func put() throws {
        let item = try first("items")
        #expect(shop.call("PUT", "items/\(item)", #"{"price":5}"#).status == 400)
        #expect(try shop.write("PUT", "items/\(item)", #"{"name":"n","price":5}"#)["price"]?.integer == 5)
        #expect(try shop.write("POST", "items/\(item)", #"{"price":6}"#)["name"]?.text == "n")
    }

    @Test("Ignores flat customer addresses, stores lists and shows them on request")
    func customerOddity() throws {
        let made = try shop.write(
            "POST", "customers",
            #"{"firstName":"A","emailAddress":"f@example.com","phoneNumbers":"1","emailAddresses":[{"emailAddress":"a@example.com"}]}"#
        )
        #expect(made["emailAddresses"] == nil)
        let found = try shop.json("customers/\(made.id)?expand=emailAddresses,phoneNumbers")
        #expect(found["emailAddresses"]?.elements.map { $0["emailAddress"]?.text } == ["a@example.com"])
        #expect(found["phoneNumbers"] == nil)
        try shop.write("POST", "customers/\(made.id)/phone_numbers", #"{"phoneNumber":"+1 5"}"#)
        #expect(try shop.json("customers?filter=phoneNumber%3D%2B1%205").elements.map(\.id) == [made.id])
        #expect(try shop.json("customers?filter=emailAddress%3Da@example.com").elements.map(\.id) == [made.id])
    }

    // MARK: Inventory

    @Test("Adds items to categories, tags and tax rates and removes them again")
    func associations() throws {
        let item = try first("items")
        for (path, member, list) in [
            ("category_items", "category", "categories"), ("tag_items", "tag", "tags"),
            ("tax_rate_items", "taxRate", "tax_rates"), ("item_modifier_groups", "modifierGroup", "modifier_groups"),
        ] {
            let body = list == "tax_rates" ? #"{"name":"n","rate":1}"# : #"{"name":"n"}"#
            let other = try shop.write("POST", list, body).id
            let pair = #"{"elements":[{"item":{"id":"\#(item)"},"\#(member)":{"id":"\#(other)"}}]}"#
            try shop.write("POST", path, pair)
            #expect(try shop.everything("\(list)/\(other)/items").map(\.id) == [item])
            try shop.write("POST", "\(path)?delete=true", pair)
            #expect(try shop.everything("\(list)/\(other)/items").isEmpty)
        }
    }

    @Test("Creates and deletes many records in one call, all or none")
    func bulk() throws {
        let before = try shop.everything("items").count
        let made = shop.call("POST", "bulk_items", #"{"items":[{"name":"a","price":1},{"name":"b","price":2}]}"#)
        let ids = try #require(try Node(Array(made.body.readableBytesView)).value as? [[String: Any]]).compactMap {
            $0["id"] as? String
        }
        #expect(ids.count == 2)
        #expect(shop.call("DELETE", "items?itemIds=\(ids[0]),nope").status == 404)
        #expect(try shop.everything("items").count == before + 2)
        #expect(shop.call("POST", "bulk_items", #"{"items":[{"name":"a","price":1},{"name":"b"}]}"#).status == 400)
        #expect(try shop.everything("items").count == before + 2)
        #expect(shop.call("DELETE", "items?itemIds=\(ids.joined(separator: ","))").status == 200)
        #expect(try shop.everything("items").count == before)
    }

    @Test("Sets stock absolutely, returns it as a fraction, and starts with only a reference")
    func stock() throws {
        let item = try shop.write("POST", "items", #"{"name":"a","price":1}"#).id
        #expect(try shop.json("item_stocks/\(item)").keys == ["item"])
        for quantity in ["7.5", "3"] {
            try shop.write("PUT", "item_stocks/\(item)", "{\"quantity\":\(quantity)}")
        }
        #expect(String(decoding: try shop.bytes("item_stocks/\(item)"), as: UTF8.self).contains(#""quantity":3.0"#))
        #expect(try shop.json("items?filter=itemStock.quantity%3D3").elements.map(\.id).contains(item))
        try shop.write("DELETE", "item_stocks/\(item)")
        #expect(try shop.json("item_stocks/\(item)").keys == ["item"])
    }

    @Test("Replaces the modifiers of a group")
    func layout() throws {
        let group = try shop.write("POST", "modifier_groups", #"{"name":"g"}"#).id
        let ids = try ["a", "b", "c"].map {
            try shop.write("POST", "modifier_groups/\(group)/modifiers", "{\"name\":\"\($0)\",\"price\":5}").id
        }
        try shop.write("PUT", "modifier_groups/\(group)/layout", "{\"ids\":[\"\(ids[0])\",\"\(ids[2])\"]}")
        #expect(try shop.everything("modifier_groups/\(group)/modifiers").map(\.id) == [ids[0], ids[2]])
        #expect(try shop.json("modifier_groups/\(group)")["modifierIds"]?.text == "\(ids[0]),\(ids[2])")
        #expect(shop.call("GET", "modifiers/\(ids[1])").status == 404)
    }

    // MARK: Orders

    @Test("Adds lines, discounts and a payment to an order")
    func orderLife() throws {
        let employee = try first("employees")
        let item = try shop.json("items?limit=5").elements[3]
        let order = try shop.write(
            "POST", "orders", #"{"total":1000,"state":"open","employee":{"id":"\#(employee)"}}"#
        ).id
        let line = try shop.write("POST", "orders/\(order)/line_items", #"{"item":{"id":"\#(item.id)"}}"#)
        #expect(line["name"]?.text == item["name"]?.text)
        #expect(line["price"]?.integer == item["price"]?.integer)
        let path = "orders/\(order)/line_items/\(line.id)"
        let modifier = try first("modifiers")
        let modification = try shop.write("POST", "\(path)/modifications", #"{"modifier":{"id":"\#(modifier)"}}"#)
        try shop.write("POST", "\(path)/discounts", #"{"name":"d","percentage":10}"#)
        #expect(shop.call("POST", "orders/\(order)/discounts", #"{"name":"d","amount":10}"#).status == 400)
        let discount = try shop.write("POST", "orders/\(order)/discounts", #"{"name":"d","amount":-10}"#)
        let full = try shop.json(
            "orders/\(order)?expand=lineItems.modifications,lineItems.discounts,discounts,employee")
        #expect(full["lineItems"]?.elements.first?["modifications"]?.elements.map(\.id) == [modification.id])
        #expect(full["lineItems"]?.elements.first?["discounts"]?.elements.count == 1)
        #expect(full["discounts"]?.elements.map(\.id) == [discount.id])
        #expect(full["employee"]?["name"] != nil)
        let tender = try first("tenders")
        for (amount, state) in [(400, "PARTIALLY_PAID"), (600, "PAID")] {
            let body = #"{"tender":{"id":"\#(tender)"},"amount":\#(amount)}"#
            let payment = try shop.write("POST", "orders/\(order)/payments", body)
            #expect(try shop.json("orders/\(order)")["paymentState"]?.text == state)
            #expect(try shop.json("payments?limit=1").elements.first?.id == payment.id)
            #expect(try shop.json("payments/\(payment.id)?expand=tender")["tender"]?["label"] != nil)
        }
        #expect(try shop.everything("orders/\(order)/payments").count == 2)
        #expect(try shop.json("employees/\(employee)/orders?limit=1").elements.first?.id == order)
        #expect(try shop.json("orders?filter=total%3D1000&limit=1").elements.first?.id == order)
        #expect(try shop.json("orders?filter=employee.id%3D\(employee)&limit=1").elements.first?.id == order)
        try shop.write("DELETE", "\(path)/modifications/\(modification.id)")
        try shop.write("DELETE", path)
        #expect(try shop.everything("orders/\(order)/line_items").isEmpty)
    }

    @Test("Accepts at most 100 lines per call, and none if one is wrong")
    func bulkLines() throws {
        let order = try shop.write("POST", "orders", "{}").id
        func body(_ count: Int, _ last: String = "") -> String {
            "{\"items\":[" + Array(repeating: #"{"name":"l","price":1}"#, count: count).joined(separator: ",") + last
                + "]}"
        }
        #expect(shop.call("POST", "orders/\(order)/bulk_line_items", body(101)).status == 400)
        #expect(shop.call("POST", "orders/\(order)/bulk_line_items", body(3, ",{}")).status == 400)
        #expect(try shop.everything("orders/\(order)/line_items").isEmpty)
        #expect(shop.call("POST", "orders/\(order)/bulk_line_items", body(100)).status == 200)
        #expect(try shop.everything("orders/\(order)/line_items").count == 100)
        try shop.write("DELETE", "orders/\(order)/line_items")
        #expect(try shop.everything("orders/\(order)/line_items").isEmpty)
    }

    @Test("Computes the total of an atomic order; a checkout stores nothing")
    func atomicOrder() throws {
        let count = try shop.everything("orders").count
        let item = try shop.write("POST", "items", #"{"name":"Cup","price":1000}"#)
        let cart =
            #"{"orderCart":{"lineItems":[{"item":{"id":"\#(item.id)"}}],"discounts":[{"name":"d","percentage":10}]}}"#
        let checkout = try shop.write("POST", "atomic_order/checkouts", cart)
        // 900 after the discount, 8.875 % of it is 79.875.
        #expect(checkout["total"]?.integer == 980)
        #expect(checkout["totalTaxAmount"]?.integer == 80)
        #expect(try shop.everything("orders").count == count)
        let order = try shop.write("POST", "atomic_order/orders", cart)
        #expect(order["total"]?.integer == 980)
        #expect(try shop.everything("orders").count == count + 1)
        #expect(try shop.everything("orders/\(order.id)/line_items").count == 1)
    }

    @Test("Removes a voided line from its order and lists it with its reason")
    func void() throws {
        let order = try shop.write("POST", "orders", "{}").id
        let line = try shop.write("POST", "orders/\(order)/line_items", #"{"name":"Soup","price":700}"#).id
        try shop.write("POST", "orders/\(order)/voided_line_items", #"{"lineItem":{"id":"\#(line)"},"reason":"Cold"}"#)
        #expect(try shop.everything("orders/\(order)/line_items").isEmpty)
        let voided = try shop.json("voided_line_items?filter=orderId%3D\(order)").elements
        #expect(voided.map { $0["reason"]?.text } == ["Cold"])
        #expect(try shop.json("voided_line_items/totals?filter=orderId%3D\(order)")["price"]?.integer == 700)
    }

    @Test("Changes the tip of a payment, but not its amount")
    func paymentChange() throws {
        let payment = try #require(try shop.json("payments?limit=1").elements.first)
        let changed = try shop.write("POST", "payments/\(payment.id)", #"{"tipAmount":123}"#)
        #expect(changed["tipAmount"]?.integer == 123)
        #expect(changed["amount"]?.integer == payment["amount"]?.integer)
        #expect(shop.call("POST", "payments/\(payment.id)", #"{"amount":1}"#).status == 400)
        #expect(try shop.json("payments?limit=1").elements.first?["tipAmount"]?.integer == 123)
    }

    @Test("Shows an employee's new name in their orders")
    func renamedEmployee() throws {
        let order = try #require(try shop.json("orders?limit=1").elements.first)
        let employee = try #require(order["employee"]?.id)
        try shop.write("POST", "employees/\(employee)", #"{"name":"Renamed"}"#)
        #expect(try shop.json("orders/\(order.id)?expand=employee")["employee"]?["name"]?.text == "Renamed")
    }

    @Test("An employee clocks in and out")
    func shift() throws {
        let employee = try first("employees")
        let shift = try shop.write("POST", "employees/\(employee)/shifts", "{}")
        #expect(shift["inTime"]?.integer ?? 0 > ShopSettings.defaultNow)
        try shop.write("POST", "employees/\(employee)/shifts/\(shift.id)", #"{"outTime":1769999999000}"#)
        #expect(try shop.json("shifts?limit=1").elements.first?["outTime"]?.integer == 1_769_999_999_000)
        let other = try shop.json("employees?limit=2").elements[1].id
        #expect(shop.call("DELETE", "employees/\(other)/shifts/\(shift.id)", account: employee).status == 404)
        let path = "employees/\(employee)/shifts/\(shift.id)"
        // No employee, or none of this merchant.
        #expect(shop.call("DELETE", path).status == 400)
        #expect(shop.call("DELETE", path, account: "AAAAAAAAAAAAA").status == 400)
        #expect(shop.call("DELETE", path, account: employee).status == 200)
        #expect(shop.call("GET", "shifts/\(shift.id)").status == 404)
    }

    @Test("Finds written records by creation time, newest first")
    func times() throws {
        let ids = try (0..<5).map { try shop.write("POST", "orders", "{\"total\":\($0)}").id }
        let since = ShopSettings.defaultNow + 1
        #expect(try shop.everything("orders", query: "filter=createdTime%3E%3D\(since)").map(\.id) == ids.reversed())
        #expect(try shop.everything("orders", query: "filter=createdTime%3C\(since)").count < 301)
        let all = try shop.everything("orders").compactMap { $0["createdTime"]?.integer }
        #expect(all.count == 305)
        #expect(all == all.sorted(by: >))
    }

    @Test("The same writes give the same bytes")
    func sameBytes() throws {
        func run() throws -> [UInt8] {
            let shop = TestShop(orders: 150)
            try shop.write("POST", "items", #"{"name":"a","price":1}"#)
            let order = try shop.write("POST", "orders", #"{"total":5}"#).id
            try shop.write("POST", "orders/\(order)/line_items", #"{"name":"a","price":1}"#)
            return try shop.bytes("orders?limit=10&expand=lineItems") + shop.bytes("items")
        }
        #expect(try run() == run())
    }
}
