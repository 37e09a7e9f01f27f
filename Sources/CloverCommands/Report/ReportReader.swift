import CloverAPI
import CloverAuth
import CloverCalendar
import CloverCore
import CloverJSON
import CloverReports

/// Takes the records of a report as they are read. Payments, refunds and credits come before orders.
protocol ReportRecords {
    mutating func add(payment record: UnsafeRawBufferPointer)
    mutating func add(refund record: UnsafeRawBufferPointer)
    mutating func add(credit record: UnsafeRawBufferPointer)
    mutating func add(order record: UnsafeRawBufferPointer)
    /// Orders that were not added yet.
    var missingOrders: [String] { get }
    var missingOrderCount: Int { get }
    /// The records of orders that count and lack their line items, by id.
    var linelessOrders: [String: [UInt8]] { get }
    /// Adds one of these, with its line items.
    mutating func add(_ lines: OrderLines, ofOrder id: String)
    /// Names missing orders that may exist.
    mutating func note(missing ids: [String])
    /// Whether a record that was added contributes to the result.
    func counts(_ id: String) -> Bool
    /// Whether refunds of other days matter, too.
    static var needsAllRefunds: Bool { get }
}

extension ReportRun: ReportRecords {
    static var needsAllRefunds: Bool { false }
}

/// Reads the lists of a report of one shop from the service, each completely.
struct ReportReader: ReportSource {
    let request: ReportReadRequest
    let shop: ReportShop
    let environment: CommandEnvironment
    let display: ProgressDisplay?

    /// The first list that is incomplete; the others were read nevertheless.
    private(set) var problem: CoreError?
    /// The number of pages that the list of payments had.
    private var pages = 1

    private static let day: Int64 = 86_400_000
    /// The most ids in one filter.
    private static let idsAtOnce = 100

    init(
        _ request: ReportReadRequest, _ shop: ReportShop, _ display: ProgressDisplay?,
        in environment: CommandEnvironment
    ) {
        self.request = request
        self.shop = shop
        self.display = display
        self.environment = environment
    }

    var calendar: BusinessCalendar { shop.calendar }
    var now: Int64 { shop.now }
    var currency: String { shop.currency }
    var incompleteness: ReportError? { problem.map(ReportError.incomplete) }
    var remarks: [String] { [] }

    /// The filters of the payments that may belong to a period.
    func paymentFilters(_ period: Period) -> [String] {
        let times = paymentTimes(period, usesServerClock: request.usesServerClock)
        return ["createdTime>=\(times.lowerBound)", "createdTime<\(times.upperBound)"]
    }

    /// The filter of the refunds and credits that may belong to a period. The service does not apply it: reading ends where
    /// the order of the list proves that all others are older.
    private func returnFilters(_ period: Period) -> [String] {
        let from = bounds(of: period).from
        return ["createdTime>=\(request.usesServerClock ? from : from - Self.day)"]
    }

    /// Reads payments, refunds, credits and orders of a period.
    mutating func read<Records: ReportRecords & Sendable>(_ period: Period, into records: inout Records) async throws {
        try await read(.payments, paymentFilters(period), into: &records) { $0.add(payment: $1) }
        if request.lists.contains(.refunds) {
            let filters = Records.needsAllRefunds ? [] : returnFilters(period)
            try await read(.refunds, filters, into: &records) { $0.add(refund: $1) }
        }
        if request.lists.contains(.credits) {
            try await read(.credits, returnFilters(period), into: &records) { $0.add(credit: $1) }
        }
        // The orders of the same days are most of those that the payments belong to.
        let count = records.missingOrderCount
        if count > 0 {
            let times = orderTimes(period)
            let filters = ["createdTime>=\(times.lowerBound)", "createdTime<\(times.upperBound)"]
            try await read(.orders, filters, into: &records, expected: count) { $0.add(order: $1) }
        }
        try await read(.orders, ids: records.missingOrders, into: &records) { $0.add(order: $1) }
        // An order that a list lacks may have been deleted. Only its own address tells.
        try await read(each: records.missingOrders, of: .orders, into: &records) { $0.add(order: $1) }
    }

    mutating func readRefunded(into run: inout ReportRun) async throws {
        try await read(each: run.lookUpRefundedPayments(), of: .payments, into: &run) { $0.add(refundedPayment: $1) }
    }

    /// Reads single records, of any age. One that does not exist is not added.
    mutating func read<Records: ReportRecords>(
        each ids: [String], of list: ReportList, into records: inout Records,
        _ add: (inout Records, UnsafeRawBufferPointer) -> Void
    ) async throws {
        for id in ids {
            var get = GetRequest(path: "\(list.rawValue)/\(id)", connection: request.connection)
            get.expand = list.expand
            let plan = try GetPlan(get, merchantID: shop.merchantID, now: shop.now, zone: .utc)
            let pager = RecordPager(
                client: shop.client, path: plan.path, query: plan.query, isChecked: true, now: shop.now)
            let (shop, expand) = (shop, list.expand)
            do {
                let part = try await pager.run(plan: plan.pages) { batch in
                    batch.bytes.withUnsafeBytes { bytes in
                        for record in batch.records {
                            add(&records, UnsafeRawBufferPointer(rebasing: bytes[record.range]))
                        }
                    }
                    try await shop.addLineItems(to: &records, plan.path, expand)
                    return .more
                }
                note(part, plan)
            } catch ServiceError.notFound {
                continue
            } catch {
                throw try await shop.explained(error, list, in: environment)
            }
        }
    }

