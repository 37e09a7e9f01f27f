import CloverAPI
import CloverExport
import CloverRecords

/// The times that a range was asked for by, as instants.
struct RangeTimes {
    private let request: ExportRequest
    private let now: Int64
    private let zone: TimeZoneRules

    /// - Parameter zone: the clocks of dates and of times without an offset; nil where none of the times needs them.
    init(_ request: ExportRequest, now: Int64, zone: TimeZoneRules?) {
        self.request = request
        self.now = now
        self.zone = zone ?? .utc
    }

    /// Whether the range has a date or a time without an offset.
    static func needsZone(_ request: ExportRequest) -> Bool {
        var texts = [request.until].compactMap(\.self)
        if case .since(let text) = request.range { texts.append(text) }
        return TimeExpression.Context.needsZone(now: 0) { times in
            texts.map { TimeExpression.milliseconds($0, in: times) }
        }
    }

    /// The beginning that was asked for; nil when none was.
    var start: Int64? {
        get throws(ExportError) {
            guard case .since(let text) = request.range else { return nil }
            return try instant(text)
        }
    }

    /// The end, which is never later than the start of the run.
    var finish: Int64 {
        get throws(ExportError) {
            guard let until = request.until else { return now }
            return min(try instant(until), now)
        }
    }

    /// Milliseconds of the longest window.
    var windowLength: Int64 {
        min(PlannedWindow.longest, request.windowLength.map { Int64(($0 * 1000).rounded()) } ?? PlannedWindow.longest)
    }

    /// The same in days, where it is a number of them; nil for any other, and for what a day of 25 hours would make too long.
    var windowDays: Int? {
        guard windowLength % Self.day == 0, windowLength < PlannedWindow.longest else { return nil }
        return Int(windowLength / Self.day)
    }

    /// A resource that is taken whole has no other times than now.
    func check(_ resource: ResourcePlan) throws(ExportError) {
        guard resource.tracking.field == nil else { return }
        if case .since = request.range { throw .noTimes(resource: resource.name, option: "--since") }
        if request.until != nil { throw .noTimes(resource: resource.name, option: "--until") }
    }

    /// A time in words that are the same in the run that goes on with it. One that is fixed is its instant, so that another
    /// time zone makes another range of it; one that goes with the clock is what was typed, because that run is a later one.
    func pinned(_ text: String) -> String {
        guard let instant = TimeExpression.milliseconds(text, in: TimeExpression.Context(now: now, zone: zone)),
            let other = TimeExpression.milliseconds(
                text, in: TimeExpression.Context(now: now - Self.farAway, zone: zone))
        else { return text }
        if instant == other { return "\(instant)" }
        let isMidnight = ["today", "yesterday", "tomorrow"].contains(text.lowercased())
        return isMidnight ? "\(text)@\(instant % Self.day)" : text
    }

    private static let day: Int64 = 86_400_000
    private static let farAway = 400 * day

    private func instant(_ text: String) throws(ExportError) -> Int64 {
        guard let instant = TimeExpression.milliseconds(text, in: TimeExpression.Context(now: now, zone: zone)) else {
            throw .malformedTime(text)
        }
        return instant
    }
}
