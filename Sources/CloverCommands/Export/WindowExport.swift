import CloverAPI
import CloverCore
import CloverExport
import CloverJSON
import CloverOutput

/// Exports one window: reads it to its end, writes it, and only then publishes the files under their names.
final class WindowExport {
    private let export: ResourceExport
    let window: PlannedWindow
    /// The plan that the window belongs to. It is stored with its first page, which is when there is something to resume:
    /// a plan whose first request is refused is not stored, so that the next run, with another token, makes its own.
    private(set) var plan: ExportPlan
    /// The business day of `--day`; nil for any other range.
    let day: ExportedDay?

    /// Output of the records; nil when only parts are written.
    private var records: ExportOutput?
    /// Outputs of the parts, in the order of the resource's parts.
    private var parts: [ExportOutput] = []
    private var seen: ExportedVersions
    private var content = ContentChecksum()

    struct Outcome {
        var end = ExportStore.WindowEnd()
        var bytes = 0
        /// Number of records on which the jq program failed, and the description of the first.
        var failed = 0
        var firstFailure: String?
        /// Growing files that already contained the window.
        var skippedFiles: [String] = []
    }

    /// - Parameter known: record versions that must not be exported again.
    init(
        _ export: ResourceExport, _ window: PlannedWindow, of plan: ExportPlan, day: ExportedDay?,
        known: [String: ExportedVersions.Version]
    ) {
        self.export = export
        self.window = window
        self.plan = plan
        self.day = day
        seen = ExportedVersions(
            known: known, field: export.resource.tracking.field, newest: plan.newest, end: plan.finish,
            overlap: export.request.range.effectiveOverlap)
    }

    var request: ExportRequest { export.request }
    var resource: ResourcePlan { export.resource }
    var merchant: ExportMerchant { export.merchant }
    var stream: ExportStream { export.stream }
    var names: NameTemplate { export.names }
    var environment: CommandEnvironment { export.environment }
    private var outputs: [ExportOutput] { [records].compactMap(\.self) + parts }

    /// Exports the window.
    ///
    /// - Parameters:
    ///   - beginning: creation time of the list's oldest record, in milliseconds since 1970; nil where it does not matter.
    ///   - largestPage: the largest number of records on a page of the list so far.
    ///   - onProgress: receives the window's progress, page by page.
    func run(beginning: Int64?, largestPage: inout Int, onProgress: (ListProgress) -> Void) async throws -> Outcome {
        do {
            try await open()
            let before = merchant.client.statistics
            let reports = try await read(beginning: beginning, largestPage: &largestPage, onProgress)
            // An empty window has no page that stored the plan.
            try await storePlan()
            return try await publish(reports, merchant.client.statistics.since(before))
        } catch {
            await giveUp()
            throw error
        }
    }

    // MARK: Outputs

    /// Creates the outputs after checking that their names are available.
    private func open() async throws {
        if resource.partsOnly == nil {
            records = try await output(
                resource.name, request, model: resource.path.endpoint?.model,
                schema: try .of(resource.path.endpoint, expand: request.expand),
                FieldValidator(resource.path, model: resource.path.endpoint?.model, expand: resource.expand))
        }
        for part in resource.parts {
            let name = resource.name(of: part)
            parts.append(
                try await output(
                    name, request.ofPart(name), model: part.model, schema: try part.schema,
                    FieldValidator(resource.path, model: part.model, expand: [], name: name)))
        }
    }

