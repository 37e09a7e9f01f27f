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
    var missingOrderCount: Int { get }
    /// Whether a record that was added contributes to the result.
    func counts(_ id: String) -> Bool
}

extension ReportRun: ReportRecords {}

/// Reads the lists of a report of one shop, each completely.
struct ReportReader: Sendable {
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
        try await read(.payments, paymentFilters(period), into: &records) { try $0.add(payment: $1) }
        if request.lists.contains(.refunds) {
            // The service filters refunds by no time.
            try await read(.refunds, [], into: &records) { try $0.add(refund: $1) }
        }
        if request.lists.contains(.credits) {
            try await read(.credits, [], into: &records) { try $0.add(credit: $1) }
        }
        // The orders of the same days are most of those that the payments belong to.
        let count = records.missingOrderCount
        if count > 0 {
            let filters = ["createdTime>=\(from - Self.day)", "createdTime<\(to)"]
            try await read(.orders, filters, into: &records, expected: count) { try $0.add(order: $1) }
        }
        try await read(.orders, ids: records.missingOrders, into: &records) { try $0.add(order: $1) }
        // An order that a list lacks may have been deleted. Only its own address tells.
        try await read(each: records.missingOrders, of: .orders, into: &records) { try $0.add(order: $1) }
    }

    /// Reads single records, of any age. One that does not exist is not added.
    mutating func read<Records: ReportRecords>(
        each ids: [String], of list: ReportList, into records: inout Records,
        _ add: (inout Records, UnsafeRawBufferPointer) throws -> Void
    ) async throws {
        for id in ids {
            var get = GetRequest(path: "\(list.rawValue)/\(id)", connection: request.connection)
            get.expand = list.expand
            let plan = try GetPlan(get, merchantID: shop.merchantID, now: shop.now, zone: .utc)
            let pager = RecordPager(
                client: shop.client, path: plan.path, query: plan.query, isChecked: true, now: shop.now)
            do {
                let part = try await pager.run(plan: plan.pages) { batch in
                    try batch.bytes.withUnsafeBytes { bytes in
                        for record in batch.records {
                            try add(&records, UnsafeRawBufferPointer(rebasing: bytes[record.range]))
                        }
                    }
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
        _ add: (inout Records, UnsafeRawBufferPointer) throws -> Void
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
        _ add: (inout Records, UnsafeRawBufferPointer) throws -> Void
    ) async throws {
        var (part, plan) = try await pages(list, filters, expected: expected) { try add(&records, $0) }
        // What the service cut off in a record of another period is not missing. Only the payments of an order say which
        // period it belongs to.
        part.forgiveTruncation {
            guard let id = $0.id, $0.list != "payments" else { return false }
            return !records.counts(id)
        }
        note(part, plan)
    }

    /// Reads the charges of the ecommerce API that may belong to a period.
    mutating func charges(in period: Period) async throws -> [ReconcileRun.Charge] {
        let (from, to) = bounds(of: period)
        var get = GetRequest(path: "charges", connection: request.connection)
        get.filters = ["created>=\(from - Self.day)", "created<\(to + Self.day)"]
        get.isEverything = true
        let plan = try GetPlan(get, merchantID: shop.merchantID, now: shop.now, zone: .utc)
        var charges: [ReconcileRun.Charge] = []
        let part = try await read(plan, nil) { record in
            let charge = JSONView(record)
            guard let id = charge["id"]?.string, let created = charge["created"]?.truncated else { return }
            let isPaid: Bool? = ["succeeded": true, "failed": false][charge["status"]?.string ?? ""]
            var found = ReconcileRun.Charge(
                id: id, paymentID: id, externalID: nil, amount: charge["amount"]?.integer, instant: created,
                isPaid: isPaid, isListed: true)
            (found.orderID, found.isEcommerce) = (charge["order"]?.string, true)
            charges.append(found)
        }
        note(part, plan)
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

    /// Reads a list of names.
    private mutating func read(
        _ list: ReportList, _ filters: [String], _ add: (UnsafeRawBufferPointer) throws -> Void
    ) async throws {
        let (part, plan) = try await pages(list, filters, add)
        note(part, plan)
    }

    private mutating func pages(
        _ list: ReportList, _ filters: [String], expected: Int? = nil,
        _ add: (UnsafeRawBufferPointer) throws -> Void
    ) async throws -> (RecordPager.Summary, GetPlan) {
        var plan = try plan(list, filters)
        // There are about as many orders as payments, so that more pages can be requested at once.
        if list == .orders { plan.pages?.expectedPages = max(1, pages) }
        let part = try await read(plan, list, expected: expected, add)
        if list == .payments { pages = part.pages }
        return (part, plan)
    }

    private mutating func read(
        _ plan: GetPlan, _ list: ReportList?, expected: Int? = nil, _ add: (UnsafeRawBufferPointer) throws -> Void
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
        return try GetPlan(get, merchantID: shop.merchantID, now: shop.now, zone: .utc)
    }
}
