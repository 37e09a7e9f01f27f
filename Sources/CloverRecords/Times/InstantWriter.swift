/// Formats instants in one zone. Caches the last result of the zone's rules, because records are close together in
/// time.
struct InstantWriter: Sendable {
    private let zone: TimeZoneRules
    private var span: TimeZoneRules.Span?

    init(_ zone: TimeZoneRules) {
        self.zone = zone
    }

    /// Appends `2026-11-21T02:14:03.120-05:00`; in UTC it ends with `Z`. An offset with seconds, as before standard
    /// time, ends with `:SS`.
    /// - Returns: false, with nothing appended, for a year that does not have four digits in ISO 8601.
    mutating func appendISO(_ count: Int64, unit: RecordColumn.TimeUnit, to result: inout [UInt8]) -> Bool {
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
    mutating func appendShort(_ count: Int64, unit: RecordColumn.TimeUnit, to result: inout [UInt8]) -> Bool {
        guard let (time, _, _) = parts(count, unit) else { return false }
        Self.appendDate(time, to: &result)
        result.append(UInt8(ascii: " "))
        Self.appendMinutes(time.secondOfDay / 60, to: &result)
        return true
    }

    private mutating func parts(
        _ count: Int64, _ unit: RecordColumn.TimeUnit
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
