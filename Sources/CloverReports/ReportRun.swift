/// Computes one report from a shop's records, which are added one by one in any order and are not kept.
package struct ReportRun {
    package let request: ReportRequest

    package init(_ request: ReportRequest) {
        self.request = request
    }

    /// Adds a payment, with its `taxRates` and `tender` expanded.
    package mutating func add(payment record: [UInt8]) throws(ReportRecordError) {}

    /// Adds an order, with `lineItems`, `lineItems.discounts`, `lineItems.modifications`, `discounts`, `serviceCharge` and
    /// `payments` expanded. All payments must have been added before.
    package mutating func add(order record: [UInt8]) throws(ReportRecordError) {}

    /// Adds a refund, with its `lineItems` and `payment` expanded. All payments must have been added before.
    package mutating func add(refund record: [UInt8]) throws(ReportRecordError) {}

    /// Adds a manual refund (a credit), with its `taxRates` and `tender` expanded.
    package mutating func add(credit record: [UInt8]) throws(ReportRecordError) {}

    /// Orders that a payment or a refund of the period belongs to and that were not added yet.
    package var missingOrders: [String] { [] }

    /// The report, and everything that does not add up; a report without findings holds.
    package func finish(names: ReportNames) -> (table: ReportTable, findings: [ReportFinding]) {
        (ReportTable(title: "", period: "", clock: "", currency: request.currency, columns: [], rows: []), [])
    }
}

/// A record that cannot be read: not an object, or an amount that is not an integer.
package struct ReportRecordError: Error, Equatable {
    /// `payment`, `order`, `refund` or `credit`.
    package var record: String
    package var identifier: String?
    package var field: String
}
