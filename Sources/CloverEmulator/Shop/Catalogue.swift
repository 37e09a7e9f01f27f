/// The small collections of a shop, generated once at start: menu, staff, tenders, settings. Records are kept both as
/// values, for expansion, and as encoded bytes.
package struct Catalogue: Sendable {
    /// Role indexes of `PeopleText.staff`: one owner, two managers, the rest at the counter.
    static let staffRoles = [0, 1, 1, 2, 2, 2, 3, 3, 3, 3, 3, 2]

    package let ids: IdentifierScheme
    package let identity: ShopIdentity
    package let merchantName: String
    let settings: ShopSettings
    let menu: Menu
    /// When the shop was set up, in milliseconds since 1970; no record is older.
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

    /// The index of the record with this id.
    package func place(_ table: Table, id: String) -> Int? {
        places[table]?[id]
    }

    /// The encoded bytes of all records of a collection.
    package func fragments(_ table: Table) -> [Fragment] {
        fragments[table] ?? []
    }

    /// The `href` of a record: on the web host, not the one that the request used (recorded responses). Clients should
    /// not follow it.
    package func webAddress(_ path: String) -> String {
        "https://www.clover.com/v3/merchants/\(identity.merchantID)/\(path)"
    }

    /// Modification times are spread over the shop's first weeks.
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

extension Catalogue {
    func makeItems() -> [TableRow] {
        MenuText.items.enumerated().map { place, text in
            let id = ids.identifier(.item, place)
            let item = menu.items[place]
            let sku = "SKU-\(1000 + place)"
            let code = "\(4_006_381_000_000 + place * 37)"
            let isAutoManaged = text.category == 6
            var json: JSONValue = .object([
                ("id", .string(id.description)), ("hidden", .boolean(false)), ("available", .boolean(place % 23 != 19)),
                ("autoManage", .boolean(isAutoManaged)), ("name", .string(text.name)),
            ])
            if place % 9 == 4 { json.append("alternateName", .string(text.name.uppercased())) }
            json.append("code", .string(code))
            json.append("sku", .string(sku))
            json.append("price", .integer(item.price))
            json.append("priceType", .string(item.isSoldByWeight ? "PER_UNIT" : "FIXED"))
            json.append("defaultTaxRates", .boolean(text.taxRate == 0))
            if let unit = text.unit { json.append("unitName", .string(unit)) }
            json.append("cost", .integer(item.price * 3 / 10))
            json.append("isRevenue", .boolean(true))
            json.append("modifiedTime", .integer(modifiedTime(place)))
            json.append("deleted", .boolean(false))
            var fields: [String: FieldValue] = [:]
            json.append("isAgeRestricted", .boolean(place == MenuText.itemForAdults))
            if place == MenuText.itemForAdults {
                fields["ageRestrictedType"] = .text(MenuText.restriction.type)
                fields["minimumAge"] = .integer(MenuText.restriction.age)
            }
            return TableRow(id: id.description, json: json, fields: fields)
        }
    }

    /// Units in stock; nil for items that were never stocked.
    static func stock(of item: Int) -> Int? {
        MenuText.items[item].isStocked ? 12 + item % 7 * 5 : nil
    }

    func makeCategories() -> [TableRow] {
        let colours = ["#6F4E37", "#228B22", "#1E90FF", "#DAA520", "#FF8C00", "#8B0000", "#556B2F", "#4B0082"]
        return MenuText.categories.enumerated().map { place, name in
            let id = ids.identifier(.category, place).description
            return TableRow(
                id: id,
                json: .object([
                    ("id", .string(id)), ("name", .string(name)), ("sortOrder", .integer(place + 1)),
                    ("colorCode", .string(colours[place])), ("deleted", .boolean(false)),
                    ("modifiedTime", .integer(modifiedTime(place))),
                ]))
        }
    }

    func makeTags() -> [TableRow] {
        MenuText.tags.enumerated().map { place, name in
            let id = ids.identifier(.tag, place).description
            return TableRow(
                id: id,
                json: .object([
                    ("id", .string(id)), ("name", .string(name)), ("showInReporting", .boolean(place != 3)),
                ]),
                fields: ["deleted": .boolean(false), "modifiedTime": .integer(modifiedTime(place))])
        }
    }

    func makeDiscounts() -> [TableRow] {
        MenuText.discounts.enumerated().map { place, text in
            let id = ids.identifier(.catalogueDiscount, place).description
            var json: JSONValue = .object([("id", .string(id)), ("name", .string(text.name))])
            if let percentage = text.percentage { json.append("percentage", .integer(percentage)) }
            if let amount = text.amount { json.append("amount", .integer(amount)) }
            return TableRow(id: id, json: json, fields: ["modifiedtime": .integer(modifiedTime(place))])
        }
    }

    func makeModifierGroups() -> [TableRow] {
        MenuText.modifierGroups.enumerated().map { place, group in
            let id = ids.identifier(.modifierGroup, place).description
            var json: JSONValue = .object([
                ("id", .string(id)), ("name", .string(group.name)), ("minRequired", .integer(group.least)),
            ])
            if group.most > 0 { json.append("maxAllowed", .integer(group.most)) }
            json.append("showByDefault", .boolean(group.least > 0))
            let modifiers = menu.modifiers[place].map { ids.identifier(.modifier, $0.place).description }
            json.append("modifierIds", .string(modifiers.joined(separator: ",")))
            json.append("sortOrder", .integer(place + 1))
            return TableRow(id: id, json: json, fields: ["modifiedTime": .integer(modifiedTime(place))])
        }
    }

    func makeModifiers() -> [TableRow] {
        menu.modifiers.enumerated().flatMap { group, modifiers in
            modifiers.map { modifier in
                let id = ids.identifier(.modifier, modifier.place).description
                let groupID = ids.identifier(.modifierGroup, group)
                var json: JSONValue = .object([
                    ("id", .string(id)), ("name", .string(modifier.name)), ("price", .integer(modifier.price)),
                    ("modifierGroup", .reference(groupID)),
                ])
                if modifier.price == 0 { json.append("alternateName", .string(modifier.name.uppercased())) }
                return TableRow(
                    id: id, json: json, fields: ["modifiedTime": .integer(modifiedTime(modifier.place))])
            }
        }
    }

    func makeTaxRates() -> [TableRow] {
        MenuText.taxRates.enumerated().map { place, rate in
            let id = ids.identifier(.taxRate, place).description
            return TableRow(
                id: id,
                json: .object(
                    [
                        ("id", .string(id)), ("name", .string(rate.name)), ("rate", .integer(rate.rate)),
                        ("isDefault", .boolean(rate.isDefault)),
                        ("taxType", .string(place == 1 ? "VAT_EXEMPT" : "VAT_NON_TAXABLE")),
                    ] + (place == 1 ? [("taxAmount", .integer(0))] : [])))
        }
    }
}

extension Catalogue {
    private static let roles: [(name: String, system: String)] = [
        ("Admin", "ADMIN"), ("Manager", "MANAGER"), ("Employee", "EMPLOYEE"), ("Barista ☕️", "EMPLOYEE"),
    ]

    func makeRoles() -> [TableRow] {
        Self.roles.enumerated().map { place, role in
            let id = ids.identifier(.role, place).description
            return TableRow(
                id: id,
                json: .object([
                    ("id", .string(id)), ("name", .string(role.name)), ("systemRole", .string(role.system)),
                ]),
                fields: ["modifiedTime": .integer(modifiedTime(place))])
        }
    }

    func makeEmployees() -> [TableRow] {
        PeopleText.staff.enumerated().map { place, person in
            let id = ids.identifier(.employee, place).description
            let role = Self.staffRoles[place]
            var random = SeededRandom(seed: settings.seed, stream: .employee, index: place)
            let pin = "\(random.within(1000...9999))"
            let customID = "E\(100 + place)"
            var json: JSONValue = .object([
                ("href", .string(webAddress("employees/\(id)"))), ("id", .string(id)), ("name", .string(person.name)),
                ("nickname", .string(person.nickname)), ("customId", .string(customID)),
            ])
            let fields: [String: FieldValue] = [
                "role.id": .text(ids.identifier(.role, role).description),
                "modifiedTime": .integer(modifiedTime(place)),
            ]
            // Some employees have no email address.
            if place % 5 != 4 { json.append("email", .string("staff\(place + 1)@cafe.example")) }
            json.append("inviteSent", .boolean(place % 5 != 4))
            json.append("claimedTime", .integer(modifiedTime(place)))
            json.append("pin", .string(pin))
            json.append("role", .string(Self.roles[role].system))
            json.append("isOwner", .boolean(place == 0))
            json.append("orders", .object([("href", .string(webAddress("employees/\(id)/orders")))]))
            return TableRow(id: id, json: json, fields: fields)
        }
    }
}
