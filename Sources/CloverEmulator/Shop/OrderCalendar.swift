/// The times of orders. Orders are numbered from 0, the oldest; their times increase strictly with the number and lie
/// within the trading hours of the shop's time zone.
///
/// Only the orders per day are stored; the time of an order is computed, so 100,000 orders cost nothing at start.
package struct OrderCalendar: Sendable {
    /// Minimum age of the newest order, so that its payments and changes are in the past too.
    private static let quietMinutes = 45
    /// With about this many orders a day, 5,000 orders span more than the 90 days of the service's history rule.
    private static let ordersPerDay = 45
    /// Maximum history, in days; beyond it, a shop with more orders is busier rather than older.
    private static let longestHistory = 1460
    package let count: Int
    private let seed: UInt64
    private let firstDay: Int
    /// `before[d]` is the number of orders before day `d`; one entry more than there are days.
    private let before: [Int]
    private let lastDayShare: Double

    /// - Parameters:
    ///   - now: the end of the history, in milliseconds since 1970.
    ///   - days: the length of the history; nil for as many days as the orders need.
    package init(seed: UInt64, count: Int, now: Int, days: Int? = nil) {
        self.count = count
        self.seed = seed
        let days = days ?? min(max(count / Self.ordersPerDay, 1), Self.longestHistory)
        let local = ShopTimeZone.local(now)
        let weekday = CivilDate.weekday(ofDayNumber: local.dayNumber)
        let hours = TradingHours.minutes(onWeekday: weekday)
        let latest = local.millisecondOfDay / 60_000 - Self.quietMinutes
        let elapsed = Double(latest - hours.open) / Double(hours.close - hours.open)
        let hasBegun = elapsed > 0.02
        let lastDay = hasBegun ? local.dayNumber : local.dayNumber - 1
        lastDayShare = hasBegun ? TradingHours.share(whenElapsed: elapsed, onWeekday: weekday) : 1
        firstDay = lastDay - days + 1

        var random = SeededRandom(seed: seed, stream: .calendar, index: 0)
        var sums: [Double] = []
        var sum = 0.0
        for day in firstDay...lastDay {
            let weight = TradingHours.weight(ofWeekday: CivilDate.weekday(ofDayNumber: day))
            sum += weight * (0.8 + 0.4 * random.fraction()) * (day == lastDay ? lastDayShare : 1)
            sums.append(sum)
        }
        before = [0] + sums.map { Int(Double(count) * $0 / sum + 0.000_001) }
    }

    /// The trading days, as days since 1970.
    package var days: ClosedRange<Int> { firstDay...(firstDay + before.count - 2) }

    /// Midnight before the first trading day, in milliseconds since 1970.
    package var start: Int { ShopTimeZone.startOfDay(firstDay) }
    package func dayNumber(of order: Int) -> Int {
        firstDay + day(of: order)
    }

    /// The creation time of an order in milliseconds since 1970.
    package func time(of order: Int) -> Int {
        let day = day(of: order)
        let weekday = CivilDate.weekday(ofDayNumber: firstDay + day)
        let hours = TradingHours.minutes(onWeekday: weekday)
        let orders = before[day + 1] - before[day]
        var random = SeededRandom(seed: seed, stream: .orderTime, index: order)
        // One order in each n-th part of the day's curve: sorted by construction, and never two at the same time.
        var share = (Double(order - before[day]) + 0.02 + 0.96 * random.fraction()) / Double(orders)
        if day == before.count - 2 { share *= lastDayShare }
        let elapsed = TradingHours.elapsed(whenShare: share, onWeekday: weekday)
        let open = Double((hours.close - hours.open) * 60_000)
        return ShopTimeZone.startOfDay(firstDay + day) + hours.open * 60_000 + Int(elapsed * open)
    }

    private func day(of order: Int) -> Int {
        before.indices.dropFirst().partitioningPoint { before[$0] > order } - 1
    }
}

