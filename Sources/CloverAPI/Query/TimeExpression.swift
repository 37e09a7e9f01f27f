import Glibc

/// The times that a user may write where the service wants milliseconds since 1970.
package enum TimeExpression {
    /// What relative times refer to.
    package struct Context: Sendable {
        /// Milliseconds since 1970.
        package var now: Int64

        package init(now: Int64) {
            self.now = now
        }
    }

    /// Milliseconds since 1970 for `1700000000000` (0, or at least 12 digits), `now`, `today`, `yesterday`, `tomorrow` (local midnight),
    /// `-7d` (also `s`, `m`, `h`, `w`; exact lengths of time before now), or an ISO 8601 date or date and time. A
    /// date alone is its local midnight; a time without an offset is local, by `TZ`. Nil for anything else.
    package static func milliseconds(_ text: some StringProtocol, in context: Context) -> Int64? {
        let word = text.lowercased()
        switch word {
        case "now": return context.now
        case "today": return midnight(daysFromToday: 0, context)
        case "yesterday": return midnight(daysFromToday: -1, context)
        case "tomorrow": return midnight(daysFromToday: 1, context)
        default: break
        }
        if !word.isEmpty, word.utf8.allSatisfy({ (48...57).contains($0) }) {
            // Shorter numbers are years, or seconds: taken as milliseconds they would mean 1970.
            return word == "0" || word.count >= 12 ? Int64(word) : nil
        }
        if word.hasPrefix("-") { return relative(word.dropFirst(), context) }
        return iso8601(word)
    }

    private static func relative(_ text: Substring, _ context: Context) -> Int64? {
        guard let unit = text.last, let amount = decimal(text.dropLast()) else { return nil }
        let lengths: [Character: Int64] = [
            "s": 1_000, "m": 60_000, "h": 3_600_000, "d": 86_400_000, "w": 604_800_000,
        ]
        guard let length = lengths[unit] else { return nil }
        let (distance, overflow) = Int64(amount).multipliedReportingOverflow(by: length)
        return overflow ? nil : context.now - distance
    }

    private static func midnight(daysFromToday days: Int32, _ context: Context) -> Int64? {
        var seconds = time_t(context.now / 1000)
        var local = tm()
        guard localtime_r(&seconds, &local) != nil else { return nil }
        return localMilliseconds(
            year: Int(local.tm_year) + 1900, month: Int(local.tm_mon) + 1, day: Int(local.tm_mday) + Int(days),
            hour: 0, minute: 0, second: 0)
    }

    /// mktime(3) normalises the day and decides about daylight saving time.
    private static func localMilliseconds(
        year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int
    ) -> Int64? {
        var parts = tm()
        parts.tm_year = Int32(year - 1900)
        parts.tm_mon = Int32(month - 1)
        parts.tm_mday = Int32(day)
        parts.tm_hour = Int32(hour)
        parts.tm_min = Int32(minute)
        parts.tm_sec = Int32(second)
        parts.tm_isdst = -1
        let seconds = mktime(&parts)
        return seconds == -1 ? nil : Int64(seconds) * 1000
    }

    private static func iso8601(_ text: String) -> Int64? {
        let halves = text.split(whereSeparator: { $0 == "t" || $0 == " " })
        guard let dateText = halves.first, halves.count <= 2, let date = calendarDate(dateText) else { return nil }
        guard halves.count == 2 else {
            return localMilliseconds(
                year: date.year, month: date.month, day: date.day, hour: 0, minute: 0, second: 0)
        }
        guard let (clock, offset) = splitOffset(halves[1]), let time = clockTime(clock) else { return nil }
        if let offset {
            let days = daysSince1970(year: date.year, month: date.month, day: date.day)
            let seconds = days * 86_400 + Int64(time.hour * 3600 + time.minute * 60 + time.second) - Int64(offset)
            return seconds * 1000 + Int64(time.millisecond)
        }
        let local = localMilliseconds(
            year: date.year, month: date.month, day: date.day, hour: time.hour, minute: time.minute,
            second: time.second)
        return local.map { $0 + Int64(time.millisecond) }
    }

    private static func calendarDate(_ text: Substring) -> (year: Int, month: Int, day: Int)? {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].count == 4, parts[1].count == 2, parts[2].count == 2,
            let year = decimal(parts[0]), let month = decimal(parts[1]), let day = decimal(parts[2]),
            year >= 1970, (1...12).contains(month), day >= 1, day <= daysInMonth(month, of: year)
        else { return nil }
        return (year, month, day)
    }

    private static func clockTime(_ text: Substring) -> (hour: Int, minute: Int, second: Int, millisecond: Int)? {
        let whole = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let parts = whole[0].split(separator: ":", omittingEmptySubsequences: false)
        guard (2...3).contains(parts.count), parts.allSatisfy({ $0.count == 2 }), let hour = decimal(parts[0]),
            let minute = decimal(parts[1]), hour < 24, minute < 60,
            let second = parts.count == 3 ? decimal(parts[2]) : 0, second < 60
        else { return nil }
        guard whole.count == 2 else { return (hour, minute, second, 0) }
        guard parts.count == 3, (1...9).contains(whole[1].count),
            let millisecond = decimal((whole[1] + "00").prefix(3)), decimal(whole[1]) != nil
        else { return nil }
        return (hour, minute, second, millisecond)
    }

    /// Divides `08:00z` or `08:00+01:00` into the clock and its offset in seconds; the offset is nil when absent.
    private static func splitOffset(_ text: Substring) -> (Substring, Int?)? {
        if text.last == "z" { return (text.dropLast(), 0) }
        guard let sign = text.lastIndex(where: { $0 == "+" || $0 == "-" }) else { return (text, nil) }
        let digits = text[text.index(after: sign)...].filter { $0 != ":" }
        guard digits.count == 4 || digits.count == 2, let hours = decimal(digits.prefix(2)[...]), hours <= 14,
            let minutes = digits.count == 4 ? decimal(digits.suffix(2)[...]) : 0, minutes < 60
        else { return nil }
        let seconds = hours * 3600 + minutes * 60
        return (text[..<sign], text[sign] == "-" ? -seconds : seconds)
    }

    private static func daysInMonth(_ month: Int, of year: Int) -> Int {
        let isLeap = year % 4 == 0 && year % 100 != 0 || year % 400 == 0
        return [31, isLeap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1]
    }

    /// Days of the proleptic Gregorian calendar, counted in years that begin in March, so the leap day comes last.
    private static func daysSince1970(year: Int, month: Int, day: Int) -> Int64 {
        let marchYear = month <= 2 ? year - 1 : year
        let monthFromMarch = (month + 9) % 12
        let leapDays = marchYear / 4 - marchYear / 100 + marchYear / 400
        let days = 365 * marchYear + leapDays + (153 * monthFromMarch + 2) / 5 + day - 1
        return Int64(days) - 719_468
    }

    /// ASCII digits only: `Int` would take a sign.
    private static func decimal(_ text: some StringProtocol) -> Int? {
        guard !text.isEmpty, text.count <= 9, text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
        return Int(text)
    }
}
