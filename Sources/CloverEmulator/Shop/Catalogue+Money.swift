/// Records that belong to orders and payments: one for every few orders.
extension Catalogue {
    private static let mostOfAKind = 500

    /// Maps every `step`-th order, newest first.
    private func sample(every step: Int, _ body: (OrderRecord) -> TableRow?) -> [TableRow] {
        var order = OrderRecord()
        var rows: [TableRow] = []
        // The merchant's `orders` show its newest hundred orders, which should include some of everything.
        var number = orders.count - 1 - step / 4
        while number >= 0, rows.count < Self.mostOfAKind {
            orders.load(number, into: &order)
            if let row = body(order) { rows.append(row) }
            number -= step
        }
        return rows
    }

    func money(_ table: Table) -> [TableRow]? {
        switch table {
        case .orderFees:
            // Fees can be filtered by two fields that no record shows.
            let hidden: [[String: FieldValue]] = [
                ["serviceChargeUuid": .text(id(.serviceCharge, 0))], ["amount": .integer(250)],
            ]
            let fees = [("Service fee 🧾", 180_000), ("Delivery fee", 50_000)]
            return rows(.orderFee, fees, fields: { hidden[$0] }) { place, fee in
                [
                    "name": .string(fee.0), "percentage": .integer(fee.1), "type": "PERCENTAGE",
                    "createdTime": .integer(openedTime), "modifiedTime": .integer(modifiedTime(place)),
                ]
            }
        case .orderFeeLines: return sample(every: 1, orderFeeLine)
        case .voidedLines: return sample(every: 40, voidedLine)
        // Not a round number, because the features of a payment depend on the digits of its order number.
        case .authorizations: return sample(every: 31, authorization)
        case .credits: return sample(every: 61, credit)
        case .creditRefunds:
            // Every second credit is reversed, so that small shops have some.
            return sample(every: 61, credit).enumerated().filter { $0.offset % 2 == 0 }.map { place, row in
                let credit = row.json
                let time: JSONValue = .integer(min((credit["createdTime"]?.integer ?? 0) + 600_000, settings.now))
                let members: JSONValue = [
                    "orderRef": credit["orderRef"], "device": credit["device"], "createdTime": time,
                    "clientCreatedTime": time, "credit": .reference(row.id), "employee": credit["employee"],
                ]
                return self.row(.creditRefund, place, members)
            }
        case .batches: return orders.calendar.days.suffix(14).reversed().map(batch)
        default: return nil
        }
    }
    private func orderFeeLine(_ order: OrderRecord) -> TableRow? {
        guard order.lines.count >= 8 else { return nil }
        return row(
            .orderFeeLine, order.number,
            [
                "orderRef": .reference(order.id), "name": "Service fee 🧾", "price": 0, "percentage": 180_000,
                "isOrderFee": true, "orderFee": reference(.orderFee, 0),
                "employee": reference(.employee, order.employee),
                "orderType": reference(.orderType, order.orderType), "createdTime": .integer(order.createdTime),
            ])
    }