/// Opening hours, and the distribution of orders over the day.
package enum TradingHours {
    /// Opening and closing time in minutes after midnight; the weekday counts from Sunday = 0.
    package static func minutes(onWeekday weekday: Int) -> (open: Int, close: Int) {
        let isWeekend = weekday == 0 || weekday == 6
        return isWeekend ? (open: 450, close: 1080) : (open: 390, close: 1140)
    }

    /// Relative number of orders of a weekday; 1 is the average.
    package static func weight(ofWeekday weekday: Int) -> Double {
        [1.15, 0.75, 0.85, 0.9, 0.95, 1.1, 1.3][weekday]
    }

    /// Percentage of orders in twelve equal parts of the opening hours: a morning rush and lunch on weekdays, a long
    /// brunch at weekends.
    private static let workday: [Double] = [7, 13, 14, 8, 6, 9, 13, 9, 6, 6, 6, 3]
    private static let weekend: [Double] = [3, 6, 10, 13, 14, 13, 11, 9, 8, 6, 4, 3]

    /// The fraction of the opening hours (0 to 1) after which `share` (0 to 1) of the day's orders have been placed.
    package static func elapsed(whenShare share: Double, onWeekday weekday: Int) -> Double {
        let curve = weekday == 0 || weekday == 6 ? weekend : workday
        var left = share * 100
        for (position, weight) in curve.enumerated() {
            if left < weight { return (Double(position) + left / weight) / Double(curve.count) }
            left -= weight
        }
        return 1
    }

    /// The share of a day's orders placed after a fraction of the opening hours: the inverse of `elapsed`.
    package static func share(whenElapsed elapsed: Double, onWeekday weekday: Int) -> Double {
        let curve = weekday == 0 || weekday == 6 ? weekend : workday
        let position = min(max(elapsed, 0), 1) * Double(curve.count)
        let whole = min(Int(position), curve.count - 1)
        let before = curve[..<whole].reduce(0, +)
        return (before + curve[whole] * (position - Double(whole))) / 100
    }
}

/// The shop's time zone, America/New_York, computed from the rule in force since 2007 (Energy Policy Act of 2005):
/// daylight saving time from the second Sunday of March to the first Sunday of November. No zone file is read, so the
/// shop's content does not depend on the machine.
package enum ShopTimeZone {
    /// The name in the IANA time zone database.
    package static let name = "America/New_York"

    /// Milliseconds from 1970 to midnight at the start of a local day.
    ///
    /// The clock changes at 2:00, when the shop is closed; the offset is that of the trading hours.
    package static func startOfDay(_ dayNumber: Int) -> Int {
        dayNumber * 86_400_000 + hoursBehindUTC(on: dayNumber) * 3_600_000
    }

    /// The local day and the millisecond of that day at a time.
    package static func local(_ milliseconds: Int) -> (dayNumber: Int, millisecondOfDay: Int) {
        let guess = Int((Double(milliseconds) / 86_400_000).rounded(.down))
        let shifted = milliseconds - hoursBehindUTC(on: guess) * 3_600_000
        let day = Int((Double(shifted) / 86_400_000).rounded(.down))
        return (day, shifted - day * 86_400_000)
    }

    private static func hoursBehindUTC(on dayNumber: Int) -> Int {
        let year = CivilDate(dayNumber: dayNumber).year
        let begin = sunday(2, month: 3, year: year)
        let end = sunday(1, month: 11, year: year)
        return dayNumber >= begin && dayNumber < end ? 4 : 5
    }

    private static func sunday(_ which: Int, month: Int, year: Int) -> Int {
        let first = CivilDate(year: year, month: month, day: 1).dayNumber
        return first + (7 - CivilDate.weekday(ofDayNumber: first)) % 7 + (which - 1) * 7
    }
}

/// A day of the Gregorian calendar, counted from 1970-01-01.
package struct CivilDate: Sendable, Hashable {
    package let year: Int
    /// 1 to 12.
    package let month: Int
    /// 1 to 31.
    package let day: Int

    package init(year: Int, month: Int, day: Int) {
        self.year = year
        self.month = month
        self.day = day
    }

    /// The date `dayNumber` days after 1970-01-01, computed in eras of 400 years (146,097 days) that begin on 1 March,
    /// so that the leap day is the last day of a year.
    package init(dayNumber: Int) {
        let shifted = dayNumber + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
        month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
    }

    /// The month of a time in milliseconds since 1970, such as `2026-01`.
    static func month(of milliseconds: Int) -> String {
        let date = CivilDate(dayNumber: milliseconds / 86_400_000)
        return "\(date.year)-\(date.month.digits(2))"
    }

    /// The time of day in UTC of a time in milliseconds since 1970, such as `17:20:11Z`.
    static func timeOfDay(_ milliseconds: Int) -> String {
        let seconds = milliseconds / 1000 % 86_400
        return [seconds / 3600, seconds / 60 % 60, seconds % 60].map { $0.digits(2) }.joined(separator: ":") + "Z"
    }

    /// Days since 1970-01-01.
    package var dayNumber: Int {
        let shiftedYear = month <= 2 ? year - 1 : year
        let era = (shiftedYear >= 0 ? shiftedYear : shiftedYear - 399) / 400
        let yearOfEra = shiftedYear - era * 400
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    /// 0 for Sunday to 6 for Saturday.
    package static func weekday(ofDayNumber dayNumber: Int) -> Int {
        let remainder = (dayNumber + 4) % 7
        return remainder < 0 ? remainder + 7 : remainder
    }
    package static func days(inMonth month: Int, year: Int) -> Int {
        switch month {
        case 4, 6, 9, 11: 30
        case 2: (year % 4 == 0 && year % 100 != 0) || year % 400 == 0 ? 29 : 28
        default: 31
        }
    }
}
