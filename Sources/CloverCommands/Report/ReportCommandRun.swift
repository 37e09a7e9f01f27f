import CloverAPI
import CloverAuth
import CloverCalendar
import CloverCore
import CloverExport
import CloverOutput
import CloverReports

/// One run of `clover report`: reads what it needs, prints the report, and ends with an error if it is not proved.
struct ReportCommandRun: Sendable {
    let report: ReportName
    let grouping: ReportGrouping?
    let compare: ReportComparison?
    /// Names of sign-ins, or `all`; nil for one shop.
    let profiles: String?
    /// The database to read from; nil for the service.
    var database: DatabaseAddress?
    let request: ReportReadRequest
    let receipt: String?
    let environment: CommandEnvironment

    /// What a run has read and computed.
    private struct Result {
        /// The one that was asked for, and further ones for a workbook or a page.
        var tables: [ReportTable]
        /// What does not add up, for people.
        var findings: [String] = []
        var problem: ReportError?
        /// Whether each record could be read.
        var hasAll = true
        /// Shops that could not be reported.
        var failed: [String] = []
        /// Of several shops, those without any sales whose report is proved.
        var empty: [String] = []

        var isProved: Bool { problem == nil && findings.isEmpty && failed.isEmpty }
    }

    func print(with printer: ReportPrinter) async throws -> FilterReport {
        let receipt = try await ReceiptWriter(
            receipt, path: request.command, startedAt: environment.clock.wall(), in: environment)
        receipt?.add(omitted: request.omitted.map(\.rawValue).sorted())
        receipt?.add(database: database?.name)
        let usage = ReportUsage()
        let start = environment.clock.boot()
        let (result, report): (Result, FilterReport)
        do {
            let read: Result = try await request.limited(since: start, usage, in: environment) {
                try await ProgressDisplay.during(in: environment) {
                    try await self.read(usage, $0, wantsAll: printer.wantsAll)
                }
            }
            // A jq program may never end.
            report = try await request.limited(since: start, usage, in: environment) {
                var tables = read.tables
                tables[0].findings = read.findings
                return try await printer.print(tables, proof: proof(of: read, usage))
            }
            result = read
        } catch {
            receipt?.add(usage.summary, usage.statistics)
            try receipt?.finish(error, at: environment.clock.wall())
            throw error
        }
        for finding in result.findings { environment.diagnostics.warning(finding) }
        let error: ReportError? =
            result.problem ?? (result.failed.isEmpty ? nil : ReportError.shopsFailed(result.failed))
            ?? (result.findings.isEmpty ? nil : ReportError.doesNotAddUp(result.findings))
        receipt?.add(usage.summary, usage.statistics)
        try receipt?.finish(error, at: environment.clock.wall())
        let unread = request.omitted.compactMap(\.records).sorted().joined(separator: " and ")
        let nothing = "\(self.report.nothing) in this period" + (unread.isEmpty ? "" : "; \(unread) were left out")
        for name in result.empty { environment.diagnostics.notice("\(name): \(nothing)") }
        if let error { throw error }
        if profiles == nil, result.tables[0].isEmpty { environment.diagnostics.notice(nothing) }
        return report
    }

    private func proof(of result: Result, _ usage: ReportUsage) -> String {
        let count = usage.statistics.requests
        let requests = database != nil ? "from a database" : count == 1 ? "1 request" : "\(count) requests"
        guard result.problem == nil, result.hasAll, result.failed.isEmpty else { return "incomplete: \(requests)" }
        let omitted = request.omitted.map(\.rawValue).sorted().joined(separator: " and ")
        let complete = omitted.isEmpty ? "complete" : "complete without \(omitted)"
        let findings = result.findings.count
        return findings == 0
            ? "\(complete): \(requests), all totals agree"
            : "does not add up: \(requests), \(findings == 1 ? "1 finding" : "\(findings) findings")"
    }

    private func read(_ usage: ReportUsage, _ display: ProgressDisplay, wantsAll: Bool) async throws -> Result {
        if let database {
            var source = try await ReportDatabase(database, request, now: environment.clock.wall())
            return try await report(from: &source, request, wantsAll: wantsAll)
        }
        guard let profiles else { return try await shop(request, usage, display, wantsAll: wantsAll) }
        var tables: [(String, ReportTable)] = []
        var (failed, firstError): ([String], (any Error)?) = ([], nil)
        var sum = Result(tables: [])
        for name in try await names(profiles, usage) {
            var request = request
            request.connection.profile = name
            do {
                let result = try await shop(request, usage, display, wantsAll: false)
                tables.append((name, result.tables[0]))
                sum.findings += result.findings.map { "\(name): \($0)" }
                sum.problem = sum.problem ?? result.problem
                sum.hasAll = sum.hasAll && result.hasAll
                if result.isProved, result.tables[0].isEmpty { sum.empty.append(name) }
            } catch {
                // Wrong usage is wrong for every shop.
                guard !(error is CancellationError), !Task.isCancelled,
                    case .report(let report) = ErrorReport.ending(of: error), report.status != .usage
                else { throw error }
                environment.diagnostics.failure(
                    "\(name): \(report.message)", code: report.code, status: report.status.rawValue)
                failed.append(name)
                firstError = firstError ?? error
            }
        }
        guard var table = ReportTable(ofShops: tables) else {
            throw firstError ?? CoreError.notSignedIn(request.connection)
        }
        if !failed.isEmpty { table.remarks.append("Not in this report: \(failed.joined(separator: ", ")).") }
        sum.failed = failed
        sum.tables = [table]
        return sum
    }

