import CloverAPI
import CloverExport
import CloverJSON
import CloverOutput
import Synchronization

/// Exports one window: reads it to its end, writes it, and only then publishes the files under their names.
struct WindowExport: Sendable {
    let request: ExportRequest
    let resource: ResourcePlan
    let merchant: ExportMerchant
    let target: ExportDestination
    let stream: ExportStream
    let names: NameTemplate
    /// The business day of `--day`; nil for any other range.
    let day: ExportedDay?
    /// Creation time of the list's oldest record, in milliseconds since 1970; nil where it does not matter.
    let beginning: Int64?
    let environment: CommandEnvironment
    let memory = LargestPageTracker()

    struct Outcome: Sendable {
        var end: ExportStore.WindowEnd
        var bytes = 0
        /// Growing files that already contained the window.
        var skippedFiles: [String] = []
    }

    /// Exports a window.
    ///
    /// - Parameters:
    ///   - plan: the plan that the window belongs to.
    ///   - known: record versions that must not be exported again.
    ///   - record: stores the plan when the first page arrives.
    ///   - onProgress: receives the window's progress, page by page.
    func run(
        _ window: PlannedWindow, of plan: ExportPlan, known: [String: ExportedVersions.Version],
        record: PlanRecorder, onProgress: (ListProgress) -> Void
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

    /// Reads the window and publishes its files.
    private func fill(
        _ outputs: WindowOutputs, _ window: PlannedWindow, of plan: ExportPlan,
        known: [String: ExportedVersions.Version], _ record: PlanRecorder, _ onProgress: (ListProgress) -> Void
    ) async throws -> Outcome {
        let before = merchant.client.statistics
        let (reports, seen, content) = try await read(
            window, of: plan, known: known, into: outputs, record, onProgress)
        // An empty window has no page that stored the plan.
        try await record.write()
        var end = ExportStore.WindowEnd(
            records: Int64(outputs.records?.counts.records ?? 0), newest: seen.newest, found: seen.found)
        if window.field == nil {
            end.content = content.text(choice: request.outputChoice)
            if end.content == stream.content, plan.skipsKnownRecords {
                // Nothing changed: publish no file.
                for output in outputs.all { try await outputs.discard(output) }
                end.records = 0
                return Outcome(end: end)
            }
        }
        return try await publish(
            outputs, reports, window, of: record.plan, merchant.client.statistics.since(before), end)
    }

    /// Publishes the files of a window that have records.
    private func publish(
        _ outputs: WindowOutputs, _ reports: [FilterReport], _ window: PlannedWindow, of plan: ExportPlan,
        _ statistics: ServiceClient.Statistics, _ end: ExportStore.WindowEnd
    ) async throws -> Outcome {
        var outcome = Outcome(end: end)
        var statistics = statistics
        for (output, report) in zip(outputs.all, reports) {
            // A day without records gets an empty file.
            guard report.results > 0 || day != nil else {
                try await outputs.discard(output)
                continue
            }
            guard let file = try await outputs.publish(output, report, window, of: plan, statistics) else {
                if request.appends, let name = output.name { outcome.skippedFiles.append(name.path) }
                continue
            }
            outcome.end.files.append(file)
            outcome.bytes += output.bytes
            // Parts came with the records: count the requests once.
            statistics = ServiceClient.Statistics()
        }
        return outcome
    }

    private func read(
        _ window: PlannedWindow, of plan: ExportPlan, known: [String: ExportedVersions.Version],
        into outputs: WindowOutputs, _ record: PlanRecorder,
        _ onProgress: (ListProgress) -> Void
    ) async throws -> ([FilterReport], ExportedVersions, ContentChecksum) {
        let inspection = try RecordInspection(
            resource.path, isEnvelope: false, showsSensitive: request.showsSensitive, validates: false,
            environment.diagnostics)
        let state = Mutex(
            (
                seen: ExportedVersions(
                    known: known, field: resource.tracking.field, newest: plan.newest, end: plan.finish,
                    overlap: request.effectiveOverlap), content: ContentChecksum()
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
            // Each file of a service export counts as a page.
            progress.pages += 1
            progress.records += batch.records.count
            onProgress(progress)
            return try await deliver(batch)
        }
        return nil
    }
}

/// The business day that a run exports with `--day`.
struct ExportedDay: Sendable, Equatable {
    /// The date on which it begins, such as `2026-11-20`.
    var date: String
    /// End, in milliseconds since 1970.
    var end: Int64
}

/// Stores a plan when its first page arrives, which is when there is something to resume.
///
/// A plan whose first request is refused is not stored, so that the next run, with another token, makes its own.
actor PlanRecorder {
    /// The plan, with its row once it is stored.
    private(set) var plan: ExportPlan
    private let store: ExportStore
    private let stream: Int64

    init(_ plan: ExportPlan, of stream: ExportStream, in store: ExportStore) {
        self.plan = plan
        self.stream = stream.place
        self.store = store
    }

    /// Stores the plan unless that was done. Never called concurrently: a run reads one page after the other.
    func write() async throws {
        if plan.place == 0 { plan = try await store.add(plan, to: stream) }
    }
}

/// Adds the merchant to each record, in the form of Clover's own references: `"merchant":{"id":"M"}`, as first member.
struct MerchantTag {
    private let member: [UInt8]

    init(_ merchantID: String) {
        member = Array("{\"merchant\":{\"id\":\(JSONString.quoted(merchantID))}".utf8)
    }

    /// The records with the tag. A record that is not an object stays unchanged.
    func tagged(_ batch: RecordBatch) -> RecordBatch {
        var result = RecordBatch()
        result.bytes.reserveCapacity(batch.bytes.count + batch.records.count * (member.count + 1))
        batch.bytes.withUnsafeBytes { bytes in
            for record in batch.records {
                RecordBatch.prefixed(UnsafeRawBufferPointer(rebasing: bytes[record.range]), with: member)
                    .withUnsafeBytes { result.append($0) }
            }
        }
        return result
    }
}
