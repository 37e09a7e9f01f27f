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

    /// The emulated app, which is the only one.
    func apps() -> [TableRow] {
        let id = identity.appID.description
        return [
            TableRow(
                id: id,
                json: .object([
                    ("id", .string(id)), ("name", .string(identity.appName)), ("published", .boolean(true)),
                    ("approved", .boolean(true)), ("systemApp", .boolean(false)), ("hidden", .boolean(false)),
                    ("installed", .boolean(true)), ("installedTime", .integer(catalogue.openedTime)),
                    ("permissionMerchantRead", .boolean(true)), ("permissionOrdersRead", .boolean(true)),
                    ("permissionInventoryRead", .boolean(true)), ("approvalStatus", .string("PUBLISHED")),
                ]))
        ]
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
        let id = id(.merchantPlan, 0)
        return [
            TableRow(
                id: id,
                json: .object([
                    ("id", .string(id)), ("name", .string("Register")), ("price", .integer(1495)),
                    ("trialDays", .integer(30)), ("defaultPlan", .boolean(true)), ("type", .string("REGISTER")),
                    ("createdTime", .integer(catalogue.openedTime)),
                ]))
        ]
    }

    func resellers() -> [TableRow] {
        let id = id(.reseller, 0)
        return [
            TableRow(
                id: id,
                json: .object([
                    ("id", .string(id)), ("name", .string("Demo Reseller")), ("code", .string("DEMO")),
                    ("defaultCountryCode", .string("US")), ("supportEmail", .string("help@reseller.example")),
                    ("createdTime", .integer(catalogue.openedTime)), ("type", .string("DEMO")),
                ]))
        ]
    }
}
