/// A payment, refund or credit of which it is unknown whether it counts.
struct UndecidedRecord {
    enum Kind: String { case payment, refund, credit }

    var kind: Kind
    var id: String
    /// Empty if it has none.
    var order: String
    /// The service's word; empty if the record has none.
    var result: String
    var amount: Int64

    /// The member of the record that has the result.
    var field: String { kind == .refund ? "status" : "result" }

    var finding: ReportFinding {
        var ids = [kind.rawValue: id]
        if !order.isEmpty { ids["order"] = order }
        let word = result.isEmpty ? "no \(field)" : "the \(field) '\(result)'"
        let fate =
            result == "PENDING" ? "it is on its way, and may still fail" : "it is unknown whether money was given back"
        return ReportFinding(
            .undecidedPayment, ids, amount: amount,
            kind == .payment
                ? "the payment has \(word)\(result.isEmpty ? "" : ", which is not documented"), and is not counted"
                : "the \(kind) has \(word): \(fate), and it is not counted")
    }
}
