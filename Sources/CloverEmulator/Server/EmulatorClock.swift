import FoundationEssentials

/// The clock of tokens and of the `Date` header: the system clock with a fixed offset. The shop's history has a
/// separate time.
package struct EmulatorClock: Sendable {
    private let skewInMilliseconds: Int

    package init(skew: Duration = .zero) {
        skewInMilliseconds = skew.milliseconds
    }

    /// Milliseconds since 1970.
    package func now() -> Int {
        Int((Date().timeIntervalSince1970 * 1000).rounded(.down)) + skewInMilliseconds
    }
}

/// The time of writes to the shop.
package enum ShopClock: Sendable {
    /// One second after the last write, so that the same requests produce the same bytes.
    case counted
    /// The system time, but always later than the last write.
    case live

    /// Milliseconds since 1970.
    func time(after last: Int) -> Int {
        switch self {
        case .counted: last + 1000
        case .live: max(last + 1, EmulatorClock(skew: .zero).now())
        }
    }
}

extension Duration {
    /// Whole milliseconds, truncated.
    package var milliseconds: Int {
        let parts = components
        return Int(parts.seconds) * 1000 + Int(parts.attoseconds / 1_000_000_000_000_000)
    }
}

/// Parses durations such as `50ms`, `1.5s`, `2m`, `1h` and `366d`.
package enum DurationText {
    private static let units: [(name: String, milliseconds: Double)] = [
        ("ms", 1), ("s", 1000), ("m", 60_000), ("h", 3_600_000), ("d", 86_400_000),
    ]
    /// A hundred years, in milliseconds: more than enough, and far from an overflow.
    private static let longest = 100 * 366 * 86_400_000.0

    /// Nil unless the text is a number of at least 0 with one of the units `ms`, `s`, `m`, `h`, `d`, up to a hundred
    /// years.
    package static func duration(_ text: String) -> Duration? {
        for unit in units where text.hasSuffix(unit.name) {
            let digits = text.dropLast(unit.name.count)
            guard digits.allSatisfy({ $0.isASCII && ($0.isNumber || $0 == ".") }), let value = Double(digits),
                value * unit.milliseconds <= longest
            else { return nil }
            return .microseconds(Int64(value * unit.milliseconds * 1000))
        }
        return nil
    }

    package static func signedDuration(_ text: String) -> Duration? {
        if text.hasPrefix("-") { return duration(String(text.dropFirst())).map { .zero - $0 } }
        return duration(text.hasPrefix("+") ? String(text.dropFirst()) : text)
    }
}

/// Parses instants such as `2026-01-31T23:00:00Z` (RFC 3339).
package enum InstantText {
    /// An instant in UTC, with milliseconds.
    static func utc(_ milliseconds: Int) -> String {
        let day = Int((Double(milliseconds) / 86_400_000).rounded(.down))
        let rest = milliseconds - day * 86_400_000
        let date = CivilDate(dayNumber: day)
        let time = [rest / 3_600_000, rest / 60_000 % 60, rest / 1000 % 60].map { $0.digits(2) }
        return "\(date.year.digits(4))-\(date.month.digits(2))-\(date.day.digits(2))T"
            + time.joined(separator: ":") + ".\((rest % 1000).digits(3))Z"
    }

    /// Milliseconds since 1970; nil if the text is not an instant. Seconds may have up to three decimals; the offset is
    /// `Z` or `+hh:mm`.
    package static func milliseconds(_ text: String) -> Int? {
        let form =
            #/
            ([0-9]{4})-([0-9]{2})-([0-9]{2})T([0-9]{2}):([0-9]{2}):([0-9]{2})
            (?:\.([0-9]{1,3}))?(?:Z|([+-])([0-9]{2}):([0-9]{2}))
            /#
        guard let match = text.wholeMatch(of: form)?.output, let year = Int(match.1), let month = Int(match.2),
            let day = Int(match.3), let hour = Int(match.4), let minute = Int(match.5), let second = Int(match.6),
            (1...12).contains(month), (1...CivilDate.days(inMonth: month, year: year)).contains(day), hour < 24,
            minute < 60, second < 60
        else { return nil }
        let decimals = String(match.7 ?? "")
        let thousandths = Int(decimals + String(repeating: "0", count: 3 - decimals.count)) ?? 0
        let (hours, minutes) = (Int(match.9 ?? "0") ?? 0, Int(match.10 ?? "0") ?? 0)
        guard hours < 24, minutes < 60 else { return nil }
        let offset = (hours * 60 + minutes) * (match.8 == "-" ? -1 : 1)
        let days = CivilDate(year: year, month: month, day: day).dayNumber
        return ((days * 24 + hour) * 60 + minute - offset) * 60_000 + second * 1000 + thousandths
    }
}

/// Writes the `Date` header: `Sat, 31 Jan 2026 23:00:00 GMT` (RFC 9110 section 5.6.7, IMF-fixdate).
package enum HTTPDate {
    private static let weekdays = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"]
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]

    /// - Parameter milliseconds: milliseconds since 1970; fractions of a second are dropped.
    package static func text(_ milliseconds: Int) -> String {
        let seconds = Int((Double(milliseconds) / 1000).rounded(.down))
        let day = Int((Double(seconds) / 86_400).rounded(.down))
        let second = seconds - day * 86_400
        let date = CivilDate(dayNumber: day)
        let time = [second / 3600, second / 60 % 60, second % 60].map { $0.digits(2) }.joined(separator: ":")
        let weekday = weekdays[CivilDate.weekday(ofDayNumber: day)]
        return "\(weekday), \(date.day.digits(2)) \(months[date.month - 1]) \(date.year) \(time) GMT"
    }
}
