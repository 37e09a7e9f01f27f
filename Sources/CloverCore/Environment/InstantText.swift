import CloverCalendar

/// Formats times for clover's own JSON and tables.
package enum InstantText {
    /// ISO 8601 in UTC with milliseconds, such as `2026-11-21T07:14:03.120Z`, from milliseconds since 1970.
    package static func utc(milliseconds: Int64) -> String {
        let (seconds, rest) = milliseconds.quotientAndRemainder(dividingBy: 1000)
        let time = CivilTime(secondsSince1970: Int(rest < 0 ? seconds - 1 : seconds))
        let second = time.secondOfDay
        return "\(padded(time.year, 4))-\(padded(time.month, 2))-\(padded(time.day, 2))"
            + "T\(padded(second / 3600, 2)):\(padded(second / 60 % 60, 2)):\(padded(second % 60, 2))"
            + ".\(padded(Int(rest < 0 ? rest + 1000 : rest), 3))Z"
    }

    /// ISO 8601 in UTC with milliseconds, from seconds since 1970.
    package static func utc(seconds: Int64) -> String {
        utc(milliseconds: seconds &* 1000)
    }

    private static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}
