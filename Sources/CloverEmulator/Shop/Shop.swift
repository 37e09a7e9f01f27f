/// The emulated merchant as it is made from its settings. What is written to it later is in `ShopState`.
package final class Shop: Sendable {
    package let settings: ShopSettings
    package let ids: IdentifierScheme
    package let identity: ShopIdentity
    package let catalogue: Catalogue
    package let customers: CustomerBook
    package let orders: OrderBook
    /// Ready pieces of JSON that orders and payments are put together from.
    let pieces: OrderPieces
    /// Collections that are made when they are first needed.
    let seeds: Seeds
    let arena = FragmentArena()
    private let index: Lazy<ShopIndex>

    package init(_ settings: ShopSettings) {
        self.settings = settings
        let ids = IdentifierScheme(seed: settings.seed)
        let menu = Menu(seed: settings.seed)
        let calendar = OrderCalendar(
            seed: settings.seed, count: settings.orderCount, now: settings.now, days: settings.days)
        let opened = calendar.start - 21 * 86_400_000
        let identity = ShopIdentity(seed: settings.seed, ids: ids)
        let customers = CustomerBook(
            seed: settings.seed, orderCount: settings.orderCount, start: calendar.start, end: settings.now)
        let catalogue = Catalogue(
            settings: settings, ids: ids, identity: identity, menu: menu, openedTime: opened, arena: arena)
        let orders = OrderBook(
            settings: settings, calendar: calendar, menu: menu, ids: ids, customers: customers,
            employeeCount: catalogue.count(.employees))
        self.ids = ids
        self.identity = identity
        self.customers = customers
        self.catalogue = catalogue
        self.orders = orders
        pieces = OrderPieces(catalogue: catalogue, arena: arena)
        index = Lazy { ShopIndex(orders: orders, ids: ids, customerCount: customers.count) }
        seeds = Seeds(settings: settings, ids: ids, identity: identity, catalogue: catalogue, orders: orders)
    }

    /// Payments and refunds in order of time, and who ordered what; made when the first request needs it.
    package var records: ShopIndex { index.value }
}
