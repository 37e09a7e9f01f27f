/// The collections of a shop as they are before anybody writes to them. Those that no order needs are made when the
/// first request asks for them.
package struct Seeds: Sendable {
    private final class Store: Sendable {
        let tables: [Table: Lazy<Rows>]
        let links: Lazy<[Association: [String: [String]]]>

        init(tables: [Table: Lazy<Rows>], links: Lazy<[Association: [String: [String]]]>) {
            self.tables = tables
            self.links = links
        }
    }

    private let store: Store

    init(
        settings: ShopSettings, ids: IdentifierScheme, identity: ShopIdentity, catalogue: Catalogue, orders: OrderBook
    ) {
        let maker = SeedMaker(
            settings: settings, ids: ids, identity: identity, catalogue: catalogue, orders: orders)
        store = Store(
            tables: Dictionary(
                uniqueKeysWithValues: Table.allCases.map { table in (table, Lazy { Rows(maker.rows(table)) }) }),
            links: Lazy { maker.links() })
    }

    func rows(_ table: Table) -> Rows {
        store.tables[table]?.value ?? Rows()
    }

    /// What each item belongs to.
    func links(_ association: Association) -> [String: [String]] {
        store.links.value[association] ?? [:]
    }
}
