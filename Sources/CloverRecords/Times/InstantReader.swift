/// Parses the instants in our own records: `2026-11-21T07:14:03.120Z`, in UTC.
enum InstantReader {
    private static let shape = Array("0000-00-00T00:00:00.000Z".utf8)

    /// Milliseconds since 1970; nil for any other text.
    static func milliseconds(_ text: UnsafeRawBufferPointer) -> Int64? {
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
        // Counted from March, as in `CivilTime`, so that a leap day is the last day of its year.
        let year = number(0..<4) - (month <= 2 ? 1 : 0)
        let dayOfYear = (153 * ((month + 9) % 12) + 2) / 5 + day - 1
        let period = (year >= 0 ? year : year - 399) / 400
        let yearOfPeriod = year - period * 400
        let days =
            period * 146_097 + yearOfPeriod * 365 + yearOfPeriod / 4 - yearOfPeriod / 100 + dayOfYear - 719_468
        let seconds = days * CivilTime.secondsPerDay + number(11..<13) * 3600 + number(14..<16) * 60 + number(17..<19)
        return Int64(seconds * 1000 + number(20..<23))
    }
}
