/// The shop's customers, in the order they signed up.
struct CustomerSource: RecordSource {
    struct Scratch {
        var customer: CustomerRecord
        let tree: ExpandTree
    }

    private let shop: Shop
    private let writer: CustomerWriter
    private let orderWriter: OrderWriter

    init(view: ShopView) {
        shop = view.shop
        writer = CustomerWriter(shop: view.shop)
        orderWriter = OrderWriter(view: view)
    }

    var count: Int { shop.customers.count }
    var fields: [FilterField] { FilterFields.customers }
    var cacheName: String? { "customers" }

    func makeScratch(expanding tree: ExpandTree) -> Scratch {
        Scratch(customer: shop.customers.customer(0), tree: tree)
    }

    func load(_ position: Int, into scratch: inout Scratch) {
        scratch.customer = shop.customers.customer(position)
    }

    func write(_ scratch: inout Scratch, to writer: inout JSONWriter) {
        let customer = scratch.customer
        let expansion = OrderExpansion(scratch.tree.inside("orders"))
        self.writer.write(
            customer, scratch.tree, orders: { writeOrders(of: customer, expansion, to: &$0) }, to: &writer)
    }

    /// The customer's orders, newest first, as far as a nested collection reaches (live sandbox notes: `orders` works).
    private func writeOrders(of customer: CustomerRecord, _ expansion: OrderExpansion, to writer: inout JSONWriter) {
        var order = OrderRecord()
        let numbers = shop.records.orders(ofCustomer: customer.number).reversed().prefix(NestedCollection.cap)
        for (place, number) in numbers.enumerated() {
            if place > 0 { writer.byte(UInt8(ascii: ",")) }
            shop.orders.load(number, into: &order)
            orderWriter.write(order, expansion, to: &writer)
        }
    }

    func position(ofID id: String) -> Int? {
        guard let number = shop.ids.place(of: id, kind: .customer), number < count else { return nil }
        return number
    }

    /// The order of `fields` is that of `FilterFields.customers`.
    func value(of field: Int, in scratch: Scratch) -> FieldValue {
        let customer = scratch.customer
        switch field {
        case 0: return .integer(customer.customerSince)
        case 2: return .many(customer.emailAddresses.map { .text($0) })
        case 3: return .text(customer.firstName)
        case 4: return .text(customer.fullName)
        case 5: return .text(shop.ids.identifier(.customer, customer.number).description)
        case 6: return customer.lastName.map { .text($0) } ?? .absent
        case 7: return .boolean(customer.marketingAllowed)
        case 8: return .many(customer.phoneNumbers.map { .text($0) })
        default: return .absent
        }
    }
}
