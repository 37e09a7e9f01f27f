/// Writes to the merchant, its staff and the app's paths.
extension WriteHandler {
    /// Nil for other calls.
    mutating func shopAnswer(_ call: WriteCall) throws(APIError) -> EmulatorResponse? {
        switch call.name {
        case "POST ":
            let body = try RequestBody.object(call.request, "merchant.Merchant")
            for (name, value) in body.members {
                switch value {
                case .object, .array: break
                default: view.state.merchant = view.state.merchant.with(name, nil).with(name, value)
                }
            }
            return EmulatorResponse(json: view.merchant(call.tree))
        case "POST properties":
            let body = try RequestBody.object(call.request, "merchant.MerchantProperties")
            for (name, value) in body.members {
                view.state.properties = view.state.properties.with(name, nil).with(name, value)
            }
            return EmulatorResponse(json: view.properties)
        case "DELETE employees/{}/shifts/{}":
            try checkAccount(call)
            return nil
        case "POST order_type_categories": return try setCategories(call)
        case "POST /apps/{}/merchants/{}/metereds/{}": return try meter(call)
        case "DELETE /apps/{}/merchants/{}/metereds/{}/events/{}":
            let event = try view.existing(.meteredEvents, call.parameter(3))
            change(.meteredEvents) { $0.remove(event.id) }
            return EmulatorResponse(json: event.json)
        case "POST /apps/{}/merchants/{}/notifications", "POST /apps/{}/devices/{}/notifications":
            try checkApp(call)
            _ = try RequestBody.value(of: call.request)
            return Self.nothing
        case "POST /resellers": throw .unauthorized
        default: return nil
        }
    }

    private func checkApp(_ call: WriteCall) throws(APIError) {
        guard call.parameter(0) == view.shop.identity.appID.description else {
            throw .notFound(details: "App not found")
        }
    }

    /// Deleting a shift requires the acting employee (the catalogue's note of the operation). The service's response
    /// without it was never recorded.
    private func checkAccount(_ call: WriteCall) throws(APIError) {
        let name = "X-Clover-Account-Id"
        guard let account = call.request.accountID else { throw .badRequest("Missing header: \(name)") }
        guard view.row(.employees, account) != nil else { throw .badRequest("Invalid header: \(name)") }
    }

    /// Pairs of an order type and a category.
    private mutating func setCategories(_ call: WriteCall) throws(APIError) -> EmulatorResponse {
        let pairs = try RequestBody.list(call.request, "elements")
        for pair in pairs {
            let type = try referenced(pair, "orderType", .orderTypes).id
            let category = try referenced(pair, "category", .categories).id
            var chosen = (view.state.orderTypeCategories[type] ?? []).filter { $0 != category }
            if !call.isRemoving { chosen.append(category) }
            view.state.orderTypeCategories[type] = chosen
        }
        return call.isRemoving ? Self.nothing : EmulatorResponse(json: .kept(pairs))
    }

    /// Records an event; the count is a query parameter, and there is no body.
    private mutating func meter(_ call: WriteCall) throws(APIError) -> EmulatorResponse {
        try checkApp(call)
        let text = call.request.query.values("count").last ?? "1"
        guard let count = Int(text), count > 0 else { throw .badRequest("Invalid count: \(text)") }
        let id = newID()
        let row = TableRow(
            id: id,
            json: [
                "id": .string(id), "appMetered": .reference(call.parameter(2)), "count": .integer(count),
                "createdTime": .integer(now), "modifiedTime": .integer(now),
            ])
        store(row, in: .meteredEvents)
        return EmulatorResponse(json: row.json)
    }

    // MARK: Drift

    mutating func removeRow(_ id: String, of list: String) {
        switch list {
        case "orders": view.state.orders.remove(id)
        case "customers": view.state.customers.remove(id)
        default: delete(.items, id)
        }
    }

    mutating func insertRow(_ number: Int, in list: String) throws(APIError) {
        let id = Drift.id(number, list: list, shop: view.shop)
        switch list {
        case "orders":
            let employee = view.rows(.employees).ids.first ?? ""
            _ = try insertOrder(
                [
                    "employee": .reference(employee), "total": .integer(100 + number), "state": "open",
                    "title": "Walk-in \(number)",
                ], id: id)
        case "customers":
            _ = try insertCustomer(["firstName": "Walk-in", "lastName": "\(number)"], id: id)
        default:
            _ = try insert(.items, ["name": "Special \(number)", "price": .integer(100 + number)], id: id)
        }
    }
}
