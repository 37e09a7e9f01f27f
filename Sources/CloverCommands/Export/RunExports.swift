import CloverAPI
import CloverAuth
import CloverCore
import CloverExport
import CloverHTTP
import CloverOutput
import CloverTables

/// Runs `clover export`: writes every record that changed since the last run. A file is published complete or not at all.
struct RunExports: Sendable {
    private let request: ExportRequest
    private let environment: CommandEnvironment
    private let results = ExportResults()

    init(_ request: ExportRequest, in environment: CommandEnvironment) {
        self.request = request
        self.environment = environment.quietUnderCron
    }

    /// Number of records so far.
    var records: Int { results.resources.reduce(0) { $0 + $1.records } }

    /// Exports everything that was requested.
    ///
    /// - Throws: `ExportFailure` when part of it is missing; what that error names as done is exported.
    func run() async throws {
        let begin = environment.clock.wall()
        let end = environment.end(of: request.maximumTime)
        let isSkipped: Bool
        defer { environment.runLog?.note(records: records) }
        do {
            isSkipped = try await TimeLimit.run(
                seconds: environment.timeLeft(of: request.maximumTime), sleep: environment.sleep,
                timeRanOut: {
                    ExportFailure.timeRanOut(
                        seconds: request.maximumTime ?? 0, progress: results.resources.compactMap(\.progress),
                        notReached: notReached, obstacle: results.obstacle(at: environment.clock.boot()))
                }
            ) { try await ProgressDisplay.during(in: environment) { try await export($0, end: end) } }
        } catch is CancellationError {
            for line in results.resources.compactMap(\.progress) {
                environment.diagnostics.notice("stopped: \(line); the next run resumes from there")
            }
            throw CancellationError()
        } catch {
            do {
                try await noteUnfinished(error)
            } catch let other {
                // The error that ended the run is the one to report.
                environment.diagnostics.detail("cannot record the failure of this run: \(other)")
            }
            noteMerchants()
            try await writeSummary(since: begin, .failed(Self.details(of: error)))
            throw error
        }
        try await writeSummary(since: begin, isSkipped ? .skipped : .done)
        guard !isSkipped else { return }
        noteMerchants()
        close(since: begin)
    }

    /// Says on a terminal what was exported of each of several merchants.
    private func noteMerchants() {
        guard environment.terminal.isErrorTerminal, request.hasManyMerchants, !request.writesSummary else { return }
        for line in results.merchantLines { environment.diagnostics.notice(line) }
    }

    /// Says on a terminal what was exported.
    private func close(since begin: Int64) {
        guard environment.terminal.isErrorTerminal, !request.writesSummary, !request.isRepair else { return }
        let resources = results.resources
        let (records, files) = (resources.reduce(0) { $0 + $1.records }, resources.reduce(0) { $0 + $1.files })
        var names: [String] = []
        for resource in resources where !names.contains(resource.name) { names.append(resource.name) }
        var text = "exported \(records) new or changed \(records == 1 ? "record" : "records") of "
        text += names.count > 3 ? "\(names.count) resources" : names.joined(separator: ", ")
        if request.destination.keepsFiles {
            text += " in \(files) \(files == 1 ? "file" : "files") to \(request.address ?? ".")"
        } else if let address = request.address {
            text += " to \(address)"
        }
        let seconds = Double(environment.clock.wall() - begin) / 1000
        environment.diagnostics.notice(
            text + ", in \(seconds < 10 ? "\(seconds.secondsText) s" : seconds.durationText)")
    }

    /// Describes a failure for reports; nil for an error that ends the whole run unchanged.
    private static func details(of error: any Error) -> FailureDetails? {
        guard case .report(let report) = ErrorReport.ending(of: error) else { return nil }
        return report.facts
    }

    /// Names of the resources that the run did not reach.
    private var notReached: [String] {
        guard !results.resources.isEmpty else { return request.resources }
        return results.resources.filter(\.isUntouched).map(name(of:))
    }

