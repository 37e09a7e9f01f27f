import CloverAPI
import CloverExport
import CloverRecords
import Synchronization

/// One window of an export: read to its end, written, and only then given its name.
struct WindowExport: Sendable {
    let request: ExportRequest
    let resource: ResourcePlan
    let merchant: ExportMerchant
    let target: ExportTarget
    let stream: ExportStream
    let names: NameTemplate
    /// Nil for a run over any other range.
    let day: ExportedDay?
    /// Where the list begins; nil where that does not matter.
    let beginning: Int64?
    let environment: CommandEnvironment
    let memory = PageMemory()

    struct Outcome: Sendable {
        var end: ExportStore.WindowEnd
        var bytes = 0
        /// Files that grow and had it already.
        var had: [String] = []
    }

    /// - Parameters:
    ///   - known: what may not be exported again.
    ///   - plan: the run that the window belongs to.
    ///   - record: writes the plan down, with the first page.
    ///   - onProgress: gets how far the window is, page by page.
    func run(
        _ window: PlannedWindow, of plan: ExportPlan, known: [String: SeenRecords.Version],
        record: PlanRecord, onProgress: (ListProgress) -> Void
    ) async throws -> Outcome {
        let outputs = WindowOutputs(self)
        do {
            try await outputs.open(window, of: plan)
            return try await fill(outputs, window, of: plan, known: known, record, onProgress)
        } catch {
            await outputs.giveUp()
            throw error
        }
    }

    /// Reads the window, and gives its files their names.
    private func fill(
        _ outputs: WindowOutputs, _ window: PlannedWindow, of plan: ExportPlan,
        known: [String: SeenRecords.Version], _ record: PlanRecord, _ onProgress: (ListProgress) -> Void
    ) async throws -> Outcome {
        let before = merchant.client.statistics
        let (reports, seen, content) = try await read(
            window, of: plan, known: known, into: outputs, record, onProgress)
        // There was no page of an empty window.
        try await record.write()
        var end = ExportStore.WindowEnd(
            records: Int64(outputs.records?.counts.records ?? 0), newest: seen.newest, found: seen.found)
        if window.field == nil {
            end.content = content.text(choice: request.outputChoice)
            if end.content == stream.content, plan.dropsKnown {
                // That nothing changed is told by no file.
                for output in outputs.all { try await outputs.discard(output) }
                end.records = 0
                return Outcome(end: end)
            }
        }
        return try await publish(
            outputs, reports, window, of: record.plan, merchant.client.statistics.since(before), end)
    }

    /// Gives the files of a window their names, as far as there is anything in them.
    private func publish(
        _ outputs: WindowOutputs, _ reports: [FilterReport], _ window: PlannedWindow, of plan: ExportPlan,
        _ statistics: ServiceClient.Statistics, _ end: ExportStore.WindowEnd
    ) async throws -> Outcome {
        var outcome = Outcome(end: end)
        var statistics = statistics
        for (output, report) in zip(outputs.all, reports) {
            // A day without records is told by an empty file.
            guard report.results > 0 || day != nil else {
                try await outputs.discard(output)
                continue
            }
            guard let file = try await outputs.publish(output, report, window, of: plan, statistics) else {
                if request.appends, let name = output.name { outcome.had.append(name.path) }
                continue
            }
            outcome.end.files.append(file)
            outcome.bytes += output.bytes
            // Parts came with the records.
            statistics = ServiceClient.Statistics()
        }
        return outcome
    }

    private func read(
        _ window: PlannedWindow, of plan: ExportPlan, known: [String: SeenRecords.Version],
        into outputs: WindowOutputs, _ record: PlanRecord,
        _ onProgress: (ListProgress) -> Void
    ) async throws -> ([FilterReport], SeenRecords, ContentSum) {
        let inspection = try RecordInspection(
            resource.path, isEnvelope: false, showsSensitive: request.showsSensitive, validates: false,
            environment.diagnostics)
        let state = Mutex(
            (
                seen: SeenRecords(
                    known: known, field: resource.tracking.field, newest: plan.newest, end: plan.finish,
                    overlap: request.effectiveOverlap), content: ContentSum()
            ))
        let tag = request.tagsMerchant ? MerchantTag(merchant.merchantID) : nil
        let readers = try resource.parts.map {
            try PartReader($0, request, resource, merchant, now: plan.startedAt, in: environment)
        }
        var missing: CoreError?
        let problem = try await readRecords(window, of: plan, onProgress) { batch in
            try await record.write()
            var batch = batch
            state.withLock { state in
                if window.field == nil { state.content.add(batch) } else { state.seen.drop(from: &batch) }
            }
            var shown = try inspection.pass(batch)
            for (place, part) in resource.parts.enumerated() {
                let (records, pieces) = part.split(shown)
                shown = records
                let shortfall = try await readers[place].read(pieces) { asked in
                    if window.field == nil { state.withLock { $0.content.add(asked) } }
                } deliver: { entries in
                    _ = try await outputs.parts[place].consume(tag?.tagged(entries) ?? entries)
                }
                missing = missing ?? shortfall
            }
            return try await outputs.records?.consume(tag?.tagged(shown) ?? shown) ?? .more
        }
        var reports: [FilterReport] = []
        for output in outputs.all { reports.append(try await output.finish()) }
        inspection.finish()
        for reader in readers { reader.finish() }
        if reports.contains(where: { $0.halt != nil }) { throw ExportError.programHalted }
        for (output, report) in zip(outputs.all, reports) where report.failures > 0 {
            throw ExportError.recordsFailed(
                report.failures, first: output.firstFailure ?? "",
                isProgram: request.program != nil && output === outputs.records, isFile: output.name != nil)
        }
        if let problem = problem ?? missing { throw problem }
        return state.withLock { state in
            state.seen.prune()
            return (reports, state.seen, state.content)
        }
    }

    /// - Returns: what is missing although the window was read to its end.
    private func readRecords(
        _ window: PlannedWindow, of plan: ExportPlan, _ onProgress: (ListProgress) -> Void,
        _ deliver: (RecordBatch) async throws -> RecordFlow
    ) async throws -> CoreError? {
        guard ServiceExport.isMeant(plan) else {
            return try await resource.read(
                window, from: merchant.client, start: plan.startedAt, beginning: beginning, memory: memory,
                onPage: onProgress, deliver: deliver)
        }
        var progress = ListProgress()
        try await ServiceExport(resource, merchant, target.store, in: environment).read(window, of: plan) { batch in
            // Its files are its pages.
            progress.pages += 1
            progress.records += batch.records.count
            onProgress(progress)
            return try await deliver(batch)
        }
        return nil
    }
}
