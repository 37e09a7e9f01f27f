import CloverAPI
import CloverAuth
import CloverCompression
import CloverExport
import CloverHTTP
import CloverRecords
import CloverThreads
import Synchronization

/// One window of an export: read to its end, written, and only then given its name.
struct WindowExport: Sendable {
    let request: ExportRequest
    let resource: ResourcePlan
    let merchant: ExportMerchant
    let target: ExportTarget
    let stream: ExportStream
    let names: NameTemplate
    /// The date of a business day.
    let day: String?
    let environment: CommandEnvironment
    /// Called with records as they come.
    let onRecords: @Sendable (Int) -> Void

    struct Outcome: Sendable {
        var end: ExportStore.WindowEnd
        var bytes = 0
    }

    /// - Parameters:
    ///   - known: what may not be exported again.
    ///   - plan: the run that the window belongs to.
    func run(
        _ window: PlannedWindow, of plan: ExportPlan, known: [String: SeenRecords.Version]
    ) async throws -> Outcome {
        let before = merchant.client.statistics
        let output = try await makeOutput(resource.name, number: 0, resource.path)
        do {
            let (report, seen, content) = try await read(window, of: plan, known: known, into: output)
            var outcome = Outcome(
                end: ExportStore.WindowEnd(
                    records: Int64(output.counts.records), newest: seen.newest, found: seen.found))
            if window.field == nil { outcome.end.content = content.text(choice: request.outputChoice) }
            let isUnchanged =
                outcome.end.content != nil && outcome.end.content == stream.content && plan.dropsKnown
            if isUnchanged || report.results == 0 && day == nil || target.directory == nil {
                try await DedicatedThread.run { try output.discard() }
                if isUnchanged { outcome.end.records = 0 }
                return outcome
            }
            let file = try await publish(
                output, report, window, statistics: merchant.client.statistics.since(before))
            if let file {
                outcome.end.files = [file]
                outcome.bytes = output.bytes
            }
            return outcome
        } catch {
            await discard(output)
            throw error
        }
    }

    /// The error that ends the window is the one to report; the next run removes what stays.
    private func discard(_ output: ExportOutput) async {
        do {
            try await DedicatedThread.run { try output.discard() }
        } catch {
            environment.diagnostics.detail("\(error)")
        }
    }

    private func makeOutput(_ name: String, number: Int, _ path: ResourcePath) async throws -> ExportOutput {
        let file = try target.directory?.makeFile(number)
        let printing = RecordPrinting(program: request.program, format: request.format, isJSON: true)
        var choice = environment
        choice.terminal.isOutputTerminal = false
        let plan = try printing.plan(.of(path.endpoint), in: choice)
        let guide = FieldGuide(path, model: path.endpoint?.model, expand: resource.expand)
        try guide.check(request.format.fields)
        return try await ExportOutput(
            name, file: file, compression: request.compression, in: environment
        ) { environment in
            try await printing.makeFilter(
                plan, guide, merchant.client, merchantID: merchant.merchantID, in: environment)
        }
    }

    private func read(
        _ window: PlannedWindow, of plan: ExportPlan, known: [String: SeenRecords.Version],
        into output: ExportOutput
    ) async throws -> (FilterReport, SeenRecords, ContentSum) {
        let query = try resource.query(window)
        let pager = RecordPager(
            client: merchant.client, path: resource.path, query: query, isChecked: true, now: window.to)
        let inspection = try RecordInspection(
            resource.path, isEnvelope: false, showsSensitive: request.showsSensitive, validates: false,
            environment.diagnostics)
        let state = Mutex(
            (
                seen: SeenRecords(
                    known: known, field: resource.tracking.field, newest: plan.newest, end: plan.finish,
                    overlap: Int64((request.overlap * 1000).rounded())), content: ContentSum()
            ))
        let tag = request.tagsMerchant ? MerchantTag(merchant.merchantID) : nil
        let summary = try await pager.run(plan: resource.pages) { batch in
            var batch = batch
            state.withLock { state in
                if window.field == nil { state.content.add(batch) } else { state.seen.drop(from: &batch) }
            }
            onRecords(batch.records.count)
            var shown = try inspection.pass(batch)
            if let tag { shown = tag.tagged(shown) }
            return try await output.consume(shown)
        }
        let report = try await output.finish()
        inspection.finish()
        if report.halt != nil { throw ExportError.programHalted }
        try RecordPrinting(program: request.program).check(report)
        if let problem = problem(summary, query, now: window.to) { throw problem }
        return state.withLock { state in
            state.seen.prune()
            return (report, state.seen, state.content)
        }
    }

