/// Generates the records of collections from the seed.
struct SeedMaker: Sendable {
    let settings: ShopSettings
    let ids: IdentifierScheme
    let identity: ShopIdentity
    let catalogue: Catalogue
    let orders: OrderGenerator

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

    /// A record with an id and further members.
    func row(
        _ kind: RecordKind, _ place: Int, _ members: [(key: String, value: JSONValue)],
        fields: [String: FieldValue] = [:]
    ) -> TableRow {
        let id = id(kind, place)
        return TableRow(id: id, json: .object([("id", .string(id))] + members), fields: fields)
    }

    /// A reference to a record of the catalogue, by index.
    func reference(_ table: Table, _ place: Int) -> JSONValue {
        .reference(catalogue.row(table, place)?.id ?? "")
    }

    /// The associations of each item, from the menu.
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

    /// Maps every `step`-th order, newest first, to at most `most` rows.
    func sample(every step: Int, most: Int, _ body: (OrderRecord) -> TableRow?) -> [TableRow] {
        var order = OrderRecord()
        var rows: [TableRow] = []
        // The merchant's `orders` show its newest hundred orders, which should include some of everything.
        var number = orders.count - 1 - step / 4
        while number >= 0, rows.count < most {
            orders.load(number, into: &order)
            if let row = body(order) { rows.append(row) }
            number -= step
        }
        return rows
    }
}

/// The generated collections of a shop, before any write. Collections that no order needs are generated on the first
/// request.
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
        settings: ShopSettings, ids: IdentifierScheme, identity: ShopIdentity, catalogue: Catalogue,
        orders: OrderGenerator
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

    /// The associations of each item.
    func links(_ association: Association) -> [String: [String]] {
        store.links.value[association] ?? [:]
    }
}

extension SeedMaker {
    func systemOrderTypes() -> [TableRow] {
        ["dine_in", "take_out", "pick_up", "delivery"].enumerated().map { place, name in
            return row(
                .systemOrderType, place,
                [
                    ("labelKey", .string("com.clover.order.type.\(name)")),
                    ("isQsr", .boolean(true)), ("isFsr", .boolean(place == 0)), ("isRetail", .boolean(place > 1)),
                ])
        }
    }

    func printers() -> [TableRow] {
        [("Kitchen", "192.0.2.21"), ("Bar \"cold\"", "192.0.2.22")].enumerated().map { place, printer in
            return row(
                .printer, place,
                [
                    ("mac", .string("00:11:62:00:00:0\(place + 1)")),
                    ("model", .string("SEIKO_RPF10")), ("name", .string(printer.0)), ("ipAddress", .string(printer.1)),
                    ("type", .string(place == 0 ? "NETWORK" : "MY_LOCAL")),
                ])
        }
    }

    /// The emulated app, and one that is not installed.
    func apps() -> [TableRow] {
        [(identity.appID.description, identity.appName, true), (id(.application, 2), "Loyalty “Ü”", false)].map {
            id, name, isInstalled in
            TableRow(
                id: id,
                json: .object([
                    ("id", .string(id)), ("name", .string(name)), ("published", .boolean(true)),
                    ("approved", .boolean(true)), ("systemApp", .boolean(false)), ("hidden", .boolean(false)),
                    ("installed", .boolean(isInstalled)), ("installedTime", .integer(catalogue.openedTime)),
                    ("permissionMerchantRead", .boolean(true)), ("permissionOrdersRead", .boolean(true)),
                    ("permissionInventoryRead", .boolean(true)), ("approvalStatus", .string("PUBLISHED")),
                ]))
        }
    }

    /// Events of the app's metered offer, whatever its id: each emulated app has one offer.
    func meteredEvents() -> [TableRow] {
        (0..<3).map { place in
            let id = id(.meteredEvent, place)
            let time = settings.now - (place + 1) * 86_400_000
            return TableRow(
                id: id,
                json: .object([
                    ("id", .string(id)), ("count", .integer(place + 1)), ("createdTime", .integer(time)),
                    ("modifiedTime", .integer(time)),
                ]))
        }
    }

    func merchantPlans() -> [TableRow] {
        [("Register", 1495, "REGISTER"), ("Payments Plus", 995, "PAYMENTS_PLUS")].enumerated().map { place, plan in
            return row(
                .merchantPlan, place,
                [
                    ("name", .string(plan.0)), ("price", .integer(plan.1)),
                    ("trialDays", .integer(30)), ("defaultPlan", .boolean(place == 0)), ("type", .string(plan.2)),
                    ("createdTime", .integer(catalogue.openedTime)),
                ])
        }
    }

    func resellers() -> [TableRow] {
        [("Demo Reseller", "DEMO"), ("Café “Bank”", "BANK")].enumerated().map { place, reseller in
            return row(
                .reseller, place,
                [
                    ("name", .string(reseller.0)), ("code", .string(reseller.1)),
                    ("defaultCountryCode", .string("US")), ("supportEmail", .string("help@reseller.example")),
                    ("createdTime", .integer(catalogue.openedTime)), ("type", .string("DEMO")),
                ])
        }
    }
}

extension SeedMaker {
    private static let attributeNames = ["Grind", "Bag size"]
    private static let optionNames = [["Whole bean", "Espresso", "Filtre ☕️"], ["8 oz", "16 oz"]]

    /// The stock of each item: the quantity has a fractional type, and an item that was never stocked has only its
    /// reference (live sandbox notes).
    func itemStocks() -> [TableRow] {
        (0..<catalogue.count(.items)).map { place in
            let id = id(.item, place)
            var json: JSONValue = .object([("item", .reference(id))])
            if let stock = Catalogue.stock(of: place) {
                json.append("stockCount", .integer(stock))
                json.append("quantity", .number("\(stock).0"))
                json.append("modifiedTime", .integer(catalogue.modifiedTime(place)))
            }
            return TableRow(id: id, json: json)
        }
    }

