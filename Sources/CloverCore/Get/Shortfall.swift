package import CloverAPI

/// What a run could not deliver, and what it did.
package struct Shortfall: Sendable, Equatable {
    /// What was read, as messages name it: `payments`.
    package var path: String
    /// The field by which the list was split into windows; nil when it was not.
    package var timeField: String?
    package var summary: RecordPager.Summary

    init(path: String, timeField: String?, summary: RecordPager.Summary) {
        self.path = path
        self.timeField = timeField
        self.summary = summary
    }

    /// The windows that were not read, or not to their end.
    package var failedWindows: [RecordPager.Window] { summary.windows.filter { $0.failure != nil } }

    /// What is missing, a line each, for the receipt.
    package var reasons: [String] {
        failedWindows.map { window in
            let place = window.bounds.map { " " + Self.text($0) } ?? ""
            return "window\(place): \(window.failure ?? "")"
        }
            + summary.cutRecords.map {
                "\($0.list) of \($0.id ?? "a record without id"): \(Self.words(for: $0.reason))"
            }
            + summary.gapsNear.map { "rows moved while they were read: some near \($0) may be missing" }
    }

    /// What is missing first, and why, for a message that names the list and its range itself.
    package var brief: String {
        if let failure = failedWindows.first?.failure { return failure }
        let others = reasons.count > 1 ? ", and \(reasons.count - 1) more" : ""
        return (reasons.first ?? "it was not whole") + others
    }

    /// `2026-03-04T00:00:00.000Z..2026-05-31T00:00:00.000Z`.
    package static func text(_ window: TimeWindow) -> String {
        "\(InstantText.utc(milliseconds: window.from))..\(InstantText.utc(milliseconds: window.to))"
    }

    package static func words(for reason: RecordPager.CutRecord.Reason) -> String {
        switch reason {
        case .noEndpoint: "ends at 100 entries, and cannot be read by itself"
        case .failed(let text): text
        case .shorter: "is shorter by itself than inside its record"
        case .tooLarge: "is larger than a record may be"
        }
    }
}
