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
        inventory(table) ?? staff(table) ?? settings(table) ?? money(table) ?? []
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

    /// A record for each entry.
    func rows<Entry>(
        _ kind: RecordKind, _ entries: [Entry], fields: (Int) -> [String: FieldValue] = { _ in [:] },
        _ members: (Int, Entry) -> JSONValue
    ) -> [TableRow] {
        entries.enumerated().map { place, entry in row(kind, place, members(place, entry), fields: fields(place)) }
    }

    /// Modification times are spread over the shop's first weeks.
    func modifiedTime(_ place: Int) -> Int {
        openedTime + 3_600_000 * (place * 7 % 500)
    }

    /// The modification time of a record that does not show it.
    func modified(_ place: Int) -> [String: FieldValue] {
        ["modifiedTime": .integer(modifiedTime(place))]
    }

    private func inventory(_ table: Table) -> [TableRow]? {
        switch table {
        case .items:
            let adult: [String: FieldValue] = ["ageRestrictedType": .text("ALCOHOL"), "minimumAge": .integer(21)]
            return rows(.item, MenuText.items, fields: { $0 == MenuText.itemForAdults ? adult : [:] }) { place, text in
                let price = orders.menu.prices[place]
                return [
                    "hidden": false, "available": .boolean(place % 23 != 19),
                    "autoManage": .boolean(text.category == 6), "name": .string(text.name),
                    "alternateName": place % 9 == 4 ? .string(text.name.uppercased()) : nil,
                    "code": "\(4_006_381_000_000 + place * 37)", "sku": "SKU-\(1000 + place)",
                    "price": .integer(price), "priceType": text.unit == nil ? "FIXED" : "PER_UNIT",
                    "defaultTaxRates": .boolean(text.taxRate == 0), "unitName": text.unit.map { .string($0) },
                    "cost": .integer(price * 3 / 10), "isRevenue": true,
                    "modifiedTime": .integer(modifiedTime(place)), "deleted": false,
                    "isAgeRestricted": .boolean(place == MenuText.itemForAdults),
                ]
            }
        case .categories:
            let colours = ["#6F4E37", "#228B22", "#1E90FF", "#DAA520", "#FF8C00", "#8B0000", "#556B2F", "#4B0082"]
            return rows(.category, MenuText.categories) { place, name in
                [
                    "name": .string(name), "sortOrder": .integer(place + 1), "colorCode": .string(colours[place]),
                    "deleted": false, "modifiedTime": .integer(modifiedTime(place)),
                ]
            }
        case .tags:
            return rows(
                .tag, MenuText.tags,
                fields: { ["deleted": .boolean(false), "modifiedTime": .integer(modifiedTime($0))] }
            ) { place, name in ["name": .string(name), "showInReporting": .boolean(place != 3)] }
        case .discounts:
            return rows(
                .catalogueDiscount, MenuText.discounts, fields: { ["modifiedtime": .integer(modifiedTime($0))] }
            ) { _, text in
                [
                    "name": .string(text.name), "percentage": text.percentage.map { .integer($0) },
                    "amount": text.amount.map { .integer($0) },
                ]
            }
        case .modifierGroups:
            return rows(.modifierGroup, MenuText.modifierGroups, fields: modified) { place, group in
                let ids = group.modifiers.indices.map { id(.modifier, MenuText.place(ofModifier: $0, in: place)) }
                return [
                    "name": .string(group.name), "minRequired": .integer(group.least),
                    "maxAllowed": group.most > 0 ? .integer(group.most) : nil,
                    "showByDefault": .boolean(group.least > 0), "modifierIds": .string(ids.joined(separator: ",")),
                    "sortOrder": .integer(place + 1),
                ]
            }
        case .modifiers:
            let modifiers = MenuText.modifierGroups.enumerated().flatMap { group, text in
                text.modifiers.map { (group: group, name: $0.name, price: $0.price) }
            }
            return rows(.modifier, modifiers, fields: modified) { _, modifier in
                [
                    "name": .string(modifier.name), "price": .integer(modifier.price),
                    "modifierGroup": reference(.modifierGroup, modifier.group),
                    "alternateName": modifier.price == 0 ? .string(modifier.name.uppercased()) : nil,
                ]
            }
        case .taxRates:
            return rows(.taxRate, MenuText.taxRates) { place, rate in
                [
                    "name": .string(rate.name), "rate": .integer(rate.rate), "isDefault": .boolean(rate.isDefault),
                    "taxType": place == 1 ? "VAT_EXEMPT" : "VAT_NON_TAXABLE", "taxAmount": place == 1 ? 0 : nil,
                ]
            }
        case .taxRules:
            // No source lists the fields of these rules; this is the minimum.
            return rows(.taxRule, [("Packaged goods are free", 1), ("Merchandise is reduced", 2)]) { _, rule in
                ["name": .string(rule.0), "taxRate": reference(.taxRate, rule.1)]
            }
        case .itemStocks:
            // The quantity has a fractional type, and an item that was never stocked has only its reference (live
            // sandbox notes).
            return MenuText.items.enumerated().map { place, text in
                let stock = text.isStocked ? 12 + place % 7 * 5 : nil
                let json: JSONValue = [
                    "item": reference(.item, place), "stockCount": stock.map { .integer($0) },
                    "quantity": stock.map { .number("\($0).0") },
                    "modifiedTime": stock.map { _ in .integer(modifiedTime(place)) },
                ]
                return TableRow(id: id(.item, place), json: json)
            }
        case .itemGroups:
            return rows(.itemGroup, ["Beans & leaves", "Merchandise"], fields: modified) { ["name": .string($1)] }
        case .attributes:
            return rows(.attribute, ["Grind", "Bag size"], fields: modified) { _, name in
                ["name": .string(name), "itemGroup": reference(.itemGroup, 0)]
            }
        case .options:
            let options = [("Whole bean", 0), ("Espresso", 0), ("Filtre ☕️", 0), ("8 oz", 1), ("16 oz", 1)]
            return rows(.option, options, fields: modified) { _, option in
                ["name": .string(option.0), "attribute": reference(.attribute, option.1)]
            }
        default: return nil
        }
    }
}
