/// An instant as a part of a file's name: UTC, without colons, in the order of time when sorted.
enum InstantName {
    /// `20261120T225801.204Z`, from milliseconds since 1970.
    static func text(_ milliseconds: Int64) -> String {
        let days = (milliseconds >= 0 ? milliseconds : milliseconds - 86_399_999) / 86_400_000
        let rest = milliseconds - days * 86_400_000
        let date = CalendarDate(daysSince1970: days).text.filter { $0 != "-" }
        func two(_ number: Int64) -> String { CalendarDate.padded(number, 2) }
        let clock = two(rest / 3_600_000) + two(rest / 60_000 % 60) + two(rest / 1000 % 60)
        return "\(date)T\(clock).\(CalendarDate.padded(rest % 1000, 3))Z"
    }
}
