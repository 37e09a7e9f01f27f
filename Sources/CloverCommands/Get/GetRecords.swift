import CloverAPI
import CloverAuth
import CloverCore
import CloverExport
import CloverHTTP
import CloverJSON
import CloverOutput
import CloverSystem
import Synchronization

/// Runs `clover get`: reads records, filters them and writes them to standard output.
struct GetRecords: Sendable {
    let request: GetRequest
    let environment: CommandEnvironment
    private let pause = RateLimitPause()
    private let progress = Progress()

    /// Notes values that the catalogue does not have among the cases of their fields: no record may have them.
    private func noteUnlistedValues(_ plan: GetPlan) throws(QueryError) {
        guard request.isChecked else { return }
        for unlisted in try QueryValidator.unlistedValues(in: plan.query, of: plan.path) {
            let meant = unlisted.near.isEmpty ? "" : "; did you mean \(unlisted.near.joined(separator: " or "))?"
            environment.diagnostics.notice(
                "unknown value '\(unlisted.value)' of \(unlisted.field) (known: "
                    + "\(unlisted.cases.joined(separator: ", "))); maybe no record has it\(meant)")
        }
    }

    /// Delivers every requested record, or throws. `CoreError.recordsFailed` and `.incomplete` are thrown after all other
    /// records were delivered.
    func run() async throws -> FilterReport {
        let connection = try await GetPlan.connection(request, noting: pause, in: environment)
        let now = environment.clock.wall()
        // Reject a request that makes no sense before sending anything.
        var plan = try GetPlan(request, merchantID: connection.merchantID, now: now)
        var printing = request.printing
        let format = try Self.format(request, plan, in: environment)
        let receipt = try await ReceiptWriter(request.receipt, path: plan.path.display, startedAt: now, in: environment)
        let inspection = try RecordInspection(
            plan.path, isEnvelope: !request.isComplete, showsSensitive: request.showsSensitive,
            validates: request.validates, acceptsNull: request.returnsNullFields, environment.diagnostics)
        let client: ServiceClient
        let outcome: Outcome
        var unproved: Set<String> = []
        let end = environment.end(of: request.maximumTime)
        do {
            client = try connection.makeClient(
                retries: request.maximumRetries, pacing: request.effectivePacing, pause: pause, in: environment)
            unproved = try await limited(until: end) { [plan] in
                try await FilterNames(client: client, path: plan.path, environment: environment).check(plan.unlisted)
            }
            try noteUnlistedValues(plan)
            let located = try await GetPlan.located(request, connection, client, now: now, in: environment)
            plan = located.plan
            if let facts = located.facts { (printing.facts, printing.hasFacts) = (facts, true) }
            guard let format else {
                let report = try await limited(until: end) { [plan] in
                    try await passThrough(plan, client)
                }
                receipt?.add(RecordPager.Summary(), client.statistics)
                try receipt?.finish(nil, at: environment.clock.wall())
                return report
            }
            outcome = try await ProgressDisplay.during(in: environment) { [plan, printing] board in
                if format.format == .table { await environment.startPaging() }
                board.line(plan.path.display) { progress.update(&$0, plan, client.statistics, pause) }
                var filter = try await limited(until: end) {
                    try await printing.makeFilter(
                        format, Self.guide(request, plan), client, merchantID: connection.merchantID, in: environment)
                }
                if let size = request.envelopeSize { filter = PageEnvelopes(into: filter, size: size) }
                let names = names(connection, client)
                let lists = ReferenceNames.lists(format, ofModel: plan.path.endpoint?.model)
                return try await read(plan, now: now, filter, inspection, (names, lists), client, receipt, until: end)
            }
        } catch {
            let explained = try await TokenDiagnosis(connection, in: environment).explained(error, at: plan.path)
            try receipt?.finish(explained, at: environment.clock.wall())
            throw explained
        }
        let problem = problem(of: outcome, plan, unproved: unproved, now: now)
        receipt?.add(outcome.summary, client.statistics)
        try receipt?.finish(problem, at: environment.clock.wall())
        if let problem { throw problem }
        if let contradiction = outcome.summary.sortContradiction {
            environment.diagnostics.notice(contradiction.words(of: plan.path.display))
        }
        try printing.check(outcome.report)
        if outcome.report.results == 0, let format, RecordPrinting.reportsEmptyAsMessage(format, in: environment) {
            environment.diagnostics.notice("no records")
        }
        return outcome.report
    }

