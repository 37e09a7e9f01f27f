/// Records that were deleted before anybody wrote to the shop. Lists leave them out, but for requests that filter by the
/// deletion: what the service does then no source tells, and without a record no such filter would ever be seen to work.
extension ShopView {
    /// The filters that bring deleted records back.
    private static let names: Set<String> = ["deletedTime", "deleted_time", "deleted"]

    /// Whether a request wants to see deleted records.
    static func asksForDeleted(_ query: QueryString) -> Bool {
        query.values("filter").contains { FilterExpression($0).map { names.contains($0.field) } ?? false }
    }

    /// The same shop with its deleted records in their lists.
    func withDeleted() -> ShopView {
        var view = self
        for table in DeletedRecords.tables {
            var list = rows(table).list
            guard let last = list.last else { continue }
            list.append(DeletedRecords.record(like: last, of: table, in: shop))
            view.state.tables[table] = Rows(list)
        }
        // Young enough for the rule about the last 90 days.
        if shop.orders.count > DeletedRecords.age,
            let order = orderDocument(shop.ids.identifier(.order, shop.orders.count - DeletedRecords.age).description)
        {
            view.state.orders = state.orders.showing(DeletedRecords.order(like: order, in: shop))
        }
        if let customer = customerDocument(shop.ids.identifier(.customer, 0).description) {
            view.state.customers = state.customers.showing(DeletedRecords.customer(like: customer, in: shop))
        }
        return view
    }
}
