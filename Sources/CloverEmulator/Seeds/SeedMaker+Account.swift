extension SeedMaker {
    func systemOrderTypes() -> [TableRow] {
        ["dine_in", "take_out", "pick_up", "delivery"].enumerated().map { place, name in
            let id = id(.systemOrderType, place)
            return TableRow(
                id: id,
                json: .object([
                    ("id", .string(id)), ("labelKey", .string("com.clover.order.type.\(name)")),
                    ("isQsr", .boolean(true)), ("isFsr", .boolean(place == 0)), ("isRetail", .boolean(place > 1)),
                ]))
        }
    }

    func printers() -> [TableRow] {
        [("Kitchen", "192.0.2.21"), ("Bar \"cold\"", "192.0.2.22")].enumerated().map { place, printer in
            let id = id(.printer, place)
            return TableRow(
                id: id,
                json: .object([
                    ("id", .string(id)), ("mac", .string("00:11:62:00:00:0\(place + 1)")),
                    ("model", .string("SEIKO_RPF10")), ("name", .string(printer.0)), ("ipAddress", .string(printer.1)),
                    ("type", .string(place == 0 ? "NETWORK" : "MY_LOCAL")),
                ]))
        }
    }

    /// The emulated app, and one that the merchant has not installed.
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

    /// What was counted of the app's metered offer, whatever its id: an app here has one.
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
            let id = id(.merchantPlan, place)
            return TableRow(
                id: id,
                json: .object([
                    ("id", .string(id)), ("name", .string(plan.0)), ("price", .integer(plan.1)),
                    ("trialDays", .integer(30)), ("defaultPlan", .boolean(place == 0)), ("type", .string(plan.2)),
                    ("createdTime", .integer(catalogue.openedTime)),
                ]))
        }
    }

    func resellers() -> [TableRow] {
        [("Demo Reseller", "DEMO"), ("Café “Bank”", "BANK")].enumerated().map { place, reseller in
            let id = id(.reseller, place)
            return TableRow(
                id: id,
                json: .object([
                    ("id", .string(id)), ("name", .string(reseller.0)), ("code", .string(reseller.1)),
                    ("defaultCountryCode", .string("US")), ("supportEmail", .string("help@reseller.example")),
                    ("createdTime", .integer(catalogue.openedTime)), ("type", .string("DEMO")),
                ]))
        }
    }
}
