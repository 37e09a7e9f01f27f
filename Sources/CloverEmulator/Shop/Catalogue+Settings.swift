extension Catalogue {
    private static let tenders: [(label: String, key: String, opensDrawer: Bool, takesTips: Bool)] = [
        ("Cash", "com.clover.tender.cash", true, false),
        ("Credit Card", "com.clover.tender.credit_card", false, true),
        ("Debit Card", "com.clover.tender.debit_card", false, true),
        ("Gift Card 🎁", "com.clover.tender.external_gift_card", false, false),
        ("Check", "com.clover.tender.check", true, false),
    ]
    private static let orderTypes: [(label: String, key: String)] = [
        ("Dine in", "com.clover.order.type.dine_in"), ("Take out", "com.clover.order.type.take_out"),
        ("Pick up — à emporter", "com.clover.order.type.pick_up"), ("Delivery", "com.clover.order.type.delivery"),
    ]
    private static let deviceTexts: [(name: String, model: String, type: String, prefix: String)] = [
        ("Counter", "Station Duo", "MAPLECUT", "A"), ("Patio \"mini\"", "Mini", "BAYLEAF", "B"),
        ("Flex #3", "Flex", "MENLO", "C"),
    ]

    func makeTenders() -> [TableRow] {
        Self.tenders.enumerated().map { place, tender in
            let id = ids.identifier(.tender, place).description
            return TableRow(
                id: id,
                json: .object(
                    [
                        ("id", .string(id)), ("editable", .boolean(false)), ("labelKey", .string(tender.key)),
                        ("label", .string(tender.label)), ("opensCashDrawer", .boolean(tender.opensDrawer)),
                        ("supportsTipping", .boolean(tender.takesTips)), ("enabled", .boolean(place != 4)),
                        ("visible", .boolean(true)), ("instructions", .string("Open the drawer — then count")),
                    ].filter { $0.0 != "instructions" || tender.opensDrawer }),
                fields: [
                    "merchantId": .text(identity.merchantID.description),
                    "modifiedTime": .integer(modifiedTime(place)), "systemTenderId": .text("SYSTEM-TENDER-\(place)"),
                    "instruction": tender.opensDrawer ? .text("Open the drawer — then count") : .absent,
                ])
        }
    }

    func makeOrderTypes() -> [TableRow] {
        Self.orderTypes.enumerated().map { place, type in
            let id = ids.identifier(.orderType, place).description
            return TableRow(
                id: id,
                json: .object([
                    ("id", .string(id)), ("labelKey", .string(type.key)), ("label", .string(type.label)),
                    ("taxable", .boolean(true)), ("isDefault", .boolean(place == 0)),
                    ("filterCategories", .boolean(false)), ("isHidden", .boolean(false)),
                    ("hoursAvailable", .string("BUSINESS")), ("isDeleted", .boolean(false)),
                ]))
        }
    }

    /// The id of a device, a UUID unlike all other ids (Clover iOS SDK, payments).
    package func deviceID(_ place: Int) -> String {
        ShopIdentity.uuid(seed: settings.seed, stream: .device, index: place)
    }

    func makeDevices() -> [TableRow] {
        Self.deviceTexts.enumerated().map { place, device in
            let id = deviceID(place)
            let serial = "C0\(30 + place)UQ\(71_234_000 + place * 517)"
            return TableRow(
                id: id,
                json: .object([
                    ("id", .string(id)), ("name", .string(device.name)), ("model", .string(device.model)),
                    ("orderPrefix", .string(device.prefix)), ("serial", .string(serial)),
                    ("deviceTypeName", .string(device.type)), ("merchant", .reference(identity.merchantID)),
                ]),
                fields: ["merchant.name": .text(merchantName)])
        }
    }

    /// Opening hours: a list of ranges per day; times combine hours and minutes in one number (900 is nine o'clock).
    func makeOpeningHours() -> [TableRow] {
        let names = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"]
        // The kitchen closes an hour before the shop.
        return [("Business hours", 0), ("Kitchen hours", 60)].enumerated().map { place, set in
            let id = ids.identifier(.openingHours, place).description
            var json: JSONValue = .object([("id", .string(id)), ("name", .string(set.0))])
            for (weekday, name) in names.enumerated() {
                let hours = TradingHours.minutes(onWeekday: weekday)
                let close = hours.close - set.1
                let range: JSONValue = .object([
                    ("start", .integer(hours.open / 60 * 100 + hours.open % 60)),
                    ("end", .integer(close / 60 * 100 + close % 60)),
                ])
                json.append(name, .elements([range]))
            }
            return TableRow(id: id, json: json)
        }
    }

    func makeTipSuggestions() -> [TableRow] {
        [15, 18, 20].enumerated().map { place, percentage in
            let id = ids.identifier(.tipSuggestion, place).description
            let name = "Tip \(percentage)%"
            return TableRow(
                id: id,
                json: .object([
                    ("id", .string(id)), ("name", .string(name)), ("percentage", .integer(percentage)),
                    ("isEnabled", .boolean(true)),
                ]),
                fields: ["flatTip": .boolean(false)])
        }
    }

    /// The shop's address.
    package var address: JSONValue {
        var random = SeededRandom(seed: settings.seed, stream: .shop, index: 1)
        let street = MenuText.streets[random.below(MenuText.streets.count)]
        return .object([
            ("address1", .string("\(random.within(1...320)) \(street)")), ("city", .string("New York")),
            ("state", .string("NY")), ("zip", .string("10012")), ("country", .string("US")),
            ("phoneNumber", .string("(212) 555-0\(random.within(100...199))")),
        ])
    }

    /// The shop's settings, a single object (live sandbox notes).
    package var properties: JSONValue {
        .object([
            ("defaultCurrency", .string("USD")), ("tipsEnabled", .boolean(true)), ("summaryHour", .integer(3)),
            ("signatureThreshold", .integer(2500)), ("tipRateDefault", .integer(18)), ("autoPrint", .boolean(true)),
            ("groupLineItems", .boolean(true)), ("alternateInventoryNames", .boolean(true)),
            ("notesOnOrders", .boolean(true)), ("trackStock", .boolean(true)), ("locale", .string("en-US")),
            ("timezone", .string(ShopTimeZone.name)), ("vat", .boolean(false)), ("pinLength", .integer(4)),
            ("supportEmail", .string("hello@cafe.example")), ("merchantRef", .reference(identity.merchantID)),
        ])
    }

    /// The merchant without expansions. Test merchants are not billable (test merchant documentation).
    package var merchant: JSONValue {
        let path = "https://www.clover.com/v3/merchants/\(identity.merchantID)"
        func link(_ name: String) -> JSONValue { .object([("href", .string("\(path)/\(name)"))]) }
        return .object([
            ("href", .string(path)), ("id", .string(identity.merchantID.description)), ("name", .string(merchantName)),
            ("owner", .reference(ids.identifier(.employee, 0))), ("address", link("address")),
            ("defaultCurrency", .string("USD")), ("phoneNumber", .string("(212) 555-0142")),
            ("website", .string("https://cafe.example")),
            ("createdTime", .integer(settings.merchantTime ?? openedTime)),
            ("isBillable", .boolean(false)), ("timezone", .string(ShopTimeZone.name)),
            ("properties", link("properties")),
            ("employees", link("employees")), ("items", link("items")), ("orders", link("orders")),
            ("payments", link("payments")), ("tenders", link("tenders")),
        ])
    }
}