    private mutating func read<Records: ReportRecords>(
        _ list: ReportList, ids: [String], into records: inout Records,
        _ add: (inout Records, UnsafeRawBufferPointer) -> Void
    ) async throws {
        var rest = ids[...]
        while !rest.isEmpty {
            let some = rest.prefix(Self.idsAtOnce)
            try await read(list, ["id in (\(some.joined(separator: ",")))"], into: &records, add)
            rest = rest.dropFirst(Self.idsAtOnce)
        }
    }

    private mutating func read<Records: ReportRecords>(
        _ list: ReportList, _ filters: [String], into records: inout Records, expected: Int? = nil,
        _ add: (inout Records, UnsafeRawBufferPointer) -> Void
    ) async throws {
        var plan = try plan(list, filters)
        // There are about as many orders as payments, so that more pages can be requested at once.
        if list == .orders { plan.pages?.expectedPages = max(1, pages) }
        let shop = shop
        var part = try await read(
            plan, list, expected: expected,
            afterBatch: { [plan] in try await shop.addLineItems(to: &records, plan.path, list.expand) }
        ) {
            add(&records, $0)
        }
        if list == .payments { pages = part.pages }
        // What the service cut off in a record of another period is not missing. Only the payments of an order say which
        // period it belongs to.
        part.forgiveTruncation {
            guard let id = $0.id, $0.list != "payments" else { return false }
            return !records.counts(id)
        }
        note(part, plan)
    }

    /// Reads the charges of the ecommerce API that may belong to a period.
    mutating func charges(in period: Period, into run: inout ReconcileRun) async throws {
        let (from, to) = bounds(of: period)
        var get = GetRequest(path: "charges", connection: request.connection)
        get.filters = ["created>=\(from - Self.day)", "created<\(to + Self.day)"]
        get.isEverything = true
        var plan = try GetPlan(get, merchantID: shop.merchantID, now: shop.now, zone: .utc)
        // One whose time cannot be read is named, and not left out.
        plan.query.deliversAll = true
        let part = try await read(plan, nil) { run.add(charge: $0) }
        note(part, plan)
    }

    /// Reads the names that a report shows.
    mutating func names() async throws -> ReportNames {
        var names = ReportNames()
        for list in ReportList.named where request.lists.contains(list) {
            try await read(list, []) { names.add($0, of: list) }
        }
        return names
    }

    /// Reads a list of names.
    private mutating func read(
        _ list: ReportList, _ filters: [String], _ add: (UnsafeRawBufferPointer) throws -> Void
    ) async throws {
        let plan = try plan(list, filters)
        note(try await read(plan, list, add), plan)
    }

    /// - Parameter afterBatch: called when records were added.
    private mutating func read(
        _ plan: GetPlan, _ list: ReportList?, expected: Int? = nil, afterBatch: () async throws -> Void = {},
        _ add: (UnsafeRawBufferPointer) throws -> Void
    ) async throws -> RecordPager.Summary {
        let pager = RecordPager(client: shop.client, path: plan.path, query: plan.query, isChecked: true, now: shop.now)
        let progress = GetRecords.Progress()
        let (client, pause) = (shop.client, shop.pause)
        display?.line(plan.path.display) { [plan] in
            progress.update(&$0, plan, client.statistics, pause, expected: expected)
        }
        let part: RecordPager.Summary
        do {
            part = try await pager.run(plan: plan.pages, brokenOff: progress.end, onPage: progress.note) { batch in
                progress.add(batch.records.count)
                try batch.bytes.withUnsafeBytes { bytes in
                    for record in batch.records { try add(UnsafeRawBufferPointer(rebasing: bytes[record.range])) }
                }
                try await afterBatch()
                return .more
            }
        } catch {
            shop.usage.add(progress.summary)
            guard let list else { throw error }
            throw try await shop.explained(error, list, in: environment)
        }
        progress.finish()
        return part
    }

    private mutating func note(_ part: RecordPager.Summary, _ plan: GetPlan) {
        if problem == nil {
            problem = GetRecords.problem(of: part, plan, isEverything: true, now: shop.now)
        }
        shop.usage.add(part)
    }

    func plan(_ list: ReportList, _ filters: [String]) throws -> GetPlan {
        var get = GetRequest(path: list.rawValue, connection: request.connection)
        get.filters = filters
        get.expand = list.expand
        get.isEverything = true
        var plan = try GetPlan(get, merchantID: shop.merchantID, now: shop.now, zone: .utc)
        // The report selects its records itself, by more than one time.
        plan.query.deliversAll = true
        return plan
    }
}

extension ReportList {
    /// Lists of which reports need names.
    static let named: [ReportList] = [.employees, .tenders, .items]
}

extension ReportNames {
    /// Adds what a report needs of a record of a list.
    mutating func add(_ record: UnsafeRawBufferPointer, of list: ReportList) {
        switch list {
        case .employees: add(employee: record)
        case .tenders: add(tender: record)
        case .items: add(item: record)
        case .payments, .refunds, .credits, .orders: break
        }
    }
}

extension ReportShop {
    /// Reads the line items of orders whose records lack them, though they were asked for, and adds these orders.
    ///
    /// - Parameters:
    ///   - path: of the list of orders.
    ///   - expand: what is expanded in its records.
    fileprivate func addLineItems(
        to records: inout some ReportRecords, _ path: ResourcePath, _ expand: [String]
    ) async throws {
        guard !records.linelessOrders.isEmpty else { return }
        let completion = NestedListCompletion(client: client, path: path, expand: expand, now: now)
        let lists = try await completion.lists("lineItems", of: records.linelessOrders.keys.sorted())
        for (id, lines) in lists { records.add(OrderLines(lines.list, reason: lines.reason), ofOrder: id) }
    }
}
