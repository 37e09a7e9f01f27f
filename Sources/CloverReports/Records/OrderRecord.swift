package import CloverJSON

/// What reports need of an order, with its lines, discounts, service charge and payments expanded.
package struct OrderRecord {
    var id: String
    var total: Int64?
    /// ISO 4217 code; nil if the record has none.
    var currency: String?
    var isVAT = false
    var isTest = false
    /// Amounts of a manual transaction may be negative.
    var isManual = false
    var employee: String?
    var lines: [Line] = []
    var discounts: [Discount] = []
    /// Millionths of the discounted subtotal.
    var serviceChargeRate: Int64 = 0
    var payments: [PaymentRecord] = []
    /// Why its line items are unknown, empty if the record just lacks them; nil if they are known.
    private(set) var missingLines: String?
    /// When it was made, if it has the total 0 and is marked as paid without any payment; such an order is no sale.
    var freeSince: RecordTime?

    struct Line {
        var id: String?
        var item: String?
        var name: String
        var price: Int64
        /// Thousandths of a unit, for lines sold by unit; the price is then for one unit.
        var unitQuantity: Int64?
        /// The sum of its modifications.
        var modifications: Int64
        var discounts: [Discount]
        var isRevenue: Bool
        var isExchanged: Bool
        var isRefunded: Bool
        var isOrderFee: Bool
    }

    struct Discount {
        var name: String
        /// Millionths, or nil for an amount.
        var rate: Int64?
        /// What it takes off, not negative.
        var amount: Int64
    }

    /// - Parameters:
    ///   - hasNames: whether the lines' names are needed.
    ///   - lines: where its line items are if the record lacks them.
    package init(
        _ view: JSONView, _ clock: ClockRule, hasNames: Bool = true, _ lines: OrderLines = .inRecord
    ) throws(ReportRecordError) {
        var fields = RecordFields("order")
        let found: [JSONView?]
        (id, found) = try fields.members(of: view, Self.orderFields)
        total = found[1] == nil ? nil : try fields.amount(found[1], "total")
        isVAT = try fields.flag(found[2], "isVat")
        isTest = try fields.flag(found[3], "testMode")
        isManual = try fields.flag(found[4], "manualTransaction")
        employee = try fields.reference(found[5], "employee")
        currency = try fields.text(found[10], "currency")
        // The tax of a report is that of the payments; an order whose own word on it is unknown proves nothing.
        _ = try fields.flag(found[11], "taxRemoved")
        let own = Self.isLacking(found[6]) ? nil : found[6]
        switch lines {
        case _ where own != nil: try add(own, fields, hasNames)
        case .inRecord: missingLines = ""
        case .unavailable(let reason): missingLines = reason
        case .list(let list):
            // Not in the closure, whose error has no type.
            let error = list.withUnsafeBytes { list -> ReportRecordError? in
                do throws(ReportRecordError) { try add(JSONView(list), fields, hasNames) } catch { return error }
                return nil
            }
            if let error { throw error }
        }
        discounts = try Self.discounts(found[7], fields, "discounts")
        let rates = try fields.members(of: found[8], "serviceCharge", Self.chargeFields)
        let whole = try fields.number(rates[1], "serviceCharge.percentage") ?? 0
        serviceChargeRate = try fields.number(rates[0], "serviceCharge.percentageDecimal") ?? whole * 10_000
        for payment in try fields.list(found[9], "payments") {
            do {
                var record = try PaymentRecord(payment, clock)
                record.order = id
                payments.append(record)
            } catch {
                // It is the order that cannot be read: the list of payments may have the payment undamaged.
                throw fields.failure(error.field.isEmpty ? "payments" : "payments.\(error.field)")
            }
        }
        let isPaid = try fields.text(found[12], "paymentState") == "PAID"
        let time = try fields.instant(found[13], found[14], clock)
        if total == 0, payments.isEmpty, isPaid { freeSince = time }
        addOnlyLine()
    }

    /// Whether a list is not there, is null as the service also writes it, or is its address only.
    private static func isLacking(_ list: JSONView?) -> Bool {
        guard let list, list.isObject, list["elements"] == nil else { return list == nil }
        var isLacking = true
        list.eachMember { name, _ in
            isLacking = ["elements", "href"].contains(String(decoding: name, as: UTF8.self))
            return isLacking
        }
        return isLacking
    }

    private mutating func add(
        _ list: JSONView?, _ fields: RecordFields, _ hasNames: Bool
    ) throws(ReportRecordError) {
        for line in try fields.list(list, "lineItems") {
            lines.append(try Self.line(line, fields, hasName: hasNames))
        }
    }

    /// An amount that was charged without items, such as a charge by this program, is one line without a name: what the order
    /// costs without the tax of its payments.
    private mutating func addOnlyLine() {
        guard lines.isEmpty, discounts.isEmpty, serviceChargeRate == 0, let total, total > 0 else { return }
        let tax = payments.reduce(0) { $0 + ($1.standing == .counts ? $1.tax : 0) }
        lines = [
            Line(
                name: "(no line items)", price: max(0, isVAT ? total : total - tax), modifications: 0, discounts: [],
                isRevenue: true, isExchanged: false, isRefunded: false, isOrderFee: false)
        ]
    }

    private static func line(
        _ view: JSONView, _ fields: RecordFields, hasName: Bool
    ) throws(ReportRecordError) -> Line {
        let found = view.members(Self.lineFields)
        guard let id = try fields.text(found[0], "lineItems.id") else { throw fields.failure("lineItems.id") }
        var modifications: Int64 = 0
        for modification in try fields.list(found[5], "lineItems.modifications") {
            modifications += try fields.amount(modification["amount"], "lineItems.modifications.amount")
        }
        return Line(
            id: id, item: try fields.reference(found[1], "lineItems.item"),
            name: try fields.text(found[2], "lineItems.name", isWanted: hasName) ?? "",
            price: try fields.amount(found[3], "lineItems.price"),
            unitQuantity: try fields.number(found[4], "lineItems.unitQty"), modifications: modifications,
            discounts: try discounts(found[6], fields, "lineItems.discounts"),
            isRevenue: try found[7] == nil ? true : fields.flag(found[7], "lineItems.isRevenue"),
            isExchanged: try fields.flag(found[8], "lineItems.exchanged"),
            isRefunded: try fields.flag(found[9], "lineItems.refunded"),
            isOrderFee: try fields.flag(found[10], "lineItems.isOrderFee"))
    }

    private static func discounts(
        _ view: JSONView?, _ fields: RecordFields, _ name: String
    ) throws(ReportRecordError) -> [Discount] {
        var result: [Discount] = []
        for discount in try fields.list(view, name) {
            let found = discount.members(Self.discountFields)
            // `percentageDecimal` (percent times 10,000) comes instead of `percentage` where that is not whole.
            let whole = try fields.number(found[2], "\(name).percentage")
            let rate = try fields.number(found[1], "\(name).percentageDecimal") ?? whole.map { $0 * 10_000 }
            let amount = try fields.amount(found[3], "\(name).amount")
            result.append(
                Discount(
                    name: try fields.text(found[0], "\(name).name") ?? "", rate: rate == 0 ? nil : rate,
                    amount: max(0, -amount)))
        }
        return result
    }
}

/// The fields that are read, in the order in which they are used.
extension OrderRecord {
    fileprivate static let orderFields: JSONView.Names = [
        "id", "total", "isVat", "testMode", "manualTransaction", "employee", "lineItems", "discounts",
        "serviceCharge", "payments", "currency", "taxRemoved", "paymentState", "clientCreatedTime", "createdTime",
    ]
    fileprivate static let chargeFields: JSONView.Names = ["percentageDecimal", "percentage"]
    fileprivate static let lineFields: JSONView.Names = [
        "id", "item", "name", "price", "unitQty", "modifications", "discounts", "isRevenue", "exchanged",
        "refunded",
        "isOrderFee",
    ]
    fileprivate static let discountFields: JSONView.Names = ["name", "percentageDecimal", "percentage", "amount"]
}
