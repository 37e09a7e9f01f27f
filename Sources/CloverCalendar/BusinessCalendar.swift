/// The business days of a shop: each lasts from a local time of day on its date to the same time on the next date. Days
/// on which clocks change have 23 or 25 hours.
///
/// A date is a number of days since 1970-01-01. An instant is in milliseconds since 1970.
package struct BusinessCalendar: Sendable, Equatable {
    package let zone: TimeZoneRules
    /// When a day begins, in minutes after midnight.
    package let startMinute: Int

    package init(zone: TimeZoneRules, startMinute: Int = 0) {
        self.zone = zone
        self.startMinute = startMinute
    }

    /// The date of the business day that an instant belongs to. A time before the day's start belongs to the date before.
    package func date(at instant: Int64) -> Int64 {
        let date = zone.day(at: instant)
        return instant < start(of: date) ? date - 1 : date
    }

    /// The first instant of a business day.
    package func start(of date: Int64) -> Int64 {
        zone.milliseconds(day: date, second: Int64(startMinute) * 60)
    }
}

/// Dates as text and in calendar units. A date is a number of days since 1970-01-01.
package enum CalendarDate {
    /// Text such as `2026-11-20`.
    package static func text(_ date: Int64) -> String {
        String(TimeZoneRules.utc.text(milliseconds: date * 86_400_000).prefix(10))
    }

    /// The date of `2026-11-20`; nil for other text, and for dates that do not exist.
    package static func parse(_ text: some StringProtocol) -> Int64? {
        guard let instant = Array((text + "T00:00:00.000Z").utf8).withUnsafeBytes({ InstantReader.milliseconds($0) }),
            // A date such as February 31 converts back to another one.
            self.text(instant / 86_400_000) == text, ("1970"..."9998").contains(String(text.prefix(4)))
        else { return nil }
        return instant / 86_400_000
    }

    /// The names of the days, from Monday.
    package static let weekdays = [
        "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday",
    ]

    /// 0 for Monday, 6 for Sunday.
    package static func weekday(_ date: Int64) -> Int {
        // 1970-01-01 was a Thursday.
        let weekday = Int((date + 3) % 7)
        return weekday < 0 ? weekday + 7 : weekday
    }

    /// The first date of the month that is a number of months after the month of a date.
    package static func startOfMonth(_ date: Int64, after months: Int = 0) -> Int64 {
        let civil = CivilTime(secondsSince1970: Int(date) * 86_400)
        let month = civil.year * 12 + civil.month - 1 + months
        return Int64(CivilTime.days(year: month / 12, month: month % 12 + 1, day: 1))
    }
}
