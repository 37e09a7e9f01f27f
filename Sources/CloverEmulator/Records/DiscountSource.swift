/// The discounts on a whole order; those on its lines belong to the lines.
struct DiscountSource: RecordSource {
    private let shop: Shop
    private let writer: OrderWriter
    private let order: OrderRecord

    init(view: ShopView, order number: Int) {
        var order = OrderRecord()
        view.shop.orders.load(number, into: &order)
        shop = view.shop
        self.order = order
        writer = OrderWriter(view: view)
    }

    var count: Int { order.discounts.count }
    var fields: [FilterField] { [] }

    func makeScratch(expanding tree: ExpandTree) -> Int { 0 }

    func load(_ position: Int, into scratch: inout Int) {
        scratch = position
    }

    func write(_ scratch: inout Int, to writer: inout JSONWriter) {
        self.writer.writeDiscount(order.discounts[scratch], line: nil, place: scratch, of: order, to: &writer)
    }

    func position(ofID id: String) -> Int? {
        guard let place = shop.ids.place(of: id, kind: .discount) else { return nil }
        let (number, part) = OrderPlaces.split(place)
        return number == order.number && part < count ? part : nil
    }

    func value(of field: Int, in scratch: Int) -> FieldValue {
        .absent
    }
}
