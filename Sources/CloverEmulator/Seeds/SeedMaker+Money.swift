extension SeedMaker {
    private static let mostOfAKind = 500

    func orderFees() -> [TableRow] {
        [("Service fee 🧾", 180_000), ("Delivery fee", 50_000)].enumerated().map { place, fee in
            let id = id(.orderFee, place)
            // Fees can be filtered by two fields that no record shows.
            let hidden: [String: FieldValue] =
                place == 0
                ? ["serviceChargeUuid": .text(self.id(.serviceCharge, 0))] : ["amount": .integer(250)]
            return TableRow(
                id: id,
                json: .object([
                    ("id", .string(id)), ("name", .string(fee.0)), ("percentage", .integer(fee.1)),
                    ("type", .string("PERCENTAGE")), ("createdTime", .integer(catalogue.openedTime)),
                    ("modifiedTime", .integer(catalogue.modifiedTime(place))),
                ]),
                fields: hidden)
        }
    }

    /// Fees on large orders, newest first.
    func orderFeeLines() -> [TableRow] {
        sample(every: 1, most: Self.mostOfAKind) { order in
            guard order.lines.count >= 8 else { return nil }
            return row(
                .orderFeeLine, order.number,
                [
                    ("orderRef", .reference(order.id)), ("name", .string("Service fee 🧾")),
                    ("price", .integer(0)), ("percentage", .integer(180_000)), ("isOrderFee", .boolean(true)),
                    ("orderFee", .reference(id(.orderFee, 0))),
                    ("employee", reference(.employees, order.employee)),
                    ("orderType", reference(.orderTypes, order.orderType)),
                    ("createdTime", .integer(order.createdTime)),
                ])
        }
    }

    /// Voided lines.
    func voidedLines() -> [TableRow] {
        sample(every: 40, most: Self.mostOfAKind) { order in
            guard let line = order.lines.first else { return nil }
            let id = id(.voidedLine, order.number)
            let lineID = self.id(.lineItem, OrderPlaces.place(order: order.number, part: OrderPlaces.voidedPart))
            let name = line.item.map { MenuText.items[$0].name } ?? MenuText.customLines[line.customName]
            let reason = ["Customer changed mind", "Wrong item", "Spilled"][order.number % 3]
            let isPrinted = order.number % 2 == 0
            let kind = "VOID_ITEM"
            return TableRow(
                id: id,
                json: .object([
                    ("id", .string(id)),
                    (
                        "lineItem",
                        .object([
                            ("id", .string(lineID)), ("orderRef", .reference(order.id)), ("name", .string(name)),
                            ("price", .integer(line.price)), ("printed", .boolean(isPrinted)),
                            ("isRevenue", .boolean(true)),
                        ])
                    ),
                    ("merchant", .reference(identity.merchantID)), ("reason", .string(reason)),
                    ("removedBy", reference(.employees, order.employee)), ("approvedBy", reference(.employees, 1)),
                    ("deleteType", .string(kind)), ("device", reference(.devices, order.device)),
                    ("createdBy", reference(.employees, order.employee)),
                    ("deletedTime", .integer(order.createdTime + 60_000)),
                    ("clientEventType", .string("DELETED_LINE_ITEM")),
                ]),
                fields: [
                    "quantity": .integer(1), "orderId": .text(order.id.description),
                    "approvedByUuid": .text(catalogue.row(.employees, 1)?.id ?? ""), "printed": .boolean(isPrinted),
                    "orderType.id": .text(catalogue.row(.orderTypes, order.orderType)?.id ?? ""),
                    "price": .integer(line.price), "name": .text(name), "sortByName": .text(name),
                    "isRevenue": .boolean(true), "showInReporting": .boolean(true), "lineItemUuid": .text(lineID),
                    "revenueClassName": .text("Default"), "merchantId": .text(identity.merchantID.description),
                    "removedById": .text(catalogue.row(.employees, order.employee)?.id ?? ""),
                ])
        }
    }

    /// Card authorizations of open tabs.
    func authorizations() -> [TableRow] {
        // Not a round number, because the features of a payment depend on the digits of its order number.
        sample(every: 31, most: Self.mostOfAKind) { order in
            guard let payment = order.payments.first, let card = payment.card else { return nil }
            let id = id(.authorization, order.number)
            let type = CardText.types[card.type].name.description
            let paymentID = self.id(.payment, OrderPlaces.place(order: order.number, part: 0))
            var json: JSONValue = .object([
                ("id", .string(id)), ("payment", .reference(paymentID)),
                ("tabName", .string("Tab \(order.number % 40 + 1)")), ("amount", .integer(payment.amount)),
                ("cardType", .string(type)), ("last4", .string(card.last4.digits(4))),
                ("authcode", .string(card.authCode.digits(6))),
                ("type", .string(order.number % 2 == 0 ? "TAB" : "AUTH")),
            ])
            if order.number % 4 == 1 { json.append("note", .string("Regular — “the usual”")) }
            json.append("closingPayment", .reference(paymentID))
            json.append("createdTime", .integer(order.createdTime))
            if order.number % 3 == 0 { json.append("token", .string("\(9_000_000_000_000_000 + order.number)")) }
            if order.hasExternalReference {
                json.append("externalReferenceId", .string("WEB-\(order.number)"))
            }
            return TableRow(
                id: id, json: json,
                fields: [
                    "orderId": .text(order.id.description), "orderModifiedTime": .integer(order.modifiedTime),
                    "device.id": .text(catalogue.deviceID(order.device)), "result": .text("SUCCESS"),
                    "closingPaymentId": .text(paymentID), "paymentId": .text(paymentID),
                    "merchantId": .text(identity.merchantID.description),
                ])
        }
    }

    /// Credits without a payment; about one per 61 orders.
    func credits() -> [TableRow] {
        sample(every: 61, most: Self.mostOfAKind) { order in
            guard !order.lines.isEmpty else { return nil }
            let id = id(.credit, order.number)
            let amount = min(max(order.total, 100), 500)
            let time = order.modifiedTime + 3_600_000
            guard time <= settings.now else { return nil }
            let tender = order.payments.first?.tender ?? 0
            var json: JSONValue = .object([
                ("id", .string(id)), ("orderRef", .reference(order.id)), ("device", reference(.devices, order.device)),
                ("tender", reference(.tenders, tender)), ("employee", reference(.employees, order.employee)),
                ("amount", .integer(amount)), ("taxAmount", .integer(0)), ("createdTime", .integer(time)),
                ("clientCreatedTime", .integer(time)), ("voided", .boolean(false)), ("result", .string("SUCCESS")),
            ])
            if order.number % 2 == 0 {
                let rate = MenuText.taxRates[1]
                json.append(
                    "taxRates",
                    .elements([
                        .object([
                            ("id", .string(self.id(.paymentTax, OrderPlaces.place(order: order.number, part: 0)))),
                            ("name", .string(rate.name)), ("rate", .integer(rate.rate)),
                            ("taxableAmount", .integer(amount)), ("isVat", .boolean(false)), ("taxAmount", .integer(0)),
                            ("transactionRef", .reference(id)),
                        ])
                    ]))
            }
            if order.hasExternalReference {
                json.append("externalReferenceId", .string("WEB-\(order.number)"))
            }
            var fields: [String: FieldValue] = [
                "merchantTender.databaseId": .integer(4000 + tender),
                "orderType.databaseId": .integer(5000 + order.orderType),
                "order.modifiedTime": .integer(order.modifiedTime), "order.id": .text(order.id.description),
                "failed": .boolean(false), "reason": .text("Goodwill"),
                "merchantId": .text(identity.merchantID.description),
            ]
            if let card = order.payments.first?.card {
                let type = CardText.types[card.type].name.description
                json.append(
                    "cardTransaction",
                    .object([
                        ("creditRef", .reference(id)), ("cardType", .string(type)),
                        ("last4", .string(card.last4.digits(4))),
                        ("type", .string("NAKEDREFUND")), ("state", .string("CLOSED")),
                    ]))
                fields["cardType"] = .text(type)
            }
            return TableRow(id: id, json: json, fields: fields)
        }
    }

    /// Reversed credits: every second one, so that small shops have some.
    func creditRefunds() -> [TableRow] {
        credits().enumerated().filter { $0.offset % 2 == 0 }.map { place, credit in
            let id = id(.creditRefund, place)
            let time = min((credit.json["createdTime"]?.integer ?? 0) + 600_000, settings.now)
            return TableRow(
                id: id,
                json: .object([
                    ("id", .string(id)), ("orderRef", credit.json["orderRef"] ?? .object([])),
                    ("device", credit.json["device"] ?? .object([])), ("createdTime", .integer(time)),
                    ("clientCreatedTime", .integer(time)), ("credit", .reference(credit.id)),
                    ("employee", credit.json["employee"] ?? .object([])),
                ]))
        }
    }

    /// The closeouts of the last two weeks, newest first.
    func batches() -> [TableRow] {
        orders.calendar.days.suffix(14).reversed().map { day in
            let id = id(.batch, day)
            let time = min(ShopTimeZone.startOfDay(day) + 20 * 3_600_000, settings.now)
            var random = SeededRandom(seed: settings.seed, stream: .batch, index: day)
            let count = random.within(20...45)
            return TableRow(
                id: id,
                json: .object([
                    ("id", .string(id)), ("txCount", .integer(count)),
                    ("totalBatchAmount", .integer(count * random.within(900...1400))), ("state", .string("CLOSED")),
                    ("batchType", .string(day % 6 == 0 ? "MANUAL_CLOSE" : "AUTO_CLOSE")),
                    ("createdTime", .integer(time)), ("modifiedTime", .integer(time)),
                    ("merchantRef", .reference(identity.merchantID)),
                ]))
        }
    }
}
