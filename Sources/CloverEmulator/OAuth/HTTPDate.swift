/// Writes the `Date` header: `Sat, 31 Jan 2026 23:00:00 GMT` (RFC 9110 section 5.6.7, IMF-fixdate).
package enum HTTPDate {
    private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// - Parameter milliseconds: since 1970; parts of a second are left out.
    package static func text(_ milliseconds: Int) -> String {
        let seconds = Int((Double(milliseconds) / 1000).rounded(.down))
        let day = Int((Double(seconds) / 86_400).rounded(.down))
        let second = seconds - day * 86_400
        let date = CivilDate(dayNumber: day)
        let time = [second / 3600, second / 60 % 60, second % 60].map { padded($0) }.joined(separator: ":")
        let weekday = weekdays[CivilDate.weekday(ofDayNumber: day)]
        return "\(weekday), \(padded(date.day)) \(months[date.month - 1]) \(date.year) \(time) GMT"
    }

    private static func padded(_ number: Int) -> String {
        number < 10 ? "0\(number)" : "\(number)"
    }
}
