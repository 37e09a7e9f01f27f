import CloverCalendar

/// Texts of times that SQL can compare and take apart. They are made for each row, so without intermediate strings.
enum TimeText {
    /// Number of bytes of the longer form.
    static let largestSize = 24

    /// `2026-01-31T22:01:25.528Z`.
    static func utc<Value>(_ milliseconds: Int64, _ body: (UnsafeRawBufferPointer) -> Value) -> Value {
        let (seconds, rest) = split(milliseconds)
        return withUnsafeTemporaryAllocation(of: UInt8.self, capacity: largestSize) { bytes in
            write(CivilTime(secondsSince1970: seconds), separator: UInt8(ascii: "T"), to: bytes)
            bytes[19] = UInt8(ascii: ".")
            digits(rest, 3, to: bytes, at: 20)
            bytes[23] = UInt8(ascii: "Z")
            return body(UnsafeRawBufferPointer(bytes))
        }
    }

    static func utc(_ milliseconds: Int64) -> String {
        utc(milliseconds) { String(decoding: $0, as: UTF8.self) }
    }

    /// `2026-01-31 16:01:25`, from local seconds since 1970.
    static func local<Value>(_ seconds: Int, _ body: (UnsafeRawBufferPointer) -> Value) -> Value {
        withUnsafeTemporaryAllocation(of: UInt8.self, capacity: 19) { bytes in
            write(CivilTime(secondsSince1970: seconds), separator: UInt8(ascii: " "), to: bytes)
            return body(UnsafeRawBufferPointer(bytes))
        }
    }

    static func seconds(_ milliseconds: Int64) -> Int { split(milliseconds).seconds }

    private static func split(_ milliseconds: Int64) -> (seconds: Int, rest: Int) {
        let (seconds, rest) = milliseconds.quotientAndRemainder(dividingBy: 1000)
        return rest < 0 ? (Int(seconds) - 1, Int(rest) + 1000) : (Int(seconds), Int(rest))
    }

    private static func write(_ time: CivilTime, separator: UInt8, to bytes: UnsafeMutableBufferPointer<UInt8>) {
        digits(time.year, 4, to: bytes, at: 0)
        bytes[4] = UInt8(ascii: "-")
        digits(time.month, 2, to: bytes, at: 5)
        bytes[7] = UInt8(ascii: "-")
        digits(time.day, 2, to: bytes, at: 8)
        bytes[10] = separator
        digits(time.secondOfDay / 3600, 2, to: bytes, at: 11)
        bytes[13] = UInt8(ascii: ":")
        digits(time.secondOfDay / 60 % 60, 2, to: bytes, at: 14)
        bytes[16] = UInt8(ascii: ":")
        digits(time.secondOfDay % 60, 2, to: bytes, at: 17)
    }

    private static func digits(
        _ number: Int, _ count: Int, to bytes: UnsafeMutableBufferPointer<UInt8>, at place: Int
    ) {
        var rest = number
        for offset in stride(from: count - 1, through: 0, by: -1) {
            bytes[place + offset] = UInt8(ascii: "0") + UInt8(rest % 10)
            rest /= 10
        }
    }
}
