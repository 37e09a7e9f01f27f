import CloverJSON

/// What reports need of a payment.
struct PaymentRecord {
    var id: String
    var order: String?
    var amount: Int64
    var tip: Int64
    var tax: Int64
    /// Whether the record has the tip, or the tax; they are 0 otherwise.
    var hasTip: Bool
    var hasTax: Bool
    var surcharges: Int64
    var cashback: Int64
    var employee: String?
    var tender: (id: String, label: String?)?
    /// The service's word for how it ended.
    var result: String
    var standing: Standing
    /// Whether its tip may still change, until the card transactions are closed out.
    var isTipOpen: Bool
    /// Whether its card transaction is a pre-authorization, which may be only a hold.
    var isPreauthorization: Bool
    var time: RecordTime
    var taxRates: [TaxShare]
    var externalID: String?
    /// ISO 4217 code; nil if the record has none.
    var currency: String?

    enum Standing: Equatable {
        case counts
        /// Failed, voided, pending or only authorized.
        case isNone
        /// A result whose meaning Clover does not document; empty if there is none. Of refunds and credits, also a pending one.
        case undecided(String)

        init(_ result: String) {
            switch result {
            case "SUCCESS": self = .counts
            case "FAIL", "INITIATED", "PENDING", "OFFLINE_RETRYING", "VOIDED", "VOIDING", "AUTH": self = .isNone
            default: self = .undecided(result)
            }
        }

        /// Of a refund's status or a credit's result, which older ones lack. Of a pending one, it is unknown whether money is
        /// given back.
        init(ofReturn word: String?) {
            switch word {
            case nil, "SUCCESS": self = .counts
            case "FAIL", "VOIDED", "VOIDING", "AUTH": self = .isNone
            case .some(let word): self = .undecided(word)
            }
        }
    }

    init(_ view: JSONView, _ clock: ClockRule) throws(ReportRecordError) {
        var fields = RecordFields("payment")
        let found: [JSONView?]
        (id, found) = try fields.members(of: view, Self.paymentFields)
        order = try fields.reference(found[1], "order")
        amount = try fields.amount(found[2], "amount")
        tip = try fields.amount(found[3], "tipAmount")
        tax = try fields.amount(found[4], "taxAmount")
        (hasTip, hasTax) = (found[3] != nil, found[4] != nil)
        employee = try fields.reference(found[5], "employee")
        tender = try fields.tender(found[6], "tender")
        result = try fields.text(found[7], "result") ?? ""
        standing = Standing(result)
        // Money without an amount would be missing from every sum.
        if standing == .counts {
            if found[2] == nil || amount < 0 { throw fields.failure("amount") }
            if tip < 0 { throw fields.failure("tipAmount") }
            // The amount contains the tax. A tax below 0 is possible: lines may have a price below 0.
            if tax > amount { throw fields.failure("taxAmount") }
        }
        let card = try fields.members(of: found[8], "cardTransaction", Self.cardFields)
        let kind = try fields.text(card[0], "cardTransaction.type")
        isPreauthorization = kind == "PREAUTH"
        isTipOpen = try fields.text(card[1], "cardTransaction.state") == "PENDING" && kind == "AUTH"
        guard let time = try fields.instant(found[9], found[10], clock) else { throw fields.failure("createdTime") }
        self.time = time
        taxRates = try TaxShare.list(found[11], fields)
        surcharges = try Self.sum(found[12], fields)
        externalID = try fields.text(found[13], "externalPaymentId")
        cashback = try fields.amount(found[14], "cashbackAmount")
        currency = try fields.text(found[15], "currency")
    }

    static func sum(_ view: JSONView?, _ fields: RecordFields) throws(ReportRecordError) -> Int64 {
        let name = "additionalCharges"
        if view?.isObject == true, let amount = view?["amount"] { return try fields.amount(amount, "\(name).amount") }
        var sum: Int64 = 0
        for charge in try fields.list(view, name, isExpanded: false) {
            sum += try fields.amount(charge["amount"], "\(name).amount")
        }
        return sum
    }
}

/// The share of one tax rate in a payment, refund or credit.
struct TaxShare {
    private static let fields: JSONView.Names = ["name", "rate", "taxableAmount", "taxAmount", "isVat"]

    var name: String?
    /// Ten-millionths: 825,000 is 8.25 %.
    var rate: Int64
    var taxable: Int64
    /// The tax itself, where the record has it.
    var tax: Int64?

    static func list(_ view: JSONView?, _ fields: RecordFields) throws(ReportRecordError) -> [TaxShare] {
        var result: [TaxShare] = []
        for share in try fields.list(view, "taxRates", isExpanded: false) {
            let found = share.members(Self.fields)
            let rate = try fields.number(found[1], "taxRates.rate") ?? 0
            let taxable = try fields.amount(found[2], "taxRates.taxableAmount")
            let contained =
                try fields.flag(found[4], "taxRates.isVat")
                ? Rounding.halfUp(taxable, times: rate, over: 10_000_000 + rate) : nil
            let tax = found[3] == nil ? contained : try fields.amount(found[3], "taxRates.taxAmount")
            result.append(
                TaxShare(name: try fields.text(found[0], "taxRates.name"), rate: rate, taxable: taxable, tax: tax))
        }
        return result
    }
}

/// The fields that are read, in the order in which they are used.
extension PaymentRecord {
    fileprivate static let paymentFields: JSONView.Names = [
        "id", "order", "amount", "tipAmount", "taxAmount", "employee", "tender", "result", "cardTransaction",
        "clientCreatedTime", "createdTime", "taxRates", "additionalCharges", "externalPaymentId",
        "cashbackAmount", "currency",
    ]
    fileprivate static let cardFields: JSONView.Names = ["type", "state"]
}