    private func output(
        _ name: String, _ request: ExportRequest, model: String?, schema: RecordSchema, _ guide: FieldValidator
    ) async throws -> ExportOutput {
        let staged = try await export.target.stage(name, request, outputs.count, in: self)
        var (format, schema) = (request.format, schema)
        if staged?.omitsHeader == true {
            format.hasHeader = false
            format.hasByteOrderMark = false
        }
        if let columns = export.columns[name] {
            schema.columns = columns.map { RecordColumn($0, kind: schema.kind($0)) }
        }
        try guide.check(format.fields)
        if request.tagsMerchant, request.program == nil { try schema.addMerchant(to: &format) }
        let isProgram = name == resource.name && request.program != nil
        let failed =
            isProgram && !request.isStrict && staged != nil
            ? export.target.failedRecords(name, request, in: self) : nil
        let firstFailure = FirstFailure { failed?.add($0) }
        var printing = RecordPrinting(
            program: request.program, format: format, isJSON: true, firstFailure: firstFailure)
        printing.isNewNotice = { [results = export.results] in results.isNew(notice: $0) }
        let plan = try printing.plan(schema, in: environment)
        let output = try await ExportOutput(
            name, staged, model: model, lists: ReferenceNames.lists(plan, ofModel: model),
            compression: request.compression, firstFailure: firstFailure, failed: failed, in: environment
        ) { environment in
            if let writer = try await export.target.writer(name, model: model, in: self) { return writer }
            return try await printing.makeFilter(
                plan, guide, merchant.client, merchantID: merchant.merchantID, in: environment)
        }
        output.log = try await export.target.changeLog(of: output, request, outputs.count, in: self)
        return output
    }

    /// Discards all outputs. The error that ended the window is the one to report; the next run removes what cannot be
    /// removed now.
    private func giveUp() async {
        for output in outputs {
            do {
                try await output.discard()
            } catch {
                environment.diagnostics.detail("\(error)")
            }
        }
    }

    // MARK: Records

    private func storePlan() async throws {
        if plan.place == 0 { plan = try await export.target.store.add(plan, to: stream.place) }
    }

    /// Reads the window's records into the outputs.
    private func read(
        beginning: Int64?, largestPage: inout Int, _ onProgress: (ListProgress) -> Void
    ) async throws -> [FilterReport] {
        let inspection = try RecordInspection(
            resource.path, isEnvelope: false, showsSensitive: request.showsSensitive, validates: false,
            environment.diagnostics)
        let readers = try resource.parts.map { try PartReader($0, of: self) }
        var missing: CoreError?
        let problem = try await readRecords(beginning: beginning, largestPage: &largestPage, onProgress) { batch in
            try await storePlan()
            var batch = batch
            if window.field == nil { content.add(batch) } else { seen.drop(from: &batch) }
            var shown = try inspection.pass(batch)
            var pieces: [[ExportPart.Piece]] = []
            for part in resource.parts {
                let (rest, found) = part.split(shown)
                shown = rest
                pieces.append(found)
            }
            // Records before their entries, so that a database knows which version of a record they belong to.
            var flow = RecordFlow.more
            if let records {
                flow = try await write(shown, to: records)
            } else {
                // A list that is empty by now has no entry that names its record.
                let ids = shown.records.compactMap { shown.id(of: $0) }
                for part in parts { try await part.addParents(ids) }
            }
            for place in resource.parts.indices {
                let shortfall = try await readers[place].read(pieces[place]) { asked in
                    if window.field == nil { content.add(asked) }
                } deliver: { entries in
                    _ = try await write(entries, to: parts[place])
                }
                missing = missing ?? shortfall
            }
            return flow
        }
        var reports: [FilterReport] = []
        for output in outputs { reports.append(try await output.finish()) }
        inspection.finish()
        for reader in readers { reader.finish() }
        if reports.contains(where: { $0.halt != nil }) { throw ExportError.programHalted }
        for (output, report) in zip(outputs, reports) where report.failures > 0 && !output.keepsFailures {
            throw ExportError.recordsFailed(
                report.failures, first: output.firstFailure ?? "",
                isProgram: request.program != nil && output === records, isFile: output.staged != nil)
        }
        if let problem = problem ?? missing { throw problem }
        seen.prune()
        return reports
    }

    /// - Returns: what is missing although the window was read to its end.
    private func readRecords(
        beginning: Int64?, largestPage: inout Int, _ onProgress: (ListProgress) -> Void,
        _ deliver: (RecordBatch) async throws -> RecordFlow
    ) async throws -> CoreError? {
        guard plan.isOfExportAPI else {
            let summary = try await resource.read(
                window, from: merchant.client, start: plan.startedAt, beginning: beginning, largestPage: &largestPage,
                onPage: onProgress, deliver: deliver)
            return ResourcePlan.problem(summary, of: resource.path, try resource.query(window), now: window.to)
        }
        var progress = ListProgress()
        try await ServiceExport.read(self, from: export.target.store) { batch in
            // Each file of a service export counts as a page.
            progress.pages += 1
            progress.records += batch.records.count
            onProgress(progress)
            return try await deliver(batch)
        }
        return nil
    }

