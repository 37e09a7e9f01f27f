package import CloverAPI
package import CloverCalendar

/// A business day of a merchant: from a local time of day on one date to the same time on the next. Days on which clocks
/// change have 23 or 25 hours.
package struct BusinessDay: Sendable, Equatable {
    /// Days since 1970-01-01.
    private let day: Int64
    /// Start, in minutes after midnight.
    private let startMinute: Int

    /// - Parameters:
    ///   - text: `yesterday`, `today` or a date such as `2026-11-20`.
    ///   - start: time of day at which a day begins, such as `04:00`.
    ///   - now: milliseconds since 1970.
    /// - Throws: `.malformedDay`, `.malformedDayStart`.
    package init(
        parsing text: String, start: String, now: Int64, zone: TimeZoneRules
    ) throws(ExportError) {
        guard let minute = Self.minute(start) else { throw .malformedDayStart(start) }
        startMinute = minute
        // A time before the start belongs to the previous day.
        let date = zone.day(at: now)
        let today = now < zone.milliseconds(day: date, second: Int64(minute) * 60) ? date - 1 : date
        switch text.lowercased() {
        case "today": day = today
        case "yesterday": day = today - 1
        default:
            guard let date = Self.date(text) else { throw .malformedDay(text) }
            day = date
        }
    }

    /// The midnight after a number of dates in a zone, counting from the date of `instant`; milliseconds since 1970.
    static func midnight(after dates: Int64, from instant: Int64, in zone: TimeZoneRules) -> Int64 {
        let day = zone.day(at: instant) + dates
        let midnight = zone.milliseconds(day: day)
        // Where clocks go back over midnight, that midnight may be before the instant.
        return midnight > instant ? midnight : self.midnight(after: dates + 1, from: instant, in: zone)
    }

    /// Date on which it begins, such as `2026-11-20`.
    package var date: String { Self.text(day) }

    /// Start and end.
    package func bounds(in zone: TimeZoneRules) -> TimeWindow {
        TimeWindow(from: instant(day, zone), to: instant(day + 1, zone))
    }

    /// Date of an instant (milliseconds since 1970) in a zone.
    package static func date(of instant: Int64, in zone: TimeZoneRules) -> String {
        text(zone.day(at: instant))
    }

    private func instant(_ day: Int64, _ zone: TimeZoneRules) -> Int64 {
        zone.milliseconds(day: day, second: Int64(startMinute) * 60)
    }

    private static func minute(_ text: String) -> Int? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ (1...2).contains($0.count) && $0.allSatisfy(\.isASCIIDigit) }),
            parts[1].count == 2, let hour = Int(parts[0]), let minute = Int(parts[1]), hour < 24, minute < 60
        else { return nil }
        return hour * 60 + minute
    }

    private static func date(_ text: String) -> Int64? {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.map(\.count) == [4, 2, 2], parts.allSatisfy({ $0.allSatisfy(\.isASCIIDigit) }),
            let year = Int64(parts[0]), let month = Int64(parts[1]), let day = Int64(parts[2]),
            (1970...9998).contains(year), (1...12).contains(month), day >= 1
        else { return nil }
        let count = days(year, month, day)
        // A date such as February 31 converts back to another one.
        return self.text(count) == text ? count : nil
    }

    /// Days of the proleptic Gregorian calendar, counted in years that begin in March, so that the leap day comes last.
    private static func days(_ year: Int64, _ month: Int64, _ day: Int64) -> Int64 {
        let marchYear = month <= 2 ? year - 1 : year
        let leapDays = marchYear / 4 - marchYear / 100 + marchYear / 400
        return 365 * marchYear + leapDays + (153 * ((month + 9) % 12) + 2) / 5 + day - 719_469
    }

    private static func text(_ day: Int64) -> String {
        CalendarDate(daysSince1970: day).text
    }
}

extension Character {
    fileprivate var isASCIIDigit: Bool { isASCII && isNumber }
}

/// A date of the proleptic Gregorian calendar.
struct CalendarDate {
    let year: Int64
    let month: Int64
    let day: Int64

    /// Converts a day number, counting in periods of 400 years from March, all of which have the same number of days.
    init(daysSince1970 days: Int64) {
        let shifted = days + 719_468
        let period = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfPeriod = shifted - period * 146_097
        let yearOfPeriod = (dayOfPeriod - dayOfPeriod / 1460 + dayOfPeriod / 36_524 - dayOfPeriod / 146_096) / 365
        let dayOfYear = dayOfPeriod - (365 * yearOfPeriod + yearOfPeriod / 4 - yearOfPeriod / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        year = yearOfPeriod + period * 400 + (month <= 2 ? 1 : 0)
    }

    /// `2026-11-20`.
    var text: String { "\(Self.padded(year, 4))-\(Self.padded(month, 2))-\(Self.padded(day, 2))" }

    static func padded(_ number: Int64, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}

/// A time as part of a file name: UTC, without colons, sortable.
enum InstantName {
    /// Text such as `20261120T225801.204Z`, from milliseconds since 1970.
    static func text(_ milliseconds: Int64) -> String {
        let days = (milliseconds >= 0 ? milliseconds : milliseconds - 86_399_999) / 86_400_000
        let rest = milliseconds - days * 86_400_000
        let date = CalendarDate(daysSince1970: days).text.filter { $0 != "-" }
        func two(_ number: Int64) -> String { CalendarDate.padded(number, 2) }
        let clock = two(rest / 3_600_000) + two(rest / 60_000 % 60) + two(rest / 1000 % 60)
        return "\(date)T\(clock).\(CalendarDate.padded(rest % 1000, 3))Z"
    }
}
