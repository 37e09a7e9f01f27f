/// Writes of the parts of an order: lines, their discounts and modifications, fees, the order's own discounts.
extension WriteHandler {
    /// Maximum number of lines per call and per order (Clover documentation, orders).
    private static let mostLinesAtOnce = 100
    private static let mostLines = 3000

    /// Nil for other calls.
    mutating func linesAnswer(_ order: inout TableRow, _ call: WriteCall) throws(APIError) -> EmulatorResponse? {
        let second = call.parameter(1)
        switch call.name {
        case "POST orders/{}/line_items":
            let line = try addLine(try RequestBody.object(call.request, "order.LineItem"), to: &order)
            touch(&order)
            return shown(TableRow(id: line.id ?? "", json: line), .lineItem, call)
        case "POST orders/{}/bulk_line_items": return try addLines(&order, call)
        case "DELETE orders/{}/line_items":
            order.json.remove("lineItems")
        case "POST orders/{}/line_items/{}":
            return try changeLine(&order, second, call)
        case "DELETE orders/{}/line_items/{}":
            var lines = lines(of: order)
            lines.remove(at: try place(of: second, in: lines, "Line item not found"))
            order.json.set("lineItems", .kept(lines))
        case "POST orders/{}/line_items/{}/exchange/{}":
            return try exchange(&order, call)
        case "POST orders/{}/discounts":
            let discount = try discount(try RequestBody.value(of: call.request), owner: ("orderRef", order.id))
            order.json.add(discount, to: "discounts")
            touch(&order)
            return EmulatorResponse(json: discount)
        case "DELETE orders/{}/discounts/{}":
            var list = order.json["discounts"]?.elements ?? []
            list.remove(at: try place(of: second, in: list, "Discount not found"))
            order.json.set("discounts", .kept(list))
        case "POST orders/{}/line_items/{}/discounts":
            let discount = try discount(try RequestBody.value(of: call.request), owner: ("lineItemRef", second))
            return try add(discount, to: "discounts", ofLine: second, &order)
        case "POST orders/{}/line_items/{}/modifications":
            let modification = try modification(try RequestBody.value(of: call.request), line: second)
            return try add(modification, to: "modifications", ofLine: second, &order)
        case "DELETE orders/{}/line_items/{}/discounts/{}":
            try removePart("discounts", call.parameter(2), ofLine: second, &order, "Discount not found")
        case "DELETE orders/{}/line_items/{}/modifications/{}":
            try removePart("modifications", call.parameter(2), ofLine: second, &order, "Modification not found")
        case "POST orders/{}/service_charge":
            var charge = try RequestBody.object(call.request, "base.ServiceCharge")
            let id = try RequestBody.value(of: call.request).id
            guard id != nil || charge["name"] != nil else {
                throw .badRequest("The body names no service charge")
            }
            charge.set("orderRef", .reference(order.id))
            if charge["id"] == nil { charge.set("id", .string(newID())) }
            order.json.set("serviceCharge", charge)
            touch(&order)
            return EmulatorResponse(json: charge)
        case "DELETE orders/{}/service_charge/{}":
            guard order.json[path: "serviceCharge", "id"]?.text == second else {
                throw .notFound(details: "Service charge not found")
            }
            order.json.remove("serviceCharge")
        case "POST orders/{}/order_fee_line_items": return try addFee(&order, call)
        case "DELETE orders/{}/order_fee_line_items/{}":
            let fee = try view.existing(.orderFeeLines, second)
            guard fee.json[path: "orderRef", "id"]?.text == order.id else { throw Table.orderFeeLines.notFound }
            change(.orderFeeLines) { $0.remove(second) }
        default: return nil
        }
        touch(&order)
        return Self.nothing
    }

    private func lines(of order: TableRow) -> [JSONValue] {
        order.json["lineItems"]?.elements ?? []
    }

    private func changeLine(
        _ id: String, of order: inout TableRow, _ change: (inout JSONValue) throws(APIError) -> Void
    ) throws(APIError) -> JSONValue {
        var lines = lines(of: order)
        let place = try place(of: id, in: lines, "Line item not found")
        try change(&lines[place])
        order.json.set("lineItems", .kept(lines))
        return lines[place]
    }

    private func place(of id: String, in list: [JSONValue], _ details: String) throws(APIError) -> Int {
        guard let place = list.firstIndex(where: { $0.id == id }) else { throw .notFound(details: details) }
        return place
    }