    /// How records are printed; nil for an endpoint that returns text, which is passed through.
    static func format(
        _ request: GetRequest, _ plan: GetPlan, in environment: CommandEnvironment
    ) throws -> FormatPlan? {
        guard plan.path.endpoint?.shape != .csv else {
            guard let option = request.recordOption else { return nil }
            throw QueryError.notRecords(path: plan.path.display, option: option)
        }
        var printing = request.printing
        var schema = try RecordSchema.of(plan.path.endpoint, expand: plan.query.expand)
        if request.tagsMerchant, request.program == nil { try schema.addMerchant(to: &printing.format) }
        let format = try printing.plan(schema, in: environment)
        if request.isChecked { try guide(request, plan).checkNames(request.format.fields) }
        return format
    }

    /// The field guide of the records. With `--raw`, the response is printed whole and has no model.
    private static func guide(_ request: GetRequest, _ plan: GetPlan) -> FieldValidator {
        var guide = FieldValidator(
            plan.path, model: request.isComplete ? plan.path.endpoint?.model : nil, expand: plan.query.expand)
        guide.offersNames = request.format.names == nil
        return guide
    }

    /// Adds names to records where they are shown.
    private func names(_ connection: Connection, _ client: ServiceClient) -> ReferenceNames {
        let isRequired = request.format.names == .names
        return ReferenceNames(isRequired: isRequired, connection, in: environment) { [request, pause, environment] in
            if isRequired { return client }
            // A missing permission is no reason to renew the token, nor to keep a person waiting.
            return try connection.makeClient(
                retries: 1, pacing: request.effectivePacing, tokens: FixedToken(try await connection.tokens.token()),
                pause: pause, in: environment)
        }
    }

    private struct Outcome {
        var summary: RecordPager.Summary
        var report: FilterReport
    }

