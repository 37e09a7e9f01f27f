package import CloverAPI
package import CloverRecords

/// A day of a merchant's business: from a time of day of one date, by the merchant's own clock, to the same of the next.
/// The days on which clocks are changed have 23 or 25 hours.
package struct BusinessDay: Sendable, Equatable {
    /// Days since 1970-01-01.
    private let day: Int64
    /// Minutes after midnight at which it begins.
    private let startMinute: Int

    /// - Parameters:
    ///   - text: `yesterday`, `today` or a date such as `2026-11-20`.
    ///   - start: the time of day at which a day begins, such as `04:00`.
    ///   - now: milliseconds since 1970.
    /// - Throws: `.malformedDay`, `.malformedDayStart`.
    package init(
        parsing text: String, start: String, now: Int64, zone: TimeZoneRules
    ) throws(ExportError) {
        guard let minute = Self.minute(start) else { throw .malformedDayStart(start) }
        startMinute = minute
        // What is before the start belongs to the day before.
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

    /// The midnight after so many dates by the clocks of a zone, of which that of the instant is the first; milliseconds
    /// since 1970.
    static func midnight(after dates: Int64, from instant: Int64, in zone: TimeZoneRules) -> Int64 {
        let day = zone.day(at: instant) + dates
        let midnight = zone.milliseconds(day: day)
        // Where clocks are set back over midnight there is a midnight before the instant, too.
        return midnight > instant ? midnight : self.midnight(after: dates + 1, from: instant, in: zone)
    }

    /// The date on which it begins, such as `2026-11-20`.
    package var date: String { Self.text(day) }

    /// When it begins and ends.
    package func bounds(in zone: TimeZoneRules) -> TimeWindow {
        TimeWindow(from: instant(day, zone), to: instant(day + 1, zone))
    }

    /// The date of an instant (milliseconds since 1970) by the clocks of a zone.
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
        // The thirty-first of February is the second or third of March.
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
