/// A date of the proleptic Gregorian calendar.
struct CalendarDate {
    let year: Int64
    let month: Int64
    let day: Int64

    /// Counted in periods of 400 years that begin in March, all of which have the same number of days.
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