    private func read(
        _ plan: GetPlan, now: Int64, _ filter: any RecordFilter, _ inspection: RecordInspection,
        _ names: (reader: ReferenceNames, lists: Set<NamedList>), _ client: ServiceClient, _ receipt: ReceiptWriter?,
        until end: Double?
    ) async throws -> Outcome {
        let pager = RecordPager(
            client: client, path: plan.path, query: plan.query, isChecked: request.isChecked, now: now,
            toleratesIgnoredFilters: true)
        var pages = plan.pages
        let lengths = lengths(of: pager, plan, client)
        if let former = await lengths?.pages() {
            pages?.expectedPages = former
            pages?.formerPages = former
        }
        let merchant = request.tagsMerchant ? plan.merchantID : nil
        let (summary, report): (RecordPager.Summary, FilterReport)
        do {
            (summary, report) = try await limited(until: end) { [pages] in
                guard request.isComplete else {
                    let response = try await pager.answer(limit: request.limit, offset: request.offset)
                    _ = try await filter.consume(try inspection.pass(response))
                    var summary = RecordPager.Summary()
                    summary.records = response.records.count
                    summary.pages = 1
                    return (summary, try await filter.finish())
                }
                let summary = try await pager.run(plan: pages, brokenOff: progress.end, onPage: progress.note) {
                    batch in
                    var batch = try inspection.pass(batch)
                    if !names.lists.isEmpty {
                        batch = try await names.reader.pass(batch, model: plan.path.endpoint?.model, names.lists)
                    }
                    progress.add(batch.records.count)
                    if let merchant { batch = batch.tagged(merchant: merchant) }
                    return try await filter.consume(batch)
                }
                return (summary, try await filter.finish())
            }
        } catch let error as RecordWriteError {
            throw error
        } catch {
            if case CoreError.timeRanOut(let seconds, let records, _, _) = error,
                await environment.standardOutput.isWaitingForPager
            {
                inspection.finish()
                receipt?.add(progress.summary, client.statistics)
                throw CoreError.timeRanOut(
                    seconds: seconds, records: records, obstacle: Obstacle("the pager was still open"), isWritten: true)
            }
            // Deliver what was read before the failure. If the jq program does not compile, that error takes precedence.
            if case CoreError.timeRanOut = error {
                // A pager that starts now would be ended at once.
                await environment.standardOutput.startNoPager()
                try await TimeLimit.briefly { try await filter.breakOff() }
            } else {
                try await filter.breakOff()
            }
            inspection.finish()
            await names.reader.finish()
            let records = progress.records
            receipt?.add(progress.summary, client.statistics)
            if records > 0, !(error is CancellationError) {
                environment.diagnostics.notice(
                    "\(Self.count(records, "record")) \(records == 1 ? "was" : "were") read before the following failure"
                )
            }
            throw error
        }
        inspection.finish()
        await names.reader.finish()
        let requestsForNames = await names.reader.statistics
        receipt?.add(RecordPager.Summary(), requestsForNames)
        // Not counting the request that found the end.
        if let lengths, report.halt == nil, summary.isWhole { await lengths.note(summary.pages - 1) }
        if summary.recordsWithoutTime > 0 {
            let fields = Set(plan.query.localFilters.map(\.field)).sorted().joined(separator: " or ")
            environment.diagnostics.notice(
                "left out \(Self.count(summary.recordsWithoutTime, "record")) of \(plan.path.display) "
                    + "without a \(fields) that can be read"
            )
        }
        environment.runLog?.note(records: summary.records)
        let read = summary.recordsRead == summary.records ? "" : " of \(summary.recordsRead) read"
        environment.diagnostics.detail(
            "\(Self.count(summary.records, "record"))\(read), "
                + Self.count(client.requestCount + requestsForNames.requests, "request"))
        if summary.mayHaveMore, environment.terminal.isErrorTerminal {
            environment.diagnostics.notice(
                "more \(plan.path.display) may exist; to get them, add --limit N or --all")
        }
        return Outcome(summary: summary, report: report)
    }

    /// Runs a part of the work within the time limit of the whole run.
    ///
    /// - Parameter end: the limit by the boot clock, in seconds; nil for none.
    private func limited<Value: Sendable>(
        until end: Double?, _ body: @escaping @Sendable () async throws -> Value
    ) async throws -> Value {
        try await TimeLimit.run(
            seconds: end.map { max(0, $0 - Double(environment.clock.boot()) / 1000) }, sleep: environment.sleep,
            timeRanOut: {
                CoreError.timeRanOut(
                    seconds: request.maximumTime ?? 0, records: progress.records,
                    obstacle: pause.obstacle(at: environment.clock.boot()))
            }, body)
    }

    /// The stored length of the list; nil where it is not used.
    private func lengths(of pager: RecordPager, _ plan: GetPlan, _ client: ServiceClient) -> PageCountCache? {
        guard request.isComplete, let pages = plan.pages, pages.limit == nil, pages.offset == 0,
            plan.query.localFilters.isEmpty
        else { return nil }
        let directory: StateDirectory?
        do {
            directory = try environment.stateDirectory()
        } catch {
            // Missing state is reported where it is required.
            return nil
        }
        return PageCountCache(of: pager.listName, at: client.url(path: "", query: ""), in: directory)
    }

