/// The shop's refunds, newest first. No source lists filter fields for them, so the endpoint announces none.
struct RefundSource: RecordSource {
    struct Scratch {
        var order = OrderRecord()
        let expansion: RefundExpansion
        /// What is expanded beyond `expansion`.
        let extras: ExpandTree
    }

    private let shop: Shop
    private let writer: PaymentWriter
    private let orderWriter: OrderWriter
    private let extras: PaymentExtras
    /// Oldest first.
    private let entries: [ShopIndex.Entry]

    init(view: ShopView) {
        shop = view.shop
        writer = PaymentWriter(view: view)
        orderWriter = OrderWriter(view: view)
        extras = PaymentExtras(view: view)
        entries = shop.records.refunds
    }

    var count: Int { entries.count }
    var fields: [FilterField] { [] }

    func makeScratch(expanding tree: ExpandTree) -> Scratch {
        Scratch(expansion: RefundExpansion(tree), extras: PaymentExtras.names(in: tree))
    }

    func load(_ position: Int, into scratch: inout Scratch) {
        shop.orders.load(Int(entries[count - 1 - position].order), into: &scratch.order)
    }

    func write(_ scratch: inout Scratch, to writer: inout JSONWriter) {
        guard let refund = scratch.order.refund else { return }
        self.writer.write(refund, of: scratch.order, scratch.expansion, orders: orderWriter, to: &writer)
        if !scratch.extras.isEmpty { extras.add(scratch.extras, of: refund, in: scratch.order, to: &writer) }
    }

    func position(ofID id: String) -> Int? {
        guard let place = shop.ids.place(of: id, kind: .refund) else { return nil }
        let (number, part) = OrderPlaces.split(place)
        guard part == 0, number < shop.orders.count else { return nil }
        var order = OrderRecord()
        shop.orders.load(number, into: &order)
        guard let refund = order.refund else { return nil }
        let entry = ShopIndex.Entry(time: refund.createdTime, order: UInt32(number), part: 0)
        return ShopIndex.place(of: entry, in: entries).map { count - 1 - $0 }
    }

    func value(of field: Int, in scratch: Scratch) -> FieldValue {
        .absent
    }
}