    // MARK: Lines

    /// Appends a line. Name and price are copied from the item unless the body has them.
    mutating func addLine(_ body: JSONValue, to order: inout TableRow) throws(APIError) -> JSONValue {
        let lines = lines(of: order)
        guard lines.count < Self.mostLines else {
            throw .badRequest("An order has at most \(Self.mostLines) line items")
        }
        let line = try makeLine(body, order: order.id, clientCreated: order.json["clientCreatedTime"])
        order.json.set("lineItems", .kept(lines + [line]))
        return line
    }

    mutating func makeLine(_ body: JSONValue, order: String, clientCreated: JSONValue?) throws(APIError) -> JSONValue {
        var body = body
        for name in ["createdTime", "orderRef", "payments", "exchangedLineItem"] { body.remove(name) }
        let id = newID()
        var json: JSONValue = ["id": .string(id), "orderRef": .reference(order)]
        if body["item"]?.isNull == false {
            let item = try referenced(body, "item", .items)
            json.append("item", .reference(item.id))
            for name in ["name", "alternateName", "price", "unitName"] {
                if let value = item.json[name] { json.append(name, value) }
            }
            if let code = item.json["code"] { json.append("itemCode", code) }
            let rates = view.links(.taxRates, of: item.id).compactMap { view.row(.taxRates, $0)?.json }
            if !rates.isEmpty { json.append("taxRates", .kept(rates)) }
        } else if body["name"] == nil, body["price"] == nil {
            throw .badRequest("Missing field: item")
        }
        body.remove("item")
        try checkNotNegative("price", in: body)
        json.merge(["printed": false, "createdTime": .integer(now)])
        if let clientCreated { json.append("orderClientCreatedTime", clientCreated) }
        json.merge(["exchanged": false, "refunded": false, "isRevenue": true, "isOrderFee": false])
        if let list = body["modifications"]?.list {
            let made = try list.map { value throws(APIError) in try modification(value, line: id) }
            body.set("modifications", .kept(made))
        }
        if let list = body["discounts"]?.list {
            let made = try list.map { value throws(APIError) in try discount(value, owner: ("lineItemRef", id)) }
            body.set("discounts", .kept(made))
        }
        json.merge(body)
        return json
    }

    private mutating func addLines(_ order: inout TableRow, _ call: WriteCall) throws(APIError) -> EmulatorResponse {
        let list = try RequestBody.list(call.request, "items")
        guard list.count <= Self.mostLinesAtOnce else { throw .badRequest("At most \(Self.mostLinesAtOnce) items") }
        var rows: [TableRow] = []
        for value in list {
            let line = try addLine(try RequestBody.object(value, "order.LineItem"), to: &order)
            rows.append(TableRow(id: line.id ?? "", json: line))
        }
        touch(&order)
        return EmulatorResponse(json: .array(rows.map { view.shown($0, .lineItem, call.tree) }))
    }

    private mutating func changeLine(_ order: inout TableRow, _ id: String, _ call: WriteCall) throws(APIError)
        -> EmulatorResponse
    {
        let line = try changeLine(id, of: &order) { line throws(APIError) in
            var body = try RequestBody.object(call.request, "order.LineItem")
            for name in ["orderRef", "item", "createdTime", "discounts", "modifications", "payments"] {
                body.remove(name)
            }
            try checkNotNegative("price", in: body)
            line.merge(body)
        }
        touch(&order)
        return shown(TableRow(id: id, json: line), .lineItem, call)
    }

    /// Marks a line as exchanged for another line of the order; the old line stays.
    private mutating func exchange(_ order: inout TableRow, _ call: WriteCall) throws(APIError) -> EmulatorResponse {
        let lines = lines(of: order)
        let line = try changeLine(call.parameter(1), of: &order) { line throws(APIError) in
            let new = try place(of: call.parameter(2), in: lines, "Line item not found")
            line.merge(["exchanged": true, "exchangedLineItem": .reference(lines[new].id ?? "")])
        }
        touch(&order)
        return shown(TableRow(id: line.id ?? "", json: line), .lineItem, call)
    }

    // MARK: Parts of lines

