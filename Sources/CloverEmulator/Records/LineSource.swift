/// The lines of one order, oldest first, all of them: this is where a client gets what the nested collection cut off.
struct LineSource: RecordSource {
    struct Scratch {
        var place = 0
        let expansion: LineExpansion
        let expandsPayments: Bool
    }

    private let shop: Shop
    private let writer: OrderWriter
    private let extras: PaymentExtras
    private let order: OrderRecord

    init(view: ShopView, order number: Int) {
        var order = OrderRecord()
        view.shop.orders.load(number, into: &order)
        shop = view.shop
        self.order = order
        writer = OrderWriter(view: view)
        extras = PaymentExtras(view: view)
    }

    var count: Int { order.lines.count }
    var fields: [FilterField] { [] }

    func makeScratch(expanding tree: ExpandTree) -> Scratch {
        Scratch(expansion: LineExpansion(tree), expandsPayments: tree.contains("payments"))
    }

    func load(_ position: Int, into scratch: inout Scratch) {
        scratch.place = position
    }

    func write(_ scratch: inout Scratch, to writer: inout JSONWriter) {
        self.writer.writeLine(scratch.place, of: order, scratch.expansion, to: &writer)
        if scratch.expandsPayments { extras.addPayments(ofLine: scratch.place, in: order, to: &writer) }
    }

    func position(ofID id: String) -> Int? {
        guard let place = shop.ids.place(of: id, kind: .lineItem) else { return nil }
        let (number, part) = OrderPlaces.split(place)
        return number == order.number && part < count ? part : nil
    }

    func value(of field: Int, in scratch: Scratch) -> FieldValue {
        .absent
    }
}
