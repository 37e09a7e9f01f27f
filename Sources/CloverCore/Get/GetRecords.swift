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

    /// Everything that was asked for has been delivered, unless this throws. `CoreError.recordsFailed` comes after
    /// all other records were delivered.
    package func run() async throws -> FilterReport {
        let connection = try await Connection.resolve(request.connection, in: environment)
        let plan = try GetPlan(request, merchantID: connection.merchantID, now: environment.clock.wall())
        let filter = try makeFilter()
        let client = try connection.makeClient(retries: request.maximumRetries, in: environment)
        let pager = RecordPager(client: client, path: plan.path, query: plan.query, isChecked: request.isChecked)
        let progress = Progress()

        let summary: RecordPager.Summary
        do {
            summary = try await TimeLimit.run(
                seconds: request.maximumTime, sleep: environment.sleep,
                timeRanOut: {
                    CoreError.timeRanOut(seconds: request.maximumTime ?? 0, records: await progress.records)
                },
            ) {
                try await pager.run(plan: plan.pages) { batch in
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
        if summary.suspicious > 0, report.halt == nil {
            throw CoreError.nestedListsCut(
                path: plan.path.display, records: summary.suspicious, examples: summary.suspiciousIDs)
        }
        let isWhole = request.isEverything || request.limit != nil && !summary.mayHaveMore
        if isWhole, report.halt == nil, HistoryLimit.mayCut(plan.query, of: plan.path, now: environment.clock.wall()) {
            throw CoreError.historyLimited(
                path: plan.path.display, days: HistoryLimit.days, records: summary.records)
        }
        if report.failures > 0, report.halt == nil {
            throw CoreError.recordsFailed(report.failures, isArray: request.slurp)
        }
        return report
    }

    private actor Progress {
        private(set) var records = 0

        func add(_ count: Int) { records += count }
    }

    private func makeFilter() throws -> any RecordFilter {
        let output = environment.standardOutput
        guard let choice = request.program else { return PassThrough(output: output, slurp: request.slurp) }
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
