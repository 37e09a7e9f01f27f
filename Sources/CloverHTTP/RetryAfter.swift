/// How long a service asks clients to wait (RFC 9110, section 10.2.3).
package enum RetryAfter {
    /// Seconds from now, 0 to `RetryPolicy.longestNamedPause`; nil when the header is missing or malformed: it is digits or
    /// an HTTP date, and nothing else. Of several values, which a proxy may have added, the longest counts.
    ///
    /// - Parameter now: the caller's clock in seconds since 1970, for a date without a `Date` header beside it. With
    ///   one the service's own clock counts, so that a wrong clock here neither shortens nor lengthens the wait.
    package static func seconds(in headers: [HTTPHeader], now: () -> Int64?) -> Double? {
        let values = headers.filter { $0.name.lowercased() == "retry-after" }.map(\.value)
        guard !values.isEmpty else { return nil }
        let date = headers.first(named: "Date").flatMap { HTTPDate.seconds($0) } ?? now()
        return values.compactMap { seconds($0, date) }.max().map { min($0, RetryPolicy.longestNamedPause) }
    }

    private static func seconds(_ text: String, _ now: Int64?) -> Double? {
        if let date = HTTPDate.seconds(text) { return now.map { Double(max(date - $0, 0)) } }
        // Fields of one name may have been joined.
        return text.split(separator: ",").compactMap { digits($0) }.max()
    }

    private static func digits(_ text: Substring) -> Double? {
        let words = text.split { $0 == " " || $0 == "\t" }
        guard words.count == 1, words[0].utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Double(words[0])
    }
}
