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
    var time: RecordTime
    var taxRates: [TaxShare]
    var externalID: String?

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
        init(ofReturn view: JSONView?) {
            guard let view else {
                self = .counts
                return
            }
            switch view.string {
            case "SUCCESS": self = .counts
            case "FAIL", "VOIDED", "VOIDING", "AUTH": self = .isNone
            default: self = .undecided(view.string ?? String(decoding: view.bytes, as: UTF8.self))
            }
        }
    }

    init(_ view: JSONView, _ clock: ClockRule) throws(ReportRecordError) {
        var fields = RecordFields("payment")
        guard view.isObject else { throw fields.failure("") }
        let found = view.members(Self.paymentFields)
        guard let id = found[0]?.string else { throw fields.failure("id") }
        self.id = id
        fields.identifier = id
        order = found[1]?["id"]?.string
        amount = try fields.amount(found[2], "amount")
        tip = try fields.amount(found[3], "tipAmount")
        tax = try fields.amount(found[4], "taxAmount")
        (hasTip, hasTax) = (found[3] != nil, found[4] != nil)
        employee = found[5]?["id"]?.string
        tender = found[6].flatMap { view in view["id"]?.string.map { ($0, view["label"]?.string) } }
        result = found[7]?.string ?? ""
        standing = Standing(result)
        // Money without an amount would be missing from every sum.
        if standing == .counts {
            if found[2] == nil || amount < 0 { throw fields.failure("amount") }
            if tip < 0 { throw fields.failure("tipAmount") }
        }
        let card = found[8]?.members(Self.cardFields)
        isTipOpen = card?[0]?.equals("AUTH") == true && card?[1]?.equals("PENDING") == true
        guard let time = try fields.instant(found[9], found[10], clock) else { throw fields.failure("createdTime") }
        self.time = time
        taxRates = try TaxShare.list(found[11], fields)
        surcharges = try Self.sum(found[12], fields)
        externalID = found[13]?.string
        cashback = try fields.amount(found[14], "cashbackAmount")
    }

    static func sum(_ view: JSONView?, _ fields: RecordFields) throws(ReportRecordError) -> Int64 {
        guard let view else { return 0 }
        if let amount = view["amount"] { return try fields.amount(amount, "additionalCharges.amount") }
        var sum: Int64 = 0
        for charge in view.entries { sum += try fields.amount(charge["amount"], "additionalCharges.amount") }
        return sum
    }
}

/// The share of one tax rate in a payment, refund or credit.
struct TaxShare {
    private static let fields: JSONView.Names = ["id", "name", "rate", "taxableAmount", "taxAmount", "isVat"]

    var id: String
    var name: String?
    /// Ten-millionths: 825,000 is 8.25 %.
    var rate: Int64
    var taxable: Int64
    /// The tax itself, where the record has it.
    var tax: Int64?

    static func list(_ view: JSONView?, _ fields: RecordFields) throws(ReportRecordError) -> [TaxShare] {
        var result: [TaxShare] = []
        for share in view?.entries ?? [] {
            let found = share.members(Self.fields)
            let tax = found[4] == nil ? nil : try fields.amount(found[4], "taxRates.taxAmount")
            let rate = try fields.number(found[2], "taxRates.rate") ?? 0
            let taxable = try fields.amount(found[3], "taxRates.taxableAmount")
            result.append(
                TaxShare(
                    id: found[0]?.string ?? "", name: found[1]?.string, rate: rate, taxable: taxable,
                    tax: tax
                        ?? (found[5]?.isTrue == true
                            ? Rounding.halfUp(taxable, times: rate, over: 10_000_000 + rate) : nil)))
        }
        return result
    }
}

/// The fields that are read, in the order in which they are used.
extension PaymentRecord {
    fileprivate static let paymentFields: JSONView.Names = [
        "id", "order", "amount", "tipAmount", "taxAmount", "employee", "tender", "result", "cardTransaction",
        "clientCreatedTime", "createdTime", "taxRates", "additionalCharges", "externalPaymentId",
        "cashbackAmount",
    ]
    fileprivate static let cardFields: JSONView.Names = ["type", "state"]
}
