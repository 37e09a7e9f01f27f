import CloverAuth
package import CloverExport
import CloverThreads
import Glibc

/// `clover export status`: how far each resource is exported, and when.
package struct ExportStatus: Sendable {
    /// One resource of one merchant at one destination. Instants are milliseconds since 1970.
    package struct Entry: Sendable {
        package let stream: ExportStream
        /// Where it goes.
        package let destination: String
        /// The destination is gone.
        package let isMissing: Bool
        /// Published files that are missing from the destination; 0 where that is gone itself.
        package let missingFiles: Int
        /// An export to the destination is under way.
        package let isRunning: Bool
        /// Seconds since the end of what is exported; nil before the first run has come to its end, and where days were
        /// exported and never what changed.
        package let lag: Double?
        /// When the next run is due, judging by the last two; nil when there were no two.
        package let nextDue: Int64?

        /// Whether the last run that came to its end began longer than so many seconds ago, or none ever did. Of one by a
        /// clock that was ahead nobody can tell.
        fileprivate func isOlder(than seconds: Double, now: Int64) -> Bool {
            stream.succeededAt.map { $0 > now + Self.clockSlack || Double(now - $0) / 1000 > seconds } ?? true
        }

        /// Milliseconds that clocks are set back by without anybody having been wrong.
        private static let clockSlack: Int64 = 60_000

        package var name: String { "\(stream.resource) of \(stream.merchant) to \(destination)" }
    }

    package let entries: [Entry]
    private let now: Int64

    /// - Parameters:
    ///   - directory: only this destination; nil is all.
    ///   - forgetsMissing: destinations that are gone are forgotten first.
    ///   - limit: how old the last run may be, in words; nil when it may be any age.
    /// - Throws: `ExportEnding.nothingExported`; with a limit `.stale`, because what was never exported is too old.
    package static func read(
        _ directory: String?, forgetsMissing: Bool = false, limit: String? = nil, in environment: CommandEnvironment
    ) async throws -> ExportStatus {
        let nothing: ExportEnding =
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
        // What was begun in a directory that is gone, and what only a copy's original was tried with, is nobody's.
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
                return ExportDirectory.missing(among: expected[stream.place] ?? [], at: path).count
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

    /// - Throws: `ExportEnding.stale` when anything was not exported for so many seconds.
    package func check(olderThan seconds: Double, text: String) throws(ExportEnding) {
        let stale = entries.filter { $0.isOlder(than: seconds, now: now) }
        guard stale.isEmpty else { throw .stale(stale.map(\.name), limit: text) }
    }

    private static func resolved(_ path: String) -> String {
        guard let real = realpath(path, nil) else { return path }
        defer { free(real) }
        return String(cString: real)
    }
}
