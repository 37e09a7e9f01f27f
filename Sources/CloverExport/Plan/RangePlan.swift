import CloverAPI
package import CloverCalendar

/// The range of a run over one resource, with start and end fixed.
package struct RangePlan {
    private let resource: ResourcePlan
    private let range: ExportRange
    private let choice: String
    private let merchantID: String
    private let zone: TimeZoneRules?
    private let stream: ExportStream
    private let now: Int64

    /// - Parameters:
    ///   - choice: hash of the options that decide which files there are and what bytes they have.
    ///   - zone: time zone of days and dates; nil when the run needs none.
    ///   - now: start of the run, in milliseconds since 1970.
    package init(
        _ resource: ResourcePlan, _ range: ExportRange, choice: String, merchantID: String, zone: TimeZoneRules?,
        _ stream: ExportStream, now: Int64
    ) {
        self.resource = resource
        self.range = range
        self.choice = choice
        self.merchantID = merchantID
        self.zone = zone
        self.stream = stream
        self.now = now
    }

    /// Identifies this range. The key is the same in the run that resumes it.
    package func key(days: BusinessDays?) -> String {
        let parts = resource.parts.map(\.name).sorted().joined(separator: ",")
        if resource.partsOnly != nil { return "parts=\(parts)#\(choice)" }
        var key =
            switch range.selection {
            // Another part starts a new plan, so that no part lacks its first windows.
            case .last: parts.isEmpty ? "last" : "last+\(parts)"
            case .full: "full"
            case .since(let text): "since=\(times.pinned(text))"
            case .day: "day=\(days?.name ?? "")@\(range.dayStart)" + bounds(of: days)
            }
        if let until = range.until { key += ";until=\(times.pinned(until))" }
        // Changes are exported once, whatever the options. Any other range is exported again for another form or
        // other names.
        if range.selection != .last { key += "#" + choice }
        return range.readsExportAPI(after: stream) ? ExportPlan.exportAPIMark + key : key
    }

    /// Milliseconds by which a clock may be set back in normal operation.
    package static let clockSlack: Int64 = 60_000

    private var times: RangeTimes { range.times(now: now, zone: zone) }

    /// The bounds of days in the merchant's time zone, which another zone would move.
    private func bounds(of days: BusinessDays?) -> String {
        guard let days, let zone else { return "" }
        let bounds = days.bounds(in: zone)
        return "/\(bounds.from)-\(bounds.to)"
    }

    /// The plan, with its windows.
    ///
    /// - Parameters:
    ///   - names: how files are named; nil without files.
    ///   - beginning: finds the creation time of the list's oldest record.
    package func plan(
        days: BusinessDays?, _ names: NameTemplate? = nil, beginning: () async throws -> Int64
    ) async throws -> ExportPlan {
        var plan = ExportPlan(
            request: key(days: days), startedAt: now, finish: now,
            skipsKnownRecords: range.selection == .last)
        switch range.selection {
        case .day:
            guard let field = resource.dayField else { throw ExportError.noDays(resource: resource.name) }
            guard let zone, let days else {
                throw ExportError.noTimeZone(merchant: merchantID)
            }
            let bounds = days.bounds(in: zone)
            guard bounds.from < now else { throw ExportError.futureDay(days.name, from: bounds.from) }
            plan.start = bounds.from
            plan.finish = min(bounds.to, now)
            // Each day is a file, as if it were exported alone.
            plan.windows = days.all.map { $0.bounds(in: zone) }.filter { $0.from < now }.map {
                PlannedWindow(field: field, from: $0.from, to: min($0.to, now))
            }
        case .last, .full, .since:
            guard let field = resource.tracking.field else {
                try times.check(resource)
                plan.windows = [PlannedWindow(field: nil, from: nil, to: now)]
                break
            }
            plan.finish = min(try times.finish, resource.partsOnly?.to ?? .max)
            let (start, isWhole) = try await start(beginning)
            plan.start = start
            if isWhole { plan.beginning = start }
            if case .since = range.selection, start >= plan.finish {
                throw ExportError.emptyRange(from: start, to: plan.finish)
            }
            if case .last = range.selection, range.until == nil, start - now > Self.clockSlack {
                throw ExportError.clockBehind(resource: resource.name, end: start, now: now)
            }
            if range.readsExportAPI(after: stream) {
                plan.windows = PlannedWindow.split(
                    field: ExportAPIPlan.field, from: start, to: plan.finish,
                    length: min(times.windowLength, ExportAPIPlan.longest))
                break
            }
            let divided = isWhole ? resource.historyField ?? field : field
            if let names, names.has(.date), let zone, let days = times.windowDays {
                // A file named by its date has exactly that date's records.
                plan.windows = PlannedWindow.split(field: divided, from: start, to: plan.finish, days: days, in: zone)
            } else {
                plan.windows = PlannedWindow.split(
                    field: divided, from: start, to: plan.finish, length: times.windowLength)
            }
        }
        return plan
    }

    /// Start of the range in milliseconds since 1970, and whether that is the beginning of the history.
    private func start(_ beginning: () async throws -> Int64) async throws -> (Int64, Bool) {
        if let only = resource.partsOnly, let from = only.from { return (from, false) }
        switch range.selection {
        case .since:
            if let start = try times.start { return (start, false) }
        case .last:
            if let bookmark = stream.bookmark(overlap: range.effectiveOverlap) { return (bookmark, false) }
        case .full, .day: break
        }
        return (try await beginning(), true)
    }
}