    /// Records the error that ended the run for each unfinished resource that has no failure yet, so that a
    /// resource that runs never reach shows up as failing.
    private func noteUnfinished(_ error: any Error) async throws {
        for resource in results.resources where !resource.isDone && resource.failure == nil {
            let own: any Error =
                if case ExportFailure.timeRanOut(let seconds, _, _, let obstacle) = error {
                    ExportFailure.timeRanOut(
                        seconds: seconds, progress: resource.progress.map { [$0] } ?? [],
                        notReached: resource.isUntouched ? [resource.name] : [], obstacle: obstacle)
                } else {
                    error
                }
            guard let facts = Self.details(of: own) else { continue }
            try await fail(resource, facts)
        }
    }

    /// Records a resource's failure in the state, where the resource and the destination are known.
    private func fail(_ resource: ExportResults.Resource, _ facts: FailureDetails) async throws {
        guard let target = results.target, let service = resource.environment else { return }
        try await target.store.fail(
            environment.diagnostics.mask.masked(facts.message), destination: target.identifier, environment: service,
            merchant: resource.merchant, resource: resource.name)
    }

    private func writeSummary(since begin: Int64, _ outcome: ExportResults.Outcome) async throws {
        guard request.writesSummary else { return }
        let summary = results.summary(
            outcome, hasManyMerchants: request.hasManyMerchants, duration: environment.clock.wall() - begin)
        if request.destination.keepsRecords {
            try await environment.standardOutput.write(Array(summary.utf8))
        } else {
            environment.diagnostics.write(report: summary)
        }
    }

    /// - Returns: whether the run was skipped because another one is running.
    private func export(_ board: ProgressDisplay, end: Double?) async throws -> Bool {
        var request = request
        if case .file(let path) = request.program?.source { request.programText = try TextFile.read(path) }
        let names = try ExportValidator.names(of: request)
        let pause = RateLimitPause()
        results.watch(pause)
        let choices = try await request.connections(noting: pause, in: environment)
        let merchants = try await merchants(of: choices)
        let found = merchants.compactMap { if case .success(let merchant) = $0 { merchant } else { nil } }
        // Reject a request that makes no sense before creating anything or sending a request.
        let plans = try await ExportValidator(
            request: request, merchantID: found.first?.merchantID, environment: environment
        ).plans()
        try warnOfColumnless(plans)
        if let jitter = request.jitter { try await environment.sleep(Double.random(in: 0...jitter)) }
        let opening = ExportOpening(
            request: request, merchants: found, resources: plans, names: names, results: results,
            environment: environment, end: end)
        guard let target = try await opening.open() else { return true }
        if !request.isRepair { try await expect(plans.map(\.name), of: Array(zip(choices, merchants)), at: target) }
        // Files of other resources are reported too, but only those of this run are accepted as missing.
        let missing = try await MissingFiles(
            request.missingFiles == .accept ? plans.map(\.name) : nil, of: found, at: target)
        if request.missingFiles == .accept {
            try await missing.accept(environment.diagnostics)
            let rows = try await target.acceptLostRows(of: plans.map(\.name))
            if !rows.isEmpty {
                environment.diagnostics.notice("\(MissingFiles.text(of: rows)); later runs will not report this")
            }
        }
        var firstError: (any Error)?
        for (choice, result) in zip(choices, merchants) {
            // Number of entries that were not started.
            var left = if case .success = result { plans.count } else { 1 }
            do {
                var merchant = try result.get()
                let client = merchant.client
                defer { results.add(client.statistics) }
                if needsZone(names) { merchant = try await merchant.located(request, in: environment) }
                let plans = try request.resources.map {
                    try ResourcePlan($0, request, of: merchant.merchantID)
                }
                let owner = merchant
                let lines = plans.map { plan in ExportProgress(plan.name, owner, request, on: board, results) }
                for (resource, line) in zip(plans, lines) {
                    let place = results.begin(Self.entry(resource.name, of: merchant))
                    left -= 1
                    line.begin(place)
                    do {
                        let now = environment.clock.wall()
                        let stream = try await target.store.begin(
                            destination: target.identifier, environment: merchant.connection.environment.name,
                            merchant: merchant.merchantID, resource: resource.name, profile: merchant.profile,
                            now: now)
                        var export = ResourceExport(
                            request: request.of(resource), merchant: merchant, target: target, names: names,
                            results: results,
                            environment: environment, resource: resource, place: place, now: now, stream: stream)
                        export.namesNothing =
                            request.nameTemplate != nil && plans.allSatisfy { $0.tracking.field == nil }
                        try await export.run()
                    } catch {
                        try await note(error, at: place)
                        firstError = firstError ?? error
                    }
                }
            } catch {
                // A mistyped resource fails for every merchant, so it ends the run.
                guard choices.count > 1, !(error is CancellationError), !Self.isMistyped(error),
                    let facts = Self.details(of: error)
                else { throw error }
                if case .success(let merchant) = result {
                    for plan in plans.suffix(left) { try await fail(Self.entry(plan.name, of: merchant), facts) }
                }
                results.leaveOut(left, for: ExportResults.Resource(Self.everything, of: choice.profile ?? "?"), facts)
                firstError = firstError ?? error
            }
        }
        var lostRows: [String: Int64] = [:]
        // A database that failed was waited for already. A run for each merchant's resource looks at its own.
        if !(firstError is TableError) {
            lostRows = try await target.lostRows(of: request.schema == nil ? nil : plans.map(\.name))
        }
        try finish(firstError, missing: try await missing.left(after: request), lostRows, at: target)
        return false
    }