    /// The sign-ins of `--profiles`, each shop once: a shop that was counted twice would double the total.
    private func names(_ text: String, _ usage: ReportUsage) async throws -> [String] {
        let profiles = try await environment.waitingForSignIns(atMost: request.maximumTime, noting: usage.pause)
            .profiles().all()
        let known = profiles.keys.sorted()
        let names = text == "all" ? known : text.split(separator: ",").map { String($0.trimmingPrefix(" ")) }
        var shops: [String: String] = [:]
        var result: [String] = []
        for name in names {
            guard let key = profiles[name] else { throw CoreError.unknownProfile(name, known: known) }
            let shop = "\(key.environment) \(key.merchantID)"
            if let first = shops[shop] {
                environment.diagnostics.notice("\(name) is the same shop as \(first), and is reported once")
                continue
            }
            shops[shop] = name
            result.append(name)
        }
        return result
    }

    private func shop(
        _ request: ReportReadRequest, _ usage: ReportUsage, _ display: ProgressDisplay, wantsAll: Bool
    ) async throws -> Result {
        let shop = try await ReportShop(request, usage, in: environment)
        var reader = ReportReader(request, shop, display, in: environment)
        return try await report(from: &reader, request, wantsAll: wantsAll)
    }

    private func report(
        from source: inout some ReportSource, _ request: ReportReadRequest, wantsAll: Bool
    ) async throws -> Result {
        let period = try source.period(request.period)
        let names = try await source.names()
        var result = try await tables(of: period, names, &source, wantsAll: wantsAll && compare == nil)
        if let compare {
            let before = try await tables(of: compare.period(of: period), names, &source, wantsAll: false)
            result.tables[0] = result.tables[0].compared(with: before.tables[0])
            result.findings += before.findings.filter { !result.findings.contains($0) }
            result.hasAll = result.hasAll && before.hasAll
            if before.tables[0].isEmpty, !result.tables[0].isEmpty {
                result.tables[0].remarks.append("No sales in \(before.tables[0].period).")
            }
            if period.last == source.today {
                result.tables[0].remarks.append("\(CalendarDate.text(source.today)) is not over yet.")
            }
        }
        if !Period.words.contains(request.period.lowercased()),
            let whole = Period.whole(request.period, today: source.today), whole.last > source.today
        {
            result.tables[0].remarks.append(
                "The period ends after \(CalendarDate.text(source.today)), which is not over yet.")
        }
        result.problem = source.incompleteness
        result.tables[0].remarks += source.remarks
        for word in request.omitted.map(\.rawValue).sorted() {
            result.tables[0].remarks.append(
                "Left out, as --without asks: \(word)\(word == "names" ? "" : "; what depends on them is empty").")
        }
        if source.currency.isEmpty {
            result.tables[0].remarks.append("The shop's currency is unknown: amounts are in its minor unit.")
        }
        return result
    }

    private func tables(
        of period: Period, _ names: ReportNames, _ source: inout some ReportSource, wantsAll: Bool
    ) async throws -> Result {
        var wanted: [(ReportName, ReportGrouping?)] = [(report, grouping)]
        if wantsAll, report == .sales {
            // What an owner looks at next, from the same records.
            wanted += [(.sales, .day), (.hours, nil), (.items, nil), (.tenders, nil), (.discounts, nil), (.taxes, nil)]
            if let grouping {
                wanted.removeAll { $0.0 == .sales && $0.1 == grouping }; wanted.insert((.sales, grouping), at: 0)
            }
        }
        var run = ReportRun(
            wanted.map { report, grouping in
                var made = ReportRequest(
                    report, by: grouping, calendar: source.calendar, period: period, currency: source.currency,
                    usesServerClock: request.usesServerClock, omitted: request.omitted)
                made.hasAllColumns = request.hasAllColumns
                return made
            })
        try await source.read(period, into: &run)
        try await source.readRefunded(into: &run)
        var result = Result(tables: [], hasAll: run.hasAll)
        for (made, findings) in run.finish(names: names) {
            var table = made
            // Not repeated below the first table.
            table.notes.removeAll { note in result.tables.contains { $0.notes.contains(note) } }
            table.remarks.removeAll { remark in result.tables.contains { $0.remarks.contains(remark) } }
            result.tables.append(table)
            // An order that contradicts itself is found by each.
            result.findings += findings.map { $0.text(source.currency) }.filter { !result.findings.contains($0) }
        }
        return result
    }
}

extension ReportOmission {
    /// What was left out of the sums; nil for names.
    fileprivate var records: String? {
        switch self {
        case .refunds: "refunds"
        case .credits: "manual refunds"
        case .names: nil
        }
    }
}

extension ReportFinding {
    /// For people: the sentence, with ids and amount.
    func text(_ shop: String) -> String {
        let ids = identifiers.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
        let amount = amount.map { " (\(ReportTable.moneyText($0, currency ?? shop)))" } ?? ""
        return (ids.isEmpty ? "" : ids + ": ") + sentence + amount
    }
}
