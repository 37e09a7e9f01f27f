import CloverExport

extension ExportStatus.Entry {
    /// One line, line break included.
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
    /// The same for a node exporter's file collector (Prometheus: exposition formats, text-based format).
    package var prometheus: String {
        func metric(_ name: String, _ type: String, _ help: String, _ value: (Entry) -> String?) -> String {
            let lines = entries.compactMap { entry in value(entry).map { "\(name)\(Self.labels(entry)) \($0)\n" } }
            return "# HELP \(name) \(help)\n# TYPE \(name) \(type)\n" + lines.joined()
        }
        return metric(
            "clover_export_last_success_timestamp_seconds", "gauge",
            "Start of the last run that came to its end; 0 when none did."
        ) { entry in ManifestLine.seconds(Double(entry.stream.succeededAt ?? 0) / 1000) }
            + metric("clover_export_lag_seconds", "gauge", "Time since the end of what is exported.") { entry in
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
            + metric("clover_export_running", "gauge", "Whether an export to the destination is under way.") {
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
