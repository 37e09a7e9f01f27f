package import CloverSystem

/// How far one resource of one merchant is exported to one destination, and when.
package struct ExportStatus: Sendable {
    package let stream: ExportStream
    /// Path of the destination.
    package let destination: String
    /// Whether the destination no longer exists.
    package let isMissing: Bool
    /// Number of published files that are missing from the destination or have another size; 0 when the destination
    /// itself is missing.
    package let missingFiles: Int
    /// Number of records in the current file; nil for a resource without one.
    package let records: Int64?
    /// Whether an export to the destination is running.
    package let isRunning: Bool
    /// The keys of the plans of runs that did not end.
    private let plans: [String]
    /// Milliseconds since 1970.
    private let now: Int64

    /// Seconds since the end of the exported range; nil before the first successful run, and when only single days or another
    /// fixed range were exported.
    package var lag: Double? {
        guard stream.isExpected else { return nil }
        if stream.bookmark == nil, stream.content == nil { return nil }
        return stream.coveredTo.map { max(0, Double(now - $0) / 1000) }
    }

    /// Whether a run ended without success or failure, as when it was killed.
    package var isInterrupted: Bool {
        !isRunning && stream.failures == 0 && (!plans.isEmpty || stream.succeededAt == nil)
    }

    /// The options of runs that did not end, such as `--full`, sorted: only a run with the same options resumes one. Later
    /// runs without them export what changed, and not the rest of it.
    package var unfinishedOptions: [String] {
        isRunning ? [] : Set(plans.compactMap(ExportPlan.option)).sorted()
    }

    /// Whether the next run without options resumes one that ended without success or failure.
    package var isResumable: Bool { isInterrupted && plans.contains { ExportPlan.option(of: $0) == nil } }

    /// When the next run is due, judging by the last two, in milliseconds since 1970; nil when there were fewer.
    package var nextDue: Int64? {
        stream.interval.flatMap { interval in stream.succeededAt.map { $0 + interval } }
    }

    package var name: String { "\(stream.resource) of \(stream.merchant) to \(destination)" }

    /// Milliseconds by which a clock may be set back in normal operation.
    private static let clockSlack: Int64 = 60_000

    /// Whether the last successful run started more than `seconds` ago, or there was none. A start in the future, by a
    /// clock that was ahead, counts as too old, because its age is unknown.
    ///
    /// An export that ran once is not late.
    package func isOlder(than seconds: Double) -> Bool {
        stream.isExpected
            && (stream.succeededAt.map { $0 > now + Self.clockSlack || Double(now - $0) / 1000 > seconds } ?? true)
    }

    /// Reads the status from the state directory; empty when nothing was exported.
    ///
    /// - Parameters:
    ///   - directory: the only destination to read; nil for all.
    ///   - forgetsMissing: whether to delete the state of missing destinations first.
    ///   - now: milliseconds since 1970.
    package static func read(
        in state: StateDirectory, at directory: String?, forgetsMissing: Bool, now: Int64
    ) async throws -> [ExportStatus] {
        guard let store = try await ExportStore.existing(in: state) else { return [] }
        var destinations = try await store.destinations()
        let missing = Set(destinations.filter { DestinationAddress($0.value).isMissing }.keys)
        if forgetsMissing {
            try await store.forget(missing)
            for identifier in missing { destinations[identifier] = nil }
        }
        let wanted = directory.map { DestinationAddress($0).resolved.name }
        // Skip streams whose destination is unknown, and those that no run of this destination ever requested.
        let streams = try await store.streams().filter { stream in
            guard let path = destinations[stream.destination], !path.isEmpty, stream.askedAt != nil
            else { return false }
            return wanted == nil || path == wanted
        }
        let expected = try await store.expectedFiles(of: streams.map(\.place))
        let counts = try await store.recordCounts(of: streams.map(\.place))
        let planned = try await store.unfinishedPlans()
        return await DedicatedThread.run { [destinations] in
            var running: [String: Bool] = [:]
            return streams.map { stream in
                let path = destinations[stream.destination] ?? "?"
                let isRunning = running[path] ?? DestinationAddress(path).isLocked(in: state)
                running[path] = isRunning
                let isMissing = missing.contains(stream.destination)
                let files = isMissing ? [] : expected[stream.place] ?? []
                return ExportStatus(
                    stream: stream, destination: path, isMissing: isMissing,
                    missingFiles: ExportDirectory.lost(
                        among: files, at: DestinationAddress(path).files(in: state)
                    ).count,
                    records: counts[stream.place], isRunning: isRunning, plans: planned[stream.place] ?? [],
                    now: now)
            }
        }
    }

    /// Stops showing the exports to a destination. Those of several merchants to schemas of a database are of its address.
    ///
    /// - Parameter address: its path, or `-` for standard output.
    /// - Returns: the number of exports; 0 when none is known.
    package static func forget(_ address: String, in state: StateDirectory) async throws -> Int {
        guard let store = try await ExportStore.existing(in: state) else { return 0 }
        let path = DestinationAddress(address).resolved.name
        let database = try? DatabaseAddress(parsing: address)
        let found = try await store.destinations().filter { known in
            known.key == address || known.value == path || database?.schema(of: known.value) != nil
        }
        var count = 0
        for identifier in found.keys { count += try await store.hide(identifier) }
        return count
    }

    /// Folder of the state directory with the locks of destinations that are not directories.
    package static let lockFolder = "exports"
}
