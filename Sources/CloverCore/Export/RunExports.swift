package import CloverAPI
import CloverAuth
import CloverCalendar
import CloverExport
import CloverHTTP
import CloverOutput
import CloverRateLimit

/// Runs `clover export`: writes every record that changed since the last run. A file is published complete or not at all.
package struct RunExports: Sendable {
    private let request: ExportRequest
    private let environment: CommandEnvironment
    /// Describes a failure for reports; returns nil for an error that ends the whole run unchanged.
    private let describe: @Sendable (any Error) -> FailureDetails?

    package init(
        _ request: ExportRequest, in environment: CommandEnvironment,
        describing describe: @escaping @Sendable (any Error) -> FailureDetails?
    ) {
        self.request = request
        self.describe = describe
        var environment = environment
        // A successful run prints nothing under cron.
        if !environment.terminal.isErrorTerminal, environment.diagnostics.level == .normal {
            environment.diagnostics.level = .quiet
        }
        self.environment = environment
    }

    /// Exports everything that was requested.
    ///
    /// - Throws: `ExportFailure` when part of it is missing; what that error names as done is exported.
    package func run() async throws {
        let begin = environment.clock.wall()
        let results = ExportResults()
        let clock = environment.clock
        let isSkipped: Bool
        do {
            isSkipped = try await TimeLimit.run(
                seconds: request.maximumTime, sleep: environment.sleep,
                timeRanOut: {
                    ExportFailure.timeRanOut(
                        seconds: request.maximumTime ?? 0, progress: results.resources.compactMap(\.progress),
                        notReached: notReached(results), obstacle: results.obstacle(at: clock.boot()))
                }
            ) { try await ProgressDisplay.during(in: environment) { try await export(results, $0) } }
        } catch is CancellationError {
            for line in results.resources.compactMap(\.progress) {
                environment.diagnostics.notice("stopped: \(line); the next run resumes from there")
            }
            throw CancellationError()
        } catch {
            do {
                try await noteUnfinished(error, results)
            } catch let other {
                // The error that ended the run is the one to report.
                environment.diagnostics.detail("cannot record the failure of this run: \(other)")
            }
            try await writeSummary(results, since: begin, .failed(describe(error)))
            throw error
        }
        try await writeSummary(results, since: begin, isSkipped ? .skipped : .done)
    }

    /// Names of the resources that the run did not reach.
    private func notReached(_ results: ExportResults) -> [String] {
        guard !results.resources.isEmpty else { return request.resources }
        return results.resources.filter(\.isUntouched).map(name(of:))
    }

    /// Records the error that ended the run for each unfinished resource that has no failure yet, so that a
    /// resource that runs never reach shows up as failing.
    private func noteUnfinished(_ error: any Error, _ results: ExportResults) async throws {
        guard let target = results.target else { return }
        for resource in results.resources where !resource.isDone && resource.failure == nil {
            let own: any Error =
                if case ExportFailure.timeRanOut(let seconds, _, _, let obstacle) = error {
                    ExportFailure.timeRanOut(
                        seconds: seconds, progress: resource.progress.map { [$0] } ?? [],
                        notReached: resource.isUntouched ? [resource.name] : [], obstacle: obstacle)
                } else {
                    error
                }
            guard let facts = describe(own), let environment = resource.environment else { continue }
            try await fail(resource.name, of: resource.merchant, at: environment, facts, target)
        }
    }

    private func fail(
        _ resource: String, of merchant: String, at service: String, _ facts: FailureDetails,
        _ target: (store: ExportStore, identifier: String)
    ) async throws {
        try await target.store.fail(
            environment.diagnostics.mask.masked(facts.message), destination: target.identifier, environment: service,
            merchant: merchant, resource: resource)
    }

    private func writeSummary(
        _ results: ExportResults, since begin: Int64, _ outcome: ExportSummary.Outcome
    ) async throws {
        guard request.writesSummary else { return }
        let summary = ExportSummary(
            results: results, hasManyMerchants: request.hasManyMerchants, duration: environment.clock.wall() - begin,
            outcome: outcome)
        if request.directory == nil {
            environment.diagnostics.write(report: summary.text)
        } else {
            try await environment.standardOutput.write(Array(summary.text.utf8))
        }
    }

    /// - Returns: whether the run was skipped because another one is running.
    private func export(_ results: ExportResults, _ board: ProgressDisplay) async throws -> Bool {
        var request = request
        if case .file(let path) = request.program?.source { request.programText = try TextFile.read(path) }
        let names = try ExportValidator.names(of: request)
        let choices = try await request.connections(in: environment)
        var merchants: [Result<ExportMerchant, any Error>] = []
        for choice in choices {
            do {
                let merchant = try await ExportMerchant(request, choice, in: environment)
                results.watch(merchant.pause)
                merchants.append(.success(merchant))
            } catch {
                guard choices.count > 1, !(error is CancellationError) else {
                    // Without a sign-in, report a request that makes no sense first.
                    if error is CoreError {
                        _ = try await ExportValidator(request, merchantID: nil, in: environment).plans()
                    }
                    throw error
                }
                merchants.append(.failure(error))
            }
        }
        let found = merchants.compactMap { if case .success(let merchant) = $0 { merchant } else { nil } }
        // Reject a request that makes no sense before creating anything or sending a request.
        let plans = try await ExportValidator(request, merchantID: found.first?.merchantID, in: environment).plans()
        if let jitter = request.jitter { try await environment.sleep(Double.random(in: 0...jitter)) }
        guard let target = try await ExportDestination.open(request, found, plans, names, results, in: environment)
        else {
            return true
        }
        try await expect(plans.map(\.name), of: Array(zip(choices, merchants)), at: target, results)
        let missing = try await MissingFiles(plans.map(\.name), of: found, at: target)
        if request.missingFiles == .accept { try await missing.accept(at: target, environment.diagnostics) }
        var firstError: (any Error)?
        for (choice, result) in zip(choices, merchants) {
            // Number of entries that were not started.
            var left = if case .success = result { plans.count } else { 1 }
            do {
                var merchant = try result.get()
                let client = merchant.client
                defer { results.add(client.statistics) }
                if needsZone(names) { merchant = try await merchant.located(request) }
                let plans = try request.resources.map {
                    try ResourcePlan($0, request, merchantID: merchant.merchantID)
                }
                let owner = merchant
                let lines = plans.map { plan in
                    ExportProgress(plan.name, owner, request, on: board, results)
                }
                for (resource, line) in zip(plans, lines) {
                    let place = results.begin(Self.entry(resource.name, of: merchant))
                    left -= 1
                    line.begin(place)
                    do {
                        try await ResourceExport(
                            request: request, merchant: merchant, target: target, names: names, results: results,
                            environment: environment
                        ).run(resource, at: place)
                    } catch {
                        try await note(error, at: place, results, target)
                        firstError = firstError ?? error
                    }
                }
            } catch {
                // A mistyped resource fails for every merchant, so it ends the run.
                guard choices.count > 1, !(error is CancellationError), !Self.isMistyped(error),
                    let facts = describe(error)
                else { throw error }
                if case .success(let merchant) = result {
                    for plan in plans.suffix(left) {
                        try await fail(
                            plan.name, of: merchant.merchantID, at: merchant.connection.environment.name, facts,
                            (target.store, target.identifier))
                    }
                }
                results.leaveOut(left, for: ExportResults.Resource(Self.everything, of: choice.profile ?? "?"), facts)
                firstError = firstError ?? error
            }
        }
        try finish(results, firstError, missing: try await missing.left(after: request, at: target), at: target)
        return false
    }

    /// Records what is going to be exported before the export starts, so that resources the run never reaches are known.
    private func expect(
        _ resources: [String], of merchants: [(ConnectionChoice, Result<ExportMerchant, any Error>)],
        at target: ExportDestination, _ results: ExportResults
    ) async throws {
        let now = environment.clock.wall()
        for (choice, result) in merchants {
            guard case .success(let merchant) = result else {
                results.expect([ExportResults.Resource(Self.everything, of: choice.profile ?? "?")])
                continue
            }
            try await target.store.ask(
                resources, destination: target.identifier, environment: merchant.connection.environment.name,
                merchant: merchant.merchantID, profile: merchant.profile, now: now)
            results.expect(resources.map { Self.entry($0, of: merchant) })
        }
        results.found(target.store, target.identifier)
    }

    private static func entry(_ resource: String, of merchant: ExportMerchant) -> ExportResults.Resource {
        ExportResults.Resource(resource, of: merchant.merchantID, at: merchant.connection.environment.name)
    }

    private static func isMistyped(_ error: any Error) -> Bool {
        switch error {
        case is QueryError, is ExportAPIError: true
        case ExportError.unknownResource, ExportError.unknownPart, ExportError.unknownField, ExportError.notRecords:
            true
        default: false
        }
    }

    /// Records a resource's failure so that the run can continue; rethrows an error that concerns the whole run.
    private func note(
        _ error: any Error, at place: Int, _ results: ExportResults, _ target: ExportDestination
    ) async throws {
        guard !(error is CancellationError), !Task.isCancelled, let facts = describe(error) else { throw error }
        results.change(place) { $0.failure = facts }
        let resource = results.resources[place]
        guard let service = resource.environment else { return }
        try await fail(
            resource.name, of: resource.merchant, at: service, facts, (target.store, target.identifier))
    }

    private func finish(
        _ results: ExportResults, _ firstError: (any Error)?, missing: [ExportDirectory.LostFile],
        at target: ExportDestination
    ) throws {
        let isMissing =
            missing.isEmpty
            ? nil
            : ExportFailure.filesMissing(
                missing.map(\.text), directory: target.directory?.path ?? "",
                exportWasTried: request.missingFiles == .export, hasChanged: missing.contains { $0.size != nil })
        let failed = results.resources.filter { $0.failure != nil }
        guard let firstError, let first = failed.first?.failure else {
            if let isMissing { throw isMissing }
            return
        }
        // Reported in addition to the failures.
        if let isMissing, let facts = describe(isMissing) { environment.diagnostics.warning(facts.message) }
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
        if request.range.isDay || RangeTimes.needsZone(request) { return true }
        return request.directory != nil && names.has(.date)
    }
}

