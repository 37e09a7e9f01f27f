/// Consecutive business days, as people name them: `yesterday`, `last-month`, `2026-10-01..2026-10-15`.
package struct Period: Sendable, Equatable {
    /// The first date, in days since 1970-01-01.
    package let first: Int64
    /// The last date, included.
    package let last: Int64
    /// The calendar unit that it is, or that it is the beginning of; nil for other days.
    private let unit: Unit?

    private enum Unit {
        case week, month, quarter, year

        /// Months of a unit that consists of months.
        var months: Int? {
            switch self {
            case .week: nil
            case .month: 1
            case .quarter: 3
            case .year: 12
            }
        }
    }

    package init(first: Int64, last: Int64) {
        self.init(first: first, last: last, unit: nil)
    }

    private init(first: Int64, last: Int64, unit: Unit?) {
        self.first = first
        self.last = last
        self.unit = unit
    }

    /// Every word that names a period by itself.
    package static let words = [
        "today", "yesterday", "this-week", "last-week", "this-month", "last-month", "this-quarter", "last-quarter",
        "this-year", "last-year",
    ]

    /// - Parameters:
    ///   - text: one of `words`, a year (`2026`), a quarter (`2026-Q3`), a month (`2026-10`), a date (`2026-10-01`), or two
    ///     of these joined by `..`, both included. Weeks begin on Monday. A current period ends today.
    ///   - today: the current business day.
    package init(parsing text: String, today: Int64) throws(PeriodError) {
        guard let (begin, end) = Self.ends(text, today) else { throw .malformed(text) }
        guard begin.first <= end.last else { throw .reversed(text) }
        guard begin.first <= today else { throw .future(text) }
        self.init(
            first: begin.first, last: min(end.last, today), unit: begin == end ? begin.unit : nil)
    }

    /// Reads the same texts, but a period may begin or end after today: `2026` then is the whole year.
    ///
    /// - Returns: nil for a text that is no period, and for one that ends before it begins.
    package static func whole(_ text: String, today: Int64) -> Period? {
        guard let (begin, end) = ends(text, today), begin.first <= end.last else { return nil }
        return Period(first: begin.first, last: end.last)
    }

    /// The period to compare this one with: of a week, month, quarter or year, the same days of the one before, so that a
    /// part is compared with a part; otherwise the period that ends the day before this one, of the same length, or of as many
    /// months for whole months.
    package var previous: Period {
        switch unit {
        case .week: return Period(first: first - 7, last: last - 7)
        case .month where isPart, .quarter where isPart:
            let start = CalendarDate.startOfMonth(first, after: -(unit?.months ?? 1))
            return Period(first: start, last: min(first - 1, start + last - first))
        case .year where isPart: return lastYear
        case .month, .quarter, .year, nil: break
        }
        if first == CalendarDate.startOfMonth(first), last + 1 == CalendarDate.startOfMonth(last, after: 1) {
            let months = monthNumber(last) - monthNumber(first) + 1
            return Period(first: CalendarDate.startOfMonth(first, after: -months), last: first - 1)
        }
        return Period(first: first - (last - first + 1), last: first - 1)
    }

    /// Whether it is only the beginning of its unit of months.
    private var isPart: Bool {
        unit?.months.map { last + 1 < CalendarDate.startOfMonth(first, after: $0) } ?? false
    }

    /// The same dates a year before; February 29 becomes February 28.
    package var lastYear: Period {
        Period(first: Self.yearBefore(first), last: Self.yearBefore(last))
    }

    private static func yearBefore(_ date: Int64) -> Int64 {
        let civil = CivilTime(secondsSince1970: Int(date) * 86_400)
        let day = min(civil.day, CivilTime.daysInMonth(civil.month, of: civil.year - 1))
        return Int64(CivilTime.days(year: civil.year - 1, month: civil.month, day: day))
    }

    private func monthNumber(_ date: Int64) -> Int {
        let civil = CivilTime(secondsSince1970: Int(date) * 86_400)
        return civil.year * 12 + civil.month
    }

    private typealias Dates = (first: Int64, last: Int64, unit: Unit?)

    /// The periods on both sides of `..`; without it, the same one twice.
    private static func ends(_ text: String, _ today: Int64) -> (Dates, Dates)? {
        let texts = text.split(separator: "..", omittingEmptySubsequences: false)
        guard texts.count <= 2, let begin = named(texts[0], today), let end = named(texts[texts.count - 1], today)
        else { return nil }
        return (begin, end)
    }

    private static func named(_ text: Substring, _ today: Int64) -> Dates? {
        let monday = today - Int64(CalendarDate.weekday(today))
        let month = CalendarDate.startOfMonth(today)
        switch text.lowercased() {
        case "today": return (today, today, nil)
        case "yesterday": return (today - 1, today - 1, nil)
        case "this-week": return (monday, today, .week)
        case "last-week": return (monday - 7, monday - 1, .week)
        case "this-month": return (month, today, .month)
        case "last-month": return (CalendarDate.startOfMonth(month, after: -1), month - 1, .month)
        case "this-quarter": return (quarter(of: today), today, .quarter)
        case "last-quarter":
            let start = quarter(of: today)
            return (CalendarDate.startOfMonth(start, after: -3), start - 1, .quarter)
        case "this-year": return (year(of: today), today, .year)
        case "last-year": return (year(of: year(of: today) - 1), year(of: today) - 1, .year)
        default: break
        }
        switch text.utf8.count {
        case 4:
            guard let first = CalendarDate.parse(text + "-01-01") else { return nil }
            return (first, CalendarDate.startOfMonth(first, after: 12) - 1, .year)
        case 7 where text.dropFirst(4).lowercased().hasPrefix("-q"):
            guard let number = text.last?.wholeNumberValue, (1...4).contains(number),
                let january = CalendarDate.parse(text.prefix(4) + "-01-01")
            else { return nil }
            let first = CalendarDate.startOfMonth(january, after: 3 * (number - 1))
            return (first, CalendarDate.startOfMonth(first, after: 3) - 1, .quarter)
        case 7:
            guard let first = CalendarDate.parse(text + "-01") else { return nil }
            return (first, CalendarDate.startOfMonth(first, after: 1) - 1, .month)
        default:
            guard let date = CalendarDate.parse(text) else { return nil }
            return (date, date, nil)
        }
    }

    private static func quarter(of date: Int64) -> Int64 {
        let month = CivilTime(secondsSince1970: Int(date) * 86_400).month
        return CalendarDate.startOfMonth(date, after: -((month - 1) % 3))
    }

    private static func year(of date: Int64) -> Int64 {
        let civil = CivilTime(secondsSince1970: Int(date) * 86_400)
        return Int64(CivilTime.days(year: civil.year, month: 1, day: 1))
    }
}

/// Why a text is not a period.
package enum PeriodError: Error, Equatable {
    /// Not a word, a year, a month, a date or a range of these.
    case malformed(String)
    /// It ends before it begins.
    case reversed(String)
    /// It begins after today.
    case future(String)
}
