import ArgumentParser
import CloverAuth
import CloverCore
import CloverExport
import CloverJSON
import CloverOutput

extension Export {
    /// `clover export status`.
    struct Status: RecordCommand {
        static let configuration = CommandConfiguration(
            commandName: "status",
            abstract: "Show how far each resource is exported, and when it last was",
            discussion: """
                Examples:
                  clover export status
                  clover export status --to ~/exports --fail-if-older-than 2h -q
                  clover export status --prometheus >/var/lib/node_exporter/clover.prom

                The last run is the last one that finished. The time of the next is estimated from the last two. The \
                service is not asked. A directory that no longer exists is shown as missing until it is back, or until \
                you run with --forget-missing. Published files that are missing are counted; 'clover export verify' names \
                them.

                "rows" counts what was written, so that a record that changed counts again; "records" counts each record \
                once, and is known for a resource with a current file (see --state in 'clover help export run').

                An export that ran once is shown, but is never too old: one of a fixed --day or --since, or one to \
                standard output that was not repeated. For others that you no longer run: 'clover export forget'.

                Exit statuses:
                  0   done
                  66  nothing has been exported yet, and no age was asked for
                  79  --fail-if-older-than: something has not been exported for that long,
                      or nothing ever was, or published files are missing
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
            help: "Forget exports to directories that no longer exist.")
        var forgetsMissing = false

        @Flag(name: .long, help: "Write metrics for the node exporter's textfile collector.")
        var prometheus = false

        @OptionGroup(title: "What to print")
        var output: RecordOutputOptions

        var outputFile: OutputFileOptions { output.file }

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
            let environment = messages.applied(to: environment)
            let seconds = try limit.map { try LongDuration.seconds($0) }
            let entries = try await ExportStatus.read(
                in: environment.stateDirectory(),
                at: directory.map { try ObjectAddress.located($0, of: "--to", in: environment)?.name ?? $0 },
                forgetsMissing: forgetsMissing,
                now: environment.clock.wall())
            guard !entries.isEmpty else {
                // What was never exported is too old.
                throw limit.map { .stale(["anything" + (directory.map { " to \($0)" } ?? "")], limit: $0) }
                    ?? ExportFailure.nothingExported(directory: directory)
            }
            // With --quiet and a limit, only the exit status matters.
            var status: Int32 = 0
            if limit == nil || !messages.quiet { status = try await print(entries, in: environment) }
            if let seconds, let limit {
                let stale = entries.filter { $0.isOlder(than: seconds) }
                if stale.count > 1 {
                    for entry in stale { environment.diagnostics.warning("not exported for \(limit): \(entry.name)") }
                }
                guard stale.isEmpty else { throw ExportFailure.stale(stale.map(\.name), limit: limit) }
                let lacking = entries.filter { $0.missingFiles > 0 }
                guard lacking.isEmpty else { throw ExportFailure.exportsLack(lacking.map(\.name)) }
            }
            return status
        }

        private func print(_ entries: [ExportStatus], in environment: CommandEnvironment) async throws -> Int32 {
            if prometheus {
                try await StandardOutput.print(ExportMetrics.text(entries), in: environment)
                return 0
            }
            let list = OwnList(
                lines: entries.map(\.json), columns: ExportStatus.members, times: ExportStatus.times)
            return try await list.print(output, messages, in: environment) { times in
                Self.table(entries, times, in: environment)
            }
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
            return words.isEmpty ? "done" : words.joined(separator: ", ")
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
        "destination", "environment", "merchant", "profile", "resource", "running", "missing", "expected",
        "missingFiles", "lastSuccess", "lastAttempt", "lag", "nextDue", "coveredTo", "newest", "lastRecords",
        "records", "rows", "files", "failures", "lastError",
    ]
    /// Those of them that are times.
    static let times: Set<String> = ["lastSuccess", "lastAttempt", "nextDue", "coveredTo", "newest"]

    /// One line of JSON.
    var json: String {
        func instant(_ milliseconds: Int64?) -> String? { milliseconds.map { InstantText.utc(milliseconds: $0) } }
        var line = JSONLine()
        line.add("destination", destination)
        line.add("environment", stream.environment)
        line.add("merchant", stream.merchant)
        line.add("profile", stream.profile)
        line.add("resource", stream.resource)
        line.add("running", isRunning)
        line.add("missing", isMissing)
        line.add("expected", stream.isExpected)
        line.add("missingFiles", Int64(missingFiles))
        line.add("lastSuccess", instant(stream.succeededAt))
        line.add("lastAttempt", instant(stream.attemptedAt))
        line.add("lag", json: lag?.secondsText ?? "null")
        line.add("nextDue", instant(nextDue))
        line.add("coveredTo", instant(stream.coveredTo))
        line.add("newest", instant(stream.newest))
        line.add("lastRecords", stream.lastRecords)
        line.add("records", records)
        line.add("rows", stream.records)
        line.add("files", stream.files)
        line.add("failures", stream.failures)
        line.add("lastError", stream.failure)
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
