import CloverAuth
package import CloverExport
import CloverJSON
import CloverSystem
import Glibc

/// Runs `clover export status`: how far each resource is exported, and when.
package struct ExportStatus: Sendable {
    /// One resource of one merchant at one destination. Times are milliseconds since 1970.
    package struct Entry: Sendable {
        package let stream: ExportStream
        /// Path of the destination.
        package let destination: String
        /// Whether the destination no longer exists.
        package let isMissing: Bool
        /// Number of published files that are missing from the destination or have another size; 0 when the destination
        /// itself is missing.
        package let missingFiles: Int
        /// Whether an export to the destination is running.
        package let isRunning: Bool
        /// Seconds since the end of the exported range; nil before the first successful run, and when only single days
        /// were exported.
        package let lag: Double?
        /// When the next run is due, judging by the last two; nil when there were fewer.
        package let nextDue: Int64?

        /// Whether the last successful run started more than `seconds` ago, or there was none. A start in the future, by
        /// a clock that was ahead, counts as too old, because its age is unknown.
        fileprivate func isOlder(than seconds: Double, now: Int64) -> Bool {
            stream.succeededAt.map { $0 > now + Self.clockSlack || Double(now - $0) / 1000 > seconds } ?? true
        }

        /// Milliseconds by which a clock may be set back in normal operation.
        private static let clockSlack: Int64 = 60_000

        package var name: String { "\(stream.resource) of \(stream.merchant) to \(destination)" }
    }

    package let entries: [Entry]
    private let now: Int64

    /// Reads the status from the state directory.
    ///
    /// - Parameters:
    ///   - directory: the only destination to read; nil for all.
    ///   - forgetsMissing: whether to delete the state of missing destinations first.
    ///   - limit: maximum age of the last run, as text; nil for any age.
    /// - Throws: `ExportFailure.nothingExported`; with a limit `.stale`, because what was never exported is too old.
    package static func read(
        _ directory: String?, forgetsMissing: Bool = false, limit: String? = nil, in environment: CommandEnvironment
    ) async throws -> ExportStatus {
        let nothing: ExportFailure =
            limit.map { .stale(["anything" + (directory.map { " to \($0)" } ?? "")], limit: $0) }
            ?? .nothingExported(directory: directory)
        guard let store = try await ExportStore.existing(in: environment.stateDirectory()) else {
            throw nothing
        }
        var destinations = try await store.destinations()
        let missing = Set(destinations.filter { ExportDirectory.isMissing($0.value) }.keys)
        if forgetsMissing {
            try await store.forget(missing)
            for identifier in missing { destinations[identifier] = nil }
        }
        let wanted = directory.map(resolved)
        let now = environment.clock.wall()
        var running: [String: Bool] = [:]
        // Skip streams whose destination is unknown, and those that no run of this destination ever requested.
        let streams = try await store.streams().filter { stream in
            guard let path = destinations[stream.destination], !path.isEmpty, stream.askedAt != nil
            else { return false }
            return wanted == nil || path == wanted
        }
        guard !streams.isEmpty else { throw nothing }
        let expected = try await store.expectedFiles(of: streams.map(\.place))
        let lost = await DedicatedThread.run { [streams, destinations] in
            streams.map { stream in
                guard let path = destinations[stream.destination], !missing.contains(stream.destination) else {
                    return 0
                }
                return ExportDirectory.lost(among: expected[stream.place] ?? [], at: path).count
            }
        }
        let entries = zip(streams, lost).map { [destinations] stream, missingFiles in
            let path = destinations[stream.destination] ?? "?"
            let isRunning = running[path] ?? ExportDirectory.isLocked(path)
            running[path] = isRunning
            return Entry(
                stream: stream, destination: path, isMissing: missing.contains(stream.destination),
                missingFiles: missingFiles, isRunning: isRunning,
                lag: stream.bookmark == nil && stream.content == nil
                    ? nil : stream.coveredTo.map { max(0, Double(now - $0) / 1000) },
                nextDue: stream.interval.flatMap { interval in stream.succeededAt.map { $0 + interval } })
        }
        return ExportStatus(entries: entries, now: now)
    }

    /// Checks the age of each entry's last successful run.
    ///
    /// - Parameter text: the limit as typed, for the error.
    /// - Throws: `ExportFailure.stale` when one is older than `seconds`.
    package func check(olderThan seconds: Double, text: String) throws(ExportFailure) {
        let stale = entries.filter { $0.isOlder(than: seconds, now: now) }
        guard stale.isEmpty else { throw .stale(stale.map(\.name), limit: text) }
    }

    private static func resolved(_ path: String) -> String {
        guard let real = realpath(path, nil) else { return path }
        defer { free(real) }
        return String(cString: real)
    }
}

