import Glibc

/// Instants as our own JSON and tables show them.
package enum InstantText {
    /// ISO 8601 in UTC with milliseconds, such as `2026-11-21T07:14:03.120Z`, from milliseconds since 1970.
    package static func utc(milliseconds: Int64) -> String {
        let (seconds, rest) = milliseconds.flooredDivision(by: 1000)
        let parts = parts(seconds, gmtime_r)
        return "\(parts.date)T\(parts.time).\(padded(Int(rest), 3))Z"
    }

    /// The same from seconds since 1970.
    package static func utc(seconds: Int64) -> String {
        utc(milliseconds: seconds &* 1000)
    }

    private static func parts(
        _ seconds: Int64, _ split: (UnsafePointer<time_t>, UnsafeMutablePointer<tm>) -> UnsafeMutablePointer<tm>?
    ) -> (date: String, time: String) {
        var time = time_t(seconds)
        var fields = tm()
        // Fails only for years that no int holds.
        guard split(&time, &fields) != nil else { return ("?", "?") }
        let date =
            "\(padded(Int(fields.tm_year) + 1900, 4))-\(padded(Int(fields.tm_mon) + 1, 2))-"
            + padded(Int(fields.tm_mday), 2)
        let clock =
            "\(padded(Int(fields.tm_hour), 2)):\(padded(Int(fields.tm_min), 2)):\(padded(Int(fields.tm_sec), 2))"
        return (date, clock)
    }

    private static func padded(_ number: Int, _ width: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
}

extension Int64 {
    /// Quotient and a remainder that is never negative.
    fileprivate func flooredDivision(by divisor: Int64) -> (Int64, Int64) {
        let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
        return remainder < 0 ? (quotient - 1, remainder + divisor) : (quotient, remainder)
    }
}
