/// Payments and refunds (Clover SDK models).
extension OrderWriter {
    func paymentID(_ part: Int, of order: OrderRecord) -> Identifier {
        ids.identifier(.payment, order.place(part))
    }

    /// - Parameter nested: the expansions of the payment's order; nil to refer to the order.
    func payment(
        _ part: Int, of order: OrderRecord, _ tree: ExpandTree, order nested: ExpandTree? = nil,
        to writer: inout JSONWriter
    ) {
        let payment = order.payments[part]
        writer.put("id", paymentID(part, of: order))
        if let nested {
            writer.key("order")
            writer.object { self.order(order, nested, to: &$0) }
        } else {
            writer.put("order", reference: order.id)
        }
        writer.put("device", reference: shop.catalogue.deviceIDs[order.device])
        put(.tenders, .tender, payment.tender, as: "tender", tree, to: &writer)
        writer.put("amount", payment.amount)
        writer.put("tipAmount", payment.tipAmount)
        writer.put("taxAmount", payment.taxAmount)
        writer.put("cashbackAmount", 0)
        writer.put("cashTendered", payment.cashTendered)
        writer.put("externalPaymentId", order.externalPayment(part))
        put(.employees, .employee, order.employee, as: "employee", tree, to: &writer)
        writer.put("createdTime", payment.createdTime)
        writer.put("clientCreatedTime", payment.createdTime)
        writer.put("modifiedTime", payment.modifiedTime)
        writer.put("offline", false)
        writer.put("result", "SUCCESS")
        guard !tree.isEmpty else { return }
        // Card data is included only when expanded (Clover documentation, payments and refunds questions).
        if tree.contains("cardTransaction"), let card = payment.card {
            writer.put("cardTransaction", transaction(card, part, of: order))
        }
        if tree.contains("taxRates") { taxes(part, of: order, to: &writer) }
        if tree.contains("refunds"), part == 0, let refund = order.refund {
            writer.put("refunds", elements: [refund]) { self.refund($0, of: order, .none, to: &$1) }
        }
    }

    private func transaction(_ card: CardRecord, _ part: Int, of order: OrderRecord) -> JSONValue {
        [
            "paymentRef": .reference(paymentID(part, of: order)), "cardType": .string(card.typeName),
            "entryType": .string(CardRecord.entries[card.entry]), "first6": .string(CardRecord.types[card.type].1),
            "last4": .string(card.lastDigits), "type": "AUTH", "authCode": .string(card.authCode.digits(6)),
            "referenceId": .string(ids.identifier(.cardReference, order.place(part)).description),
            "transactionNo": .string((order.number % 1_000_000).digits(6)),
            "state": card.isClosed ? "CLOSED" : "PENDING", "extra": ["cvmResult": "NO_CVM_REQUIRED"],
            "currency": "USD", "captured": true,
        ]
    }

    /// The tax in a payment by rate. Each rate's share is computed by running sums, so that the shares add up.
    private func taxes(_ part: Int, of order: OrderRecord, to writer: inout JSONWriter) {
        let payment = order.payments[part]
        let total = order.taxes.total
        guard total > 0 else { return }
        var running = 0
        let shares = MenuText.taxRates.indices.map { rate in
            let before = payment.taxAmount * running / total
            running += order.taxes.tax[rate]
            return payment.taxAmount * running / total - before
        }
        let taxed = shares.indices.filter { order.taxes.taxable[$0] > 0 }
        writer.put("taxRates", elements: taxed) { place, writer in
            let rate = MenuText.taxRates[place]
            writer.put("id", ids.identifier(.paymentTax, order.place(OrderRecord.part(line: part, entry: place))))
            writer.put("paymentRef", reference: paymentID(part, of: order))
            writer.put("name", rate.name)
            writer.put("rate", rate.rate)
            writer.put("isDefault", rate.isDefault)
            writer.put("taxableAmount", order.taxes.taxable[place] * payment.amount / max(order.total, 1))
            writer.put("isVat", false)
            writer.put("taxAmount", shares[place])
        }
    }

