/// The merchant and the objects beside it.
extension ShopView {
    private var merchantReference: (key: String, value: JSONValue) {
        ("merchantRef", .reference(shop.identity.merchantID))
    }

    /// The merchant's settings, one object and not a list (live sandbox notes).
    var properties: JSONValue {
        var json = shop.catalogue.properties
        for (name, value) in state.properties { json.set(name, value) }
        return json
    }

    /// The processor's settings; made-up numbers.
    var gateway: JSONValue {
        .object([
            ("paymentProcessorName", .string("Emulated Processing")), ("authorizationFrontEnd", .string("EMULATED")),
            ("acquiringBackEnd", .string("EMULATED")), ("accountName", .string(shop.catalogue.merchantName)),
            ("mid", .string("000000000001")), ("tid", .string("00000001")), ("storeId", .string("0001")),
            ("supportsTipping", .boolean(true)), ("supportsTipAdjust", .boolean(true)),
            ("supportsNakedCredit", .boolean(true)), ("closingTime", .string("02:00")),
            ("newBatchCloseEnabled", .boolean(true)), ("mcc", .string("5814")), ("production", .boolean(false)),
        ])
    }

    /// The charge that is on every large order until somebody changes it: a definition, not an amount.
    var defaultServiceCharge: JSONValue {
        .object([
            ("id", .string(shop.ids.identifier(.serviceCharge, 0).description)), ("name", .string("Large party")),
            ("enabled", .boolean(true)), ("percentage", .integer(18)), ("percentageDecimal", .integer(180_000)),
        ])
    }

    /// The account behind the token.
    var account: JSONValue {
        .object([
            ("id", .string(shop.ids.identifier(.account, 0).description)),
            ("name", rows(.employees).list.first?.json["name"] ?? .string("Owner")),
            ("email", .string("owner@cafe.example")), ("primaryMerchant", .reference(shop.identity.merchantID)),
            ("isActive", .boolean(true)), ("createdTime", .integer(shop.catalogue.openedTime)),
            ("claimedTime", .integer(shop.catalogue.openedTime)), ("inviteSent", .boolean(false)),
            ("merchants", .elements([.reference(shop.identity.merchantID)])),
        ])
    }

    func merchant(_ tree: ExpandTree) -> JSONValue {
        var json = shop.catalogue.merchant
        for (name, value) in state.merchant { json.set(name, value) }
        for name in tree.names {
            if let value = merchantPart(name, tree.inside(name)) { json.set(name, value) }
        }
        return json
    }

    private func merchantPart(_ name: String, _ inner: ExpandTree) -> JSONValue? {
        func table(_ table: Table) -> JSONValue {
            .ready(PageWriter.nested(DocumentSource(table, view: self), expanding: inner))
        }
        switch name {
        case "address": return shop.catalogue.address
        case "properties": return properties
        case "gateway": return gateway
        case "owner":
            return rows(.employees).list.last { $0.json["isOwner"]?.boolean == true }
                .map { shown($0, .table(.employees), inner) }
        case "employees", "items", "tags", "tenders", "shifts", "printers":
            return Table(rawValue: name).map { table($0) }
        case "modifierGroups": return table(.modifierGroups)
        case "tipSuggestions": return table(.tipSuggestions)
        case "openingHours": return table(.openingHours)
        case "orders": return .ready(PageWriter.nested(orders(), expanding: inner))
        case "payments": return .ready(PageWriter.nested(payments(), expanding: inner))
        default: return boardingPart(name)
        }
    }

    /// What the processor knows about the merchant; the least one can say of it.
    private func boardingPart(_ name: String) -> JSONValue? {
        let opened: JSONValue = .integer(shop.catalogue.openedTime)
        switch name {
        case "bankProcessing":
            return .object([
                ("bin", .string("000000")), ("payCycle", .string("DAILY")), ("createdTime", opened), merchantReference,
            ])
        case "externalMerchant":
            return .elements([
                .object([
                    ("externalMerchantNumber", .string("000000000001")), ("createdTime", opened), merchantReference,
                ])
            ])
        case "merchantBoarding":
            return .object([
                ("accountStatus", .string("OPEN")), ("emvAllowed", .string("Y")), ("createdTime", opened),
                merchantReference,
            ])
        case "merchantL3Prerequisite": return .object([merchantReference])
        case "deviceBoarding":
            return .elements(
                rows(.devices).list.map { device in
                    .object([
                        ("serialNumber", device.json["serial"] ?? .string("")), ("status", .string("ACTIVE")),
                        ("createdTime", opened), merchantReference,
                    ])
                })
        case "programExpress": return .elements([.object([("programCode", .string("STD")), merchantReference])])
        case "hierarchy":
            return .object([
                ("mid", .string("000000000001")), ("chain", .string("0001")),
                ("dbaName", .string(shop.catalogue.merchantName)),
            ])
        case "logos":
            return .elements([
                .object([
                    ("logoType", .string("RECEIPT")), ("logoFilename", .string("logo.png")),
                    ("url", .string("https://cafe.example/logo.png")),
                ])
            ])
        case "partnerApp": return .reference(shop.identity.appID)
        case "selfBoardingApplication": return .reference(shop.ids.identifier(.application, 1))
        case "enterprises":
            return .elements([
                .object([
                    ("id", .string(shop.ids.identifier(.application, 3).description)),
                    ("name", .string("Cafés United")),
                ])
            ])
        case "equipment":
            return .elements(
                rows(.devices).list.map { device in
                    .object([
                        ("merchantId", .string(shop.identity.merchantID.description)), ("boarded", .boolean(true)),
                        ("provisioned", .boolean(true)), ("serialNumber", device.json["serial"] ?? .string("")),
                    ])
                })
        case "equipmentSummary": return .object([("count", .integer(rows(.devices).count))])
        default: return nil
        }
    }

    /// Totals of lines taken off orders.
    func voidedTotals(_ lines: [TableRow]) -> JSONValue {
        var printed = 0
        var price = 0
        for line in lines {
            if line.fields["printed"] == .boolean(true) { printed += 1 }
            if case .integer(let cents)? = line.fields["price"] { price += cents }
        }
        return .object([
            ("printed", .integer(printed)), ("unprinted", .integer(lines.count - printed)), ("price", .integer(price)),
            ("priceWithQuantity", .integer(price)), ("priceWithQuantityAndModifiers", .integer(price)),
            ("deletedOrders", .integer(0)), ("deletedItems", .integer(lines.count)),
        ])
    }
}
