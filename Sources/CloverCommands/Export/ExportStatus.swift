import ArgumentParser
import CloverAuth
import CloverCore
import CloverExport
import CloverFleet
import CloverJSON
import CloverOutput
import CloverRateLimit
import CloverSystem

extension Export {
    /// `clover export status`.
    struct Status: OwnRecordCommand {
        static let configuration = CommandConfiguration(
            commandName: "status",
            abstract: "Show how far each resource is exported, and when it last was",
            discussion: """
                Examples:
                  clover export status
                  clover export status --to ~/exports --fail-if-older-than 2h -q
                  clover export status --prometheus >/var/lib/node_exporter/clover.prom

                The last run is the last one that finished. A run that was killed is shown as interrupted, or as never \
                completed; the next run resumes it. If it had --full, --since or --day, the state says so, as in \
                "done, --full unfinished": to finish it, run it again with the same options. The time of the next is \
                estimated from the last two. The service is not asked. A directory or SQLite database that no longer exists is shown as \
                missing until it is back, or until you run with --forget-missing. Published files that are missing are \
                counted; 'clover export verify' names them.

                "rows" counts what was written, so that a record that changed counts again; "records" counts each record \
                once, and is known for a resource with a current file (see --state in 'clover help export run').

                With the setting state, exports of several merchants to PostgreSQL are shown for all machines, with their "state" \
                and the "machine" that works on them.

                An export that ran once is shown, but is never too old: one of a fixed --day or --since, or one to \
                standard output that was not repeated. For others that you no longer run: 'clover export forget'.

                Exit statuses:
                  0   done
                  66  nothing has been exported yet, and no age was asked for
                  75  the database of the setting state is away, so that only what this machine exported is shown
                  79  --fail-if-older-than: something has not been exported for that long,
                      or nothing ever was, or published files are missing, or all of a
                      destination is
                """
        )

        @Option(
            name: .customLong("to"),
            help: ArgumentHelp("Show only this directory, object store or database.", valueName: "directory"),
            completion: .directory)
        var directory: String?

        @Option(
            name: .customLong("fail-if-older-than"), parsing: .unconditional,
            help: ArgumentHelp(
                "Exit with 79 if the last run of anything began longer ago, or there was none: 2h, 1d.",
                valueName: "duration"))
        var limit: String?

        @Flag(
            name: .customLong("forget-missing"),
            help: "Forget exports to directories and SQLite databases that no longer exist.")
        var forgetsMissing = false

        @Flag(name: .long, help: "Write metrics for the node exporter's textfile collector.")
        var prometheus = false

        @OptionGroup(title: "What to print")
        var output: RecordOutputOptions

        @OptionGroup(title: "Messages")
        var messages: MessageOptions

        func validate() throws {
            try DatabaseAddress.check(directory, of: "--to")
            guard prometheus else { return }
            if messages.json { throw ValidationError("--prometheus and --json exclude each other") }
            if output.format.format != nil { throw ValidationError("--prometheus and --format exclude each other") }
            if output.jq.choice != nil { throw ValidationError("--prometheus and --jq exclude each other") }
        }

        func run(in environment: CommandEnvironment) async throws -> Int32 {
            let seconds = try limit.map { try LongDuration.seconds($0) }
            let entries = try await ExportStatus.read(
                in: environment.stateDirectory(),
                at: directory.map { try ObjectAddress.located($0, of: "--to", in: environment)?.name ?? $0 },
                forgetsMissing: forgetsMissing,
                now: environment.clock.wall())
            let (shared, found) = try await Self.shared(at: directory, in: environment)
            // Other machines share only exports to a database.
            let isKnown = directory.map { DatabaseAddress.check(ofServer: $0) == nil } ?? false
            let obstacle = isKnown ? nil : found
            if let obstacle, entries.isEmpty { throw ExportFailure.othersUnknown(obstacle) }
            guard !entries.isEmpty || !shared.isEmpty else {
                // What was never exported is too old.
                if let directory, limit == nil, DatabaseAddress.check(ofServer: directory) != nil {
                    throw ExportFailure.notExportedHere(database: directory)
                }
                throw limit.map { .stale(["anything" + (directory.map { " to \($0)" } ?? "")], limit: $0) }
                    ?? ExportFailure.nothingExported(directory: directory)
            }
            // With --quiet and a limit, only the exit status matters.
            var status: Int32 = 0
            if limit == nil || !messages.quiet { status = try await print(entries, shared, in: environment) }
            if let seconds, let limit {
                let stale = entries.filter { $0.isOlder(than: seconds) }
                if stale.count > 1 {
                    for entry in stale { environment.diagnostics.warning("not exported for \(limit): \(entry.name)") }
                }
                guard stale.isEmpty else { throw ExportFailure.stale(stale.map(\.name), limit: limit) }
                // One that was named is asked about, also if it ran once.
                let lacking = entries.filter {
                    $0.missingFiles > 0 || $0.isMissing && ($0.stream.isExpected || directory != nil)
                }
                guard lacking.isEmpty else {
                    throw ExportFailure.exportsLack(lacking.map { $0.name + ($0.isMissing ? ", which is gone" : "") })
                }
            }
            if let obstacle { throw ExportFailure.othersUnknown(obstacle) }
            return status
        }

