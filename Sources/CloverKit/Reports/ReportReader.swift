import CloverAPI
import CloverCalendar
import CloverJSON
import CloverReports

/// Reads the lists that a report is computed from, each completely.
struct ReportReader {
    let shop: Shop
    let request: ReportRequest
    /// Milliseconds since 1970.
    let now: Int64
    /// The number of pages that the list of payments had.
    private var pages = 1

    private static let day: Int64 = 86_400_000
    /// The most ids in one filter.
    private static let idsAtOnce = 100

    private enum List: String {
        case payments, refunds, credits, orders, employees, tenders, items

        var expand: [String] {
            switch self {
            case .payments: ["taxRates", "tender", "additionalCharges", "cardTransaction"]
            case .refunds: ["lineItems", "payment", "overrideMerchantTender", "serviceCharge"]
            case .credits: ["taxRates", "tender"]
            case .orders:
                [
                    "lineItems", "lineItems.discounts", "lineItems.modifications", "discounts", "serviceCharge",
                    "payments",
                ]
            case .items: ["categories"]
            case .employees, .tenders: []
            }
        }
    }

    init(shop: Shop, request: ReportRequest, now: Int64) {
        self.shop = shop
        self.request = request
        self.now = now
    }

    /// The names that the report shows.
    mutating func names() async throws -> ReportNames {
        var names = ReportNames()
        switch request.report {
        case .employees, .tips, .refunds:
            try await read(.employees) { names.add(employee: $0) }
        case .tenders:
            try await read(.tenders) { names.add(tender: $0) }
        case .categories:
            try await read(.items) { names.add(item: $0) }
        case .sales, .items, .taxes, .discounts, .hours: break
        }
        return names
    }

    /// Reads payments, refunds, credits and orders of the period.
    mutating func read() async throws -> ReportRun {
        var run = ReportRun([request])
        let from = request.calendar.start(of: request.period.first)
        let to = request.calendar.start(of: request.period.last + 1)
        // A client's clock may be a day ahead, and offline payments arrive late.
        let start = from - Self.day
        let end = max(start, min(to + RecordTime.longestDelay, now + Self.day))
        try await read(.payments, "createdTime>=\(start)", "createdTime<\(end)", into: &run) { $0.add(payment: $1) }
        try await read(.refunds, "createdTime>=\(start)", into: &run) { $0.add(refund: $1) }
        try await read(.credits, "createdTime>=\(start)", into: &run) { $0.add(credit: $1) }
        // The orders of the same days are most of those that the payments belong to.
        if run.missingOrderCount > 0 {
            try await read(.orders, "createdTime>=\(start)", "createdTime<\(to)", into: &run) { $0.add(order: $1) }
        }
        var others = run.missingOrders[...]
        while !others.isEmpty {
            let ids = others.prefix(Self.idsAtOnce).joined(separator: ",")
            try await read(.orders, "id in (\(ids))", into: &run) { $0.add(order: $1) }
            others = others.dropFirst(Self.idsAtOnce)
        }
        // An order that a list lacks may have been deleted. Only its own address tells.
        for id in run.missingOrders {
            do {
                try await read(.orders, id: id, into: &run) { $0.add(order: $1) }
            } catch ServiceError.notFound {
                continue
            }
        }
        return run
    }

    private mutating func read(
        _ list: List, id: String? = nil, _ filters: String..., into run: inout ReportRun,
        _ add: (inout ReportRun, UnsafeRawBufferPointer) -> Void
    ) async throws {
        let (client, now) = (shop.client, now)
        var (part, query, path) = try await pages(
            list, id, filters,
            afterBatch: { path in
                guard !run.linelessOrders.isEmpty else { return }
                let completion = NestedListCompletion(client: client, path: path, expand: list.expand, now: now)
                let lists = try await completion.lists("lineItems", of: run.linelessOrders.keys.sorted())
                for (id, lines) in lists { run.add(OrderLines(lines.list, reason: lines.reason), ofOrder: id) }
            }
        ) {
            add(&run, $0)
        }
        // What Clover cut off in a record of another period is not missing. Only the payments of an order say which period it
        // belongs to.
        part.forgiveTruncation {
            guard let id = $0.id, $0.list != "payments" else { return false }
            return !run.counts(id)
        }
        try part.requireAll(of: query, path, isWholeList: id == nil, now: now)
    }

    private mutating func read(_ list: List, _ add: (UnsafeRawBufferPointer) -> Void) async throws {
        let (part, query, path) = try await pages(list, nil, [], add)
        try part.requireAll(of: query, path, isWholeList: true, now: now)
    }

    /// - Parameter afterBatch: called when records were added.
    private mutating func pages(
        _ list: List, _ id: String?, _ filters: [String], afterBatch: (ResourcePath) async throws -> Void = { _ in },
        _ add: (UnsafeRawBufferPointer) -> Void
    ) async throws -> (RecordPager.Summary, RecordQuery, ResourcePath) {
        let path = try ResourcePath(
            parsing: list.rawValue, identifier: id, merchantID: shop.merchantID, isChecked: true)
        let times = TimeExpression.Context(now: now, zone: .utc)
        var query = RecordQuery()
        query.filters = try filters.flatMap { try FilterExpression.parse($0, times: times) }
        query.expand = list.expand
        query.separateLocalFilters(of: path)
        // The report selects its records itself, by more than one time.
        query.deliversAll = true
        var plan =
            id == nil ? PagePlan(offset: 0, limit: nil, pageSize: path.pageSize) : nil
        // There are about as many orders as payments, so that more pages can be requested at once.
        if list == .orders { plan?.expectedPages = max(1, pages) }
        let pager = RecordPager(client: shop.client, path: path, query: query, isChecked: true, now: now)
        let part = try await pager.run(plan: plan) { batch in
            batch.bytes.withUnsafeBytes { bytes in
                for record in batch.records { add(UnsafeRawBufferPointer(rebasing: bytes[record.range])) }
            }
            try await afterBatch(path)
            return .more
        }
        if list == .payments { pages = part.pages }
        return (part, query, path)
    }
}