/// How a run ends that is not complete, where no single error describes it.
package enum ExportFailure: Error, Sendable, Equatable {
    /// `--max-time` ran out. `progress` has a line on the published windows of each unfinished resource, `notReached`
    /// names the resources that were not started, and `obstacle` says what the run was waiting for, where known.
    case timeRanOut(seconds: Double, progress: [String], notReached: [String], obstacle: String?)
    /// Some windows of a resource could not be read; the others are published.
    case windowsMissing(WindowsMissing)
    /// The export is complete, but files that earlier runs published are missing; `hasChanged`: some are there, but have
    /// another size.
    case filesMissing([String], directory: String, exportWasTried: Bool, hasChanged: Bool)
    /// Some resources failed, each named on standard error; `done` of them succeeded.
    case someFailed([String], done: Int)
    /// All resources failed, each named on standard error. The status is that of the first failure.
    case allFailed([String], status: Int32)
    /// `export status --fail-if-older-than`: the last export of these is older than the limit, or there was none.
    case stale([String], limit: String)
    /// `export status` has nothing to show.
    case nothingExported(directory: String?)

    /// What is missing of a resource, and why.
    package struct WindowsMissing: Sendable, Equatable {
        package var resource: String
        /// The time ranges that could not be read, oldest first; adjacent ranges are merged.
        package var spans: [TimeWindow]
        /// The time ranges that were not tried after that, in the same form.
        package var untried: [TimeWindow]
        /// Number of windows of the run, and how many of them are done.
        package var windows: Int
        package var done: Int
        /// Whether the next run resumes with them; an export to standard output starts over.
        package var isResumable: Bool
        /// Cause of the first failure, such as `503`.
        package var cause: String
        /// Whether more retries may help.
        package var mayHelpToRetry: Bool
    }
}

