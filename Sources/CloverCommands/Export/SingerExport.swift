import CloverAPI
import CloverAuth
import CloverCore
import CloverExport
import CloverJSON
import CloverOutput
import Synchronization

/// Runs `clover export --singer`: writes changes since the state that a Singer pipeline keeps, as Singer messages on
/// standard output (Singer specification). A state message always follows the records that it covers.
struct SingerExport: Sendable {
    let request: ExportRequest
    /// File with the last run's state; nil for none.
    let statePath: String?
    let environment: CommandEnvironment

    /// Writes every requested record, or throws. After an error, a run with the last state message repeats what followed
    /// it.
    func run() async throws {
        var merchant = try await ExportMerchant(request, request.connection, in: environment)
        if request.range.selection.isDay || request.range.needsZone {
            merchant = try await merchant.located(request, in: environment)
        }
        let name = merchant.connection.environment.name
        var state = SingerState(merchant: merchant.merchantID, environment: name)
        if let statePath {
            if TextFile.isNoRegularFile(statePath) { throw SingerStateError.notRegularFile(path: statePath) }
            state = try SingerState(
                reading: TextFile.bytes(statePath), from: statePath, merchant: merchant.merchantID, environment: name)
        }
        // Reject an unknown resource before reading the first one.
        let plans = try request.resources.map { try ResourcePlan($0, request, of: merchant.merchantID) }
        let count = Mutex(0)
        let begun = state
        let located = merchant
        try await TimeLimit.run(
            seconds: environment.timeLeft(of: request.maximumTime), sleep: environment.sleep,
            timeRanOut: {
                CoreError.timeRanOut(
                    seconds: request.maximumTime ?? 0, records: count.withLock(\.self),
                    obstacle: located.pause.obstacle(at: environment.clock.boot()))
            }
        ) {
            var state = begun
            for resource in plans {
                do {
                    try await export(resource, located, &state, count: { number in count.withLock { $0 += number } })
                } catch {
                    throw try await TokenDiagnosis(located.connection, in: environment).explained(
                        error, at: resource.path)
                }
            }
        }
    }

    private func export(
        _ resource: ResourcePlan, _ merchant: ExportMerchant, _ state: inout SingerState,
        count: @escaping @Sendable (Int) -> Void
    ) async throws {
        let now = environment.clock.wall()
        let stream = SingerStream(
            resource.name, model: resource.path.endpoint?.model.flatMap { ModelCatalogue.model(named: $0) },
            filterable: resource.path.endpoint?.filterable ?? [], bookmark: resource.tracking.field)
        try await write(stream.schemaMessage)
        let known = ExportStream(
            environment: merchant.connection.environment.name, merchant: merchant.merchantID, resource: resource.name,
            bookmark: state.bookmark(of: stream).map { $0 - request.range.effectiveOverlap })
        let plan = try await RangePlan(
            resource, request.range, choice: request.filesChoice, merchantID: merchant.merchantID, zone: merchant.zone,
            known, now: now
        ).plan(days: merchant.businessDays(of: request.range, now: now)) {
            try await resource.beginning(of: merchant, environment.diagnostics)
        }
        var beginning = plan.beginning
        if beginning == nil, resource.isReadFromBeginning,
            plan.windows.contains(where: { $0.field == resource.tracking.field })
        {
            beginning = try await resource.beginning(of: merchant, environment.diagnostics)
        }
        var newest: Int64?
        for (number, window) in plan.windows.enumerated() {
            let latest = try await read(
                window, resource, merchant, stream, start: now, beginning: beginning, count: count)
            newest = [newest, latest].compactMap(\.self).max()
            // Windows of creation time allow no bookmark of modification time before all of them are read.
            if number < plan.windows.count - 1, window.field == stream.bookmark, let newest, movesBookmark(known, plan)
            {
                state.advance(stream, to: min(newest, window.to))
                try await write(state.message)
            }
        }
        if let newest, movesBookmark(known, plan) { state.advance(stream, to: min(newest, plan.finish)) }
        try await write(state.message)
    }

    /// Whether there is no gap between the bookmark and this run's range.
    private func movesBookmark(_ known: ExportStream, _ plan: ExportPlan) -> Bool {
        if request.range.selection.isDay { return false }
        guard let bookmark = known.bookmark, let start = plan.start else { return true }
        return start <= bookmark
    }

    /// Writes the records of a window.
    ///
    /// - Returns: the latest modification time among them, in milliseconds since 1970.
    private func read(
        _ window: PlannedWindow, _ resource: ResourcePlan, _ merchant: ExportMerchant, _ stream: SingerStream,
        start: Int64, beginning: Int64?, count: @escaping @Sendable (Int) -> Void
    ) async throws -> Int64? {
        let inspection = try RecordInspection(
            resource.path, isEnvelope: false, showsSensitive: request.showsSensitive, validates: false,
            environment.diagnostics)
        var records = SingerRecords(stream)
        var newest: Int64?
        var largestPage = 0
        let summary = try await resource.read(
            window, from: merchant.client, start: start, beginning: beginning, largestPage: &largestPage
        ) { batch in
            if let field = stream.bookmark {
                let times = batch.records.compactMap { batch.value(of: field, in: $0).flatMap { Int64($0) } }
                newest = ([newest].compactMap(\.self) + times).max()
            }
            count(batch.records.count)
            let extracted = InstantText.utc(milliseconds: environment.clock.wall())
            try await environment.standardOutput.write(
                records.messages(try inspection.pass(batch), extracted: extracted))
            return .more
        }
        inspection.finish()
        let leftOut = records.leftOut.sorted()
        if !leftOut.isEmpty {
            environment.diagnostics.notice(
                "omitted from \(stream.name) because the model does not define them: "
                    + leftOut.joined(separator: ", "))
        }
        let query = try resource.query(window)
        if let problem = ResourcePlan.problem(summary, of: resource.path, query, now: window.to) { throw problem }
        return newest
    }

    private func write(_ message: String) async throws {
        try await environment.standardOutput.write(Array(message.utf8))
    }
}
