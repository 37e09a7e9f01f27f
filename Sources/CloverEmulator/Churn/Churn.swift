import NIOCore

/// The changes of a shop that is open, one after the other: orders come, are paid, noted on and taken away, payments get
/// tips, customers and items come, change and go. Which change is made follows from the seed, its number, and the shop as
/// it is then, so that the same shop with the same number of changes always ends the same.
///
/// Payments never go: the service reports them as made and changed only (Clover documentation, webhooks).
struct Churn: Sendable {
    /// Lists are not emptied: below so many rows nothing is taken away.
    private static let fewest = 10
    /// How many of the newest rows are young: every second change is made to one of them.
    private static let young = 40

    let seed: UInt64

    /// The request that makes a change.
    ///
    /// - Parameters:
    ///   - number: of the change, from 0.
    ///   - view: the shop before it.
    func request(_ number: Int, _ view: ShopView) -> APIRequest {
        var random = SeededRandom(seed: seed, stream: .churn, index: number)
        let merchant = view.shop.identity.merchantID.description
        let (method, path, body) = call(number, view, &random)
        return APIRequest(
            method: method, path: ["merchants", merchant] + path,
            body: body.map { ByteBuffer(bytes: $0.encoded) } ?? ByteBuffer(),
            contentType: body == nil ? nil : "application/json")
    }

    private typealias Call = (method: String, path: [String], body: JSONValue?)

    private func call(_ number: Int, _ view: ShopView, _ random: inout SeededRandom) -> Call {
        switch random.below(100) {
        case 0..<26: newOrder(number, view, &random)
        case 26..<44: payment(view, &random) ?? newOrder(number, view, &random)
        case 44..<58:
            change("orders", view.orders(), [("note", .string("Changed \(number)"))], &random)
                ?? newOrder(number, view, &random)
        case 58..<64: removal("orders", view.orders(), &random) ?? newOrder(number, view, &random)
        case 64..<76:
            change("payments", view.payments(), [("tipAmount", .integer(random.within(50...2000)))], &random)
                ?? newOrder(number, view, &random)
        case 76..<82: newCustomer(number, &random)
        case 82..<86:
            change("customers", view.customers(), [("lastName", .string("Changed \(number)"))], &random)
                ?? newCustomer(number, &random)
        case 86..<89: removal("customers", view.customers(), &random) ?? newCustomer(number, &random)
        case 89..<92: newItem(number, &random)
        case 92..<95:
            change("items", items(view), [("price", .integer(random.within(100...5000)))], &random)
                ?? newItem(number, &random)
        case 95..<97: manyItems(view, &random) ?? newItem(number, &random)
        default: removal("items", items(view), &random) ?? newItem(number, &random)
        }
    }

    // MARK: What comes

    /// An order with one to four lines, with the total of them.
    private func newOrder(_ number: Int, _ view: ShopView, _ random: inout SeededRandom) -> Call {
        let items = view.rows(.items).ids
        let employees = view.rows(.employees).ids
        var cart: JSONValue = .object([
            ("title", .string("Walk-in \(number)")), ("state", .string("open")),
            (
                "lineItems",
                .array(
                    (0...random.below(4)).map { _ in
                        .object([("item", .reference(items[random.below(items.count)]))])
                    })
            ),
        ])
        if !employees.isEmpty { cart.append("employee", .reference(employees[random.below(employees.count)])) }
        return ("POST", ["atomic_order", "orders"], .object([("orderCart", cart)]))
    }

    private func newCustomer(_ number: Int, _ random: inout SeededRandom) -> Call {
        let body: JSONValue = .object([
            ("firstName", .string("Guest")), ("lastName", .string("\(number)")),
            ("marketingAllowed", .boolean(random.chance(perMille: 300))),
        ])
        return ("POST", ["customers"], body)
    }

    private func newItem(_ number: Int, _ random: inout SeededRandom) -> Call {
        let body: JSONValue = .object([
            ("name", .string("Special \(number)")), ("price", .integer(random.within(100...5000))),
        ])
        return ("POST", ["items"], body)
    }

    // MARK: What changes

    /// A payment of some order, which changes the order too, in the same millisecond.
    private func payment(_ view: ShopView, _ random: inout SeededRandom) -> Call? {
        guard let order = pick(view.orders(), &random), let tender = view.rows(.tenders).ids.first else { return nil }
        let body: JSONValue = .object([
            ("tender", .reference(tender)), ("amount", .integer(random.within(100...9000))),
        ])
        return ("POST", ["orders", order, "payments"], body)
    }

    private func change<Source: RecordSource>(
        _ list: String, _ source: Source, _ members: [(key: String, value: JSONValue)], _ random: inout SeededRandom
    ) -> Call? {
        guard let id = pick(source, &random) else { return nil }
        return ("POST", [list, id], .object(members))
    }

    /// New prices for several items at once: rows that differ in nothing but their ids have the same time of change.
    private func manyItems(_ view: ShopView, _ random: inout SeededRandom) -> Call? {
        let ids = view.rows(.items).ids
        guard ids.count > Self.fewest else { return nil }
        let first = random.below(ids.count - Self.fewest)
        let changed = ids[first..<(first + random.within(2...Self.fewest))].map { id -> JSONValue in
            .object([("id", .string(id)), ("price", .integer(random.within(100...5000)))])
        }
        return ("PUT", ["bulk_items"], .object([("items", .array(changed))]))
    }

    // MARK: What goes

    private func removal<Source: RecordSource>(
        _ list: String, _ source: Source, _ random: inout SeededRandom
    ) -> Call? {
        guard source.count > Self.fewest, let id = pick(source, &random) else { return nil }
        return ("DELETE", [list, id], nil)
    }

    // MARK: Rows

    private func items(_ view: ShopView) -> DocumentSource {
        DocumentSource(.items, view: view)
    }

    /// The id of some row; a young one every second time.
    private func pick<Source: RecordSource>(_ source: Source, _ random: inout SeededRandom) -> String? {
        let isYoung = random.chance(perMille: 500)
        guard source.count > 0, let field = source.fields.firstIndex(where: { $0.name == "id" }) else { return nil }
        var scratch = source.makeScratch(expanding: .none)
        source.load(random.below(isYoung ? min(source.count, Self.young) : source.count), into: &scratch)
        guard case .text(let id) = source.value(of: field, in: scratch) else { return nil }
        return id
    }
}
