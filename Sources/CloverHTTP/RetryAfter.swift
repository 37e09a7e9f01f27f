/// How long a service asks to be left alone (RFC 9110, section 10.2.3).
package enum RetryAfter {
    /// More than anybody waits: about 31 years. A number of the network is never taken for a larger one, so that it can be
    /// counted with.
    package static let longest = 1e9

    /// Seconds from now, 0 to `longest`; nil when the header is missing or says nothing that can be understood. Of several
    /// times, which somebody on the way may have added, the longest counts.
    ///
    /// - Parameter now: the caller's clock in seconds since 1970, for a date without a `Date` header beside it. With
    ///   one the service's own clock counts, so that a wrong clock here neither shortens nor lengthens the wait.
    package static func seconds(in headers: [HTTPHeader], now: () -> Int64?) -> Double? {
        let values = headers.filter { $0.name.lowercased() == "retry-after" }.map(\.value)
        guard !values.isEmpty else { return nil }
        let date = headers.first(named: "Date").flatMap { HTTPDate.seconds($0) } ?? now()
        return values.compactMap { seconds($0, date) }.max()
    }

    private static func seconds(_ text: String, _ now: Int64?) -> Double? {
        if let date = HTTPDate.seconds(text) {
            return now.map { min(Double(max(date - $0, 0)), longest) }
        }
        // Fields of one name may have been joined.
        return text.split(separator: ",").compactMap { number($0) }.max()
    }

    /// `3`, and as some write it, `3s` and `"3"`.
    private static func number(_ text: Substring) -> Double? {
        var text = text.drop { " \t\"".contains($0) }
        while let last = text.last, " \t\"".contains(last) { text.removeLast() }
        if let seconds = Double(text) { return seconds.isFinite && seconds >= 0 ? min(seconds, longest) : nil }
        let digits = text.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        let unit = text[digits.endIndex...].drop { $0 == " " }.lowercased()
        guard ["s", "sec", "second", "seconds"].contains(unit) else { return nil }
        return Double(digits).map { min($0, longest) }
    }
}