    /// What is missing in the window although it was read to its end.
    private func problem(_ summary: RecordPager.Summary, _ query: RecordQuery, now: Int64) -> CoreError? {
        let name = resource.name
        if !summary.isWhole {
            let field = HistoryLimit.rule(of: resource.path, for: query)?.timeField
            return .incomplete(Shortfall(path: name, timeField: field, summary: summary))
        }
        if resource.pages != nil, summary.windowCount == nil, HistoryLimit.mayCut(query, of: resource.path, now: now) {
            return .historyLimited(path: name, days: HistoryLimit.days, records: summary.records)
        }
        return nil
    }

    /// Gives the window its name, or adds it to the file that has it.
    ///
    /// - Returns: nil when the same bytes have that name already.
    private func publish(
        _ output: ExportOutput, _ report: FilterReport, _ window: PlannedWindow,
        statistics: ServiceClient.Statistics
    ) async throws -> PublishedFile? {
        guard let directory = target.directory else { return nil }
        let path = names.path(
            NameTemplate.Values(
                resource: output.resource, merchant: merchant.merchantID, profile: merchant.profile, window: window,
                day: day, date: merchant.zone.map { BusinessDay.date(of: window.to - 1, in: $0) },
                format: (request.format.format ?? .ndjson).rawValue, suffix: request.compression?.suffix ?? ""))
        let line = { (offset: Int64?) in
            ManifestLine(
                path: path, resource: output.resource, merchant: merchant, window: window, day: day,
                counts: output.counts, results: report.results, bytes: output.bytes, sha256: output.sha256,
                offset: offset, statistics: statistics, now: environment.clock.wall(), version: request.version
            ).text
        }
        let offset: Int64?
        if request.appends {
            let size = try directory.size(of: path) ?? 0
            try await target.store.intend(path, size: size, in: target.identifier)
            try await DedicatedThread.run { try output.append(to: path, at: size, in: directory) }
            offset = size
        } else {
            guard try await mayTake(path, window, output) else {
                try await DedicatedThread.run { try output.discard() }
                return nil
            }
            try await target.store.intend(path, size: nil, in: target.identifier)
            try await DedicatedThread.run { try output.publish(as: path, in: directory) }
            offset = nil
        }
        return PublishedFile(
            path: path, resource: output.resource, window: window, sha256: output.sha256, line: line(offset))
    }

    /// Whether the name is free, or that of the same window before.
    private func mayTake(_ path: String, _ window: PlannedWindow, _ output: ExportOutput) async throws -> Bool {
        guard let directory = target.directory, try directory.size(of: path) != nil else { return true }
        guard let owner = try await target.store.owner(of: path, in: target.identifier) else {
            // What a run gave the name to before it was killed is ours, too.
            let intentions = try await target.store.intentions(in: target.identifier)
            if intentions.contains(where: { $0.path == path }) { return true }
            throw ExportError.foreignFile(path: directory.path + "/" + path)
        }
        let isSame = owner.stream == stream.place && owner.resource == output.resource
        guard isSame, owner.window == window || owner.window.field == nil && window.field == nil else {
            let bounds = owner.window.from.map { Shortfall.text(TimeWindow(from: $0, to: owner.window.to)) }
            throw ExportError.nameTaken(
                path: directory.path + "/" + path,
                by: "\(owner.resource) \(bounds ?? InstantText.utc(milliseconds: owner.window.to))")
        }
        return owner.sha256 != output.sha256
    }
}
