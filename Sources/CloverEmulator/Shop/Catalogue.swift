/// The small collections of a shop, made once at start: menu, staff, tenders, settings. Records are kept both as values,
/// for expansion, and as ready bytes.
package struct Catalogue: Sendable {
    /// Roles of `PeopleText.staff`, place by place: one owner, two managers, the rest at the counter.
    static let staffRoles = [0, 1, 1, 2, 2, 2, 3, 3, 3, 3, 3, 2]

    package let ids: IdentifierScheme
    package let identity: ShopIdentity
    package let merchantName: String
    let settings: ShopSettings
    let menu: Menu
    /// When the shop was set up, in milliseconds since 1970; nothing in it is older.
    package let openedTime: Int
    private(set) var rows: [Table: [TableRow]] = [:]
    private(set) var fragments: [Table: [Fragment]] = [:]
    private var places: [Table: [String: Int]] = [:]

    package init(
        settings: ShopSettings, ids: IdentifierScheme, identity: ShopIdentity, menu: Menu, openedTime: Int,
        arena: FragmentArena
    ) {
        self.settings = settings
        self.ids = ids
        self.identity = identity
        self.menu = menu
        self.openedTime = openedTime
        var random = SeededRandom(seed: settings.seed, stream: .shop, index: 0)
        merchantName = MenuText.shopNames[random.below(MenuText.shopNames.count)]
        for table in Table.established {
            let made = makeRows(table)
            rows[table] = made
            fragments[table] = made.map { arena.keep($0.json) }
            places[table] = Dictionary(
                made.enumerated().map { ($0.element.id, $0.offset) }, uniquingKeysWith: { first, _ in first })
        }
    }

    /// Number of records of a collection.
    package func count(_ table: Table) -> Int {
        rows[table]?.count ?? 0
    }

    package func row(_ table: Table, _ place: Int) -> TableRow? {
        guard let list = rows[table], list.indices.contains(place) else { return nil }
        return list[place]
    }

    /// The place of the record with this id.
    package func place(_ table: Table, id: String) -> Int? {
        places[table]?[id]
    }

    /// The ready bytes of all records of a collection.
    package func fragments(_ table: Table) -> [Fragment] {
        fragments[table] ?? []
    }

    /// The address records are shown under: the web host, not the one the request went to (recorded answers). Nobody
    /// should follow it.
    package func webAddress(_ path: String) -> String {
        "https://www.clover.com/v3/merchants/\(identity.merchantID)/\(path)"
    }

    /// Changes of the catalogue were spread over the first weeks of the shop.
    func modifiedTime(_ place: Int) -> Int {
        openedTime + 3_600_000 * (place * 7 % 500)
    }

    private func makeRows(_ table: Table) -> [TableRow] {
        switch table {
        case .items: makeItems()
        case .categories: makeCategories()
        case .tags: makeTags()
        case .discounts: makeDiscounts()
        case .modifierGroups: makeModifierGroups()
        case .modifiers: makeModifiers()
        case .taxRates: makeTaxRates()
        case .tenders: makeTenders()
        case .orderTypes: makeOrderTypes()
        case .employees: makeEmployees()
        case .roles: makeRoles()
        case .devices: makeDevices()
        case .openingHours: makeOpeningHours()
        case .tipSuggestions: makeTipSuggestions()
        default: []
        }
    }
}
