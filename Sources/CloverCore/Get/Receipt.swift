import CloverAPI

/// What a run did, as one JSON object: what was read, from when to when, at what cost, and whether it is all.
struct Receipt {
    var path: String
    /// Milliseconds since 1970.
    var startedAt: Int64
    var endedAt: Int64 = 0
    var summary = RecordPager.Summary()
    /// Why it is not complete; empty when it is.
    var reasons: [String] = []
    var statistics = ServiceClient.Statistics()

    /// One line, line break included.
    func text(digest: OutputDigest) -> String {
        var line = JSONLine()
        line.add("path", path)
        line.add("complete", reasons.isEmpty)
        line.add("reasons", reasons)
        line.add("mayHaveMore", summary.mayHaveMore)
        line.add("records", Int64(summary.records))
        line.add("firstId", summary.windows.lazy.compactMap(\.firstID).first)
        line.add("lastId", summary.windows.reversed().lazy.compactMap(\.lastID).first)
        line.add("windows", json: "[" + summary.windows.map(Self.json).joined(separator: ",") + "]")
        line.add("listsCompleted", Int64(summary.completedLists))
        line.add("bytes", Int64(digest.bytes))
        line.add("sha256", digest.text)
        line.add("calls", Int64(statistics.requests))
        line.add("retries", Int64(statistics.retries))
        // Requests wait side by side, so that this may be more than the whole run took.
        let milliseconds = Int64((statistics.secondsWaited * 1000).rounded())
        line.add("secondsWaitedByRequests", json: "\(Double(milliseconds) / 1000)")
        line.add("startedAt", InstantText.utc(milliseconds: startedAt))
        line.add("endedAt", InstantText.utc(milliseconds: endedAt))
        return line.text + "\n"
    }

    private static func json(_ window: RecordPager.Window) -> String {
        var line = JSONLine()
        line.add("from", window.bounds.map { InstantText.utc(milliseconds: $0.from) })
        line.add("to", window.bounds.map { InstantText.utc(milliseconds: $0.to) })
        line.add("records", Int64(window.records))
        line.add("firstId", window.firstID)
        line.add("lastId", window.lastID)
        line.add("failure", window.failure)
        return line.text
    }
}
