import CloverAPI
import CloverCore

extension ErrorReport {
    /// A list whose oldest record has an impossible time.
    init(_ error: ImpossibleBeginning) {
        self.init(
            code: "impossible_time", status: .badData,
            message:
                "a record of \(error.list) has \(error.field) \(error.time), which is before 1900: a list that starts there "
                + "cannot be read in time windows",
            hints: [
                "to see it: clover get \(error.list) --sort \(error.field) --limit 1",
                "to leave it out: --since DATE with export, --filter '\(error.field)>=0' with get",
            ])
    }

    /// Missing records: which ones, and how to get them.
    init(_ shortfall: Shortfall) {
        var parts: [(message: String, hints: [String])] = []
        if !shortfall.failedWindows.isEmpty { parts.append(Self.windows(of: shortfall)) }
        if shortfall.summary.cutCount > 0 { parts.append(Self.lists(of: shortfall)) }
        if let place = shortfall.summary.gapsNear.first {
            parts.append(
                (
                    "\(shortfall.path) were added and removed faster than they could be read: some near \(place) may be missing",
                    ["run again when there is less activity, or limit the time with --filter"]
                ))
        }
        self.init(
            code: "incomplete", status: .incomplete, message: "incomplete: " + (parts.first?.message ?? ""),
            hints: (parts.first?.hints ?? []) + parts.dropFirst().flatMap { ["also: " + $0.message] + $0.hints })
    }

    private static func windows(of shortfall: Shortfall) -> (String, [String]) {
        let failed = shortfall.failedWindows
        let count = shortfall.summary.windowCount ?? failed.count
        let places = joined(failed)
        let names = places.prefix(3).map { place in
            "\(day(place.bounds.from))..\(day(place.bounds.to - 1)): \(place.reason)"
        }
        let more = places.count > 3 ? ", ..." : ""
        let message =
            "\(failed.count) of \(count) windows of \(shortfall.path) could not be read "
            + "(\(names.joined(separator: ", "))\(more))"
        let read = shortfall.summary.windows.count - failed.count
        let hints = places.prefix(3).map { place in
            let field = shortfall.timeField ?? "createdTime"
            return "to read the rest: --filter '\(field)>=\(InstantText.utc(milliseconds: place.bounds.from))'"
                + " --filter '\(field)<\(InstantText.utc(milliseconds: place.bounds.to))'"
        }
        let windows = read == 1 ? "1 window" : "\(read) windows"
        return (message, ["\(windows), \(shortfall.summary.records) \(shortfall.path) are in the output"] + hints)
    }

    private static func lists(of shortfall: Shortfall) -> (String, [String]) {
        let cut = shortfall.summary.cutRecords
        let names = cut.prefix(10).map { entry in
            "\(entry.list) of \(entry.id ?? "a record without id") (\(Shortfall.words(for: entry.reason)))"
        }
        let count = shortfall.summary.cutCount
        let lists = count == 1 ? "1 nested list" : "\(count) nested lists"
        return (
            "\(lists) of \(shortfall.path) may lack entries: \(names.joined(separator: ", "))\(count > 10 ? ", ..." : "")",
            ["everything else is complete; these lists are in the output as the service sent them"]
        )
    }

    /// Merges adjacent failed windows, oldest first.
    private static func joined(_ windows: [RecordPager.Window]) -> [(bounds: TimeWindow, reason: String)] {
        var result: [(bounds: TimeWindow, reason: String)] = []
        for window in windows.sorted(by: { ($0.bounds?.from ?? 0) < ($1.bounds?.from ?? 0) }) {
            guard let bounds = window.bounds else { continue }
            if let last = result.indices.last, result[last].bounds.to == bounds.from {
                result[last].bounds.to = bounds.to
            } else {
                result.append((bounds, window.failure ?? ""))
            }
        }
        return result
    }

    private static func day(_ milliseconds: Int64) -> String {
        String(InstantText.utc(milliseconds: milliseconds).prefix(10))
    }
}
