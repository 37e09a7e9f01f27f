import CloverEmulator
import Testing

@Suite("Shop")
struct ShopContentTests {
    private static let everythingInside =
        "expand=lineItems.modifications,lineItems.discounts,lineItems.taxRates,discounts,payments,refunds,serviceCharge"

    @Test("Totals, payments and refunds of 2,000 orders add up")
    func amounts() throws {
        let shop = TestShop(seed: 11, orders: 2000)
        let orders = try shop.everything("orders", query: Self.everythingInside)
        #expect(orders.count == 2000)
        for order in orders { try check(order, in: shop) }
        #expect(orders.contains { !($0["refunds"]?.elements ?? []).isEmpty })
        #expect(orders.contains { ($0["payments"]?.elements ?? []).count > 1 })
        #expect(orders.contains { !($0["discounts"]?.elements ?? []).isEmpty })
    }

    /// Recomputes the order's totals from the response, with separate arithmetic.
    private func check(_ order: Node, in shop: TestShop) throws {
        var lines = order["lineItems"]?.elements ?? []
        if lines.count == 100 {
            let list = "orders/\(order.id)/line_items"
            lines = try shop.everything(list, query: "expand=modifications,discounts,taxRates")
        }
        var nets: [Int] = []
        for line in lines {
            let price = try #require(line["price"]?.integer)
            let quantity = line["unitQty"]?.integer ?? 1000
            var net = Int((Double(price * quantity) / 1000).rounded())
            for modification in line["modifications"]?.elements ?? [] { net += modification["amount"]?.integer ?? 0 }
            for discount in line["discounts"]?.elements ?? [] { net -= value(of: discount, on: net) }
            nets.append(net)
        }
        let subtotal = nets.reduce(0, +)
        let discount = (order["discounts"]?.elements ?? []).map { value(of: $0, on: subtotal) }.reduce(0, +)
        // The discount is distributed by running sums; tax is rounded once per rate.
        var taxable: [Int: Int] = [:]
        var running = 0
        for (line, net) in zip(lines, nets) {
            let before = subtotal > 0 ? discount * running / subtotal : 0
            running += net
            let share = subtotal > 0 ? discount * running / subtotal - before : 0
            let rate = line["taxRates"]?.elements.first?["rate"]?.integer ?? 0
            taxable[rate, default: 0] += net - share
        }
        let tax = taxable.map { rate, cents in Int((Double(rate * cents) / 10_000_000).rounded()) }.reduce(0, +)
        let total = try #require(order["total"]?.integer)
        let percentage = order["serviceCharge"]?["percentage"]?.integer ?? 0
        let charge = ((subtotal - discount) * percentage + 50) / 100
        #expect(total == subtotal - discount + charge + tax, "order \(order.id)")
        checkMoney(order, total: total, tax: tax)
    }

    private func value(of discount: Node, on cents: Int) -> Int {
        if let percentage = discount["percentage"]?.integer { return (cents * percentage + 50) / 100 }
        let amount = discount["amount"]?.integer ?? 0
        #expect(amount < 0)
        return -amount
    }