    /// What is missing from the output of a run that did not fail.
    ///
    /// - Parameter unproved: filters of which neither the catalogue nor Clover says anything.
    private func problem(of outcome: Outcome, _ plan: GetPlan, unproved: Set<String>, now: Int64) -> CoreError? {
        guard outcome.report.halt == nil, request.isComplete else { return nil }
        if let problem = Self.problem(of: outcome.summary, plan, isEverything: request.isEverything, now: now) {
            return problem
        }
        if let contradiction = outcome.summary.contradiction {
            return .filterContradicted(contradiction, path: plan.path.display)
        }
        let fields = unproved.union(outcome.summary.ignoredFilters)
        if !fields.isEmpty { return .filtersUnproved(fields.sorted(), path: plan.path.display) }
        // A whole list has all of its records in any order.
        guard let contradiction = outcome.summary.sortContradiction,
            outcome.summary.mayHaveMore || plan.pages?.offset ?? 0 > 0
        else { return nil }
        return .sortContradicted(contradiction, path: plan.path.display)
    }

    /// What is missing from a list that was read.
    static func problem(
        of summary: RecordPager.Summary, _ plan: GetPlan, isEverything: Bool, now: Int64
    ) -> CoreError? {
        if !summary.isWhole {
            let field = HistoryLimit.rule(of: plan.path, for: plan.query)?.timeField
            return .incomplete(Shortfall(path: plan.path.display, timeField: field, summary: summary))
        }
        let isWhole = plan.pages != nil && (isEverything || !summary.mayHaveMore)
        // A list read in windows was read back to its oldest record.
        if isWhole, summary.windowCount == nil, HistoryLimit.mayCut(plan.query, of: plan.path, now: now) {
            return .historyLimited(path: plan.path.display, days: HistoryLimit.days, records: summary.records)
        }
        return nil
    }

    private static func count(_ number: Int, _ noun: String) -> String {
        number == 1 ? "1 \(noun)" : "\(number) \(noun)s"
    }

    /// Passes through the response of an endpoint that returns text.
    private func passThrough(_ plan: GetPlan, _ client: ServiceClient) async throws -> FilterReport {
        var attempt = ServiceClient.Attempt()
        let response = try await client.get(
            client.url(path: plan.path.encoded, query: plan.query.encoded(page: nil)), additions: plan.path.headers,
            attempt: &attempt)
        try await StandardOutput.pass(response.body, in: environment)
        return FilterReport()
    }
}

extension GetRecords {
    final class Progress: Sendable {
        private let state = Mutex((summary: RecordPager.Summary(), list: ListProgress(), isOver: false))

        var records: Int { summary.records }
        var summary: RecordPager.Summary { state.withLock(\.summary) }

        func add(_ count: Int) { state.withLock { $0.summary.records += count } }

        func note(_ list: ListProgress) { state.withLock { $0.list = list } }

        func end(_ summary: RecordPager.Summary) { state.withLock { $0.summary = summary } }

        /// The list was read; other lists follow.
        @inline(never)
        func finish() { state.withLock { $0.isOver = true } }

        /// Fills in the facts for the progress line.
        ///
        /// - Parameter expected: about how many records the list has; nil if unknown.
        func update(
            _ facts: inout ProgressStatus, _ plan: GetPlan, _ statistics: ServiceClient.Statistics,
            _ pause: RateLimitPause, expected: Int? = nil
        ) {
            let (records, list, isOver) = state.withLock { ($0.summary.records, $0.list, $0.isOver) }
            if isOver { facts.phase = .finished("done") }
            facts.records = records
            facts.pages = list.pages
            facts.requests = statistics.requests
            facts.secondsWaited = statistics.secondsWaited
            facts.pausedUntil = pause.until
            facts.share = list.share
            if let limit = plan.pages?.limit {
                facts.unit = "record"
                facts.done = records
                facts.total = limit
            } else if let count = list.windowCount, count > 1 {
                facts.unit = "window"
                facts.done = list.windows
                facts.total = count
            } else if let expected, records <= expected {
                facts.unit = "record"
                facts.done = records
                facts.total = expected
            }
        }
    }
}
