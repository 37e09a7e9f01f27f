package import CloverAPI
package import CloverJSON
import CloverOutput

/// Reads the records of a range of time from Clover's Export API: requests exports of at most 30 days, one after the other
/// because the service makes only a few in parallel, waits for the permitted hours and for the exports, and downloads every
/// file while it is available (Clover: exporting merchant data).
///
/// The service does not document which of a record's times it selects by, or whether the end of a range is included. A
/// record created in the millisecond at which a range ends is left to the next range, which starts there.
package struct ExportAPIRun: Sendable {
    let client: ServiceClient
    let merchantID: String
    let resource: ExportAPIResource
    /// Current time in milliseconds since 1970.
    let now: @Sendable () -> Int64
    /// Waits for a number of seconds; throws when cancelled.
    let sleep: @Sendable (Double) async throws -> Void
    let onEvent: @Sendable (ExportAPIEvent) -> Void

    /// Maximum number of requests for one export.
    static let maximumAttempts = 3

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

    /// Reads the records of a range and passes them to `deliver`, file by file in the service's order.
    ///
    /// The records are complete only when this returns: each piece is compared with the list of the same time. A piece with
    /// fewer records than the list is requested again and finally fails.
    ///
    /// - Parameters:
    ///   - from: start, in milliseconds since 1970.
    ///   - to: end, in milliseconds since 1970, not included.
    ///   - state: state that an earlier run over the same range left; an unusable one does no harm.
    ///   - keep: stores the state for the next run; called on each change before the run continues.
    /// - Throws: `ExportAPIError`, `ServiceError`, `CancellationError`, `ExportError.notAnObject` and `.wrongTime` when the
    ///   service returns other records than requested, and any error of `keep` and `deliver`.
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

    /// Whether an error means that a file has other contents than requested.
    private static func concernsContents(_ error: any Error) -> Bool {
        switch error {
        case ExportError.wrongTime, ExportError.notAnObject, ServiceError.unreadable: true
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
                    // Let the next run request a new export.
                    if Self.concernsContents(error) { try await forget(job, &state, keep) }
                    throw error
                }
            case .ended(let status): reason = .ended(status: status)
            case .unknown: reason = .unknownToService
            }
            guard tries < Self.maximumAttempts else {
                // Let the next run request a new export.
                if case .fewer = reason { try await forget(job, &state, keep) }
                throw failure(of: job, reason, tries: tries)
            }
            onEvent(.again(from: job.from, to: job.to, because: reason))
            try await forget(job, &state, keep)
        }
    }

    private func failure(of job: ExportAPIState.Job, _ reason: ExportAPIEvent.Reason, tries: Int) -> ExportAPIError {
        switch reason {
        case .unknownToService: .ended(resource, from: job.from, to: job.to, status: "404", tries: tries)
        case .ended(let status): .ended(resource, from: job.from, to: job.to, status: status, tries: tries)
        case .filesGone: .filesGone(resource, from: job.from, to: job.to, tries: tries)
        case .fewer(let records): .fewer(resource, from: job.from, to: job.to, records: records, tries: tries)
        }
    }

    private func forget(
        _ job: ExportAPIState.Job, _ state: inout ExportAPIState, _ keep: (ExportAPIState) async throws -> Void
    ) async throws {
        state.remove(from: job.from, to: job.to)
        try await keep(state)
    }

    /// The export of a piece: one that an earlier run requested, or a new one.
    private func job(
        for piece: Range<Int64>, _ state: inout ExportAPIState, _ summary: inout ExportAPISummary,
        _ keep: (ExportAPIState) async throws -> Void
    ) async throws -> ExportAPIState.Job {
        if let job = state.job(from: piece.lowerBound, to: piece.upperBound) {
            onEvent(.resumed(from: job.from, to: job.to))
            return job
        }
        let response = try await submit(piece, &summary)
        let job = ExportAPIState.Job(from: piece.lowerBound, to: piece.upperBound, id: response.id)
        state.put(job)
        summary.submissions += 1
        try await keep(state)
        onEvent(.submitted(from: job.from, to: job.to))
        return job
    }

    /// Reads all files of an export; nil when one is gone or unreadable.
    private func readFiles(
        _ files: [String], of piece: Range<Int64>, _ filter: inout ExportAPIFilter, _ summary: inout ExportAPISummary,
        _ deliver: (RecordBatch) async throws -> RecordFlow
    ) async throws -> RecordFlow? {
        for (number, url) in files.enumerated() {
            let file = try await download(url) { batch, before in
                try ExportAPIValidator.pass(batch, of: piece, resource, before: before)
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

/// Requested exports that are still usable. They are stored during a run, so that the run after one that was killed does
/// not request them again: exports wait for permitted hours and take long.
///
/// The URLs of the files are not stored, because a URL alone grants access to the records.
package struct ExportAPIState: Codable, Sendable, Equatable {
    /// One export of at most 30 days.
    package struct Job: Codable, Sendable, Equatable {
        /// Start and end in milliseconds since 1970; the end is not included.
        package var from: Int64
        package var to: Int64
        /// Id of the export at the service.
        package var id: String
    }

    package private(set) var jobs: [Job] = []

    package init() {}

    func job(from: Int64, to: Int64) -> Job? {
        jobs.first { $0.from == from && $0.to == to }
    }

    /// Adds an export, replacing an earlier one of the same time.
    mutating func put(_ job: Job) {
        remove(from: job.from, to: job.to)
        jobs.append(job)
    }

    /// Removes an export that is no longer usable.
    mutating func remove(from: Int64, to: Int64) {
        jobs.removeAll { $0.from == from && $0.to == to }
    }
}

/// Divides a range of time into exports.
package enum ExportAPIPlan {
    /// Maximum range of an export, in milliseconds: 30 days (Clover: exporting merchant data).
    package static let longest: Int64 = 30 * 86_400_000
    /// Time field that divides the windows.
    static let field = "createdTime"

    /// Adjacent pieces of at most 30 days, oldest first.
    package static func pieces(from: Int64, to: Int64) -> [Range<Int64>] {
        stride(from: from, to: to, by: Int64.Stride(longest)).map { $0..<min($0 + longest, to) }
    }
}

/// Resources of Clover's Export API (Clover: exporting merchant data). The raw values are their names in the catalogue.
package enum ExportAPIResource: String, Sendable, CaseIterable {
    case orders, payments

    /// Name in requests.
    var type: String { rawValue.uppercased() }
}

/// Statistics of a run of Clover's Export API.
package struct ExportAPISummary: Sendable, Equatable {
    /// Number of records delivered.
    package var records = 0
    /// Number of records removed as duplicates or because the next piece has them.
    package var repeats = 0
    package var files = 0
    /// Total size of the files in bytes.
    package var bytes = 0
    /// Number of exports requested.
    package var submissions = 0
    /// Seconds spent waiting for the permitted hours, a busy service, and exports in progress.
    package var secondsWaited = 0.0
}

/// Errors of Clover's Export API besides those of any request. Times are milliseconds since 1970; `url` is already
/// redacted.
package enum ExportAPIError: Error, Sendable, Equatable {
    /// The service has no exports of this resource.
    case notExported(resource: String)
    /// The service ended every attempt with this status.
    case ended(ExportAPIResource, from: Int64, to: Int64, status: String, tries: Int)
    /// The files were gone before they were downloaded, in every attempt.
    case filesGone(ExportAPIResource, from: Int64, to: Int64, tries: Int)
    /// Each export had this number of records, but the list of the same time has more.
    case fewer(ExportAPIResource, from: Int64, to: Int64, records: Int, tries: Int)
    /// A 200 response that does not describe an export.
    case unreadable(url: String)
    /// The URL of a file is not valid or would transfer it unencrypted.
    case insecureFile(url: String)
}

/// Events during an export that the user may want to know. Times are milliseconds since 1970.
package enum ExportAPIEvent: Sendable, Equatable {
    case submitted(from: Int64, to: Int64)
    /// An earlier run requested it already.
    case resumed(from: Int64, to: Int64)
    /// Progress; `percent` is nil when the service does not give it.
    case progress(from: Int64, to: Int64, percent: Int?)
    /// Exports are accepted from `opening`.
    case waitingForHours(opening: Int64, seconds: Double)
    /// The service is busy with other exports, or unavailable.
    case waitingForService(seconds: Double)
    /// A web page came in place of a file, or of the list that the export is compared with; it is requested again.
    case webPage(isFile: Bool)
    case downloaded(file: Int, of: Int, records: Int, bytes: Int)
    /// The export has to be requested again.
    case again(from: Int64, to: Int64, because: Reason)

    package enum Reason: Sendable, Equatable {
        case unknownToService
        case ended(status: String)
        case filesGone
        /// The list of the same time has more records than this.
        case fewer(records: Int)
    }
}
