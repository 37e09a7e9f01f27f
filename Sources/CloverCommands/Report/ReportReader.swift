import CloverAPI
import CloverAuth
import CloverCalendar
import CloverCore
import CloverJSON
import CloverReports

/// Takes the records of a report as they are read. Payments, refunds and credits come before orders.
protocol ReportRecords {
    mutating func add(payment record: UnsafeRawBufferPointer) throws(ReportRecordError)
    mutating func add(refund record: UnsafeRawBufferPointer) throws(ReportRecordError)
    mutating func add(credit record: UnsafeRawBufferPointer) throws(ReportRecordError)
    mutating func add(order record: UnsafeRawBufferPointer) throws(ReportRecordError)
    /// Orders that were not added yet.
    var missingOrders: [String] { get }
}

extension ReportRun: ReportRecords {}

/// Several reports of the same records.
struct ReportRuns: ReportRecords {
    var runs: [ReportRun]

    mutating func add(payment record: UnsafeRawBufferPointer) throws(ReportRecordError) {
        for place in runs.indices { try runs[place].add(payment: record) }
    }

    mutating func add(refund record: UnsafeRawBufferPointer) throws(ReportRecordError) {
        for place in runs.indices { try runs[place].add(refund: record) }
    }

    mutating func add(credit record: UnsafeRawBufferPointer) throws(ReportRecordError) {
        for place in runs.indices { try runs[place].add(credit: record) }
    }

    mutating func add(order record: UnsafeRawBufferPointer) throws(ReportRecordError) {
        for place in runs.indices { try runs[place].add(order: record) }
    }

    var missingOrders: [String] { runs.first?.missingOrders ?? [] }
}

/// Reads the lists of a report of one shop, each completely.
struct ReportReader: Sendable {
    let request: ReportReadRequest
    let shop: ReportShop
    let environment: CommandEnvironment
    let display: ProgressDisplay?

    /// The first list that is incomplete; the others were read nevertheless.
    private(set) var problem: CoreError?
    private(set) var summary = RecordPager.Summary()
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

    private func bounds(of period: Period) -> (from: Int64, to: Int64) {
        (shop.calendar.start(of: period.first), shop.calendar.start(of: period.last + 1))
    }

    /// The filters of the payments that may belong to a period.
    func paymentFilters(_ period: Period) -> [String] {
        let (from, to) = bounds(of: period)
        if request.usesServerClock { return ["createdTime>=\(from)", "createdTime<\(to)"] }
        // A client's clock may be a day ahead, and offline payments arrive late.
        return [
            "createdTime>=\(from - Self.day)", "createdTime<\(min(to + RecordTime.longestDelay, shop.now + Self.day))",
        ]
    }

    /// Reads payments, refunds, credits and orders of a period.
    mutating func read(_ period: Period, into records: inout some ReportRecords) async throws {
        let (from, to) = bounds(of: period)
        try await read(.payments, paymentFilters(period)) { try records.add(payment: $0) }
        if request.lists.contains(.refunds) {
            // The service filters refunds by no time.
            try await read(.refunds, []) { try records.add(refund: $0) }
        }
        if request.lists.contains(.credits) { try await read(.credits, []) { try records.add(credit: $0) } }
        // The orders of the same days are most of those that the payments belong to.
        if !records.missingOrders.isEmpty {
            try await read(.orders, ["createdTime>=\(from - Self.day)", "createdTime<\(to)"]) {
                try records.add(order: $0)
            }
        }
        var rest = records.missingOrders[...]
        while !rest.isEmpty {
            let ids = rest.prefix(Self.idsAtOnce)
            try await read(.orders, ["id in (\(ids.joined(separator: ",")))"]) { try records.add(order: $0) }
            rest = rest.dropFirst(Self.idsAtOnce)
        }
    }