/// One merchant of a run, with its connection and client.
struct ExportMerchant: Sendable {
    let connection: Connection
    let client: ServiceClient
    /// The rate limit's pause, if the service imposed one.
    let pause = RateLimitPause()
    let profile: String?
    /// Time zone of dates and business days; nil when the run needs none.
    private(set) var zone: TimeZoneRules?

    var merchantID: String { connection.merchantID }

    /// Makes the client, without sending a request.
    init(_ request: ExportRequest, _ choice: ConnectionChoice, in environment: CommandEnvironment) async throws {
        connection = try await Connection.resolve(choice, in: environment)
        profile = try await choice.completed(in: environment).profile
        var pacing = request.pacing
        pacing.pacingClass = .bulk
        pacing.command = "export " + request.resources.map { $0.prefix { $0 != "?" } }.joined(separator: " ")
        client = try connection.makeClient(
            retries: request.maximumRetries, pacing: pacing, pause: pause, in: environment)
    }

    /// A copy with its time zone, for a run that writes dates or selects a business day.
    func located(_ request: ExportRequest) async throws -> ExportMerchant {
        var merchant = self
        if let zone = try request.namedZone {
            merchant.zone = zone
        } else {
            let facts = try await MerchantSettings.read(client, merchantID: merchantID, isNeeded: true)
            merchant.zone = try facts.clocks(of: merchantID, option: "--time-zone")
        }
        return merchant
    }
}
