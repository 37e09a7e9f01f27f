/// A date and time of day in the proleptic Gregorian calendar, as in ISO 8601.
package struct CivilTime: Equatable {
    package var year: Int
    /// 1 to 12.
    package var month: Int
    /// 1 to 31.
    package var day: Int
    /// Seconds since midnight, 0 to 86,399.
    package var secondOfDay: Int

    static let secondsPerDay = 86_400

    /// - Parameter seconds: local seconds since 1970-01-01.
    package init(secondsSince1970 seconds: Int) {
        var days = seconds / Self.secondsPerDay
        secondOfDay = seconds % Self.secondsPerDay
        if secondOfDay < 0 {
            days -= 1
            secondOfDay += Self.secondsPerDay
        }
        // Years are counted from March, so that a leap day is the last day of its year, and in periods of 400 years,
        // which all have the same number of days. Day 0 becomes 0000-03-01.
        let shifted = days + 719_468
        let period = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfPeriod = shifted - period * 146_097
        let yearOfPeriod =
            (dayOfPeriod - dayOfPeriod / 1460 + dayOfPeriod / 36_524 - dayOfPeriod / 146_096) / 365
        let dayOfYear = dayOfPeriod - (365 * yearOfPeriod + yearOfPeriod / 4 - yearOfPeriod / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        day = dayOfYear - (153 * monthFromMarch + 2) / 5 + 1
        month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
        year = period * 400 + yearOfPeriod + (month <= 2 ? 1 : 0)
    }

    /// Days from 1970-01-01. Counted from March, as above.
    package static func days(year: Int, month: Int, day: Int) -> Int {
        let year = month <= 2 ? year - 1 : year
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        let period = (year >= 0 ? year : year - 399) / 400
        let yearOfPeriod = year - period * 400
        return period * 146_097 + yearOfPeriod * 365 + yearOfPeriod / 4 - yearOfPeriod / 100 + dayOfYear - 719_468
    }

    static func isLeap(_ year: Int) -> Bool {
        year % 4 == 0 && (year % 100 != 0 || year % 400 == 0)
    }

    /// - Parameter month: 1 to 12.
    package static func daysInMonth(_ month: Int, of year: Int) -> Int {
        switch month {
        case 2: isLeap(year) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }
}

/// Parses the instants in our own records: `2026-11-21T07:14:03.120Z`, in UTC.
package enum InstantReader {
    private static let shape = Array("0000-00-00T00:00:00.000Z".utf8)

    /// Milliseconds since 1970; nil for any other text.
    package static func milliseconds(_ text: UnsafeRawBufferPointer) -> Int64? {
        guard text.count == shape.count else { return nil }
        for (byte, expected) in zip(text, shape) {
            if expected == UInt8(ascii: "0") {
                guard (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) else { return nil }
            } else if byte != expected {
                return nil
            }
        }
        func number(_ range: Range<Int>) -> Int {
            text[range].reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
        }
        let month = number(5..<7)
        let day = number(8..<10)
        guard (1...12).contains(month), (1...31).contains(day) else { return nil }
        let days = CivilTime.days(year: number(0..<4), month: month, day: day)
        let seconds = days * CivilTime.secondsPerDay + number(11..<13) * 3600 + number(14..<16) * 60 + number(17..<19)
        return Int64(seconds * 1000 + number(20..<23))
    }
}

/// Formats instants in one zone. Caches the last result of the zone's rules, because records are close together in
/// time.
package struct InstantWriter: Sendable {
    private let zone: TimeZoneRules
    private var span: TimeZoneRules.Span?

    package init(_ zone: TimeZoneRules) {
        self.zone = zone
    }

    /// Appends `2026-11-21T02:14:03.120-05:00`; in UTC it ends with `Z`. An offset with seconds, as before standard
    /// time, ends with `:SS`.
    /// - Returns: false, with nothing appended, for a year that does not have four digits in ISO 8601.
    package mutating func appendISO(_ count: Int64, unit: TimeUnit, to result: inout [UInt8]) -> Bool {
        guard let (time, millisecond, offset) = parts(count, unit) else { return false }
        Self.appendDate(time, to: &result)
        result.append(UInt8(ascii: "T"))
        Self.appendMinutes(time.secondOfDay / 60, to: &result)
        result.append(UInt8(ascii: ":"))
        Self.append(time.secondOfDay % 60, digits: 2, to: &result)
        result.append(UInt8(ascii: "."))
        Self.append(millisecond, digits: 3, to: &result)
        if zone.isUTC {
            result.append(UInt8(ascii: "Z"))
            return true
        }
        result.append(UInt8(ascii: offset < 0 ? "-" : "+"))
        Self.appendMinutes(abs(offset) / 60, to: &result)
        if offset % 60 != 0 {
            result.append(UInt8(ascii: ":"))
            Self.append(abs(offset) % 60, digits: 2, to: &result)
        }
        return true
    }

    /// Appends `2026-11-21 02:14`. Returns the same as `appendISO`.
    package mutating func appendShort(_ count: Int64, unit: TimeUnit, to result: inout [UInt8]) -> Bool {
        guard let (time, _, _) = parts(count, unit) else { return false }
        Self.appendDate(time, to: &result)
        result.append(UInt8(ascii: " "))
        Self.appendMinutes(time.secondOfDay / 60, to: &result)
        return true
    }

    private mutating func parts(
        _ count: Int64, _ unit: TimeUnit
    ) -> (time: CivilTime, millisecond: Int, offset: Int)? {
        var seconds = Int(count)
        var millisecond = 0
        if unit != .seconds {
            millisecond = seconds % 1000
            seconds /= 1000
            if millisecond < 0 {
                millisecond += 1000
                seconds -= 1
            }
        }
        // About ten thousand years around 1970, so that the following cannot overflow.
        guard abs(seconds / CivilTime.secondsPerDay) < 3_700_000 else { return nil }
        let span = self.span.flatMap { $0.contains(seconds) ? $0 : nil } ?? zone.span(at: seconds)
        self.span = span
        let time = CivilTime(secondsSince1970: seconds + span.offset)
        guard (0...9999).contains(time.year) else { return nil }
        return (time, millisecond, span.offset)
    }

    private static func appendDate(_ time: CivilTime, to result: inout [UInt8]) {
        append(time.year, digits: 4, to: &result)
        result.append(UInt8(ascii: "-"))
        append(time.month, digits: 2, to: &result)
        result.append(UInt8(ascii: "-"))
        append(time.day, digits: 2, to: &result)
    }

    /// Appends hours and minutes.
    private static func appendMinutes(_ minutes: Int, to result: inout [UInt8]) {
        append(minutes / 60, digits: 2, to: &result)
        result.append(UInt8(ascii: ":"))
        append(minutes % 60, digits: 2, to: &result)
    }

    private static func append(_ number: Int, digits: Int, to result: inout [UInt8]) {
        var divisor = 1
        for _ in 1..<digits { divisor *= 10 }
        while divisor > 0 {
            result.append(UInt8(ascii: "0") + UInt8(number / divisor % 10))
            divisor /= 10
        }
    }
}

/// The unit or form of a time in a record.
package enum TimeUnit: Sendable, Equatable {
    case milliseconds
    case seconds
    /// Text in UTC with milliseconds, as in our own records.
    case text
}
