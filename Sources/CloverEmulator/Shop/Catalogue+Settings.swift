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

    func settings(_ table: Table) -> [TableRow]? {
        switch table {
        case .tenders:
            let instructions = "Open the drawer — then count"
            let fields = { (place: Int) -> [String: FieldValue] in
                [
                    "merchantId": .text(identity.merchantID.description),
                    "modifiedTime": .integer(modifiedTime(place)), "systemTenderId": .text("SYSTEM-TENDER-\(place)"),
                    "instruction": Self.tenders[place].opensDrawer ? .text(instructions) : .absent,
                ]
            }
            return rows(.tender, Self.tenders, fields: fields) { place, tender in
                [
                    "editable": false, "labelKey": "com.clover.tender.\(tender.key)",
                    "label": .string(tender.label), "opensCashDrawer": .boolean(tender.opensDrawer),
                    "supportsTipping": .boolean(tender.takesTips), "enabled": .boolean(place != 4), "visible": true,
                    "instructions": tender.opensDrawer ? .string(instructions) : nil,
                ]
            }
        case .orderTypes:
            return rows(.orderType, Self.orderTypes) { place, type in
                [
                    "labelKey": "com.clover.order.type.\(type.1)", "label": .string(type.0), "taxable": true,
                    "isDefault": .boolean(place == 0), "filterCategories": false, "isHidden": false,
                    "hoursAvailable": "BUSINESS", "isDeleted": false,
                ]
            }
        case .systemOrderTypes:
            return rows(.systemOrderType, Self.orderTypes) { place, type in
                [
                    "labelKey": "com.clover.order.type.\(type.1)", "isQsr": true,
                    "isFsr": .boolean(place == 0), "isRetail": .boolean(place > 1),
                ]
            }
        case .devices:
            return Self.devices.enumerated().map { place, device in
                let members: JSONValue = [
                    "name": .string(device.0), "model": .string(device.1), "orderPrefix": .string(device.3),
                    "serial": "C0\(30 + place)UQ\(71_234_000 + place * 517)",
                    "deviceTypeName": .string(device.2), "merchant": .reference(identity.merchantID),
                ]
                return row(deviceIDs[place], members, fields: ["merchant.name": .text(merchantName)])
            }
        case .printers:
            return rows(.printer, [("Kitchen", "192.0.2.21"), ("Bar \"cold\"", "192.0.2.22")]) { place, printer in
                [
                    "mac": "00:11:62:00:00:0\(place + 1)", "model": "SEIKO_RPF10",
                    "name": .string(printer.0), "ipAddress": .string(printer.1),
                    "type": place == 0 ? "NETWORK" : "MY_LOCAL",
                ]
            }
        case .openingHours:
            // A list of ranges per day; times combine hours and minutes in one number (900 is nine o'clock).
            let names = ["sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday"]
            func clock(_ minutes: Int) -> JSONValue { .integer(minutes / 60 * 100 + minutes % 60) }
            // The kitchen closes an hour before the shop.
            return rows(.openingHours, [("Business hours", 0), ("Kitchen hours", 60)]) { _, set in
                var json: JSONValue = ["name": .string(set.0)]
                for (weekday, name) in names.enumerated() {
                    let hours = TradingHours.minutes(onWeekday: weekday)
                    json.append(name, .elements([["start": clock(hours.open), "end": clock(hours.close - set.1)]]))
                }
                return json
            }
        case .tipSuggestions:
            return rows(.tipSuggestion, [15, 18, 20], fields: { _ in ["flatTip": .boolean(false)] }) { _, percentage in
                ["name": "Tip \(percentage)%", "percentage": .integer(percentage), "isEnabled": true]
            }
        case .apps:
            // The emulated app, and one that is not installed.
            let apps = [(identity.appID.description, identity.appName), (id(.application, 2), "Loyalty “Ü”")]
            return apps.map { id, name in
                let members: JSONValue = [
                    "name": .string(name), "published": true, "approved": true, "systemApp": false, "hidden": false,
                    "installed": .boolean(name == identity.appName), "installedTime": .integer(openedTime),
                    "permissionMerchantRead": true, "permissionOrdersRead": true, "permissionInventoryRead": true,
                    "approvalStatus": "PUBLISHED",
                ]
                return row(id, members)
            }
        case .meteredEvents:
            // Events of the app's metered offer, whatever its id: each emulated app has one offer.
            return rows(.meteredEvent, [1, 2, 3]) { _, number in
                let time: JSONValue = .integer(settings.now - number * 86_400_000)
                return ["count": .integer(number), "createdTime": time, "modifiedTime": time]
            }
        case .merchantPlans:
            let plans = [("Register", 1495, "REGISTER"), ("Payments Plus", 995, "PAYMENTS_PLUS")]
            return rows(.merchantPlan, plans) { place, plan in
                [
                    "name": .string(plan.0), "price": .integer(plan.1), "trialDays": 30,
                    "defaultPlan": .boolean(place == 0), "type": .string(plan.2), "createdTime": .integer(openedTime),
                ]
            }
        case .resellers:
            return rows(.reseller, [("Demo Reseller", "DEMO"), ("Café “Bank”", "BANK")]) { _, reseller in
                [
                    "name": .string(reseller.0), "code": .string(reseller.1), "defaultCountryCode": "US",
                    "supportEmail": "help@reseller.example", "createdTime": .integer(openedTime), "type": "DEMO",
                ]
            }
        default: return nil
        }
    }

    // MARK: The merchant

    var address: JSONValue {
        var random = SeededRandom(seed: settings.seed, stream: .shop, index: 1)
        let street = random.pick(MenuText.streets)
        return [
            "address1": "\(random.within(1...320)) \(street)", "city": "New York", "state": "NY",
            "zip": "10012", "country": "US", "phoneNumber": "(212) 555-0\(random.within(100...199))",
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
            "owner": reference(.employee, 0), "address": ["href": "\(path)/address"],
            "defaultCurrency": "USD", "phoneNumber": "(212) 555-0142", "website": "https://cafe.example",
            "createdTime": .integer(settings.merchantTime ?? openedTime), "isBillable": false,
            "timezone": .string(ShopTimeZone.name),
        ]
        for name in ["properties", "employees", "items", "orders", "payments", "tenders"] {
            json.append(name, ["href": "\(path)/\(name)"])
        }
        return json
    }
}