    /// A refund: a separate object with a positive amount (Clover SDK models, live sandbox notes).
    func refund(_ refund: RefundRecord, of order: OrderRecord, _ tree: ExpandTree, to writer: inout JSONWriter) {
        writer.put("id", ids.identifier(.refund, order.place(0)))
        writer.put("orderRef", reference: order.id)
        writer.put("device", reference: shop.catalogue.deviceIDs[order.device])
        writer.put("amount", refund.amount)
        writer.put("taxAmount", refund.taxAmount)
        writer.put("createdTime", refund.createdTime)
        writer.put("clientCreatedTime", refund.createdTime)
        if tree.contains("payment") {
            writer.key("payment")
            writer.object { payment(0, of: order, .none, to: &$0) }
        } else {
            writer.put("payment", reference: paymentID(0, of: order))
        }
        put(.employees, .employee, order.employee, as: "employee", tree, to: &writer)
        if let place = refund.line {
            writer.put("lineItems", elements: [place]) { place, writer in
                if tree.contains("lineItems") {
                    line(place, of: order, .none, to: &writer)
                } else {
                    writer.put("id", ids.identifier(.lineItem, order.place(place)))
                }
            }
        }
        writer.put("voided", false)
    }

    // MARK: Parts that are shown only in lists of their own kind

    /// A rarely requested part of a payment; nil for other names, and if the payment has none.
    func extra(_ name: String, ofPayment part: Int, in order: OrderRecord) -> JSONValue? {
        let payment = order.payments[part]
        let owner: JSONValue = .reference(paymentID(part, of: order))
        func id(_ kind: RecordKind) -> JSONValue { .string(ids.identifier(kind, order.place(part)).description) }
        switch name {
        case "lineItemPayments":
            guard order.payType == .splitGuest else { return nil }
            return .elements(order.lines.indices.map { share(ofLine: $0, part: part, in: order) })
        case "externalReferenceId": return order.externalReference.map { .string($0) }
        case "dccInfo":
            guard payment.card != nil, order.number % 20 == 7 else { return nil }
            return [
                "dccApplied": true, "foreignCurrencyCode": "EUR", "foreignAmount": .integer(payment.amount * 92 / 100),
                "exchangeRate": .number("0.92"), "paymentRef": owner,
            ]
        case "additionalCharges":
            guard payment.card != nil, order.number % 16 == 5 else { return nil }
            return .elements([
                ["id": id(.additionalCharge), "amount": 0, "rate": 0, "type": "CREDIT_SURCHARGE", "payment": owner]
            ])
        case "paymentAttributes":
            guard order.hasExternalReference else { return nil }
            return .elements([["id": id(.attributeOfPayment), "name": "channel", "value": "web", "payment": owner]])
        case "transactionInfo" where payment.card == nil: return nil
        default: return view.paymentInformation(name, number: order.number, owner: ("paymentRef", owner))
        }
    }

    /// A rarely requested part of a refund; nil for other names, and if the refund has none.
    func extra(_ name: String, ofRefundIn order: OrderRecord) -> JSONValue? {
        let owner: JSONValue = .reference(ids.identifier(.refund, order.place(0)))
        switch name {
        case "overrideMerchantTender":
            // Refunded in cash, whatever the payment's tender.
            return order.number % 5 == 0 ? view.rows(.tenders).list.last?.json : nil
        case "serviceCharge":
            guard order.lines.count >= 3 else { return nil }
            return [
                "id": .string(ids.identifier(.serviceCharge, 0).description), "name": "Large party", "amount": 0,
                "percentage": 18, "refundRef": owner,
            ]
        default: return view.paymentInformation(name, number: order.number, owner: ("refundRef", owner))
        }
    }
}

extension ShopView {
    /// Transaction information that payments, refunds and credits share; nil for other names, and if the transaction
    /// has none.
    func paymentInformation(_ name: String, number: Int, owner: (key: String, value: JSONValue)) -> JSONValue? {
        var json: JSONValue
        switch name {
        case "transactionInfo": json = ["transactionLocale": "en-US", "isTokenBasedTx": false]
        case "appTracking":
            json = [
                "developerAppId": .string(shop.identity.appID.description),
                "applicationName": .string(shop.identity.appName), "applicationVersion": "1.0.0", "sourceSDK": "none",
            ]
        case "germanInfo" where number % 10 == 3:
            json = ["receiptNumber": "\(number % 10_000)", "traceNumber": "\(number)"]
        case "oceanGatewayInfo" where number % 10 == 6: json = ["source": "emulator"]
        default: return nil
        }
        json.append(owner.key, owner.value)
        return json
    }
}