    private func write(_ batch: RecordBatch, to output: ExportOutput) async throws -> RecordFlow {
        let named = try await merchant.names?.pass(batch, model: output.model, output.lists)
        let shown = named ?? batch
        return try await output.consume(request.tagsMerchant ? shown.tagged(merchant: merchant.merchantID) : shown)
    }

    /// Whether the window has all changes of its time, so that none is missing where it has no records.
    private var hasAllChanges: Bool {
        plan.range?.isContinuous ?? true || plan.range == .since && !plan.isOfExportAPI
    }

    /// Publishes the files that have records.
    private func publish(_ reports: [FilterReport], _ statistics: ServiceClient.Statistics) async throws -> Outcome {
        var outcome = Outcome()
        outcome.end.records = Int64(records?.records ?? 0)
        (outcome.end.newest, outcome.end.found) = (seen.newest, seen.found)
        if window.field == nil {
            // An earlier version had no current files.
            let isCurrent = records?.log != nil
            outcome.end.content = content.text(choice: request.outputChoice + (isCurrent ? "\ncurrent" : ""))
            if outcome.end.content == stream.content, plan.skipsKnownRecords {
                // Nothing changed: publish no file.
                for output in outputs { try await output.discard() }
                outcome.end.records = 0
                return outcome
            }
        }
        for (output, report) in zip(outputs, reports) where report.results > 0 || day != nil {
            try await export.target.checkRepetition(of: output, in: self)
        }
        if let records, let failed = records.failed, let staged = records.staged {
            if let file = try await export.target.publish(failed, of: staged, in: self) {
                outcome.end.files.append(file)
            }
            outcome.failed = failed.count
            outcome.firstFailure = records.firstFailure
        }
        var statistics = statistics
        for (output, report) in zip(outputs, reports) {
            // A day without records gets an empty file.
            // So does a list with a current file when its last record was removed.
            let isEmptied = report.results == 0 ? try await isPublished(output) : false
            guard report.results > 0 || day != nil || output.isCommitted || isEmptied else {
                try await output.discard()
                if hasAllChanges { outcome.end.empty.append(output.resource) }
                continue
            }
            if let log = output.log {
                if let file = try await export.target.publish(log, in: self) {
                    outcome.end.files.append(file)
                    outcome.bytes += log.bytes
                }
                outcome.end.listed[output.resource] = log.listed
            }
            guard let file = try await export.target.publish(output, report, in: self, statistics) else {
                if request.appends, let staged = output.staged { outcome.skippedFiles.append(staged.record.path) }
                continue
            }
            outcome.end.files.append(file)
            outcome.bytes += output.bytes
            // Parts came with the records: count the requests once.
            statistics = ServiceClient.Statistics()
        }
        return outcome
    }
}

extension WindowExport {
    /// Whether the file of a list in full was published before.
    private func isPublished(_ output: ExportOutput) async throws -> Bool {
        guard output.log != nil, let path = output.staged?.record.path else { return false }
        return try await export.target.store.owner(of: path, in: export.target.identifier) != nil
    }
}

extension RecordSchema {
    /// Adds the merchant's tag as first column.
    mutating func addMerchant(to format: inout FormatChoice) throws {
        let tag = try FieldPath.parsed("merchant.id")
        if !format.fields.isEmpty {
            if !format.fields.contains(tag) { format.fields.insert(tag, at: 0) }
        } else if !columns.isEmpty {
            columns.removeAll { $0.path == tag }
            columns.insert(RecordColumn(tag), at: 0)
        }
    }
}

/// The business day that a run exports with `--day`.
struct ExportedDay: Sendable, Equatable {
    /// The date on which it begins, such as `2026-11-20`.
    var date: String
    /// End, in milliseconds since 1970.
    var end: Int64
}

extension ServiceClient.Statistics {
    /// The difference to an earlier state.
    func since(_ earlier: Self) -> Self {
        var rest = self
        rest.requests -= earlier.requests
        rest.retries -= earlier.retries
        rest.secondsWaited -= earlier.secondsWaited
        return rest
    }
}
