import Synchronization

/// The emulated merchant as generated from its settings. Later writes are in `ShopState`.
package final class Shop: Sendable {
    package let settings: ShopSettings
    package let ids: IdentifierScheme
    package let identity: ShopIdentity
    package let catalogue: Catalogue
    package let customers: CustomerGenerator
    package let orders: OrderGenerator
    /// Encoded JSON fragments for orders and payments.
    let pieces: OrderPieces
    /// Collections that are generated on first use.
    let seeds: Seeds
    let arena = FragmentArena()
    private let index: Lazy<ShopIndex>

    package init(_ settings: ShopSettings) {
        self.settings = settings
        let ids = IdentifierScheme(seed: settings.seed)
        let menu = Menu(seed: settings.seed)
        let calendar = OrderCalendar(
            seed: settings.seed, count: settings.orderCount, now: settings.now, days: settings.days)
        let opened = calendar.start - 21 * 86_400_000
        let identity = ShopIdentity(seed: settings.seed, ids: ids)
        let customers = CustomerGenerator(
            seed: settings.seed, orderCount: settings.orderCount, start: calendar.start, end: settings.now)
        let catalogue = Catalogue(
            settings: settings, ids: ids, identity: identity, menu: menu, openedTime: opened, arena: arena)
        let orders = OrderGenerator(
            settings: settings, calendar: calendar, menu: menu, ids: ids, customers: customers,
            employeeCount: catalogue.count(.employees))
        self.ids = ids
        self.identity = identity
        self.customers = customers
        self.catalogue = catalogue
        self.orders = orders
        pieces = OrderPieces(catalogue: catalogue, arena: arena)
        index = Lazy { ShopIndex(orders: orders, ids: ids, customerCount: customers.count) }
        seeds = Seeds(settings: settings, ids: ids, identity: identity, catalogue: catalogue, orders: orders)
    }

    /// Payments and refunds by time, and orders by customer; generated on first use.
    package var records: ShopIndex { index.value }
}

/// The settings of a shop. Equal settings give the same bytes in every response.
package struct ShopSettings: Sendable, Hashable {
    /// The default end of the shop's history: Saturday 2026-01-31, 18:00 in New York, closing time. It is constant, so
    /// that a seed gives the same bytes on every day and machine, and in the past, so that a client that requests
    /// everything up to its own clock misses nothing.
    package static let defaultNow = 1_769_900_400_000

    /// Maximum number of orders: order numbers take 32 bits of an id's 56, the rest counts within the order.
    package static let mostOrders = 10_000_000

    package var seed: UInt64
    /// Number of orders, oldest to newest.
    package var orderCount: Int
    /// The shop's current time, in milliseconds since 1970: its history ends there and the 90-day rules count from
    /// there.
    package var now: Int
    /// Days of the history; nil for as many as the orders need.
    package var days: Int?

    /// The merchant's own createdTime, in milliseconds since 1970; nil for the time when the shop was set up. A later
    /// time gives records that are older than the merchant.
    package var merchantTime: Int?

    /// Maximum length of the history, in days: twenty years.
    package static let mostDays = 7305

    package init(
        seed: UInt64 = 1, orderCount: Int = 5000, now: Int = ShopSettings.defaultNow, days: Int? = nil,
        merchantTime: Int? = nil
    ) {
        self.seed = seed
        self.orderCount = orderCount
        self.now = now
        self.days = days
        self.merchantTime = merchantTime
    }
}

/// The ids and permanent secrets of the emulated merchant and app. They derive from the seed, so no secret is ever
/// passed in and none is of use outside the emulator.
package struct ShopIdentity: Sendable {
    /// The first token is the one in the ready line, created by the merchant and tied to no app; the others are the
    /// app's, so that a test can reach the limits of an app, which no single token can.
    package static let tokenCount = 5

    package let merchantID: Identifier
    package let appID: Identifier
    package let accessTokens: [String]
    package let appSecret: String
    package let appName = "Register Tools"
    /// The public key of the card tokenizer; it never changes.
    package let apiAccessKey: String

    package init(seed: UInt64, ids: IdentifierScheme) {
        merchantID = ids.identifier(.merchant, 0)
        appID = ids.identifier(.application, 0)
        accessTokens = (0..<Self.tokenCount).map { Self.uuid(seed: seed, stream: .credential, index: $0 + 1) }
        appSecret = Self.uuid(seed: seed, stream: .credential, index: 0)
        var random = SeededRandom(seed: seed, stream: .apiKey, index: 0)
        apiAccessKey = random.next().digits(16, radix: 16) + random.next().digits(16, radix: 16)
    }

    /// A random UUID (RFC 9562 version 4), the form of Clover's tokens, secrets and device ids.
    package static func uuid(seed: UInt64, stream: RandomStream, index: Int) -> String {
        var random = SeededRandom(seed: seed, stream: stream, index: index)
        let high = random.next() & 0xFFFF_FFFF_FFFF_0FFF | 0x4000
        let low = random.next() & 0x3FFF_FFFF_FFFF_FFFF | 0x8000_0000_0000_0000
        let digits = high.digits(16, radix: 16) + low.digits(16, radix: 16)
        var text = ""
        for (place, digit) in digits.enumerated() {
            if [8, 12, 16, 20].contains(place) { text.append("-") }
            text.append(digit)
        }
        return text
    }
}

/// The indexes that cannot be computed for one record alone: payments and refunds by time, and the orders of a
/// customer. Built in one pass over all orders; about 20 bytes per order.
package struct ShopIndex: Sendable {
    /// A payment or refund: its order, its number within the order, and its time.
    package struct Entry: Sendable {
        package let time: Int
        package let order: UInt32
        package let part: UInt32
    }

    /// Oldest first; entries with equal times by id.
    package let payments: [Entry]
    /// Oldest first.
    package let refunds: [Entry]
    /// Orders by customer, oldest first: those of customer `c` are
    /// `customerOrders[customerStart[c] ..< customerStart[c + 1]]`.
    private let customerStart: [UInt32]
    private let customerOrders: [UInt32]
    /// The employee of each order.
    private let employees: [UInt8]

    package init(orders: OrderGenerator, ids: IdentifierScheme, customerCount: Int) {
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

    /// The index of an entry among entries sorted by time; nil if it is not found.
    package static func place(of wanted: Entry, in entries: [Entry]) -> Int? {
        var place = entries.indices.partitioningPoint { entries[$0].time >= wanted.time }
        while place < entries.count, entries[place].time == wanted.time {
            if entries[place].order == wanted.order, entries[place].part == wanted.part { return place }
            place += 1
        }
        return nil
    }
}

/// A value computed once, by the first caller; concurrent callers wait.
final class Lazy<Value: Sendable>: Sendable {
    private let make: @Sendable () -> Value
    private let stored = Mutex<Value?>(nil)

    init(_ make: @escaping @Sendable () -> Value) {
        self.make = make
    }

    var value: Value {
        stored.withLock { slot in
            if let value = slot { return value }
            let value = make()
            slot = value
            return value
        }
    }
}
