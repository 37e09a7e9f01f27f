/// Makes the records of collections from the seed.
struct SeedMaker: Sendable {
    let settings: ShopSettings
    let ids: IdentifierScheme
    let identity: ShopIdentity
    let catalogue: Catalogue
    let orders: OrderBook

    func rows(_ table: Table) -> [TableRow] {
        switch table {
        case .itemStocks: itemStocks()
        case .itemGroups: itemGroups()
        case .attributes: attributes()
        case .options: options()
        case .taxRules: taxRules()
        case .shifts: shifts()
        case .cashEvents: cashEvents()
        case .employeeCards: employeeCards()
        case .orderFees: orderFees()
        case .orderFeeLines: orderFeeLines()
        case .systemOrderTypes: systemOrderTypes()
        case .printers: printers()
        case .voidedLines: voidedLines()
        case .authorizations: authorizations()
        case .credits: credits()
        case .creditRefunds: creditRefunds()
        case .batches: batches()
        case .printEvents: []
        case .apps: apps()
        case .meteredEvents: meteredEvents()
        case .merchantPlans: merchantPlans()
        case .resellers: resellers()
        default: (0..<catalogue.count(table)).compactMap { catalogue.row(table, $0) }
        }
    }

    func id(_ kind: RecordKind, _ place: Int) -> String {
        ids.identifier(kind, place).description
    }

    /// A reference to a record of the catalogue, by place.
    func reference(_ table: Table, _ place: Int) -> JSONValue {
        .reference(catalogue.row(table, place)?.id ?? "")
    }

    /// What each item belongs to, from the menu.
    func links() -> [Association: [String: [String]]] {
        var links: [Association: [String: [String]]] = [:]
        for (place, text) in MenuText.items.enumerated() {
            let item = id(.item, place)
            links[.categories, default: [:]][item] = text.categories.map { id(.category, $0) }
            links[.tags, default: [:]][item] = text.tags.map { id(.tag, $0) }
            links[.taxRates, default: [:]][item] = [id(.taxRate, text.taxRate)]
            links[.modifierGroups, default: [:]][item] = text.groups.map { id(.modifierGroup, $0) }
            if text.isStocked { links[.options, default: [:]][item] = [id(.option, place % 3)] }
        }
        return links
    }

    /// Orders spread over the history, the newest first: every `step`-th, at most `most`.
    func sample(every step: Int, most: Int, _ body: (OrderRecord) -> TableRow?) -> [TableRow] {
        var order = OrderRecord()
        var rows: [TableRow] = []
        // The merchant itself shows its newest hundred orders, which are to have some of everything.
        var number = orders.count - 1 - step / 4
        while number >= 0, rows.count < most {
            orders.load(number, into: &order)
            if let row = body(order) { rows.append(row) }
            number -= step
        }
        return rows
    }
}
