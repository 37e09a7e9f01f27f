package import CloverAPI
package import CloverRecords

/// Gets the records of a span of time from Clover's Export API: asks for exports of at most 30 days, one after the other
/// because the service makes only a few at once, waits for the permitted hours and for the exports, and reads every file
/// while it is there (Clover: exporting merchant data).
///
/// Which of a record's times the service goes by, and whether the end of a span is in it, it does not say. A record that was
/// made in the very millisecond at which a span ends is left to the next span, whose beginning it is.
package struct ExportAPIRun: Sendable {
    let client: ServiceClient
    let merchantID: String
    let resource: ExportAPIResource
    /// Milliseconds since 1970.
    let now: @Sendable () -> Int64
    /// Waits for so many seconds; throws when cancelled.
    let sleep: @Sendable (Double) async throws -> Void
    let onEvent: @Sendable (ExportAPIEvent) -> Void

    /// So often one export is asked for.
    static let mostTries = 3

    package init(
        client: ServiceClient, merchantID: String, resource: ExportAPIResource, now: @escaping @Sendable () -> Int64,
        sleep: @escaping @Sendable (Double) async throws -> Void,
        onEvent: @escaping @Sendable (ExportAPIEvent) -> Void = { _ in }
    ) {
        self.client = client
        self.merchantID = merchantID
        self.resource = resource
        self.now = now
        self.sleep = sleep
        self.onEvent = onEvent
    }

    /// Gives the records of a span to `deliver`, file by file in the service's order.
    ///
    /// What was delivered is complete only when this returns: each piece is then compared with the list of the same time. A piece that has fewer
    /// records than the list shows is asked for again, and fails in the end.
    ///
    /// - Parameters:
    ///   - from: the first millisecond since 1970; `to` is the one behind the last.
    ///   - state: what an earlier run over the same span has left; one that cannot be used does no harm.
    ///   - keep: gets what the next run needs, whenever that changes, before anything else is done.
    /// - Throws: `ExportAPIError`, `ServiceError`, `CancellationError`, `ExportError.notAnObject` and `.otherTime` of a service that
    ///   gives something else than was asked for, and what `keep` and `deliver` throw.
    package func read(
        from: Int64, to: Int64, resuming state: ExportAPIState = ExportAPIState(),
        keep: (ExportAPIState) async throws -> Void = { _ in },
        deliver: (RecordBatch) async throws -> RecordFlow
    ) async throws -> ExportAPISummary {
        var state = state
        var summary = ExportAPISummary()
        for piece in ExportAPIPlan.pieces(from: from, to: to) {
            guard try await read(piece, &state, &summary, keep, deliver) == .more else { break }
        }
        return summary
    }

    // MARK: One export

    /// Whether an error says that a file holds something else than was asked for.
    private static func isOfTheFile(_ error: any Error) -> Bool {
        switch error {
        case ExportError.otherTime, ExportError.notAnObject, ServiceError.unreadable: true
        default: false
        }
    }

    private func read(
        _ piece: Range<Int64>, _ state: inout ExportAPIState, _ summary: inout ExportAPISummary,
        _ keep: (ExportAPIState) async throws -> Void, _ deliver: (RecordBatch) async throws -> RecordFlow
    ) async throws -> RecordFlow {
        var filter = ExportAPIFilter(piece)
        var tries = 0
        while true {
            let job = try await job(for: piece, &state, &summary, keep)
            tries += 1
            let reason: ExportAPIEvent.Reason
            switch try await wait(for: job, &summary) {
            case .done(let files):
                do {
                    let flow = try await readFiles(files, of: piece, &filter, &summary, deliver)
                    if flow == .stop { return .stop }
                    let count = filter.count
                    if flow == nil {
                        reason = .filesGone
                    } else if try await listShows(moreThan: count, in: piece) {
                        reason = .fewer(records: count)
                    } else {
                        return .more
                    }
                } catch {
                    if Self.isOfTheFile(error) {
                        // The next run asks for another one.
                        state.remove(from: job.from, to: job.to)
                        try await keep(state)
                    }
                    throw error
                }
                if tries == Self.mostTries {
                    if case .fewer(let records) = reason {
                        // The next run asks for another one.
                        state.remove(from: job.from, to: job.to)
                        try await keep(state)
                        throw ExportAPIError.fewer(
                            resource, from: job.from, to: job.to, records: records, tries: tries)
                    }
                    throw ExportAPIError.filesGone(resource, from: job.from, to: job.to, tries: tries)
                }
            case .ended(let status):
                reason = .ended(status: status)
                if tries == Self.mostTries {
                    throw ExportAPIError.ended(resource, from: job.from, to: job.to, status: status, tries: tries)
                }
            case .unknown:
                reason = .unknownToService
                if tries == Self.mostTries {
                    throw ExportAPIError.ended(resource, from: job.from, to: job.to, status: "404", tries: tries)
                }
            }
            onEvent(.again(from: job.from, to: job.to, because: reason))
            state.remove(from: job.from, to: job.to)
            try await keep(state)
        }
    }

    /// The export of a piece: the one that an earlier run asked for, or a new one.
    private func job(
        for piece: Range<Int64>, _ state: inout ExportAPIState, _ summary: inout ExportAPISummary,
        _ keep: (ExportAPIState) async throws -> Void
    ) async throws -> ExportAPIState.Job {
        if let job = state.job(from: piece.lowerBound, to: piece.upperBound) {
            onEvent(.resumed(from: job.from, to: job.to))
            return job
        }
        let answer = try await submit(piece, &summary)
        let job = ExportAPIState.Job(from: piece.lowerBound, to: piece.upperBound, id: answer.id)
        state.put(job)
        summary.submissions += 1
        try await keep(state)
        onEvent(.submitted(from: job.from, to: job.to))
        return job
    }

    /// All files of an export; nil when one is gone, or cannot be read as what it should be.
    private func readFiles(
        _ files: [String], of piece: Range<Int64>, _ filter: inout ExportAPIFilter, _ summary: inout ExportAPISummary,
        _ deliver: (RecordBatch) async throws -> RecordFlow
    ) async throws -> RecordFlow? {
        for (number, url) in files.enumerated() {
            let file = try await download(url) { batch, before in
                try ExportAPICheck.pass(batch, of: piece, resource, before: before)
                var batch = batch
                summary.repeats += filter.drop(from: &batch)
                summary.records += batch.records.count
                return batch.isEmpty ? .more : try await deliver(batch)
            }
            guard let file else { return nil }
            onEvent(.downloaded(file: number + 1, of: files.count, records: file.records, bytes: file.bytes))
            summary.files += 1
            summary.bytes += file.bytes
            if file.flow == .stop { return .stop }
        }
        return .more
    }
}
