/// Everything about a shop that writes change. Without writes it is empty, and the shop is as it was made.
package struct ShopState: Sendable {
    /// The tables that were written to, whole.
    package var tables: [Table: Rows] = [:]
    package var orders = Overlay()
    package var payments = Overlay()
    package var customers = Overlay()
    package var refunds = Overlay()
    /// Charges and what belongs to them.
    package var money = MoneyBook()
    /// What items belong to, by id of the item, where it was changed.
    package var links: [Association: [String: [String]]] = [:]
    /// Ids of the categories of an order type.
    package var orderTypeCategories: [String: [String]] = [:]
    /// Members of the merchant and of its properties that were set.
    package var merchant: [(key: String, value: JSONValue)] = []
    package var properties: [(key: String, value: JSONValue)] = []
    /// Pieces of orders, with what was changed in the records they show.
    var pieces: OrderPieces
    /// Ids made so far.
    package var identifiers = 0
    /// The instant of the last write, in milliseconds since 1970.
    package var time: Int

    init(shop: Shop) {
        pieces = shop.pieces
        time = shop.settings.now
    }
}