    /// A discount has a percentage, or an amount that is negative (live sandbox notes).
    mutating func discount(_ value: JSONValue, owner: (key: String, id: String)) throws(APIError) -> JSONValue {
        let body = try RequestBody.object(value, "order.Discount")
        var json: JSONValue = ["id": .string(newID()), owner.key: .reference(owner.id)]
        if body["discount"]?.isNull == false {
            let known = try referenced(body, "discount", .discounts)
            for name in ["name", "percentage", "amount"] {
                if let value = known.json[name] { json.append(name, value) }
            }
        }
        for name in ["discount", "name", "percentage", "amount", "approver"] {
            if let value = body[name], !value.isNull { json.set(name, value) }
        }
        if let amount = json["amount"]?.integer, amount > 0 { throw .badRequest("Invalid value for field: amount") }
        if let percentage = json["percentage"]?.integer, !(0...100).contains(percentage) {
            throw .badRequest("Invalid value for field: percentage")
        }
        guard json["amount"] != nil || json["percentage"] != nil else { throw .badRequest("Missing field: amount") }
        return json
    }

    private mutating func modification(_ value: JSONValue, line: String) throws(APIError) -> JSONValue {
        let body = try RequestBody.object(value, "order.Modification")
        let modifier = try referenced(body, "modifier", .modifiers)
        return [
            "id": .string(newID()), "lineItemRef": .reference(line),
            "name": body["name"] ?? modifier.json["name"] ?? "",
            "amount": body["amount"] ?? modifier.json["price"] ?? 0, "modifier": .reference(modifier.id),
        ]
    }

    private mutating func add(
        _ part: JSONValue, to member: String, ofLine id: String, _ order: inout TableRow
    ) throws(APIError) -> EmulatorResponse {
        _ = try changeLine(id, of: &order) { $0.add(part, to: member) }
        touch(&order)
        return EmulatorResponse(json: part)
    }

    private func removePart(
        _ member: String, _ part: String, ofLine id: String, _ order: inout TableRow, _ details: String
    ) throws(APIError) {
        _ = try changeLine(id, of: &order) { line throws(APIError) in
            var parts = line[member]?.elements ?? []
            parts.remove(at: try place(of: part, in: parts, details))
            line.set(member, .kept(parts))
        }
    }

    // MARK: Fees and voids

    private mutating func addFee(_ order: inout TableRow, _ call: WriteCall) throws(APIError) -> EmulatorResponse {
        let body = try RequestBody.object(call.request, "order.LineItem")
        let fee = try referenced(body, "orderFee", .orderFees)
        let id = newID()
        var json: JSONValue = [
            "id": .string(id), "orderRef": .reference(order.id), "name": fee.json["name"] ?? "", "price": 0,
            "percentage": fee.json["percentage"] ?? 0, "isOrderFee": true, "createdTime": .integer(now),
        ]
        json.merge(body)
        let row = TableRow(id: id, json: json)
        store(row, in: .orderFeeLines)
        touch(&order)
        return shown(row, .table(.orderFeeLines), call)
    }

    /// Voids a line and stores the reason.
    mutating func void(_ order: inout TableRow, _ call: WriteCall) throws(APIError) -> EmulatorResponse {
        var body = try RequestBody.object(call.request, "order.VoidedLineItem")
        var list = lines(of: order)
        guard let lineID = body[path: "lineItem", "id"]?.text else { throw .badRequest("Missing field: lineItem") }
        let line = list.remove(at: try place(of: lineID, in: list, "Line item not found"))
        order.json.set("lineItems", .kept(list))
        body.remove("lineItem")
        let id = newID()
        var json: JSONValue = [
            "id": .string(id), "lineItem": line, "merchant": .reference(view.shop.identity.merchantID),
        ]
        json.merge(body)
        json.set("deletedTime", .integer(now))
        var fields: [String: FieldValue] = [
            "quantity": .integer(1), "orderId": .text(order.id), "lineItemUuid": .text(lineID),
            "deletedTime": .integer(now),
        ]
        for name in ["name", "price", "printed", "isRevenue"] { fields[name] = line[name]?.fieldValue }
        fields["sortByName"] = fields["name"]
        if let approver = json[path: "approvedBy", "id"]?.text { fields["approvedByUuid"] = .text(approver) }
        store(TableRow(id: id, json: json, fields: fields), in: .voidedLines)
        touch(&order)
        return EmulatorResponse(json: json)
    }
}
