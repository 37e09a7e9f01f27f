/// A shop at one moment: what it was made as, and what was written since. A view does not change.
package struct ShopView: Sendable {
    package let shop: Shop
    package var state: ShopState

    package init(shop: Shop, state: ShopState) {
        self.shop = shop
        self.state = state
    }

    package init(shop: Shop) {
        self.init(shop: shop, state: ShopState(shop: shop))
    }

    package func rows(_ table: Table) -> Rows {
        state.tables[table] ?? shop.seeds.rows(table)
    }

    package func row(_ table: Table, _ id: String) -> TableRow? {
        rows(table)[id]
    }

    /// - Throws: the 404 of the table.
    package func existing(_ table: Table, _ id: String) throws(APIError) -> TableRow {
        guard let row = row(table, id) else { throw table.notFound }
        return row
    }

    /// What an item belongs to.
    package func links(_ association: Association, of item: String) -> [String] {
        (state.links[association] ?? shop.seeds.links(association))[item] ?? []
    }

    // MARK: Orders, payments, customers

    /// The number of an order that was made and not written to since.
    func madeOrder(_ id: String) -> Int? {
        guard state.orders.changed[id] == nil, !state.orders.removed.contains(id) else { return nil }
        guard let number = shop.ids.place(of: id, kind: .order), number < shop.orders.count else { return nil }
        return number
    }

    func hasOrder(_ id: String) -> Bool {
        madeOrder(id) != nil || state.orders[id] != nil
    }

    func hasCustomer(_ id: String) -> Bool {
        if state.customers[id] != nil { return true }
        guard !state.customers.removed.contains(id), let number = shop.ids.place(of: id, kind: .customer) else {
            return false
        }
        return number < shop.customers.count
    }

    // MARK: Sources

    /// Orders of the shop, or the part of them that belongs to an employee or a customer.
    func orders(
        numbers: [Int]? = nil, extra: [FilterField] = [], where belongs: @Sendable (TableRow) -> Bool = { _ in true }
    )
        -> OverlaySource<OrderSource>
    {
        OverlaySource(
            base: OrderSource(view: self, numbers: numbers, extra: extra), overlay: state.orders, kind: .order,
            view: self, where: belongs)
    }

    func payments(
        entries: [ShopIndex.Entry]? = nil, where belongs: @Sendable (TableRow) -> Bool = { _ in true }
    ) -> OverlaySource<PaymentSource> {
        OverlaySource(
            base: PaymentSource(view: self, entries: entries), overlay: state.payments, kind: .payment, view: self,
            where: belongs)
    }

    func refunds() -> OverlaySource<RefundSource> {
        OverlaySource(
            base: RefundSource(view: self), overlay: state.refunds, kind: .refund, view: self, where: { _ in true })
    }

    func customers() -> OverlaySource<CustomerSource> {
        OverlaySource(
            base: CustomerSource(view: self), overlay: state.customers, kind: .customer, view: self,
            where: { _ in true })
    }

    /// Orders of an employee.
    func orders(ofEmployee id: String, extra: [FilterField] = []) -> OverlaySource<OrderSource> {
        let numbers = shop.catalogue.place(.employees, id: id).map { shop.records.orders(ofEmployee: $0) } ?? []
        return orders(numbers: numbers, extra: extra) { $0.json[path: "employee", "id"]?.text == id }
    }

    func payments(ofEmployee id: String) -> OverlaySource<PaymentSource> {
        let entries = shop.catalogue.place(.employees, id: id).map { shop.records.payments(ofEmployee: $0) } ?? []
        return payments(entries: entries) { $0.json[path: "employee", "id"]?.text == id }
    }

    /// Payments of an order, whether it was written to or not.
    func payments(ofOrder id: String) -> OverlaySource<PaymentSource> {
        var entries: [ShopIndex.Entry] = []
        if let number = shop.ids.place(of: id, kind: .order), number < shop.orders.count {
            entries = PaymentSource.entries(ofOrder: number, shop: shop)
        }
        return payments(entries: entries) { $0.json[path: "order", "id"]?.text == id }
    }
}