    private func checkMoney(_ order: Node, total: Int, tax: Int) {
        let payments = order["payments"]?.elements ?? []
        let paid = payments.compactMap { $0["amount"]?.integer }.reduce(0, +)
        let state = order["state"]?.text?.lowercased()
        if state == "locked" || state == "paid" {
            #expect(paid == total, "order \(order.id)")
            #expect(payments.compactMap { $0["taxAmount"]?.integer }.reduce(0, +) == tax)
            #expect(total > 0)
        } else {
            #expect(paid < max(total, 1))
        }
        for payment in payments {
            #expect(payment["order"]?.id == order.id)
            if let cash = payment["cashTendered"]?.integer { #expect(cash >= payment["amount"]?.integer ?? .max) }
        }
        for refund in order["refunds"]?.elements ?? [] {
            let payment = payments.first { $0.id == refund["payment"]?.id }
            #expect(refund["amount"]?.integer ?? .max <= payment?["amount"]?.integer ?? 0)
            #expect(refund["amount"]?.integer ?? 0 > 0)
        }
    }

    @Test("Ids of all records are unique")
    func uniqueIDs() throws {
        let shop = TestShop(seed: 5, orders: 400)
        let orders = try shop.everything("orders", query: "expand=lineItems.modifications,payments,refunds,discounts")
        var ids: [String] = orders.map(\.id)
        for order in orders {
            for name in ["payments", "refunds", "discounts", "lineItems"] {
                ids += order[name]?.elements.map(\.id) ?? []
            }
            for line in order["lineItems"]?.elements ?? [] { ids += line["modifications"]?.elements.map(\.id) ?? [] }
        }
        for list in ["customers", "employees", "items", "categories", "modifiers", "modifier_groups", "tenders"] {
            ids += try shop.everything(list).map(\.id)
        }
        #expect(Set(ids).count == ids.count)
        #expect(ids.allSatisfy { $0.utf8.count == 13 })
    }

    @Test("The same settings give the same bytes, another seed gives others")
    func sameBytes() throws {
        let lists = [
            "orders?limit=200&\(Self.everythingInside)", "customers?expand=addresses", "items?expand=tags", "",
        ]
        for list in lists {
            let bytes = try TestShop(seed: 8).bytes(list)
            #expect(try TestShop(seed: 8).bytes(list) == bytes)
            #expect(try TestShop(seed: 9).bytes(list) != bytes)
        }
        #expect(TestShop(seed: 8).shop.identity.accessTokens == TestShop(seed: 8).shop.identity.accessTokens)
    }

    @Test("A record is the same alone and in a page")
    func aloneAndInPage() throws {
        let shop = TestShop.common
        let page = try shop.bytes("orders?limit=40&expand=lineItems,payments.tender")
        for order in try Node(page).elements {
            let alone = try shop.bytes("orders/\(order.id)?expand=lineItems,payments.tender")
            #expect(String(decoding: page, as: UTF8.self).contains(String(decoding: alone, as: UTF8.self)))
        }
    }

    @Test("Names have accents, quotes, emoji and right-to-left text")
    func names() throws {
        let customers = try TestShop.common.everything("customers")
        let items = try TestShop.common.everything("items")
        let names = (customers.compactMap { $0["firstName"]?.text } + items.compactMap { $0["name"]?.text }).joined()
        #expect(names.contains("é"))
        #expect(names.contains("\""))
        #expect(names.unicodeScalars.contains { $0.properties.isEmojiPresentation })
        #expect(names.unicodeScalars.contains { (0x0590...0x06FF).contains($0.value) })
    }

    @Test("Orders refer only to customers who had signed up by then")
    func customersSignUpFirst() throws {
        let orders = try TestShop.common.everything("orders", query: "expand=customers")
        let dated = orders.compactMap { order in
            order["customers"]?.elements.first?["customerSince"]?.integer.map {
                ($0, order["createdTime"]?.integer ?? 0)
            }
        }
        #expect(dated.count > 50)
        for (since, created) in dated { #expect(since <= created) }
    }

    @Test("Nothing happens after now")
    func nothingAfterNow() throws {
        let orders = try TestShop.common.everything("orders", query: "expand=payments,refunds")
        for order in orders {
            let inside = (order["payments"]?.elements ?? []) + (order["refunds"]?.elements ?? [])
            let times = ([order] + inside).flatMap { [$0["createdTime"]?.integer, $0["modifiedTime"]?.integer] }
            for time in times.compactMap({ $0 }) { #expect(time <= ShopSettings.defaultNow) }
        }
    }

    @Test("A shop without orders serves empty lists")
    func emptyShop() throws {
        let shop = TestShop(orders: 0)
        for list in ["orders", "payments", "refunds", "orders?filter=total>5&orderBy=total"] {
            #expect(try shop.json(list).elements.isEmpty)
        }
        #expect(try shop.json("customers?expand=orders").elements.count == 12)
    }
}
