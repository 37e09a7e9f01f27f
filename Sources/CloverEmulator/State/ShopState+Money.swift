extension ShopState {
    /// Makes the changes of a call about money.
    ///
    /// - Parameters:
    ///   - identifiers: made in all, after the call.
    ///   - time: of the call, in milliseconds since 1970.
    mutating func apply(_ changes: [MoneyChange], identifiers: Int, time: Int, shop: Shop) {
        for change in changes {
            let row = TableRow(id: change.id, json: change.document)
            switch change.table {
            case .order: orders.keep(row)
            case .payment: payments.keep(row)
            case .refund: refunds.keep(row)
            case .credit: tables[.credits, default: shop.seeds.rows(.credits)].put(row)
            case .cardToken, .charge, .chargeRefund, .devicePayment, .answer, .movement:
                money.put(change.table, change.id, change.document)
            }
        }
        money.identifiers = identifiers
        self.time = time
    }
}
