/// The shop's devices, hours and settings, and what the service says about the merchant.
extension Catalogue {
    static let devices = [
        ("Counter", "Station Duo", "MAPLECUT", "A"), ("Patio \"mini\"", "Mini", "BAYLEAF", "B"),
        ("Flex #3", "Flex", "MENLO", "C"),
    ]
    private static let tenders: [(label: String, key: String, opensDrawer: Bool, takesTips: Bool)] = [
        ("Cash", "cash", true, false), ("Credit Card", "credit_card", false, true),
        ("Debit Card", "debit_card", false, true), ("Gift Card 🎁", "external_gift_card", false, false),
        ("Check", "check", true, false),
    ]
    private static let orderTypes = [
        ("Dine in", "dine_in"), ("Take out", "take_out"), ("Pick up — à emporter", "pick_up"), ("Delivery", "delivery"),
    ]

    func tenders() -> [TableRow] {
        Self.tenders.enumerated().map { place, tender in
            let instructions = tender.opensDrawer ? "Open the drawer — then count" : nil
            return row(
                .tender, place,
                [
                    "editable": false, "labelKey": .string("com.clover.tender.\(tender.key)"),
                    "label": .string(tender.label), "opensCashDrawer": .boolean(tender.opensDrawer),
                    "supportsTipping": .boolean(tender.takesTips), "enabled": .boolean(place != 4), "visible": true,
                    "instructions": instructions.map { .string($0) },
                ],
                fields: [
                    "merchantId": .text(identity.merchantID.description),
                    "modifiedTime": .integer(modifiedTime(place)), "systemTenderId": .text("SYSTEM-TENDER-\(place)"),
                    "instruction": instructions.map { .text($0) } ?? .absent,
                ])
        }
    }

    func orderTypes() -> [TableRow] {
        Self.orderTypes.enumerated().map { place, type in
            row(
                .orderType, place,
                [
                    "labelKey": .string("com.clover.order.type.\(type.1)"), "label": .string(type.0), "taxable": true,
                    "isDefault": .boolean(place == 0), "filterCategories": false, "isHidden": false,
                    "hoursAvailable": "BUSINESS", "isDeleted": false,
                ])
        }
    }

    func systemOrderTypes() -> [TableRow] {
        Self.orderTypes.enumerated().map { place, type in
            row(
                .systemOrderType, place,
                [
                    "labelKey": .string("com.clover.order.type.\(type.1)"), "isQsr": true,
                    "isFsr": .boolean(place == 0), "isRetail": .boolean(place > 1),
                ])
        }
    }

    func devices() -> [TableRow] {
        Self.devices.enumerated().map { place, device in
            row(
                deviceIDs[place],
                [
                    "name": .string(device.0), "model": .string(device.1), "orderPrefix": .string(device.3),
                    "serial": .string("C0\(30 + place)UQ\(71_234_000 + place * 517)"),
                    "deviceTypeName": .string(device.2), "merchant": .reference(identity.merchantID),
                ],
                fields: ["merchant.name": .text(merchantName)])
        }
    }

    func printers() -> [TableRow] {
        [("Kitchen", "192.0.2.21"), ("Bar \"cold\"", "192.0.2.22")].enumerated().map { place, printer in
            row(
                .printer, place,
                [
                    "mac": .string("00:11:62:00:00:0\(place + 1)"), "model": "SEIKO_RPF10",
                    "name": .string(printer.0), "ipAddress": .string(printer.1),
                    "type": place == 0 ? "NETWORK" : "MY_LOCAL",
                ])
        }
    }

    /// Opening hours: a list of ranges per day; times combine hours and minutes in one number (900 is nine o'clock).
    func openingHours() -> [TableRow] {
        let names = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"]
        func clock(_ minutes: Int) -> JSONValue { .integer(minutes / 60 * 100 + minutes % 60) }
        // The kitchen closes an hour before the shop.
        return [("Business hours", 0), ("Kitchen hours", 60)].enumerated().map { place, set in
            var json: JSONValue = ["name": .string(set.0)]
            for (weekday, name) in names.enumerated() {
                let hours = TradingHours.minutes(onWeekday: weekday)
                json.append(name, .elements([["start": clock(hours.open), "end": clock(hours.close - set.1)]]))
            }
            return row(.openingHours, place, json)
        }
    }

