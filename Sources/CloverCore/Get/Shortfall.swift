package import CloverAPI

/// What a run delivered and what it could not.
package struct Shortfall: Sendable, Equatable {
    /// The resource's name in messages: `payments`.
    package var path: String
    /// Time field of the list's windows; nil when it was not read in windows.
    package var timeField: String?
    package var summary: RecordPager.Summary
    /// Whether the records that were read are in the output.
    package var isPrinted: Bool

    package init(path: String, timeField: String?, summary: RecordPager.Summary, isPrinted: Bool = true) {
        self.path = path
        self.timeField = timeField
        self.summary = summary
        self.isPrinted = isPrinted
    }

    /// Windows that were not read to their end.
    package var failedWindows: [RecordPager.Window] { summary.windows.filter { $0.failure != nil } }

    /// What is missing, one line each, for the receipt.
    package var reasons: [String] {
        failedWindows.map { window in
            let place = window.bounds.map { " " + Self.text($0) } ?? ""
            return "window\(place): \(window.failure ?? "")"
        }
            + summary.truncatedRecords.map {
                "\($0.list) of \($0.id ?? "a record without id"): \(Self.words(for: $0.reason))"
            }
            + summary.gapsNear.map { "rows moved while they were read: some near \($0) may be missing" }
            + summary.shortages.map { "\($0.isFixed ? "rows came twice" : "no fixed order"): \(Self.words(for: $0))" }
            + summary.twins.prefix(10).map { "\($0) came twice, with different contents" }
    }

    /// The first reason, for a message that names the list and its range itself.
    package var brief: String {
        if let failure = failedWindows.first?.failure { return failure }
        let others = reasons.count > 1 ? ", and \(reasons.count - 1) more" : ""
        return (reasons.first ?? "incomplete") + others
    }

    /// `2026-03-04T00:00:00.000Z..2026-05-31T00:00:00.000Z`.
    package static func text(_ window: TimeWindow) -> String {
        "\(InstantText.utc(milliseconds: window.from))..\(InstantText.utc(milliseconds: window.to))"
    }

    /// `2500 rows came, but only 2480 different ones in 5 readings`.
    package static func words(for shortage: RecordPager.Shortage) -> String {
        "\(shortage.rows) rows came, but only \(shortage.records) different ones in "
            + (shortage.readings == 1 ? "1 reading" : "\(shortage.readings) readings")
    }

    package static func words(for reason: RecordPager.TruncatedRecord.Reason) -> String {
        switch reason {
        case .noEndpoint: "ends at 100 entries and cannot be read separately"
        case .failed(let text): text
        case .shorter: "is shorter when read separately than inside its record"
        case .tooLarge: "is larger than the limit for a record"
        }
    }
}
