package import CloverCalendar

/// Parses the times that a user may write where the service expects milliseconds since 1970.
package enum TimeExpression {
    /// The reference for relative times and for times without an offset.
    package struct Context: Sendable {
        /// Milliseconds since 1970.
        package var now: Int64
        /// The time zone in which days begin: the merchant's.
        package var zone: TimeZoneRules

        package init(now: Int64, zone: TimeZoneRules) {
            self.now = now
            self.zone = zone
        }

        /// Whether the result of `read` depends on the time zone.
        package static func needsZone<Value: Equatable>(
            now: Int64, _ read: (Context) throws -> Value
        ) rethrows -> Bool {
            try read(Context(now: now, zone: .utc)) != read(Context(now: now, zone: TimeZoneRules(offset: 3600)))
        }
    }

    /// Milliseconds since 1970 for `1700000000000` (0, or at least 12 digits), `now`, `today`, `yesterday`, `tomorrow`
    /// (midnight in the zone), `-7d` (also `s`, `m`, `h`, `w`; exact durations before now), or an ISO 8601 date or date
    /// and time. A date alone is midnight in the zone; a time without an offset is in the zone. A month (`2026-10`) or a
    /// word such as `last-month` is the beginning of that period. Nil for anything else.
    package static func milliseconds(_ text: some StringProtocol, in context: Context) -> Int64? {
        let word = text.lowercased()
        let days: [String: Int64] = ["yesterday": -1, "today": 0, "tomorrow": 1]
        if word == "now" { return context.now }
        if let days = days[word] { return context.zone.milliseconds(day: context.zone.day(at: context.now) + days) }
        if !word.isEmpty, word.utf8.allSatisfy({ (48...57).contains($0) }) {
            // Shorter numbers are years or seconds; read as milliseconds they would all fall in early 1970.
            return word == "0" || word.count >= 12 ? Int64(word) : nil
        }
        if !word.contains(".."), let period = period(word, in: context) { return period.lowerBound }
        if word.hasPrefix("-") { return relative(word.dropFirst(), context) }
        return iso8601(word, context.zone)
    }

    /// The time range of a period that `Period` knows by a word, a year, a month, a date or two ends joined by `..`: from the
    /// midnight that begins it to the midnight after it, in the zone. Nil for anything else.
    package static func period(_ text: some StringProtocol, in context: Context) -> Range<Int64>? {
        guard let period = Period.whole(text.lowercased(), today: context.zone.day(at: context.now)) else { return nil }
        return context.zone.milliseconds(day: period.first)..<context.zone.milliseconds(day: period.last + 1)
    }

    /// Where a range of time begins that the text is an end of: a period, also a year, stands for its beginning, as in
    /// filters with `>=` and `<`; otherwise as `milliseconds`.
    package static func beginning(_ text: some StringProtocol, in context: Context) -> Int64? {
        guard !text.contains("..") else { return nil }
        return period(text, in: context)?.lowerBound ?? milliseconds(text, in: context)
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

    private static func iso8601(_ text: String, _ zone: TimeZoneRules) -> Int64? {
        let halves = text.split(whereSeparator: { $0 == "t" || $0 == " " })
        guard let dateText = halves.first, halves.count <= 2, let date = calendarDate(dateText) else { return nil }
        let day = Int64(CivilTime.days(year: date.year, month: date.month, day: date.day))
        guard halves.count == 2 else { return zone.milliseconds(day: day) }
        guard let (clock, offset) = splitOffset(halves[1]), let time = clockTime(clock) else { return nil }
        let second = Int64(time.hour * 3600 + time.minute * 60 + time.second)
        let instant =
            offset.map { (day * 86_400 + second - Int64($0)) * 1000 } ?? zone.milliseconds(day: day, second: second)
        return instant + Int64(time.millisecond)
    }

    private static func calendarDate(_ text: Substring) -> (year: Int, month: Int, day: Int)? {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 3, parts[0].count == 4, parts[1].count == 2, parts[2].count == 2,
            let year = decimal(parts[0]), let month = decimal(parts[1]), let day = decimal(parts[2]),
            year >= 1970, (1...12).contains(month), day >= 1, day <= CivilTime.daysInMonth(month, of: year)
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

    /// Splits `08:00z` or `08:00+01:00` into the clock time and its offset in seconds; the offset is nil if absent.
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

    /// Parses ASCII digits only: `Int` would accept a sign.
    private static func decimal(_ text: some StringProtocol) -> Int? {
        guard !text.isEmpty, text.count <= 9, text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
        return Int(text)
    }
}
