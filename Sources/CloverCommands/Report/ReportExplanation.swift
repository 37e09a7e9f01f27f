import CloverAPI
import CloverAuth
import CloverCalendar
import CloverCore
import CloverJSON
import CloverOutput
import CloverRateLimit

/// What a report would read, and how long that takes at least (`--explain`). The lists are not read.
struct ReportExplanation: Sendable {
    private let command: String
    private let period: Period
    private let calendar: BusinessCalendar
    private let zone: ExplainedZone?
    /// Each list that is read, with the least number of calls.
    private let lists: [(list: ReportList, calls: Int)]
    private let budget: LedgerBudget

    /// Requests the shop's time zone and currency unless they were kept.
    ///
    /// - Parameter format: the choice of the time zone.
    init(_ request: ReportReadRequest, _ format: FormatChoice, in environment: CommandEnvironment) async throws {
        let shop = try await ReportShop(request, in: environment)
        command = request.command
        period = try shop.period(request.period)
        calendar = shop.calendar
        zone = ExplainedZone(format, shop.settings, now: shop.now)
        let reader = ReportReader(request, shop, nil, in: environment)
        lists = try reader.callsAtLeast(period)
        budget = try await shop.connection.budget(request.pacing, in: environment)
    }

    private var calls: Int { lists.reduce(0) { $0 + $1.calls } }

    private var seconds: Double { budget.wait(for: calls) / .seconds(1) }

    private var bounds: (from: String, to: String) {
        (
            InstantText.utc(milliseconds: calendar.start(of: period.first)),
            InstantText.utc(milliseconds: calendar.start(of: period.last + 1))
        )
    }

    /// One line of JSON, with a newline.
    var json: String {
        var line = JSONLine()
        line.add("command", command)
        line.add("from", bounds.from)
        line.add("to", bounds.to)
        line.add("zone", zone?.name)
        line.add("zoneSource", zone?.source.rawValue)
        var counts = JSONLine()
        for (list, calls) in lists { counts.add(list.rawValue, Int64(calls)) }
        line.add("lists", json: counts.text)
        line.add("callsAtLeast", Int64(calls))
        line.add("waitAtLeast", json: "\((seconds * 1000).rounded() / 1000)")
        return line.text + "\n"
    }

    var text: String {
        let names = lists.map { list, calls in calls > 1 ? "\(list.rawValue) (\(calls))" : list.rawValue }
        var lines = [
            "\(command): from \(bounds.from) until \(bounds.to)",
            "reads: \(names.joined(separator: ", "))",
            "calls: at least \(calls); then one for each \(Endpoint.usualPage) records",
            "time:  at least \(ServiceEventText.rounded(seconds)) s waiting for the budget, at most "
                + "\(budget.limits.requestsPerSecond) calls a second",
        ]
        if let zone { lines.insert(zone.sentence, at: 1) }
        return lines.map { Diagnostics.printable($0) + "\n" }.joined()
    }
}

extension ReportReader {
    /// The lists of a report in the order in which they are read, with the least number of calls for each. Orders are read
    /// only if there are payments.
    fileprivate func callsAtLeast(_ period: Period) throws -> [(list: ReportList, calls: Int)] {
        let order: [ReportList] = [.employees, .tenders, .items, .payments, .refunds, .credits, .orders]
        return try order.filter(request.lists.contains).map { list in
            guard list != .orders else { return (list, 0) }
            let plan = try plan(list, list == .payments ? paymentFilters(period) : [])
            let pager = RecordPager(
                client: shop.client, path: plan.path, query: plan.query, isChecked: true, now: shop.now)
            return (list, try pager.preview(plan: plan.pages).callsAtLeast)
        }
    }
}