        /// What machines export together, with the address of each merchant's schema; see `MerchantExports`. An error if that
        /// is not known: what this machine exported is in its own state.
        private static func shared(
            at directory: String?, in environment: CommandEnvironment
        ) async throws -> ([FleetExportUnit], LedgerError?) {
            guard let url = try environment.sharedState() else { return ([], nil) }
            do throws(LedgerError) {
                let units = try await DedicatedThread.run { () throws(LedgerError) in try FleetReport.exports(url) }
                return (
                    units.filter { directory == nil || $0.destination == directory || $0.place == directory }, nil
                )
            } catch {
                return ([], error)
            }
        }

        private func print(
            _ entries: [ExportStatus], _ shared: [FleetExportUnit], in environment: CommandEnvironment
        ) async throws -> Int32 {
            if prometheus {
                try await StandardOutput.print(ExportMetrics.text(entries), in: environment)
                return 0
            }
            let isShared = try environment.sharedState() != nil
            let own = Set(entries.map { "\($0.destination) \($0.stream.resource)" })
            let others = shared.filter { !own.contains("\($0.place) \($0.resource)") }
            func lines() -> [String] {
                guard isShared else { return entries.map(\.json) }
                return entries.map { entry in
                    entry.json(shared.last { $0.place == entry.destination && $0.resource == entry.stream.resource })
                } + others.map(\.statusJSON)
            }
            let list = OwnList(
                lines: lines(), columns: ExportStatus.members + (isShared ? ["state", "machine"] : []),
                times: ExportStatus.times)
            let status = try await list.print(output, messages, in: environment) { times in
                let own = Self.table(entries, times, in: environment)
                guard !shared.isEmpty else { return own }
                let rows = shared.map { $0.columns { $0.map { times.text(milliseconds: $0) } ?? "-" } }
                let page = AlignedRows.text(head: FleetExportUnit.head, rows, in: environment)
                return entries.isEmpty ? page : own + TextPage("\n") + page
            }
            for entry in entries where !entry.unfinishedOptions.isEmpty {
                environment.diagnostics.notice(
                    "\(entry.name): a run with \(entry.unfinishedOptions.joined(separator: " and one with ")) did not "
                        + "end; to finish it, run it again with the same options")
            }
            return status
        }

        private static func table(
            _ entries: [ExportStatus], _ times: DisplayedTimes, in environment: CommandEnvironment
        ) -> TextPage {
            func local(_ milliseconds: Int64?) -> String {
                milliseconds.map { times.text(milliseconds: $0) } ?? "-"
            }
            // What a narrow terminal has no room for is at the end. Several destinations tell the rows apart.
            let place = Set(entries.map(\.destination)).count > 1 ? 1 : 9
            func placing(_ destination: String, in columns: [String]) -> [String] {
                columns[..<place] + [destination] + columns[place...]
            }
            let rows = entries.map { entry in
                placing(
                    entry.destination,
                    in: [
                        entry.stream.resource, Self.state(entry), local(entry.stream.succeededAt),
                        entry.lag.map(\.durationText) ?? "-", "\(entry.stream.lastRecords)",
                        "\(entry.stream.records)", entry.records.map { "\($0)" } ?? "unknown",
                        local(entry.nextDue), entry.stream.merchant,
                    ]
                ).map { Diagnostics.printable($0) }
            }
            return AlignedRows.text(
                head: placing(
                    "TO",
                    in: [
                        "RESOURCE", "STATE", "LAST RUN", "LAG", "NEW", "ROWS", "RECORDS", "NEXT DUE", "MERCHANT",
                    ]), rows,
                meanings: [
                    "STATE": .state, "LAST RUN": .whole, "NEW": .amount, "ROWS": .amount, "RECORDS": .amount,
                    "NEXT DUE": .whole, "MERCHANT": .identifier,
                ], in: environment)
        }

        private static func state(_ entry: ExportStatus) -> String {
            let (files, failures) = (entry.missingFiles, entry.stream.failures)
            var words: [String] = []
            if entry.isMissing { words.append("missing") }
            if files > 0 { words.append(files == 1 ? "1 file missing" : "\(files) files missing") }
            if failures > 0 { words.append(failures == 1 ? "failed" : "failed \(failures) times") }
            if entry.isRunning { words.append("running") }
            if entry.stream.succeededAt == nil, !entry.isRunning {
                words.append("never completed")
            } else if entry.isResumable {
                words.append("interrupted")
            }
            if words.isEmpty { words.append("done") }
            words += entry.unfinishedOptions.map { "\($0) unfinished" }
            return words.joined(separator: ", ")
        }
    }
}

