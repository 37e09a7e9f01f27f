import Synchronization

/// The emulated merchant as generated from its settings. Later writes are in `ShopState`.
package final class Shop: Sendable {
    package let settings: ShopSettings
    let ids: IdentifierScheme
    package let identity: ShopIdentity
    let catalogue: Catalogue
    let customers: CustomerGenerator
    let orders: OrderGenerator
    let seeds: Seeds
    /// The encoded records that orders and payments show when expanded, by index.
    let pieces: [Table: [[UInt8]]]
    /// The collection of tax rates of a line, by tax rate.
    let lineTaxRates: [JSONValue]
    private let index: Lazy<ShopIndex>

    package init(_ settings: ShopSettings) {
        self.settings = settings
        ids = IdentifierScheme(seed: settings.seed)
        identity = ShopIdentity(seed: settings.seed, ids: ids)
        let calendar = OrderCalendar(
            seed: settings.seed, count: settings.orderCount, now: settings.now, days: settings.days)
        customers = CustomerGenerator(settings: settings, start: calendar.start)
        orders = OrderGenerator(
            calendar: calendar, menu: Menu(seed: settings.seed), ids: ids, customers: customers, settings: settings)
        catalogue = Catalogue(identity: identity, orders: orders)
        let seeds = Seeds(catalogue)
        self.seeds = seeds
        pieces = Dictionary(
            uniqueKeysWithValues: [.employees, .orderTypes, .tenders].map { table in
                (table, seeds.rows(table).list.map(\.json.encoded))
            })
        lineTaxRates = seeds.rows(.taxRates).list.map { .ready(JSONValue.elements([$0.json]).encoded) }
        index = Lazy { [orders] in ShopIndex(orders: orders) }
    }

    /// Payments and refunds by time, and orders by customer; generated on first use.
    var records: ShopIndex { index.value }
}

/// The generated collections of a shop, before any write; each is generated on first use.
struct Seeds: Sendable {
    private let tables: [Table: Lazy<Rows>]
    private let associations: Lazy<[Association: [String: [String]]]>

    init(_ catalogue: Catalogue) {
        tables = Dictionary(
            uniqueKeysWithValues: Table.allCases.map { table in (table, Lazy { Rows(catalogue.rows(table)) }) })
        associations = Lazy { catalogue.links() }
    }

    func rows(_ table: Table) -> Rows {
        tables[table]?.value ?? Rows()
    }
    func links(_ association: Association) -> [String: [String]] {
        associations.value[association] ?? [:]
    }
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
        let digits = Array(high.digits(16, radix: 16) + low.digits(16, radix: 16))
        return [0..<8, 8..<12, 12..<16, 16..<20, 20..<32].map { String(digits[$0]) }.joined(separator: "-")
    }
}

/// The indexes that cannot be computed for one record alone: payments and refunds by time, and the orders of a
/// customer. Built in one pass over all orders; about 20 bytes per order.
struct ShopIndex: Sendable {
    /// An order or a part of one, and the time by which a list of parts is sorted; 0 in lists that are not.
    struct Entry: Sendable {
        let time: Int
        let order: UInt32
        let part: UInt32
    }

    /// Oldest first; entries with equal times by id.
    let payments: [Entry]
    /// Oldest first.
    let refunds: [Entry]
    /// The orders with a customer, by customer, oldest first.
    private let customers: [(customer: UInt32, order: UInt32)]
    private let employees: [UInt8]

    init(orders: OrderGenerator) {
        var payments: [Entry] = []
        var refunds: [Entry] = []
        var customers: [(customer: UInt32, order: UInt32)] = []
        var employees: [UInt8] = []
        payments.reserveCapacity(orders.count + orders.count / 8)
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
            if let customer = order.customer { customers.append((UInt32(customer), UInt32(number))) }
        }
        func sorted(_ entries: [Entry], _ kind: RecordKind) -> [Entry] {
            func id(_ entry: Entry) -> String {
                let place = OrderRecord.place(order: Int(entry.order), part: Int(entry.part))
                return orders.ids.identifier(kind, place).description
            }
            return entries.sorted { $0.time != $1.time ? $0.time < $1.time : id($0) < id($1) }
        }
        self.payments = sorted(payments, .payment)
        self.refunds = sorted(refunds, .refund)
        self.customers = customers.sorted { $0 < $1 }
        self.employees = employees
    }

    private static func order(_ number: some BinaryInteger) -> Entry {
        Entry(time: 0, order: UInt32(number), part: 0)
    }

    /// A customer's orders, oldest first.
    func orders(ofCustomer customer: Int) -> [Entry] {
        let begin = customers.indices.partitioningPoint { customers[$0].customer >= customer }
        let end = customers.indices.partitioningPoint { customers[$0].customer > customer }
        return customers[begin..<end].map { Self.order($0.order) }
    }
    func orders(ofEmployee employee: Int) -> [Entry] {
        employees.indices.filter { Int(employees[$0]) == employee }.map(Self.order)
    }
    func payments(ofEmployee employee: Int) -> [Entry] {
        payments.filter { Int(employees[Int($0.order)]) == employee }
    }

    /// The index of an entry among entries sorted by time; nil if it is not found.
    static func place(of wanted: Entry, in entries: [Entry]) -> Int? {
        let first = entries.indices.partitioningPoint { entries[$0].time >= wanted.time }
        return entries[first...].prefix { $0.time == wanted.time }
            .firstIndex { $0.order == wanted.order && $0.part == wanted.part }
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
