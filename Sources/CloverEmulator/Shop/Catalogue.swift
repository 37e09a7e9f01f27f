/// The collections of a shop that are stored as records, generated from the seed: menu, staff, tenders, settings, and
/// samples of what happens with its orders.
package struct Catalogue: Sendable {
    let identity: ShopIdentity
    let orders: OrderGenerator
    let settings: ShopSettings
    let ids: IdentifierScheme
    let merchantName: String
    /// UUIDs unlike all other ids (Clover iOS SDK, payments).
    let deviceIDs: [String]
    /// When the shop was set up, in milliseconds since 1970; no record is older.
    let openedTime: Int

    init(identity: ShopIdentity, orders: OrderGenerator) {
        self.identity = identity
        self.orders = orders
        settings = orders.settings
        ids = orders.ids
        var random = SeededRandom(seed: settings.seed, stream: .shop, index: 0)
        merchantName = random.pick(MenuText.shopNames)
        let seed = settings.seed
        deviceIDs = Self.devices.indices.map { ShopIdentity.uuid(seed: seed, stream: .device, index: $0) }
        openedTime = orders.calendar.start - 21 * 86_400_000
    }

    /// The `href` of a record: on the web host, not the one that the request used (recorded responses). Clients should
    /// not follow it.
    func webAddress(_ path: String) -> String {
        "https://www.clover.com/v3/merchants/\(identity.merchantID)/\(path)"
    }

    func rows(_ table: Table) -> [TableRow] {
        switch table {
        case .items: items()
        case .categories: categories()
        case .tags: tags()
        case .discounts: discounts()
        case .modifierGroups: modifierGroups()
        case .modifiers: modifiers()
        case .taxRates: taxRates()
        case .tenders: tenders()
        case .orderTypes: orderTypes()
        case .employees: employees()
        case .roles: roles()
        case .devices: devices()
        case .openingHours: openingHours()
        case .tipSuggestions: tipSuggestions()
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
        }
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

    // MARK: Parts of records

    func id(_ kind: RecordKind, _ place: Int) -> String {
        ids.identifier(kind, place).description
    }

    func reference(_ kind: RecordKind, _ place: Int) -> JSONValue {
        .reference(id(kind, place))
    }

    /// A record with an id and further members.
    func row(
        _ kind: RecordKind, _ place: Int, _ members: JSONValue, fields: [String: FieldValue] = [:]
    ) -> TableRow {
        row(id(kind, place), members, fields: fields)
    }

    func row(_ id: String, _ members: JSONValue, fields: [String: FieldValue] = [:]) -> TableRow {
        TableRow(id: id, json: .object([("id", .string(id))] + members.members), fields: fields)
    }

    /// Modification times are spread over the shop's first weeks.
    func modifiedTime(_ place: Int) -> Int {
        openedTime + 3_600_000 * (place * 7 % 500)
    }

    /// The modification time of a record that does not show it.
    func modified(_ place: Int) -> [String: FieldValue] {
        ["modifiedTime": .integer(modifiedTime(place))]
    }
}

/// The inventory.
extension Catalogue {
    private static let attributeNames = ["Grind", "Bag size"]
    private static let options = [
        ("Whole bean", 0), ("Espresso", 0), ("Filtre ☕️", 0), ("8 oz", 1), ("16 oz", 1),
    ]

    private func items() -> [TableRow] {
        MenuText.items.enumerated().map { place, text in
            let price = orders.menu.prices[place]
            let isForAdults = place == MenuText.itemForAdults
            return row(
                .item, place,
                [
                    "hidden": false, "available": .boolean(place % 23 != 19),
                    "autoManage": .boolean(text.category == 6), "name": .string(text.name),
                    "alternateName": place % 9 == 4 ? .string(text.name.uppercased()) : nil,
                    "code": .string("\(4_006_381_000_000 + place * 37)"), "sku": .string("SKU-\(1000 + place)"),
                    "price": .integer(price), "priceType": text.unit == nil ? "FIXED" : "PER_UNIT",
                    "defaultTaxRates": .boolean(text.taxRate == 0), "unitName": text.unit.map { .string($0) },
                    "cost": .integer(price * 3 / 10), "isRevenue": true,
                    "modifiedTime": .integer(modifiedTime(place)), "deleted": false,
                    "isAgeRestricted": .boolean(isForAdults),
                ],
                fields: isForAdults ? ["ageRestrictedType": .text("ALCOHOL"), "minimumAge": .integer(21)] : [:])
        }
    }

    private func categories() -> [TableRow] {
        let colours = ["#6F4E37", "#228B22", "#1E90FF", "#DAA520", "#FF8C00", "#8B0000", "#556B2F", "#4B0082"]
        return MenuText.categories.enumerated().map { place, name in
            row(
                .category, place,
                [
                    "name": .string(name), "sortOrder": .integer(place + 1), "colorCode": .string(colours[place]),
                    "deleted": false, "modifiedTime": .integer(modifiedTime(place)),
                ])
        }
    }

    private func tags() -> [TableRow] {
        MenuText.tags.enumerated().map { place, name in
            row(
                .tag, place, ["name": .string(name), "showInReporting": .boolean(place != 3)],
                fields: ["deleted": .boolean(false), "modifiedTime": .integer(modifiedTime(place))])
        }
    }

    private func discounts() -> [TableRow] {
        MenuText.discounts.enumerated().map { place, text in
            row(
                .catalogueDiscount, place,
                [
                    "name": .string(text.name), "percentage": text.percentage.map { .integer($0) },
                    "amount": text.amount.map { .integer($0) },
                ],
                fields: ["modifiedtime": .integer(modifiedTime(place))])
        }
    }

    private func modifierGroups() -> [TableRow] {
        MenuText.modifierGroups.enumerated().map { place, group in
            let modifiers = group.modifiers.indices.map { id(.modifier, MenuText.place(ofModifier: $0, in: place)) }
            return row(
                .modifierGroup, place,
                [
                    "name": .string(group.name), "minRequired": .integer(group.least),
                    "maxAllowed": group.most > 0 ? .integer(group.most) : nil,
                    "showByDefault": .boolean(group.least > 0),
                    "modifierIds": .string(modifiers.joined(separator: ",")), "sortOrder": .integer(place + 1),
                ],
                fields: modified(place))
        }
    }

    private func modifiers() -> [TableRow] {
        MenuText.modifierGroups.enumerated().flatMap { group, text in
            text.modifiers.enumerated().map { index, modifier in
                let place = MenuText.place(ofModifier: index, in: group)
                return row(
                    .modifier, place,
                    [
                        "name": .string(modifier.name), "price": .integer(modifier.price),
                        "modifierGroup": reference(.modifierGroup, group),
                        "alternateName": modifier.price == 0 ? .string(modifier.name.uppercased()) : nil,
                    ],
                    fields: modified(place))
            }
        }
    }

    private func taxRates() -> [TableRow] {
        MenuText.taxRates.enumerated().map { place, rate in
            row(
                .taxRate, place,
                [
                    "name": .string(rate.name), "rate": .integer(rate.rate), "isDefault": .boolean(rate.isDefault),
                    "taxType": place == 1 ? "VAT_EXEMPT" : "VAT_NON_TAXABLE", "taxAmount": place == 1 ? 0 : nil,
                ])
        }
    }

    /// No source lists the fields of these rules; this is the minimum.
    private func taxRules() -> [TableRow] {
        [("Packaged goods are free", 1), ("Merchandise is reduced", 2)].enumerated().map { place, rule in
            row(.taxRule, place, ["name": .string(rule.0), "taxRate": reference(.taxRate, rule.1)])
        }
    }

    /// The stock of each item: the quantity has a fractional type, and an item that was never stocked has only its
    /// reference (live sandbox notes).
    private func itemStocks() -> [TableRow] {
        MenuText.items.enumerated().map { place, text in
            var json: JSONValue = ["item": reference(.item, place)]
            if text.isStocked {
                let stock = 12 + place % 7 * 5
                json.append("stockCount", .integer(stock))
                json.append("quantity", .number("\(stock).0"))
                json.append("modifiedTime", .integer(modifiedTime(place)))
            }
            return TableRow(id: id(.item, place), json: json)
        }
    }

    private func itemGroups() -> [TableRow] {
        ["Beans & leaves", "Merchandise"].enumerated().map { place, name in
            row(.itemGroup, place, ["name": .string(name)], fields: modified(place))
        }
    }

    private func attributes() -> [TableRow] {
        Self.attributeNames.enumerated().map { place, name in
            row(
                .attribute, place, ["name": .string(name), "itemGroup": reference(.itemGroup, 0)],
                fields: modified(place))
        }
    }

    private func options() -> [TableRow] {
        Self.options.enumerated().map { place, option in
            row(
                .option, place, ["name": .string(option.0), "attribute": reference(.attribute, option.1)],
                fields: modified(place))
        }
    }
}
