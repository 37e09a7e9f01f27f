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
    private let bytes: [UInt8]
    private var offset = 0

    init(bytes: [UInt8]) {
        self.bytes = bytes
    }

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
