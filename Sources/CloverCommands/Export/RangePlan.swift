import CloverAPI
import CloverCalendar
import CloverCore
import CloverExport

/// The range of a run over one resource, with start and end fixed.
struct RangePlan {
    let resource: ResourcePlan
    let request: ExportRequest
    let merchant: ExportMerchant
    let stream: ExportStream
    let now: Int64
    let diagnostics: Diagnostics

    /// Identifies this range. The key is the same in the run that resumes it.
    func key(day: BusinessDay?) -> String {
        let parts = resource.parts.map(\.name).sorted().joined(separator: ",")
        if resource.partsOnly != nil { return "parts=\(parts)#\(request.filesChoice)" }
        var key =
            switch request.range {
            // Another part starts a new plan, so that no part lacks its first windows.
            case .last: parts.isEmpty ? "last" : "last+\(parts)"
            case .full: "full"
            case .since(let text): "since=\(times.pinned(text))"
            case .day: "day=\(day?.date ?? "")@\(request.dayStart)" + bounds(of: day)
            }
        if let until = request.until { key += ";until=\(times.pinned(until))" }
        // Changes are exported once, whatever the options. Any other range is exported again for another form or
        // other names.
        if request.range != .last { key += "#" + request.filesChoice }
        return ServiceExport.isMeant(request, stream) ? ExportPlan.exportAPIMark + key : key
    }

    /// Milliseconds by which a clock may be set back in normal operation.
    private static let clockSlack: Int64 = 60_000

    private var times: RangeTimes { RangeTimes(request: request, now: now, zone: merchant.zone) }

    /// The bounds of a day in the merchant's time zone, which another zone would move.
    private func bounds(of day: BusinessDay?) -> String {
        guard let day, let zone = merchant.zone else { return "" }
        let bounds = day.bounds(in: zone)
        return "/\(bounds.from)-\(bounds.to)"
    }

    /// The plan, with its windows.
    ///
    /// - Parameter names: how files are named; nil without files.
    func plan(day: BusinessDay?, _ names: NameTemplate? = nil) async throws -> ExportPlan {
        var plan = ExportPlan(
            request: key(day: day), startedAt: now, finish: now,
            skipsKnownRecords: request.range == .last)
        switch request.range {
        case .day:
            guard let field = resource.dayField else { throw ExportError.noDays(resource: resource.name) }
            guard let zone = merchant.zone, let day else {
                throw ExportError.noTimeZone(merchant: merchant.merchantID)
            }
            let bounds = day.bounds(in: zone)
            guard bounds.from < now else { throw ExportError.futureDay(day.date, from: bounds.from) }
            plan.start = bounds.from
            plan.finish = min(bounds.to, now)
            plan.windows = [PlannedWindow(field: field, from: bounds.from, to: plan.finish)]
        case .last, .full, .since:
            guard let field = resource.tracking.field else {
                try times.check(resource)
                plan.windows = [PlannedWindow(field: nil, from: nil, to: now)]
                break
            }
            plan.finish = min(try times.finish, resource.partsOnly?.to ?? .max)
            let (start, isWhole) = try await start()
            plan.start = start
            if isWhole { plan.beginning = start }
            if case .since = request.range, start >= plan.finish {
                throw ExportError.emptyRange(from: start, to: plan.finish)
            }
            if case .last = request.range, request.until == nil, start - now > Self.clockSlack {
                throw ExportError.clockBehind(resource: resource.name, end: start, now: now)
            }
            if ServiceExport.isMeant(request, stream) {
                plan.windows = PlannedWindow.split(
                    field: ServiceExport.field, from: start, to: plan.finish,
                    length: min(times.windowLength, ExportAPIPlan.longest))
                break
            }
            let divided = isWhole ? resource.historyField ?? field : field
            if let names, names.has(.date), let zone = merchant.zone, let days = times.windowDays {
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
    private func start() async throws -> (Int64, Bool) {
        if let only = resource.partsOnly, let from = only.from { return (from, false) }
        switch request.range {
        case .since:
            if let start = try times.start { return (start, false) }
        case .last:
            if let bookmark = stream.bookmark(overlap: request.effectiveOverlap) { return (bookmark, false) }
        case .full, .day: break
        }
        return (try await resource.beginning(of: merchant, diagnostics), true)
    }
}

/// The times of a requested range, as milliseconds since 1970.
struct RangeTimes {
    let request: ExportRequest
    let now: Int64
    /// Time zone of dates and of times without an offset; nil when none of the times needs it.
    let zone: TimeZoneRules?

    /// Whether the range has a date or a time without an offset.
    static func needsZone(_ request: ExportRequest) -> Bool {
        var texts = [request.until].compactMap(\.self)
        if case .since(let text) = request.range { texts.append(text) }
        return TimeExpression.Context.needsZone(now: 0) { times in
            texts.map { TimeExpression.milliseconds($0, in: times) }
        }
    }

    /// The start of `--since`; nil without it.
    var start: Int64? {
        get throws(ExportError) {
            guard case .since(let text) = request.range else { return nil }
            return try instant(text)
        }
    }

    /// The end of `--until`, and never later than the start of the run.
    var finish: Int64 {
        get throws(ExportError) {
            guard let until = request.until else { return now }
            return min(try instant(until), now)
        }
    }

    /// Maximum length of a window, in milliseconds.
    var windowLength: Int64 {
        min(PlannedWindow.longest, request.windowLength.map { Int64(($0 * 1000).rounded()) } ?? PlannedWindow.longest)
    }

    /// The same in whole days; nil for any other length, and where a 25-hour day would make a window too long.
    var windowDays: Int? {
        guard windowLength % Self.day == 0, windowLength < PlannedWindow.longest else { return nil }
        return Int(windowLength / Self.day)
    }

    /// Rejects `--since` and `--until` for a resource that is exported in full.
    func check(_ resource: ResourcePlan) throws(ExportError) {
        guard resource.tracking.field == nil else { return }
        if case .since = request.range { throw .noTimes(resource: resource.name, option: "--since") }
        if request.until != nil { throw .noTimes(resource: resource.name, option: "--until") }
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
        TimeExpression.milliseconds(text, in: TimeExpression.Context(now: now, zone: zone ?? .utc))
    }
}