    /// Names expansions that were requested and that cannot be columns. Not only a notice, because the files lack something
    /// that was asked for.
    private func warnOfColumnless(_ plans: [ResourcePlan]) throws {
        guard let format = request.format.format, format.hasColumns else { return }
        for plan in plans where request.of(plan).format.fields.isEmpty {
            let schema = try RecordSchema.of(plan.path.endpoint, expand: request.expand)
            for name in schema.columnless where !plan.parts.contains(where: { $0.member == name }) {
                let part = ExportPart(name, of: plan.path, expand: request.expand, tracking: plan.tracking)
                let way = part.map { "for files of its own, add --with \($0.name); " } ?? ""
                environment.diagnostics.warning(
                    "\(plan.name): \(name) cannot be a column of \(format.rawValue); \(way)--format ndjson keeps it")
            }
        }
    }

    /// Connects the merchants. One of several that fails does not end the run.
    private func merchants(of choices: [ConnectionChoice]) async throws -> [Result<ExportMerchant, any Error>] {
        var merchants: [Result<ExportMerchant, any Error>] = []
        for choice in choices {
            do {
                let pause = RateLimitPause()
                results.watch(pause)
                merchants.append(
                    .success(try await ExportMerchant(request, choice, noting: pause, in: environment)))
            } catch {
                guard choices.count > 1, !(error is CancellationError) else {
                    // Without a sign-in, report a request that makes no sense first.
                    if error is CoreError {
                        _ = try await ExportValidator(request: request, merchantID: nil, environment: environment)
                            .plans()
                    }
                    throw error
                }
                merchants.append(.failure(error))
            }
        }
        return merchants
    }

    /// Records what is going to be exported before the export starts, so that resources the run never reaches are known.
    private func expect(
        _ resources: [String], of merchants: [(ConnectionChoice, Result<ExportMerchant, any Error>)],
        at target: any ExportDestination
    ) async throws {
        let now = environment.clock.wall()
        for (choice, result) in merchants {
            guard case .success(let merchant) = result else {
                results.expect([ExportResults.Resource(Self.everything, of: choice.profile ?? "?")])
                continue
            }
            try await target.store.ask(
                resources, request.recurrence, destination: target.identifier,
                environment: merchant.connection.environment.name,
                merchant: merchant.merchantID, profile: merchant.profile, now: now)
            results.expect(resources.map { Self.entry($0, of: merchant) })
        }
        results.found(target)
    }

