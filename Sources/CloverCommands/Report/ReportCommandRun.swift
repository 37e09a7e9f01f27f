import CloverAPI
import CloverAuth
import CloverCalendar
import CloverCore
import CloverOutput
import CloverReports

/// One run of `clover report`: reads what it needs, prints the report, and ends with an error if it is not proved.
struct ReportCommandRun: Sendable {
    let report: ReportName
    let grouping: ReportGrouping?
    let compare: ReportComparison?
    /// Names of sign-ins, or `all`; nil for one shop.
    let profiles: String?
    let request: ReportReadRequest
    let receipt: String?
    let environment: CommandEnvironment

    /// What a run has read and computed.
    private struct Result {
        /// The one that was asked for, and further ones for a workbook or a page.
        var tables: [ReportTable]
        var findings: [ReportFinding] = []
        var problem: CoreError?
        /// Shops that could not be reported.
        var failed: [String] = []
        var summary = RecordPager.Summary()
        var statistics = ServiceClient.Statistics()

        /// Adds the proof of another one.
        mutating func add(_ other: Result) {
            findings += other.findings
            problem = problem ?? other.problem
            summary.records += other.summary.records
            summary.pages += other.summary.pages
            statistics.requests += other.statistics.requests
            statistics.retries += other.statistics.retries
            statistics.secondsWaited += other.statistics.secondsWaited
        }

        var proof: String {
            let requests = statistics.requests == 1 ? "1 request" : "\(statistics.requests) requests"
            guard problem == nil, failed.isEmpty else { return "incomplete: \(requests)" }
            return findings.isEmpty
                ? "complete: \(requests), all totals agree" : "complete: \(requests), some totals do not agree"
        }
    }

    func print(with printer: ReportPrinter) async throws -> FilterReport {
        let receipt = try await ReceiptWriter(
            receipt, path: request.command, startedAt: environment.clock.wall(), in: environment)
        let result: Result
        do {
            result = try await TimeLimit.run(
                seconds: request.maximumTime, sleep: environment.sleep,
                timeRanOut: {
                    CoreError.timeRanOut(seconds: request.maximumTime ?? 0, records: 0, obstacle: nil)
                },
                { try await ProgressDisplay.during(in: environment) { try await read($0, wantsAll: printer.wantsAll) } }
            )
        } catch {
            try receipt?.finish(error, at: environment.clock.wall())
            throw error
        }
        let report = try await printer.print(result.tables, proof: result.proof)
        for finding in result.findings { environment.diagnostics.notice(finding.text(result.tables[0].currency)) }
        let error: (any Error)? =
            result.problem ?? (result.failed.isEmpty ? nil : ReportError.shopsFailed(result.failed))
            ?? (result.findings.isEmpty ? nil : ReportError.doesNotAddUp(findings: result.findings.count))
        receipt?.add(result.summary, result.statistics)
        try receipt?.finish(error, at: environment.clock.wall())
        if let error { throw error }
        if result.tables[0].isEmpty { environment.diagnostics.notice("no sales in this period") }
        return report
    }

    private func read(_ display: ProgressDisplay, wantsAll: Bool) async throws -> Result {
        guard let profiles else { return try await shop(request, display, wantsAll: wantsAll) }
        var tables: [(String, ReportTable)] = []
        var (failed, firstError): ([String], (any Error)?) = ([], nil)
        var sum: Result?
        for name in try await names(profiles) {
            var request = request
            request.connection.profile = name
            do {
                let result = try await shop(request, display, wantsAll: false)
                tables.append((name, result.tables[0]))
                if sum == nil { sum = result } else { sum?.add(result) }
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
        guard var sum, var table = ReportTable(ofShops: tables) else {
            throw firstError ?? CoreError.notSignedIn(request.connection)
        }
        if !failed.isEmpty { table.remarks.append("Not in this report: \(failed.joined(separator: ", ")).") }
        sum.failed = failed
        sum.tables = [table]
        return sum
    }

    /// The sign-ins of `--profiles`, each shop once: a shop that was counted twice would double the total.
    private func names(_ text: String) async throws -> [String] {
        let profiles = try await StoredSignIns.read(in: environment).profiles
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
        _ request: ReportReadRequest, _ display: ProgressDisplay, wantsAll: Bool
    ) async throws -> Result {
        let shop = try await ReportShop(request, in: environment)
        let period = try shop.period(request.period)
        var reader = ReportReader(request, shop, display, in: environment)
        let names = try await reader.names()
        var result = try await tables(of: period, names, &reader, wantsAll: wantsAll && compare == nil)
        if let compare {
            let before = try await tables(of: compare.period(of: period), names, &reader, wantsAll: false)
            result.tables[0] = result.tables[0].compared(with: before.tables[0])
            result.findings += before.findings
        }
        result.problem = reader.problem
        result.summary = reader.summary
        result.statistics = shop.client.statistics
        for word in request.omitted { result.tables[0].remarks.append("Left out, as --without asks: \(word).") }
        return result
    }

    private func tables(
        of period: Period, _ names: ReportNames, _ reader: inout ReportReader, wantsAll: Bool
    ) async throws -> Result {
        let shop = reader.shop
        var wanted: [(ReportName, ReportGrouping?)] = [(report, grouping)]
        if wantsAll, report == .sales {
            // What an owner looks at next, from the same records.
            wanted += [(.sales, .day), (.hours, nil), (.items, nil), (.tenders, nil), (.discounts, nil), (.taxes, nil)]
            if let grouping {
                wanted.removeAll { $0.0 == .sales && $0.1 == grouping }; wanted.insert((.sales, grouping), at: 0)
            }
        }
        var records = ReportRuns(
            runs: wanted.map { report, grouping in
                ReportRun(
                    ReportRequest(
                        report, by: grouping, calendar: shop.calendar, period: period, currency: shop.currency,
                        usesServerClock: request.usesServerClock))
            })
        try await reader.read(period, into: &records)
        var result = Result(tables: [])
        for run in records.runs {
            var (table, findings) = run.finish(names: names)
            // Not repeated below the first table.
            table.notes.removeAll { note in result.tables.contains { $0.notes.contains(note) } }
            table.remarks.removeAll { remark in result.tables.contains { $0.remarks.contains(remark) } }
            result.tables.append(table)
            // An order that contradicts itself is found by each.
            result.findings += findings.filter { !result.findings.contains($0) }
        }
        return result
    }
}

extension ReportFinding {
    /// For people: the sentence, with ids and amount.
    func text(_ currency: String) -> String {
        let ids = identifiers.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
        let amount = amount.map { " (\(ReportTable.moneyText($0, currency)))" } ?? ""
        return (ids.isEmpty ? "" : ids + ": ") + sentence + amount
    }
}
