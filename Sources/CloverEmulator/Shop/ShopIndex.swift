/// The lists that cannot be computed for one record alone: payments and refunds by time, and the orders of a customer.
/// One pass over all orders makes them; they take about 20 bytes an order.
package struct ShopIndex: Sendable {
    /// A payment or refund: which order, which of its payments, when.
    package struct Entry: Sendable {
        package let time: Int
        package let order: UInt32
        package let part: UInt32
    }

    /// Oldest first; entries of one instant by id.
    package let payments: [Entry]
    /// Oldest first.
    package let refunds: [Entry]
    /// Orders by customer: those of customer `c` are `customerOrders[customerStart[c] ..< customerStart[c + 1]]`, oldest
    /// first.
    private let customerStart: [UInt32]
    private let customerOrders: [UInt32]
    /// The employee of each order.
    private let employees: [UInt8]

    package init(orders: OrderBook, ids: IdentifierScheme, customerCount: Int) {
        var payments: [Entry] = []
        var refunds: [Entry] = []
        var pairs: [(customer: UInt32, order: UInt32)] = []
        payments.reserveCapacity(orders.count + orders.count / 8)
        var employees: [UInt8] = []
        employees.reserveCapacity(orders.count)
        var order = OrderRecord()
        for number in 0..<orders.count {
            orders.load(number, into: &order)
            employees.append(UInt8(order.employee))
            for (part, payment) in order.payments.enumerated() {
                payments.append(Entry(time: payment.createdTime, order: UInt32(number), part: UInt32(part)))
            }
            if let refund = order.refund {
                refunds.append(Entry(time: refund.createdTime, order: UInt32(number), part: 0))
            }
            if let customer = order.customer { pairs.append((UInt32(customer), UInt32(number))) }
        }
        func sorted(_ entries: [Entry], _ kind: RecordKind) -> [Entry] {
            func id(_ entry: Entry) -> String {
                ids.identifier(kind, OrderPlaces.place(order: Int(entry.order), part: Int(entry.part))).description
            }
            return entries.sorted { $0.time != $1.time ? $0.time < $1.time : id($0) < id($1) }
        }
        self.payments = sorted(payments, .payment)
        self.refunds = sorted(refunds, .refund)
        pairs.sort { $0.customer != $1.customer ? $0.customer < $1.customer : $0.order < $1.order }
        var start: [UInt32] = []
        start.reserveCapacity(customerCount + 1)
        var place = 0
        for customer in 0...customerCount {
            while place < pairs.count, pairs[place].customer < customer { place += 1 }
            start.append(UInt32(place))
        }
        self.employees = employees
        customerStart = start
        customerOrders = pairs.map(\.order)
    }

    /// The numbers of a customer's orders, oldest first.
    package func orders(ofCustomer customer: Int) -> [Int] {
        customerOrders[Int(customerStart[customer])..<Int(customerStart[customer + 1])].map(Int.init)
    }

    /// The numbers of an employee's orders, oldest first.
    package func orders(ofEmployee employee: Int) -> [Int] {
        employees.indices.filter { Int(employees[$0]) == employee }
    }

    /// Payments of an employee's orders, oldest first.
    package func payments(ofEmployee employee: Int) -> [Entry] {
        payments.filter { Int(employees[Int($0.order)]) == employee }
    }

    /// The place of an entry among entries sorted by time; nil when it is not there.
    package static func place(of wanted: Entry, in entries: [Entry]) -> Int? {
        var low = 0
        var high = entries.count
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].time < wanted.time { low = middle + 1 } else { high = middle }
        }
        while low < entries.count, entries[low].time == wanted.time {
            if entries[low].order == wanted.order, entries[low].part == wanted.part { return low }
            low += 1
        }
        return nil
    }
}
