/// The shop's time zone, America/New_York, computed from the rule in force since 2007 (Energy Policy Act of 2005):
/// daylight saving time from the second Sunday of March to the first Sunday of November. No zone file is read, so that
/// the shop's bytes do not depend on the machine.
package enum ShopTimeZone {
    /// The name in the IANA time zone database.
    package static let name = "America/New_York"

    /// Milliseconds from 1970 to midnight at the start of a local day.
    ///
    /// The clock changes at 2:00, when the shop is closed; the offset is that of the trading hours.
    package static func startOfDay(_ dayNumber: Int) -> Int {
        dayNumber * 86_400_000 + hoursBehindUTC(on: dayNumber) * 3_600_000
    }

    /// The local day and the millisecond of that day at an instant.
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