    /// Reads the charges of the ecommerce API that may belong to a period.
    mutating func charges(in period: Period) async throws -> [ReconcileRun.Charge] {
        let (from, to) = bounds(of: period)
        var get = GetRequest(path: "charges", connection: request.connection)
        get.filters = ["created>=\(from - Self.day)", "created<\(to + Self.day)"]
        get.isEverything = true
        let plan = try GetPlan(get, merchantID: shop.merchantID, now: shop.now, zone: .utc)
        var charges: [ReconcileRun.Charge] = []
        _ = try await read(plan, nil) { record in
            let charge = JSONView(record)
            guard let id = charge["id"]?.string, let created = charge["created"]?.truncated else { return }
            let isPaid: Bool? = ["succeeded": true, "failed": false][charge["status"]?.string ?? ""]
            var found = ReconcileRun.Charge(
                id: id, paymentID: id, externalID: nil, amount: charge["amount"]?.integer, instant: created,
                isPaid: isPaid,
                isListed: true)
            (found.orderID, found.isEcommerce) = (charge["order"]?.string, true)
            charges.append(found)
        }
        return charges
    }

    /// Reads the names that a report shows.
    mutating func names() async throws -> ReportNames {
        var names = ReportNames()
        if request.lists.contains(.employees) {
            try await read(.employees, []) { Self.note(&names.employees, JSONView($0), "name") }
        }
        if request.lists.contains(.tenders) {
            try await read(.tenders, []) { Self.note(&names.tenders, JSONView($0), "label") }
        }
        if request.lists.contains(.items) {
            try await read(.items, []) { record in
                let item = JSONView(record)
                guard let id = item["id"]?.string, let first = item["categories"]?.entries.first,
                    let category = first["id"]?.string
                else { return }
                names.categories[id] = (category, first["name"]?.string ?? category)
            }
        }
        return names
    }

    private static func note(_ names: inout [String: String], _ record: JSONView, _ field: StaticString) {
        guard let id = record["id"]?.string, let name = record[field]?.string else { return }
        names[id] = name
    }

    private mutating func read(
        _ list: ReportList, _ filters: [String], _ add: (UnsafeRawBufferPointer) throws -> Void
    ) async throws {
        var plan = try plan(list, filters)
        // There are about as many orders as payments, so that more pages can be requested at once.
        if list == .orders { plan.pages?.expectedPages = max(1, pages) }
        let part = try await read(plan, list, add)
        if list == .payments { pages = part.pages }
    }

    private mutating func read(
        _ plan: GetPlan, _ list: ReportList?, _ add: (UnsafeRawBufferPointer) throws -> Void
    ) async throws -> RecordPager.Summary {
        let pager = RecordPager(client: shop.client, path: plan.path, query: plan.query, isChecked: true, now: shop.now)
        let progress = GetRecords.Progress()
        let (client, pause) = (shop.client, shop.pause)
        display?.line(plan.path.display) { [plan] in progress.update(&$0, plan, client.statistics, pause) }
        let part: RecordPager.Summary
        do {
            part = try await pager.run(plan: plan.pages, brokenOff: progress.end, onPage: progress.note) { batch in
                progress.add(batch.records.count)
                try batch.bytes.withUnsafeBytes { bytes in
                    for record in batch.records { try add(UnsafeRawBufferPointer(rebasing: bytes[record.range])) }
                }
                return .more
            }
        } catch {
            guard let list else { throw error }
            throw try await shop.explained(error, list, in: environment)
        }
        if problem == nil {
            problem = GetRecords.problem(of: part, plan, isEverything: true, now: shop.now)
        }
        summary.records += part.records
        summary.pages += part.pages
        summary.completedLists += part.completedLists
        return part
    }

    func plan(_ list: ReportList, _ filters: [String]) throws -> GetPlan {
        var get = GetRequest(path: list.rawValue, connection: request.connection)
        get.filters = filters
        get.expand = list.expand
        get.isEverything = true
        return try GetPlan(get, merchantID: shop.merchantID, now: shop.now, zone: .utc)
    }
}
