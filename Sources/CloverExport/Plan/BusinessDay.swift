package import CloverAPI
package import CloverCalendar

/// A business day of a merchant: from a local time of day on one date to the same time on the next. Days on which clocks
/// change have 23 or 25 hours.
package struct BusinessDay: Sendable, Equatable {
    /// Days since 1970-01-01.
    private let day: Int64
    /// Start, in minutes after midnight.
    private let startMinute: Int

    init(_ day: Int64, startMinute: Int) {
        self.day = day
        self.startMinute = startMinute
    }

    /// The midnight after a number of dates in a zone, counting from the date of `instant`; milliseconds since 1970.
    static func midnight(after dates: Int64, from instant: Int64, in zone: TimeZoneRules) -> Int64 {
        let day = zone.day(at: instant) + dates
        let midnight = zone.milliseconds(day: day)
        // Where clocks go back over midnight, that midnight may be before the instant.
        return midnight > instant ? midnight : self.midnight(after: dates + 1, from: instant, in: zone)
    }

    /// Date on which it begins, such as `2026-11-20`.
    package var date: String { CalendarDate.text(day) }

    /// Start and end.
    package func bounds(in zone: TimeZoneRules) -> TimeWindow {
        TimeWindow(from: instant(day, zone), to: instant(day + 1, zone))
    }

    /// Date of an instant (milliseconds since 1970) in a zone.
    package static func date(of instant: Int64, in zone: TimeZoneRules) -> String {
        CalendarDate.text(zone.day(at: instant))
    }

    private func instant(_ day: Int64, _ zone: TimeZoneRules) -> Int64 {
        BusinessCalendar(zone: zone, startMinute: startMinute).start(of: day)
    }
}

/// Consecutive business days of a merchant, as people name them.
package struct BusinessDays: Sendable, Equatable {
    /// In order; at least one.
    package let all: [BusinessDay]

    /// - Parameters:
    ///   - text: a period (see `Period`), such as `yesterday`, `2026-11-20`, `last-week`, `2026-10` or a range.
    ///   - start: time of day at which a day begins, such as `04:00`.
    ///   - now: milliseconds since 1970.
    /// - Throws: `.malformedDay`, `.malformedDayStart`.
    package init(parsing text: String, start: String, now: Int64, zone: TimeZoneRules) throws(ExportError) {
        guard let minute = ClockTime.minutes(start) else { throw .malformedDayStart(start) }
        let today = BusinessCalendar(zone: zone, startMinute: minute).date(at: now)
        guard let period = Period.whole(text.lowercased(), today: today) else { throw .malformedDay(text) }
        // Of a period that has begun, the days that have begun.
        let last = period.first > today ? period.last : min(period.last, today)
        all = (period.first...last).map { BusinessDay($0, startMinute: minute) }
    }

    /// `2026-11-20`, or `2026-11-16..2026-11-22`.
    var name: String {
        guard let first = all.first, let last = all.last, first != last else { return all.first?.date ?? "" }
        return "\(first.date)..\(last.date)"
    }

    /// Start of the first and end of the last day.
    package func bounds(in zone: TimeZoneRules) -> TimeWindow {
        let days = all.map { $0.bounds(in: zone) }
        return TimeWindow(from: days.first?.from ?? 0, to: days.last?.to ?? 0)
    }
}

/// A time of day as typed.
enum ClockTime {
    /// Minutes after midnight of `04:00` or `4:00`; nil for any other text.
    static func minutes(_ text: String) -> Int? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, (1...2).contains(parts[0].count), parts[1].count == 2,
            parts.allSatisfy({ $0.allSatisfy { $0.isASCII && $0.isNumber } }),
            let hour = Int(parts[0]), let minute = Int(parts[1]), hour < 24, minute < 60
        else { return nil }
        return hour * 60 + minute
    }
}

/// A time as part of a file name: UTC, without colons, sortable.
package enum InstantName {
    /// Text of a window such as `20261120T000000.000Z--20261121T000000.000Z`; of its end for a resource exported in full.
    package static func text(_ window: PlannedWindow) -> String {
        window.from.map { "\(text($0))--\(text(window.to))" } ?? text(window.to)
    }

    /// Text such as `20261120T225801.204Z`, from milliseconds since 1970.
    static func text(_ milliseconds: Int64) -> String {
        var writer = InstantWriter(.utc)
        var bytes: [UInt8] = []
        guard writer.appendISO(milliseconds, unit: .milliseconds, to: &bytes) else { return String(milliseconds) }
        return String(decoding: bytes, as: UTF8.self).filter { $0 != "-" && $0 != ":" }
    }
}