    func tipSuggestions() -> [TableRow] {
        [15, 18, 20].enumerated().map { place, percentage in
            row(
                .tipSuggestion, place,
                ["name": .string("Tip \(percentage)%"), "percentage": .integer(percentage), "isEnabled": true],
                fields: ["flatTip": .boolean(false)])
        }
    }

    // MARK: The service

    /// The emulated app, and one that is not installed.
    func apps() -> [TableRow] {
        [(identity.appID.description, identity.appName, true), (id(.application, 2), "Loyalty “Ü”", false)].map {
            id, name, isInstalled in
            row(
                id,
                [
                    "name": .string(name), "published": true, "approved": true, "systemApp": false, "hidden": false,
                    "installed": .boolean(isInstalled), "installedTime": .integer(openedTime),
                    "permissionMerchantRead": true, "permissionOrdersRead": true, "permissionInventoryRead": true,
                    "approvalStatus": "PUBLISHED",
                ])
        }
    }

    /// Events of the app's metered offer, whatever its id: each emulated app has one offer.
    func meteredEvents() -> [TableRow] {
        (0..<3).map { place in
            let time: JSONValue = .integer(settings.now - (place + 1) * 86_400_000)
            return row(
                .meteredEvent, place, ["count": .integer(place + 1), "createdTime": time, "modifiedTime": time])
        }
    }

    func merchantPlans() -> [TableRow] {
        [("Register", 1495, "REGISTER"), ("Payments Plus", 995, "PAYMENTS_PLUS")].enumerated().map { place, plan in
            row(
                .merchantPlan, place,
                [
                    "name": .string(plan.0), "price": .integer(plan.1), "trialDays": 30,
                    "defaultPlan": .boolean(place == 0), "type": .string(plan.2), "createdTime": .integer(openedTime),
                ])
        }
    }

    func resellers() -> [TableRow] {
        [("Demo Reseller", "DEMO"), ("Café “Bank”", "BANK")].enumerated().map { place, reseller in
            row(
                .reseller, place,
                [
                    "name": .string(reseller.0), "code": .string(reseller.1), "defaultCountryCode": "US",
                    "supportEmail": "help@reseller.example", "createdTime": .integer(openedTime), "type": "DEMO",
                ])
        }
    }

    // MARK: The merchant

    var address: JSONValue {
        var random = SeededRandom(seed: settings.seed, stream: .shop, index: 1)
        let street = random.pick(MenuText.streets)
        return [
            "address1": .string("\(random.within(1...320)) \(street)"), "city": "New York", "state": "NY",
            "zip": "10012", "country": "US", "phoneNumber": .string("(212) 555-0\(random.within(100...199))"),
        ]
    }

    /// The shop's settings, a single object (live sandbox notes).
    var properties: JSONValue {
        [
            "defaultCurrency": "USD", "tipsEnabled": true, "summaryHour": 3, "signatureThreshold": 2500,
            "tipRateDefault": 18, "autoPrint": true, "groupLineItems": true, "alternateInventoryNames": true,
            "notesOnOrders": true, "trackStock": true, "locale": "en-US", "timezone": .string(ShopTimeZone.name),
            "vat": false, "pinLength": 4, "supportEmail": "hello@cafe.example",
            "merchantRef": .reference(identity.merchantID),
        ]
    }

    /// The merchant without expansions. Test merchants are not billable (test merchant documentation).
    var merchant: JSONValue {
        let path = "https://www.clover.com/v3/merchants/\(identity.merchantID)"
        var json: JSONValue = [
            "href": .string(path), "id": .string(identity.merchantID.description), "name": .string(merchantName),
            "owner": reference(.employee, 0), "address": ["href": .string("\(path)/address")],
            "defaultCurrency": "USD", "phoneNumber": "(212) 555-0142", "website": "https://cafe.example",
            "createdTime": .integer(settings.merchantTime ?? openedTime), "isBillable": false,
            "timezone": .string(ShopTimeZone.name),
        ]
        for name in ["properties", "employees", "items", "orders", "payments", "tenders"] {
            json.append(name, ["href": .string("\(path)/\(name)")])
        }
        return json
    }
}
