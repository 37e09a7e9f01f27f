import CloverJSON

/// What reports need of a refund, or of a credit (a manual refund).
struct ReturnRecord {
    var id: String
    var isManual: Bool
    var standing: PaymentRecord.Standing
    var amount: Int64
    var tax: Int64
    var tip: Int64
    var serviceCharge: Int64
    var surcharges: Int64
    var time: RecordTime
    var employee: String?
    var tender: (id: String, label: String?)?
    var taxRates: [TaxShare]
    var order: String?
    var payment: Payment?
    /// The lines that it takes back; empty for a refund by amount.
    var lines: [Line] = []

    /// The payment that a refund is of.
    struct Payment {
        var id: String
        /// With the tip; nil if the record has only the id.
        var total: Int64?
        /// Milliseconds since 1970.
        var instant: Int64?
        /// Such as `SUCCESS`; nil if the record has only the id.
        var result: String?
    }

    struct Line: Equatable {
        var id: String
        var item: String?
        var name: String
        var price: Int64
        var isRevenue: Bool
    }

    var counts: Bool { standing == .counts }

    /// What it takes off the goods.
    var goods: Int64 { amount - tax - tip - serviceCharge - surcharges }

    init(refund view: JSONView, _ clock: ClockRule) throws(ReportRecordError) {
        var fields = RecordFields("refund")
        let found: [JSONView?]
        (id, found) = try fields.members(of: view, Self.refundFields)
        isManual = false
        let isVoided = try fields.flag(found[6], "voided")
        if let time = found[7], time.integer == nil { throw fields.failure("deletedTime") }
        let isDeleted = (found[7]?.integer ?? 0) != 0
        let status = PaymentRecord.Standing(ofReturn: try fields.text(found[8], "status"))
        standing = isVoided || isDeleted ? .isNone : status
        amount = try fields.sum(found[1], "amount")
        tax = try fields.amount(found[2], "taxAmount")
        tip = try fields.amount(found[3], "tipAmount")
        let charge = try fields.members(of: found[4] ?? found[17], "serviceChargeAmount", Self.chargeFields)
        serviceCharge = try fields.amount(charge[0], "serviceChargeAmount.amount")
        surcharges = try PaymentRecord.sum(found[5], fields)
        guard let time = try fields.instant(found[9], found[10], clock) else { throw fields.failure("createdTime") }
        self.time = time
        employee = try fields.reference(found[11], "employee")
        let paid = try fields.members(of: found[13], "payment", Self.paymentFields)
        let paidWith = try fields.tender(paid[6], "payment.tender")
        tender = found[12] == nil ? paidWith : try fields.tender(found[12], "overrideMerchantTender")
        if let id = try fields.text(paid[0], "payment.id") {
            let total =
                paid[1] == nil
                ? nil : try fields.amount(paid[1], "payment.amount") + fields.amount(paid[2], "payment.tipAmount")
            let instant = try fields.instant(paid[3], paid[4], clock)?.instant
            payment = Payment(
                id: id, total: total, instant: instant, result: try fields.text(paid[7], "payment.result"))
        }
        let ownOrder = try fields.reference(found[14], "orderRef")
        order = try fields.reference(paid[5], "payment.order") ?? ownOrder
        taxRates = try TaxShare.list(found[16], fields)
        for line in try fields.list(found[15], "lineItems") {
            let found = line.members(Self.lineFields)
            // Without it, it is unknown which line of the order came back, and whether that is revenue.
            guard let id = try fields.text(found[0], "lineItems.id") else { throw fields.failure("lineItems.id") }
            lines.append(
                Line(
                    id: id, item: try fields.reference(found[1], "lineItems.item"),
                    name: try fields.text(found[2], "lineItems.name") ?? "",
                    price: try fields.amount(found[3], "lineItems.price"),
                    isRevenue: try found[4] == nil ? true : fields.flag(found[4], "lineItems.isRevenue")))
        }
    }

    init(credit view: JSONView, _ clock: ClockRule) throws(ReportRecordError) {
        var fields = RecordFields("credit")
        let found: [JSONView?]
        (id, found) = try fields.members(of: view, Self.creditFields)
        isManual = true
        let isVoided = try fields.flag(found[3], "voided")
        let isGivenBack = try !fields.list(found[5], "creditRefunds").isEmpty
        let result = PaymentRecord.Standing(ofReturn: try fields.text(found[4], "result"))
        standing = isVoided || isGivenBack ? .isNone : result
        amount = try fields.sum(found[1], "amount")
        tax = try fields.amount(found[2], "taxAmount")
        (tip, serviceCharge, surcharges) = (0, 0, 0)
        guard let time = try fields.instant(found[6], found[7], clock) else { throw fields.failure("createdTime") }
        self.time = time
        employee = try fields.reference(found[8], "employee")
        tender = try fields.tender(found[9], "tender")
        taxRates = try TaxShare.list(found[10], fields)
        order = try fields.reference(found[11], "orderRef")
    }

    /// Throws unless its parts can be right: none is below 0, and the amount contains the tax and the service charge. Whether it
    /// contains the tip is unknown.
    func checkParts() throws(ReportRecordError) {
        guard counts else { return }
        let wrong =
            tax < 0 || tax > amount
            ? "taxAmount"
            : tip < 0
                ? "tipAmount"
                : serviceCharge < 0 || serviceCharge > amount - tax ? "serviceChargeAmount.amount" : nil
        guard let wrong else { return }
        throw ReportRecordError(record: isManual ? "credit" : "refund", identifier: id, field: wrong)
    }
}

/// The fields that are read, in the order in which they are used.
extension ReturnRecord {
    fileprivate static let refundFields: JSONView.Names = [
        "id", "amount", "taxAmount", "tipAmount", "serviceChargeAmount", "additionalCharges", "voided",
        "deletedTime",
        "status", "clientCreatedTime", "createdTime", "employee", "overrideMerchantTender", "payment", "orderRef",
        "lineItems", "taxableAmountRates", "serviceCharge",
    ]
    fileprivate static let paymentFields: JSONView.Names = [
        "id", "amount", "tipAmount", "clientCreatedTime", "createdTime", "order", "tender", "result",
    ]
    fileprivate static let chargeFields: JSONView.Names = ["amount"]
    fileprivate static let lineFields: JSONView.Names = ["id", "item", "name", "price", "isRevenue"]
    fileprivate static let creditFields: JSONView.Names = [
        "id", "amount", "taxAmount", "voided", "result", "creditRefunds", "clientCreatedTime", "createdTime",
        "employee",
        "tender", "taxRates", "orderRef",
    ]
}
