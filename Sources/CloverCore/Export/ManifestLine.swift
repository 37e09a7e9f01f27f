import CloverAPI
import CloverExport

/// What the manifest says of one file.
struct ManifestLine {
    var name: WindowName
    var resource: String
    var merchant: ExportMerchant
    var window: PlannedWindow
    /// The business day that it is of.
    var day: ExportedDay?
    var counts: ExportOutput.Tally
    /// What was printed: with a jq program, not the number of records.
    var results: Int
    var bytes: Int
    var sha256: String
    /// Where in the file they begin; nil for a file of their own.
    var offset: Int64?
    /// What it took.
    var statistics: ServiceClient.Statistics
    var now: Int64
    var version: String

    /// Without a line break.
    var text: String {
        var line = JSONLine()
        line.add("file", name.path)
        if name.number > 1 { line.add("number", Int64(name.number)) }
        line.add("resource", resource)
        line.add("merchant", merchant.merchantID)
        line.add("environment", merchant.connection.environment.name)
        line.add("field", window.field)
        line.add("from", window.from.map { InstantText.utc(milliseconds: $0) })
        line.add("to", InstantText.utc(milliseconds: window.to))
        if let day {
            line.add("day", day.date)
            // What is not over comes again, in place of this.
            if window.to < day.end { line.add("partial", true) }
        }
        line.add("records", Int64(counts.records))
        line.add("results", Int64(results))
        line.add("firstId", counts.firstID)
        line.add("lastId", counts.lastID)
        if let offset { line.add("offset", offset) }
        line.add("bytes", Int64(bytes))
        line.add("sha256", sha256)
        line.add("calls", Int64(statistics.requests))
        line.add("retries", Int64(statistics.retries))
        line.add("waited", json: Self.seconds(statistics.secondsWaited))
        line.add("publishedAt", InstantText.utc(milliseconds: now))
        line.add("version", version)
        return line.text
    }

    /// To the millisecond.
    static func seconds(_ seconds: Double) -> String { "\((seconds * 1000).rounded() / 1000)" }
}

extension ServiceClient.Statistics {
    /// What was done since.
    func since(_ earlier: Self) -> Self {
        var rest = self
        rest.requests -= earlier.requests
        rest.retries -= earlier.retries
        rest.secondsWaited -= earlier.secondsWaited
        return rest
    }
}
