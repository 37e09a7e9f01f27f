/// A zone's rules for every year, as in the POSIX variable TZ, such as `EST5EDT,M3.2.0,M11.1.0` (environ(7), tzset(3);
/// times beyond a day as in RFC 9636, section 3.3.1).
struct RecurringRules: Sendable, Equatable {
    /// Seconds east of UTC in standard time.
    let standardOffset: Int
    /// Nil if the zone has no summer time.
    let summer: Summer?

    struct Summer: Sendable, Equatable {
        /// Seconds east of UTC.
        let offset: Int
        let start: Change
        let end: Change
    }

    /// A yearly change of the clock.
    struct Change: Sendable, Equatable {
        let day: Day
        /// Seconds after midnight, on the clock before the change; may be negative or more than a day.
        let time: Int
    }

    enum Day: Sendable, Equatable {
        /// `Jn`: 1 to 365; February 29 is never counted.
        case ofCommonYear(Int)
        /// `n`: 0 to 365; February 29 is counted.
        case ofYear(Int)
        /// `Mm.w.d`: weekday 0 is Sunday, week 5 is the last one of the month.
        case weekday(month: Int, week: Int, weekday: Int)

        /// Days from 1970-01-01.
        func days(in year: Int) -> Int {
            let first = CivilTime.days(year: year, month: 1, day: 1)
            switch self {
            case .ofCommonYear(let number):
                return first + number - 1 + (CivilTime.isLeap(year) && number >= 60 ? 1 : 0)
            case .ofYear(let number):
                return first + number
            case .weekday(let month, let week, let weekday):
                let start = CivilTime.days(year: year, month: month, day: 1)
                // 1970-01-01 was a Thursday.
                let firstWeekday = ((start + 4) % 7 + 7) % 7
                var day = (weekday - firstWeekday + 7) % 7 + (week - 1) * 7
                if day >= CivilTime.daysInMonth(month, of: year) { day -= 7 }
                return start + day
            }
        }
    }

    func span(at seconds: Int) -> TimeZoneRules.Span {
        guard let summer else { return .init(from: .min, until: .max, offset: standardOffset) }
        let year = CivilTime(secondsSince1970: seconds + standardOffset).year
        var changes: [(at: Int, offset: Int)] = []
        for year in year - 1...year + 1 {
            let start = instant(of: summer.start, in: year, clock: standardOffset)
            let end = instant(of: summer.end, in: year, clock: summer.offset)
            changes.append((start, summer.offset))
            changes.append((end, standardOffset))
        }
        // If summer time lasts all year, it ends in the second in which it starts again: the start must come last.
        changes.sort { $0.at != $1.at ? $0.at < $1.at : $0.offset == standardOffset && $1.offset != standardOffset }
        let next = changes.firstIndex { $0.at > seconds } ?? changes.endIndex
        guard next > 0 else { return .init(from: .min, until: seconds + 1, offset: standardOffset) }
        return .init(
            from: changes[next - 1].at, until: next < changes.endIndex ? changes[next].at : seconds + 1,
            offset: changes[next - 1].offset)
    }

    private func instant(of change: Change, in year: Int, clock: Int) -> Int {
        change.day.days(in: year) * CivilTime.secondsPerDay + change.time - clock
    }
}

extension RecurringRules {
    /// Parses the text; nil if it is malformed.
    init?(parsing text: [UInt8]) {
        var reader = RuleReader(bytes: text)
        guard let rules = reader.rules(), reader.isAtEnd else { return nil }
        self = rules
    }
}

/// Parses the text of `RecurringRules` from left to right.
private struct RuleReader {
    let bytes: [UInt8]
    var offset = 0

    var isAtEnd: Bool { offset == bytes.count }

    mutating func rules() -> RecurringRules? {
        guard name(), let west = time() else { return nil }
        let standard = -west
        guard !isAtEnd else { return RecurringRules(standardOffset: standard, summer: nil) }
        guard name() else { return nil }
        var summer = standard + 3600
        if !isAtEnd, bytes[offset] != UInt8(ascii: ",") {
            guard let west = time() else { return nil }
            summer = -west
        }
        // Without dates, the rules of the United States apply, as in glibc.
        guard !isAtEnd else {
            return RecurringRules(
                standardOffset: standard,
                summer: .init(
                    offset: summer, start: .init(day: .weekday(month: 3, week: 2, weekday: 0), time: 7200),
                    end: .init(day: .weekday(month: 11, week: 1, weekday: 0), time: 7200)))
        }
        guard let start = change(), let end = change() else { return nil }
        return RecurringRules(standardOffset: standard, summer: .init(offset: summer, start: start, end: end))
    }

    /// At least three letters, or anything in angle brackets.
    private mutating func name() -> Bool {
        if take("<") {
            while !isAtEnd {
                if take(">") { return true }
                offset += 1
            }
            return false
        }
        let start = offset
        while !isAtEnd, bytes[offset] | 0x20 >= UInt8(ascii: "a"), bytes[offset] | 0x20 <= UInt8(ascii: "z") {
            offset += 1
        }
        return offset - start >= 3
    }

    /// `[+-]hh[:mm[:ss]]` in seconds.
    private mutating func time() -> Int? {
        let isNegative = take("-")
        if !isNegative { _ = take("+") }
        guard let hours = number(), hours <= 167 else { return nil }
        var seconds = hours * 3600
        for unit in [60, 1] where take(":") {
            guard let part = number(), part < 60 else { return nil }
            seconds += part * unit
        }
        return isNegative ? -seconds : seconds
    }

    /// `,date[/time]`; the default time is two o'clock.
    private mutating func change() -> RecurringRules.Change? {
        guard take(","), let day = day() else { return nil }
        guard take("/") else { return .init(day: day, time: 7200) }
        return time().map { .init(day: day, time: $0) }
    }

    private mutating func day() -> RecurringRules.Day? {
        if take("J") {
            guard let number = number(), (1...365).contains(number) else { return nil }
            return .ofCommonYear(number)
        }
        guard take("M") else {
            guard let number = number(), number <= 365 else { return nil }
            return .ofYear(number)
        }
        guard let month = number(), take("."), let week = number(), take("."), let weekday = number(),
            (1...12).contains(month), (1...5).contains(week), weekday <= 6
        else { return nil }
        return .weekday(month: month, week: week, weekday: weekday)
    }

    private mutating func number() -> Int? {
        let start = offset
        var value = 0
        while !isAtEnd, bytes[offset] &- 0x30 < 10, offset - start < 4 {
            value = value * 10 + Int(bytes[offset] &- 0x30)
            offset += 1
        }
        return offset > start ? value : nil
    }

    private mutating func take(_ character: Unicode.Scalar) -> Bool {
        guard !isAtEnd, bytes[offset] == UInt8(ascii: character) else { return false }
        offset += 1
        return true
    }
}
