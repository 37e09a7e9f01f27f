/// A date and time of day in the proleptic Gregorian calendar, as in ISO 8601.
struct CivilTime: Equatable {
    var year: Int
    /// 1 to 12.
    var month: Int
    /// 1 to 31.
    var day: Int
    /// Seconds since midnight, 0 to 86,399.
    var secondOfDay: Int

    static let secondsPerDay = 86_400

    /// - Parameter seconds: local seconds since 1970-01-01.
    init(secondsSince1970 seconds: Int) {
        var days = seconds / Self.secondsPerDay
        secondOfDay = seconds % Self.secondsPerDay
        if secondOfDay < 0 {
            days -= 1
            secondOfDay += Self.secondsPerDay
        }
        // Years are counted from March, so that a leap day is the last day of its year, and in periods of 400 years,
        // which all have the same number of days. Day 0 becomes 0000-03-01.
        let shifted = days + 719_468
        let period = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfPeriod = shifted - period * 146_097
        let yearOfPeriod =
            (dayOfPeriod - dayOfPeriod / 1460 + dayOfPeriod / 36_524 - dayOfPeriod / 146_096) / 365
        let dayOfYear = dayOfPeriod - (365 * yearOfPeriod + yearOfPeriod / 4 - yearOfPeriod / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        year = period * 400 + yearOfPeriod + (month <= 2 ? 1 : 0)
    }

    /// Days from 1970-01-01 to January 1.
    static func daysTo(year: Int) -> Int {
        let before = year - 1
        return 365 * (year - 1970) + floored(before, 4) - floored(before, 100) + floored(before, 400) - 477
    }

    static func isLeap(_ year: Int) -> Bool {
        year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    }

    /// - Parameter month: 1 to 12.
    static func daysInMonth(_ month: Int, of year: Int) -> Int {
        switch month {
        case 2: isLeap(year) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    private static func floored(_ number: Int, _ divisor: Int) -> Int {
        number >= 0 ? number / divisor : (number - divisor + 1) / divisor
    }
}