    private func voidedLine(_ order: OrderRecord) -> TableRow? {
        guard let line = order.lines.first else { return nil }
        let lineID = id(.lineItem, order.place(OrderRecord.voidedPart))
        let isPrinted = order.number % 2 == 0
        let employee = reference(.employee, order.employee)
        let shown: JSONValue = [
            "id": .string(lineID), "orderRef": .reference(order.id), "name": .string(line.name),
            "price": .integer(line.price), "printed": .boolean(isPrinted), "isRevenue": true,
        ]
        return row(
            .voidedLine, order.number,
            [
                "lineItem": shown, "merchant": .reference(identity.merchantID),
                "reason": .string(["Customer changed mind", "Wrong item", "Spilled"][order.number % 3]),
                "removedBy": employee, "approvedBy": reference(.employee, 1), "deleteType": "VOID_ITEM",
                "device": .reference(deviceIDs[order.device]), "createdBy": employee,
                "deletedTime": .integer(order.createdTime + 60_000), "clientEventType": "DELETED_LINE_ITEM",
            ],
            fields: [
                "quantity": .integer(1), "orderId": .text(order.id.description),
                "approvedByUuid": .text(id(.employee, 1)), "printed": .boolean(isPrinted),
                "orderType.id": .text(id(.orderType, order.orderType)), "price": .integer(line.price),
                "name": .text(line.name), "sortByName": .text(line.name), "isRevenue": .boolean(true),
                "showInReporting": .boolean(true), "lineItemUuid": .text(lineID),
                "revenueClassName": .text("Default"), "merchantId": .text(identity.merchantID.description),
                "removedById": .text(id(.employee, order.employee)),
            ])
    }
    private func authorization(_ order: OrderRecord) -> TableRow? {
        guard let payment = order.payments.first, let card = payment.card else { return nil }
        let number = order.number
        let paymentID = id(.payment, order.place(0))
        return row(
            .authorization, number,
            [
                "payment": .reference(paymentID), "tabName": "Tab \(number % 40 + 1)",
                "amount": .integer(payment.amount), "cardType": .string(card.typeName),
                "last4": .string(card.lastDigits), "authcode": .string(card.authCode.digits(6)),
                "type": number % 2 == 0 ? "TAB" : "AUTH",
                "note": number % 4 == 1 ? "Regular — “the usual”" : nil, "closingPayment": .reference(paymentID),
                "createdTime": .integer(order.createdTime),
                "token": number % 3 == 0 ? "\(9_000_000_000_000_000 + number)" : nil,
                "externalReferenceId": order.externalReference.map { .string($0) },
            ],
            fields: [
                "orderId": .text(order.id.description), "orderModifiedTime": .integer(order.modifiedTime),
                "device.id": .text(deviceIDs[order.device]), "result": .text("SUCCESS"),
                "closingPaymentId": .text(paymentID), "paymentId": .text(paymentID),
                "merchantId": .text(identity.merchantID.description),
            ])
    }

    /// A credit without a payment.
    private func credit(_ order: OrderRecord) -> TableRow? {
        let time = order.modifiedTime + 3_600_000
        guard !order.lines.isEmpty, time <= settings.now else { return nil }
        let amount: JSONValue = .integer(min(max(order.total, 100), 500))
        let tender = order.payments.first?.tender ?? 0
        let reference: JSONValue = reference(.credit, order.number)
        var json: JSONValue = [
            "orderRef": .reference(order.id), "device": .reference(deviceIDs[order.device]),
            "tender": self.reference(.tender, tender), "employee": self.reference(.employee, order.employee),
            "amount": amount, "taxAmount": 0, "createdTime": .integer(time), "clientCreatedTime": .integer(time),
            "voided": false, "result": "SUCCESS",
        ]
        if order.number % 2 == 0 {
            let rate = MenuText.taxRates[1]
            json.append(
                "taxRates",
                .elements([
                    [
                        "id": .string(id(.paymentTax, order.place(0))), "name": .string(rate.name),
                        "rate": .integer(rate.rate), "taxableAmount": amount, "isVat": false, "taxAmount": 0,
                        "transactionRef": reference,
                    ]
                ]))
        }
        if let external = order.externalReference { json.append("externalReferenceId", .string(external)) }
        var fields: [String: FieldValue] = [
            "merchantTender.databaseId": .integer(4000 + tender),
            "orderType.databaseId": .integer(5000 + order.orderType),
            "order.modifiedTime": .integer(order.modifiedTime), "order.id": .text(order.id.description),
            "failed": .boolean(false), "reason": .text("Goodwill"),
            "merchantId": .text(identity.merchantID.description),
        ]
        if let card = order.payments.first?.card {
            json.append(
                "cardTransaction",
                [
                    "creditRef": reference, "cardType": .string(card.typeName), "last4": .string(card.lastDigits),
                    "type": "NAKEDREFUND", "state": "CLOSED",
                ])
            fields["cardType"] = .text(card.typeName)
        }
        return row(.credit, order.number, json, fields: fields)
    }
    private func batch(_ day: Int) -> TableRow {
        let time: JSONValue = .integer(min(ShopTimeZone.startOfDay(day) + 20 * 3_600_000, settings.now))
        var random = SeededRandom(seed: settings.seed, stream: .batch, index: day)
        let count = random.within(20...45)
        return row(
            .batch, day,
            [
                "txCount": .integer(count), "totalBatchAmount": .integer(count * random.within(900...1400)),
                "state": "CLOSED", "batchType": day % 6 == 0 ? "MANUAL_CLOSE" : "AUTO_CLOSE", "createdTime": time,
                "modifiedTime": time, "merchantRef": .reference(identity.merchantID),
            ])
    }
}
