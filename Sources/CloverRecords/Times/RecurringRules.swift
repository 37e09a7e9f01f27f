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
            let first = CivilTime.daysTo(year: year)
            switch self {
            case .ofCommonYear(let number):
                return first + number - 1 + (CivilTime.isLeap(year) && number >= 60 ? 1 : 0)
            case .ofYear(let number):
                return first + number
            case .weekday(let month, let week, let weekday):
                let start = first + (1..<month).reduce(0) { $0 + CivilTime.daysInMonth($1, of: year) }
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
