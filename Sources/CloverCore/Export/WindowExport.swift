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
    /// The date of a business day.
    let day: String?
    let environment: CommandEnvironment

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
        let outputs = WindowOutputs(self)
        do {
            try await outputs.open(window)
            let (reports, seen, content) = try await read(window, of: plan, known: known, into: outputs.all)
            var outcome = Outcome(
                end: ExportStore.WindowEnd(
                    records: Int64(outputs.all[0].counts.records), newest: seen.newest, found: seen.found))
            if window.field == nil { outcome.end.content = content.text(choice: request.outputChoice) }
            let isUnchanged =
                outcome.end.content != nil && outcome.end.content == stream.content && plan.dropsKnown
            if isUnchanged { outcome.end.records = 0 }
            var statistics = merchant.client.statistics.since(before)
            for (output, report) in zip(outputs.all, reports) {
                // A day without records is told by an empty file; that nothing changed, by none.
                guard !isUnchanged, report.results > 0 || day != nil else {
                    try await outputs.discard(output)
                    continue
                }
                guard let file = try await outputs.publish(output, report, window, statistics) else { continue }
                outcome.end.files.append(file)
                outcome.bytes += output.bytes
                // Parts came with the records.
                statistics = ServiceClient.Statistics()
            }
            return outcome
        } catch {
            await outputs.giveUp()
            throw error
        }
    }

    private func read(
        _ window: PlannedWindow, of plan: ExportPlan, known: [String: SeenRecords.Version],
        into outputs: [ExportOutput]
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
        let problem = try await readRecords(window, of: plan) { batch in
            var batch = batch
            state.withLock { state in
                if window.field == nil { state.content.add(batch) } else { state.seen.drop(from: &batch) }
            }
            var shown = try inspection.pass(batch)
            for (part, output) in zip(resource.parts, outputs.dropFirst()) {
                let (records, entries) = part.split(shown)
                shown = records
                _ = try await output.consume(tag?.tagged(entries) ?? entries)
            }
            return try await outputs[0].consume(tag?.tagged(shown) ?? shown)
        }
        var reports: [FilterReport] = []
        for output in outputs { reports.append(try await output.finish()) }
        inspection.finish()
        if reports.contains(where: { $0.halt != nil }) { throw ExportError.programHalted }
        for report in reports { try RecordPrinting(program: request.program).check(report) }
        if let problem { throw problem }
        return state.withLock { state in
            state.seen.prune()
            return (reports, state.seen, state.content)
        }
    }

    /// - Returns: what is missing although the window was read to its end.
    private func readRecords(
        _ window: PlannedWindow, of plan: ExportPlan, _ deliver: (RecordBatch) async throws -> RecordFlow
    ) async throws -> CoreError? {
        if ServiceExport.isMeant(plan) {
            try await ServiceExport(resource, merchant, target.store, in: environment).read(
                window, of: plan, deliver)
            return nil
        }
        return try await resource.read(window, from: merchant.client, deliver: deliver)
    }
}