extension Double {
    /// A duration in the largest unit of which it has at least two.
    var durationText: String {
        let units: [(name: String, seconds: Double)] = [("d", 86_400), ("h", 3600), ("min", 60)]
        let unit = units.first { self >= 2 * $0.seconds } ?? ("s", 1)
        return "\(Int(self / unit.seconds)) \(unit.name)"
    }
}

extension ExportStatus {
    /// Names of the members of `json`.
    static let members = [
        "destination", "environment", "merchant", "profile", "resource", "running", "interrupted", "unfinished",
        "missing", "expected",
        "missingFiles", "lastSuccess", "lastAttempt", "lag", "nextDue", "coveredTo", "newest", "lastRecords",
        "records", "rows", "files", "failures", "lastError",
    ]
    /// Those of them that are times.
    static let times: Set<String> = ["lastSuccess", "lastAttempt", "nextDue", "coveredTo", "newest"]

    /// One line of JSON.
    var json: String { line.text }

    /// The same, with what the machines that share the export do.
    func json(_ shared: FleetExportUnit?) -> String {
        var line = line
        line.add("state", shared?.state.rawValue)
        line.add("machine", shared?.machine)
        return line.text
    }

    private var line: JSONLine {
        var line = JSONLine()
        line.add("destination", destination)
        line.add("environment", stream.environment)
        line.add("merchant", stream.merchant)
        line.add("profile", stream.profile)
        line.add("resource", stream.resource)
        line.add("running", isRunning)
        line.add("interrupted", isInterrupted)
        line.add("unfinished", unfinishedOptions.isEmpty ? nil : unfinishedOptions.joined(separator: ", "))
        line.add("missing", isMissing)
        line.add("expected", stream.isExpected)
        line.add("missingFiles", Int64(missingFiles))
        line.add("lastSuccess", instant: stream.succeededAt)
        line.add("lastAttempt", instant: stream.attemptedAt)
        line.add("lag", json: lag?.secondsText ?? "null")
        line.add("nextDue", instant: nextDue)
        line.add("coveredTo", instant: stream.coveredTo)
        line.add("newest", instant: stream.newest)
        line.add("lastRecords", stream.lastRecords)
        line.add("records", records)
        line.add("rows", stream.records)
        line.add("files", stream.files)
        line.add("failures", stream.failures)
        line.add("lastError", stream.failure)
        return line
    }
}

extension FleetExportUnit {
    /// The address of the merchant's schema.
    fileprivate var place: String {
        (try? DatabaseAddress(parsing: destination))?.inSchema(MerchantExports.schema(of: merchant)) ?? destination
    }

    /// One line of JSON for what only other machines exported.
    fileprivate var statusJSON: String {
        var line = JSONLine()
        line.add("destination", place)
        line.add("environment", environment)
        line.add("merchant", merchant)
        line.add("profile", profile)
        line.add("resource", resource)
        line.add("running", state == .running)
        line.add("lastRecords", records)
        line.add("lastError", message)
        line.add("state", state.rawValue)
        line.add("machine", machine)
        return line.text
    }
}

/// Metrics for the node exporter's textfile collector (Prometheus: exposition formats, text-based format).
private enum ExportMetrics {
    private struct Metric {
        let name: String
        let type: String
        let help: String
        /// Nil where an entry has none.
        let value: @Sendable (ExportStatus) -> String?
    }

    private static let metrics = [
        Metric(
            name: "last_success_timestamp_seconds", type: "gauge",
            help: "Start time of the last successful run; 0 if there was none."
        ) { (Double($0.stream.succeededAt ?? 0) / 1000).secondsText },
        Metric(name: "lag_seconds", type: "gauge", help: "Time since the end of the exported range.") {
            $0.lag?.secondsText
        },
        Metric(
            name: "records_total", type: "counter", help: "Records exported; one that changed counts again."
        ) { "\($0.stream.records)" },
        Metric(name: "current_records", type: "gauge", help: "Records in the current file.") { entry in
            entry.records.map { "\($0)" }
        },
        Metric(name: "files_total", type: "counter", help: "Files published.") { "\($0.stream.files)" },
        Metric(name: "missing_files", type: "gauge", help: "Published files that are missing from the destination.") {
            "\($0.missingFiles)"
        },
        Metric(name: "failures", type: "gauge", help: "Runs that failed since the last success.") {
            "\($0.stream.failures)"
        },
        Metric(name: "running", type: "gauge", help: "Whether an export to the destination is running.") {
            $0.isRunning ? "1" : "0"
        },
    ]

    static func text(_ entries: [ExportStatus]) -> String {
        metrics.map { metric in
            let name = "clover_export_" + metric.name
            let lines = entries.compactMap { entry in
                metric.value(entry).map { "\(name)\(labels(entry)) \($0)\n" }
            }
            return "# HELP \(name) \(metric.help)\n# TYPE \(name) \(metric.type)\n" + lines.joined()
        }.joined()
    }

    private static func labels(_ entry: ExportStatus) -> String {
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