extension ExportStatus.Entry {
    /// One line of JSON, with a newline.
    package var json: String {
        func instant(_ milliseconds: Int64?) -> String? { milliseconds.map { InstantText.utc(milliseconds: $0) } }
        var line = JSONLine()
        line.add("destination", destination)
        line.add("environment", stream.environment)
        line.add("merchant", stream.merchant)
        line.add("profile", stream.profile)
        line.add("resource", stream.resource)
        line.add("running", isRunning)
        line.add("missing", isMissing)
        line.add("missingFiles", Int64(missingFiles))
        line.add("lastSuccess", instant(stream.succeededAt))
        line.add("lastAttempt", instant(stream.attemptedAt))
        line.add("lag", json: lag.map(ManifestLine.seconds) ?? "null")
        line.add("nextDue", instant(nextDue))
        line.add("coveredTo", instant(stream.coveredTo))
        line.add("newest", instant(stream.newest))
        line.add("lastRecords", stream.lastRecords)
        line.add("records", stream.records)
        line.add("files", stream.files)
        line.add("failures", stream.failures)
        line.add("lastError", stream.failure)
        return line.text + "\n"
    }
}

extension ExportStatus {
    /// Metrics for the node exporter's textfile collector (Prometheus: exposition formats, text-based format).
    package var prometheus: String {
        func metric(_ name: String, _ type: String, _ help: String, _ value: (Entry) -> String?) -> String {
            let lines = entries.compactMap { entry in value(entry).map { "\(name)\(Self.labels(entry)) \($0)\n" } }
            return "# HELP \(name) \(help)\n# TYPE \(name) \(type)\n" + lines.joined()
        }
        return metric(
            "clover_export_last_success_timestamp_seconds", "gauge",
            "Start time of the last successful run; 0 if there was none."
        ) { entry in ManifestLine.seconds(Double(entry.stream.succeededAt ?? 0) / 1000) }
            + metric("clover_export_lag_seconds", "gauge", "Time since the end of the exported range.") { entry in
                entry.lag.map(ManifestLine.seconds)
            }
            + metric("clover_export_records_total", "counter", "Records exported.") { "\($0.stream.records)" }
            + metric("clover_export_files_total", "counter", "Files published.") { "\($0.stream.files)" }
            + metric("clover_export_missing_files", "gauge", "Published files that are missing from the destination.") {
                "\($0.missingFiles)"
            }
            + metric("clover_export_failures", "gauge", "Runs that failed since the last success.") {
                "\($0.stream.failures)"
            }
            + metric("clover_export_running", "gauge", "Whether an export to the destination is running.") {
                $0.isRunning ? "1" : "0"
            }
    }

    private static func labels(_ entry: Entry) -> String {
        let labels = [
            ("destination", entry.destination), ("environment", entry.stream.environment),
            ("merchant", entry.stream.merchant), ("resource", entry.stream.resource),
        ]
        return "{" + labels.map { "\($0)=\"\(escaped($1))\"" }.joined(separator: ",") + "}"
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"").replacing("\n", with: "\\n")
    }
}
