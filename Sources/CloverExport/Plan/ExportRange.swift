import CloverAPI
package import CloverCalendar

/// The range of records to export, as typed.
package struct ExportRange: Sendable, Equatable {
    package var selection = Selection.last
    /// Source of the history.
    package var way = Way.lists
    /// End of the range; nil for the start of the run.
    package var until: String?
    /// Time of day at which a business day begins.
    package var dayStart = "00:00"
    /// Seconds before the end of a run that the next run reads again.
    package var overlap = 300.0
    /// Maximum length of a window, in seconds; nil for the longest that the service serves.
    package var windowSeconds: Double?

    /// Whether the changes since the last run were asked for by name.
    package var isSinceLast = false

    package init() {}

    package enum Selection: Sendable, Equatable {
        /// Changes since the last run; everything when there was none.
        case last
        case full
        /// Changes since a time, as typed.
        case since(String)
        /// Records created on a business day, as typed.
        case day(String)

        package var isDay: Bool { if case .day = self { true } else { false } }
    }

    /// How records are requested.
    package enum Way: String, Sendable, CaseIterable {
        /// Page by page from the lists.
        case lists
        /// From Clover's own exports, for the history; changes still come from the lists.
        case exportAPI = "export-api"
    }

    /// Overlap in milliseconds. At least two seconds, because a modification time may be a second earlier than the
    /// creation time (recorded responses of the service).
    package var effectiveOverlap: Int64 { max(2000, Int64((overlap * 1000).rounded())) }

    /// Whether it has a date or a time without an offset.
    package var needsZone: Bool {
        var texts = [until].compactMap(\.self)
        if case .since(let text) = selection { texts.append(text) }
        return TimeExpression.Context.needsZone(now: 0) { times in
            texts.map { TimeExpression.beginning($0, in: times) }
        }
    }

    /// Whether a run reads from Clover's Export API, which selects records by creation time, not by modification time. So
    /// it serves the history: the first run, `--full`, `--since` and `--day`. Changes since the last run are read from the
    /// lists.
    func readsExportAPI(after stream: ExportStream) -> Bool {
        way == .exportAPI && (selection != .last || stream.bookmark == nil)
    }

    /// - Parameters:
    ///   - now: start of the run, in milliseconds since 1970.
    ///   - zone: time zone of dates and of times without an offset; nil when none of the times needs it.
    package func times(now: Int64, zone: TimeZoneRules?) -> RangeTimes {
        RangeTimes(range: self, now: now, zone: zone ?? .utc)
    }
}

/// The times of a range, as milliseconds since 1970.
package struct RangeTimes {
    let range: ExportRange
    let now: Int64
    let zone: TimeZoneRules

    /// The start of `--since`; nil without it.
    package var start: Int64? {
        get throws(ExportError) {
            guard case .since(let text) = range.selection else { return nil }
            return try instant(text)
        }
    }

    /// The end of `--until`, and never later than the start of the run.
    package var finish: Int64 {
        get throws(ExportError) {
            guard let until = range.until else { return now }
            return min(try instant(until), now)
        }
    }

    /// Maximum length of a window, in milliseconds.
    package var windowLength: Int64 {
        min(PlannedWindow.longest, range.windowSeconds.map { Int64(($0 * 1000).rounded()) } ?? PlannedWindow.longest)
    }

    /// The same in whole days; nil for any other length, and where a 25-hour day would make a window too long.
    var windowDays: Int? {
        guard windowLength % Self.day == 0, windowLength < PlannedWindow.longest else { return nil }
        return Int(windowLength / Self.day)
    }

    /// Rejects `--since` and `--until` for a resource that is exported in full.
    package func check(_ resource: ResourcePlan) throws(ExportError) {
        guard resource.tracking.field == nil else { return }
        if case .since = range.selection { throw .noTimes(resource: resource.name, option: "--since") }
        if range.until != nil { throw .noTimes(resource: resource.name, option: "--until") }
    }

    /// A time as text that is the same in the run that resumes the range. A fixed time becomes its instant, so that another
    /// time zone makes another range; a relative time stays as typed, because the resuming run is later.
    func pinned(_ text: String) -> String {
        guard let instant = milliseconds(text, now: now), let other = milliseconds(text, now: now - Self.longAgo)
        else { return text }
        if instant == other { return "\(instant)" }
        let isMidnight = ["today", "yesterday", "tomorrow"].contains(text.lowercased())
        return isMidnight ? "\(text)@\(instant % Self.day)" : text
    }

    private static let day: Int64 = 86_400_000
    private static let longAgo = 400 * day

    private func instant(_ text: String) throws(ExportError) -> Int64 {
        guard let instant = milliseconds(text, now: now) else { throw .malformedTime(text) }
        return instant
    }

    private func milliseconds(_ text: String, now: Int64) -> Int64? {
        TimeExpression.beginning(text, in: TimeExpression.Context(now: now, zone: zone))
    }
}
