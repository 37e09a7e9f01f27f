package import CloverRecords

extension ChargeReport {
    /// The columns of charges; amounts know their currency.
    package static func schema() throws(RecordFormatError) -> RecordSchema {
        let plain = [
            "charge", "createdAt", "state", "status", "currency", "type", "rail", "device", "payment", "order",
            "card.type", "card.last4", "code", "message", "reason", "idempotencyKey", "externalId", "environment",
            "merchant", "updatedAt",
        ]
        let money = ["amount", "tip", "approved", "captured", "refunded"]
        let shown = ["charge", "createdAt", "status", "amount", "card.last4", "rail", "payment"]
        let currency = try FieldPath(parsing: "currency")
        var columns: [RecordColumn] = []
        for name in plain {
            let isTime = name == "createdAt" || name == "updatedAt"
            columns.append(RecordColumn(try FieldPath(parsing: name), kind: isTime ? .time(.text) : .plain))
            guard name == "status" else { continue }
            for name in money {
                columns.append(RecordColumn(try FieldPath(parsing: name), kind: .money(currency: currency)))
            }
        }
        var schema = RecordSchema(columns: columns, tableColumns: columns.filter { shown.contains($0.path.text) })
        schema.others = ["clientPayment", "settledBy", "contradiction", "transitions", "operations", "service"]
        return schema
    }
}