    private static func entry(_ resource: String, of merchant: ExportMerchant) -> ExportResults.Resource {
        ExportResults.Resource(resource, of: merchant.merchantID, at: merchant.connection.environment.name)
    }

    private static func isMistyped(_ error: any Error) -> Bool {
        switch error {
        case is QueryError, is ExportAPIError: true
        case ExportError.unknownResource, ExportError.unknownPart, ExportError.unknownField,
            ExportError.unknownFieldOwner, ExportError.notRecords:
            true
        default: false
        }
    }

    /// Records a resource's failure so that the run can continue; rethrows an error that concerns the whole run.
    private func note(_ error: any Error, at place: Int) async throws {
        guard !(error is CancellationError), !Task.isCancelled, let facts = Self.details(of: error) else { throw error }
        results.change(place) { $0.failure = facts }
        try await fail(results.resources[place], facts)
    }

    private func finish(
        _ firstError: (any Error)?, missing: [ExportDirectory.LostFile], _ lostRows: [String: Int64],
        at target: any ExportDestination
    ) throws {
        let isMissing: ExportFailure? =
            if !lostRows.isEmpty {
                .rowsMissing(lostRows, database: target.name)
            } else if missing.isEmpty {
                nil
            } else {
                .filesMissing(
                    missing.map(\.text), directory: target.name, exportWasTried: request.missingFiles == .export,
                    hasChanged: missing.contains { $0.size != nil })
            }
        let kept = results.resources.first { $0.failed > 0 }.map { first in
            ExportFailure.recordsFailed(
                results.resources.reduce(0) { $0 + $1.failed }, first: first.firstFailure ?? "",
                directory: "\(target.name)/\(NameTemplate.failed)",
                isRestExported: firstError == nil && missing.isEmpty)
        }
        let failed = results.resources.filter { $0.failure != nil }
        // The growing files that are missing, to which nothing was added, are among these.
        let isLossOnly = isMissing != nil && failed.allSatisfy { $0.failure?.code == "files_missing" }
        guard let firstError, let first = failed.first?.failure, !isLossOnly || results.resources.count == 1 else {
            if let isMissing {
                if let kept, let facts = Self.details(of: kept) { environment.diagnostics.warning(facts.message) }
                for resource in failed { environment.diagnostics.warning(resource.failure?.message ?? "") }
                throw isMissing
            }
            if let kept { throw kept }
            return
        }
        if let kept, let facts = Self.details(of: kept) { environment.diagnostics.warning(facts.message) }
        // Reported in addition to the failures.
        if !isLossOnly || missing.count > 1, let isMissing, let facts = Self.details(of: isMissing) {
            environment.diagnostics.warning(facts.message)
        }
        // A single resource's failure is reported in full, with its own status.
        guard results.resources.count > 1 else { throw firstError }
        var shownHints: Set<String> = []
        for resource in failed {
            guard var facts = resource.failure else { continue }
            // Print a hint that several failures share once.
            facts.hints.removeAll { !shownHints.insert($0).inserted }
            environment.diagnostics.failure(facts, of: name(of: resource))
        }
        let names = failed.map(name(of:))
        let done = results.resources.count - failed.count
        throw done > 0 ? ExportFailure.someFailed(names, done: done) : .allFailed(names, status: first.status)
    }

    /// Stands for a resource's name when nothing of a merchant could be exported.
    private static let everything = "everything"

    private func name(of resource: ExportResults.Resource) -> String {
        request.hasManyMerchants ? "\(resource.name) of \(resource.merchant)" : resource.name
    }

    private func needsZone(_ names: NameTemplate) -> Bool {
        if request.range.selection.isDay || request.range.needsZone { return true }
        return request.destination.keepsFiles && names.has(.date)
    }
}

extension CommandEnvironment {
    /// The same, where a successful run prints nothing under cron.
    var quietUnderCron: CommandEnvironment {
        var environment = self
        if !terminal.isErrorTerminal, diagnostics.level == .normal { environment.diagnostics.level = .quiet }
        return environment
    }
}
