/// What was asked for, as the journal keeps it: enough to ask again, and no card data.
package struct OperationRequest: Codable, Sendable, Equatable {
    package var type: ChargeType?
    /// In the smallest unit.
    package var tip: Int64?
    /// Of the charge that a tip is set for: such an operation has no amount that would tell it.
    package var tipCurrency: String?
    package var tax: Int64?
    /// Where it is sent, from the rail's host on.
    package var path: String
    /// The JSON that is sent. Of an ecommerce charge all but its source, which is never kept.
    package var body: String
    /// The last characters of the source, to tell one from another.
    package var sourceMark: String?
    /// The serial number of the Clover device.
    package var device: String?
    /// Where the device is in the local network; nil goes through Clover.
    package var deviceAddress: String?
    /// Who we are for the device.
    package var posID: String?
    /// The reader's id.
    package var reader: String?
    /// The reader's driver program and its arguments, which is asked again what became of the charge.
    package var driver: String?
    /// Seconds that the device waits for a card; nil is its own choice.
    package var timeout: Int?
    /// The address that ecommerce is told the payer has.
    package var clientAddress: String?
    package var acceptsPartial: Bool
    package var reference: String?
    /// The idempotency key was chosen by a person, so that another machine may have used it for the same charge.
    package var hasChosenKey: Bool?
    /// The external id or reference was chosen by a person, so that other payments may have it too.
    package var hasChosenID: Bool?
    /// Of a refund or increment: what was refunded or held before, in the smallest unit.
    package var amountBefore: Int64?
    /// When the operation was written down, by the clock of this boot.
    package var written: BootTime?

    package init(path: String, body: String, acceptsPartial: Bool = false) {
        self.path = path
        self.body = body
        self.acceptsPartial = acceptsPartial
    }
}

extension OperationRequest {
    /// The charge or payment that a follow-up is about; nil of a charge.
    var followedPayment: String? {
        let parts = path.split(separator: "/")
        if parts.count >= 4 { return String(parts[2]) }
        return JSONTree(Array(body.utf8))?["charge"]?.string
    }
}
