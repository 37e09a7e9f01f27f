/// Does one call about money: sees the shop as it is, and collects what changes. The ledger makes all changes or none.
package struct MoneyDesk {
    /// The currency of the merchant.
    static let currency = "USD"

    /// The shop before the call.
    let view: ShopView
    /// When the call happens, in milliseconds since 1970.
    let now: Int
    private(set) var changes: [MoneyChange] = []
    private(set) var identifiers: Int
    private var changed: [MoneyTable: [String: JSONValue]] = [:]

    init(view: ShopView, now: Int) {
        self.view = view
        self.now = now
        identifiers = view.state.money.identifiers
    }

    /// A new id of the service's form.
    mutating func newID() -> String {
        identifiers += 1
        return view.shop.ids.identifier(.money, identifiers).description
    }

    /// A document as it is after the changes so far.
    func document(_ table: MoneyTable, _ id: String) -> JSONValue? {
        if let document = changed[table]?[id] { return document }
        return switch table {
        case .order: view.state.orders[id]?.json
        case .payment: view.state.payments[id]?.json
        case .refund: view.state.refunds[id]?.json
        case .credit: view.row(.credits, id)?.json
        default: view.state.money[table, id]
        }
    }

    mutating func put(_ table: MoneyTable, _ id: String, _ document: JSONValue) {
        changed[table, default: [:]][id] = document
        changes.append(MoneyChange(table: table, id: id, document: document))
    }
}
