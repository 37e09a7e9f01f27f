import CloverJSON

/// Where the line items of an order are that is added.
package enum OrderLines: Sendable {
    /// In its record.
    case inRecord
    /// In an array of JSON, which was read separately.
    case list([UInt8])
    /// They cannot be had; why, as text such as `503 after 5 retries`.
    case unavailable(String)

    /// - Parameter list: an array of JSON; nil if it cannot be had.
    package init(_ list: [UInt8]?, reason: String) { self = list.map(Self.list) ?? .unavailable(reason) }
}

/// Orders, and those whose records lack their line items.
extension ReportRun {
    /// Adds an order, with `lineItems`, `lineItems.discounts`, `lineItems.modifications`, `discounts`, `serviceCharge`
    /// and `payments` expanded. All payments, refunds and credits must have been added before. An order that was added
    /// before is not counted again. One that counts and lacks its line items is added to `linelessOrders` instead.
    package mutating func add(order record: UnsafeRawBufferPointer) {
        do {
            let order = try OrderRecord(JSONView(record), clock, hasNames: hasItems)
            if !keep(lineless: order, record) { add(order) }
        } catch { note(error) }
    }

    /// Adds one of `linelessOrders`.
    package mutating func add(_ lines: OrderLines, ofOrder id: String) {
        take(lineless: id).withUnsafeBytes { record in
            do throws(ReportRecordError) {
                add(try OrderRecord(JSONView(record), clock, hasNames: hasItems, lines))
            } catch {
                note(error)
            }
        }
    }

    /// Adds all of `linelessOrders` without their line items, each as one line of its total.
    package mutating func addLinelessOrders(_ reason: String) {
        for id in linelessOrders.keys.sorted() { add(.unavailable(reason), ofOrder: id) }
    }

    /// The payments of an order that count, with the amounts of the list of payments if they are in it: an order is checked
    /// with the numbers that are added.
    func paid(_ order: OrderRecord) -> [PaymentRecord] {
        var paid = order.payments.filter { $0.standing == .counts }
        for place in paid.indices {
            guard let listed = payment(paid[place].id) else { continue }
            (paid[place].amount, paid[place].tip, paid[place].tax) = (listed.amount, listed.tip, listed.tax)
        }
        return paid
    }

    /// What an order says of its payments of the period otherwise than the list of payments.
    ///
    /// - Parameter place: the order's in `orders`.
    func differences(of order: OrderRecord, at place: UInt32) -> [ReportFinding] {
        order.payments.compactMap { own in
            guard own.standing == .counts, let listed = payment(own.id) else { return nil }
            let moment = moment(own.time)
            guard contains(moment) || contains(listed.moment) else { return nil }
            func difference(_ amount: Int64, _ sentence: String) -> ReportFinding {
                ReportFinding(.paymentNotInOrder, ["order": order.id, "payment": own.id], amount: amount, sentence)
            }
            if listed.order != place || listed.moment.date != moment.date {
                return difference(
                    own.amount,
                    "the list of payments has the payment on another day or of another order, so that the order may be counted "
                        + "wrong")
            }
            // What the order's copy lacks is no difference.
            let (tip, tax) = (own.hasTip ? listed.tip - own.tip : 0, own.hasTax ? listed.tax - own.tax : 0)
            let amount = listed.amount - own.amount
            guard amount != 0 || tip != 0 || tax != 0 else { return nil }
            let parts = [("amount", amount), ("tip", tip), ("tax", tax)].filter { $0.1 != 0 }
            return difference(
                parts[0].1,
                "the payment's \(parts.map(\.0).joined(separator: " and ")) in the list of payments, which is counted, is not "
                    + "that in its order")
        }
    }
}

/// What is kept of an order.
struct OrderFact {
    /// Whether its record was added; otherwise only its id is known.
    var isAdded = false
    /// Whether a payment or a refund of the period has it.
    var isWanted = false
    /// How many payments that count the list of payments has of it.
    var listedPayments: UInt16 = 0
    var isTest = false
    var isVAT = false
    /// Whether a payment or a refund of it is in the period.
    var isOfPeriod = false
    /// Whether its first payment is in the period.
    var isSale = false
    /// Its total without tax, if it is a sale of the period.
    var due: Int64 = 0
    var payment = OrderCheck.Payment.unknown

    var isMissing: Bool { isWanted && !isAdded }
}