    func itemGroups() -> [TableRow] {
        ["Beans & leaves", "Merchandise"].enumerated().map { place, name in
            return row(
                .itemGroup, place, [("name", .string(name))],
                fields: ["modifiedTime": .integer(catalogue.modifiedTime(place))])
        }
    }

    func attributes() -> [TableRow] {
        Self.attributeNames.enumerated().map { place, name in
            return row(
                .attribute, place, [("name", .string(name)), ("itemGroup", .reference(id(.itemGroup, 0)))],
                fields: ["modifiedTime": .integer(catalogue.modifiedTime(place))])
        }
    }

    func options() -> [TableRow] {
        var rows: [TableRow] = []
        for (attribute, names) in Self.optionNames.enumerated() {
            for name in names {
                let id = id(.option, rows.count)
                rows.append(
                    TableRow(
                        id: id,
                        json: .object([
                            ("id", .string(id)), ("name", .string(name)),
                            ("attribute", .reference(self.id(.attribute, attribute))),
                        ]),
                        fields: ["modifiedTime": .integer(catalogue.modifiedTime(rows.count))]))
            }
        }
        return rows
    }

    /// No source lists the fields of these rules; this is the minimum.
    func taxRules() -> [TableRow] {
        [("Packaged goods are free", 1), ("Merchandise is reduced", 2)].enumerated().map { place, rule in
            return row(.taxRule, place, [("name", .string(rule.0)), ("taxRate", reference(.taxRates, rule.1))])
        }
    }
}

extension SeedMaker {
    /// Four employees a day, two of whom leave early; shifts in progress at the end of the history have no end. Newest
    /// first.
    func shifts() -> [TableRow] {
        var rows: [TableRow] = []
        let staff = catalogue.count(.employees)
        for day in orders.calendar.days.reversed() {
            let hours = TradingHours.minutes(onWeekday: CivilDate.weekday(ofDayNumber: day))
            let midnight = ShopTimeZone.startOfDay(day)
            for turn in (0..<4).reversed() {
                let number = day * 4 + turn
                var random = SeededRandom(seed: settings.seed, stream: .shift, index: number)
                let begin = midnight + (hours.open - 15 + turn * 3) * 60_000 + random.below(120_000)
                let end =
                    midnight + (turn < 2 ? hours.open + 300 : hours.close + 20) * 60_000 + random.below(900_000)
                guard begin <= settings.now else { continue }
                rows.append(
                    shift(number, employee: (day &* 5 &+ turn) % staff, begin: begin, end: end, &random))
            }
        }
        return rows
    }

    private func shift(
        _ number: Int, employee: Int, begin: Int, end: Int, _ random: inout SeededRandom
    ) -> TableRow {
        let id = id(.shift, number)
        var json: JSONValue = .object([
            ("id", .string(id)), ("employee", reference(.employees, employee)),
            ("cashTipsCollected", .integer(random.below(40) * 25)), ("serverBanking", .boolean(employee % 3 == 0)),
            ("inTime", .integer(begin)),
        ])
        if number % 17 == 3 {
            json.append("overrideInTime", .integer(begin - 600_000))
            json.append("overrideInEmployee", reference(.employees, 1))
        }
        if end <= settings.now {
            json.append("outTime", .integer(end))
            if number % 23 == 5 {
                json.append("overrideOutTime", .integer(end + 300_000))
                json.append("overrideOutEmployee", reference(.employees, 2))
            }
        }
        return TableRow(id: id, json: json)
    }

    /// The drawer is opened in the morning and counted at night. Newest first.
    func cashEvents() -> [TableRow] {
        var rows: [TableRow] = []
        let staff = catalogue.count(.employees)
        for day in orders.calendar.days.reversed() {
            let hours = TradingHours.minutes(onWeekday: CivilDate.weekday(ofDayNumber: day))
            let midnight = ShopTimeZone.startOfDay(day)
            for (turn, type) in ["OPEN", "ADJUSTMENT", "COUNT"].enumerated().reversed() {
                let number = day * 3 + turn
                var random = SeededRandom(seed: settings.seed, stream: .cashEvent, index: number)
                let minute = turn == 0 ? hours.open - 5 : turn == 1 ? (hours.open + hours.close) / 2 : hours.close + 5
                let time = midnight + minute * 60_000 + random.below(60_000)
                guard time <= settings.now, turn != 1 || day % 5 == 0 else { continue }
                let amount = turn == 0 ? 20_000 : turn == 1 ? -5000 : random.below(300)
                var json: JSONValue = .object([
                    ("type", .string(type)), ("amountChange", .integer(amount)), ("timestamp", .integer(time)),
                ])
                if turn == 1 { json.append("note", .string("To the bank — “safe drop”")) }
                json.append("employee", reference(.employees, (day &* 5 &+ turn) % staff))
                json.append("device", reference(.devices, turn % 2))
                rows.append(TableRow(id: id(.cashEvent, number), json: json))
            }
        }
        return rows
    }

    func employeeCards() -> [TableRow] {
        (0..<3).map { place in
            return row(
                .employeeCard, place,
                [
                    ("merchant", .reference(identity.merchantID)),
                    ("employee", reference(.employees, place)), ("number", .string("\(70_001 + place)")),
                    ("status", .string(place == 2 ? "DISABLED" : "ACTIVE")),
                    ("createdTime", .integer(catalogue.openedTime)),
                    ("modifiedTime", .integer(catalogue.modifiedTime(place))),
                ])
        }
    }
}
