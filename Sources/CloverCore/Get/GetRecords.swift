import CloverAPI
import CloverAuth
import CloverHTTP
import CloverJQ
import CloverPacing
package import CloverRecords
import Glibc

/// `clover get`: reads records, filters them and writes them to standard output.
package struct GetRecords: Sendable {
    private let request: GetRequest
    private let environment: CommandEnvironment

    package init(_ request: GetRequest, in environment: CommandEnvironment) {
        self.request = request
        self.environment = environment
    }

    /// Everything that was asked for has been delivered, unless this throws. `CoreError.recordsFailed` and `.incomplete`
    /// come after all other records were delivered.
    package func run() async throws -> FilterReport {
        let connection = try await Connection.resolve(request.connection, in: environment)
        let now = environment.clock.wall()
        let plan = try GetPlan(request, merchantID: connection.merchantID, now: now)
        let receipt = try await ReceiptWriter(request.receipt, path: plan.path.display, startedAt: now, in: environment)
        let format = try formatPlan(plan)
        let client: ServiceClient
        let outcome: Outcome
        do {
            client = try connection.makeClient(retries: request.maximumRetries, in: environment)
            if plan.path.endpoint?.shape == .csv {
                let report = try await passThrough(plan, client)
                try await receipt?.finish(
                    RecordPager.Summary(), client.statistics, problem: nil, at: environment.clock.wall())
                return report
            }
            let filter = try await makeFilter(format, client, merchantID: connection.merchantID)
            outcome = try await read(plan, now: now, filter, client, connection, receipt)
        } catch {
            await receipt?.finish(failure: error, at: environment.clock.wall())
            throw error
        }
        let problem = problem(of: outcome, plan, now: now)
        try await receipt?.finish(
            outcome.summary, client.statistics, problem: problem, at: environment.clock.wall())
        if let problem { throw problem }
        if outcome.report.failures > 0, outcome.report.halt == nil {
            throw request.program == nil
                ? CoreError.recordsNotPrinted(outcome.report.failures)
                : CoreError.recordsFailed(outcome.report.failures, isArray: request.slurp)
        }
        return outcome.report
    }

    private struct Outcome {
        var summary: RecordPager.Summary
        var report: FilterReport
    }

    private func read(
        _ plan: GetPlan, now: Int64, _ filter: any RecordFilter, _ client: ServiceClient, _ connection: Connection,
        _ receipt: ReceiptWriter?
    ) async throws -> Outcome {
        let pager = RecordPager(
            client: client, path: plan.path, query: plan.query, isChecked: request.isChecked, now: now)
        let progress = Progress()
        let summary: RecordPager.Summary
        do {
            summary = try await TimeLimit.run(
                seconds: request.maximumTime, sleep: environment.sleep,
                timeRanOut: {
                    CoreError.timeRanOut(seconds: request.maximumTime ?? 0, records: await progress.records)
                },
            ) {
                guard request.isComplete else {
                    let answer = try await pager.answer(limit: request.limit, offset: request.offset)
                    _ = try await filter.consume(answer)
                    var summary = RecordPager.Summary()
                    summary.records = answer.records.count
                    summary.pages = 1
                    return summary
                }
                return try await pager.run(plan: plan.pages) { batch in
                    await progress.add(batch.records.count)
                    return try await filter.consume(batch)
                }
            }
        } catch let error as RecordWriteError {
            throw error
        } catch {
            // What was read before is delivered all the same; a program that does not compile is the better message.
            try await filter.breakOff()
            let records = await progress.records
            receipt?.add(records: records, client.statistics)
            if records > 0, !(error is CancellationError) {
                environment.diagnostics.notice("\(records) records were read before the failure that follows")
            }
            throw try await explained(error, plan: plan, merchantID: connection.merchantID, client: client)
        }
        let report = try await filter.finish()
        environment.diagnostics.detail("\(summary.records) records, \(client.requestCount) requests")
        if summary.mayHaveMore, environment.terminal.isErrorTerminal {
            environment.diagnostics.notice("more \(plan.path.display) may exist; --limit N or --all gets them")
        }
        return Outcome(summary: summary, report: report)
    }

    /// What is missing in the output although the run came to its end.
    private func problem(of outcome: Outcome, _ plan: GetPlan, now: Int64) -> CoreError? {
        guard outcome.report.halt == nil, request.isComplete else { return nil }
        let summary = outcome.summary
        if !summary.isWhole {
            let field = HistoryLimit.rule(of: plan.path, for: plan.query)?.timeField
            return .incomplete(Shortfall(path: plan.path.display, timeField: field, summary: summary))
        }
        let isWhole = plan.pages?.provesEnd == true && (request.isEverything || !summary.mayHaveMore)
        // A list that was read in windows has been read to its beginning.
        if isWhole, summary.windowCount == nil, HistoryLimit.mayCut(plan.query, of: plan.path, now: now) {
            return .historyLimited(path: plan.path.display, days: HistoryLimit.days, records: summary.records)
        }
        return nil
    }

    private actor Progress {
        private(set) var records = 0

        func add(_ count: Int) { records += count }
    }

    /// How records are printed; conflicts are found before anything is sent.
    private func formatPlan(_ plan: GetPlan) throws(RecordFormatError) -> FormatPlan {
        let situation = FormatPlan.Situation(
            isForPerson: environment.terminal.isOutputTerminal && !request.isJSON, hasProgram: request.program != nil,
            isSlurping: request.slurp)
        return try FormatPlan(request.format, in: situation, schema: .of(plan.path.endpoint))
    }

    /// The text of an endpoint that answers with text, as it comes.
    private func passThrough(_ plan: GetPlan, _ client: ServiceClient) async throws -> FilterReport {
        guard request.program == nil, request.format == FormatChoice(), !request.slurp else {
            throw QueryError.notRecords(path: plan.path.display)
        }
        var attempt = ServiceClient.Attempt()
        let response = try await client.get(
            client.url(path: plan.path.encoded, query: plan.query.encoded(page: nil)), attempt: &attempt)
        while let chunk = try await response.body.next() { try await environment.standardOutput.write(chunk) }
        return FilterReport()
    }

    private func makeFilter(
        _ format: FormatPlan, _ client: ServiceClient, merchantID: String
    ) async throws -> any RecordFilter {
        let output = environment.standardOutput
        guard let choice = request.program else {
            return try await makePrinter(format, client, merchantID: merchantID)
        }
        var options = JQOptions()
        options.rawOutput = choice.rawOutput
        options.joinOutput = choice.joinOutput
        options.slurp = request.slurp
        options.arguments = choice.arguments.map {
            JQOptions.Argument(name: $0.name, value: $0.isJSON ? .json($0.value) : .string($0.value))
        }
        let program = try JQProgram(source: try programText(choice.source), options: options)
        let diagnostics = environment.diagnostics
        let isSlurping = request.slurp
        let filter = JQFilter(
            program: program, output: output, workers: max(1, environment.processors),
            onFailure: { failure in
                let record = failure.id.map { "record \($0)" } ?? "record number \(failure.index + 1)"
                let name = isSlurping ? "the array of all records" : record
                diagnostics.failure("jq failed on \(name): \(failure.message)", code: "record_failed", status: 65)
            },
            onMessage: { diagnostics.pass($0) })
        filter.prepare()
        return filter
    }

    private func makePrinter(
        _ format: FormatPlan, _ client: ServiceClient, merchantID: String
    ) async throws -> any RecordFilter {
        var facts = MerchantFacts()
        if format.needsTimeZone || format.needsCurrency {
            facts = try await MerchantFacts.read(client, merchantID: merchantID)
        }
        let variables = environment.variables
        let layout = try format.layout(
            timeZone: facts.timezone, currency: facts.defaultCurrency,
            localZone: {
                .local(variable: variables["TZ"], database: variables["TZDIR"] ?? TimeZoneRules.databasePath)
            }, terminalWidth: environment.terminal.width)
        let diagnostics = environment.diagnostics
        return try layout.makeFilter(
            output: environment.standardOutput,
            onFailure: { diagnostics.failure("\($0)", code: "record_failed", status: 65) },
            onHidden: { titles in
                diagnostics.notice("no room for \(titles.joined(separator: ", ")); --fields chooses columns")
            })
    }

    private func programText(_ source: GetRequest.ProgramChoice.Source) throws -> String {
        switch source {
        case .text(let text): return text
        case .file(let path): return try TextFile.read(path)
        }
    }

    /// Clover answers alike to a bad token and to a missing permission. When it does answer for the merchant itself,
    /// the token is good.
    private func explained(
        _ error: any Error, plan: GetPlan, merchantID: String, client: ServiceClient
    ) async throws -> any Error {
        guard case ServiceError.unauthorized = error, let endpoint = plan.path.endpoint else { return error }
        let merchant = client.url(path: "/v3/merchants/\(merchantID)", query: "")
        guard endpoint.path != "/v3/merchants/{mId}", try await client.isAllowed(merchant) else { return error }
        return CoreError.permissionMissing(path: plan.path.display, permission: endpoint.permission)
    }
}
