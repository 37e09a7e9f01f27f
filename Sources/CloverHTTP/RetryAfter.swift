/// How long a service asks to be left alone (RFC 9110, section 10.2.3).
package enum RetryAfter {
    /// More than anybody waits: about 31 years. A number of the network is never taken for a larger one, so that it can be
    /// counted with.
    package static let longest = 1e9

    /// Seconds from now, 0 to `longest`; nil when the header is missing or says nothing that can be understood.
    ///
    /// - Parameter now: the caller's clock in seconds since 1970, for a date without a `Date` header beside it. With
    ///   one the service's own clock counts, so that a wrong clock here neither shortens nor lengthens the wait.
    package static func seconds(in headers: [HTTPHeader], now: () -> Int64?) -> Double? {
        guard let text = headers.first(named: "Retry-After") else { return nil }
        if let seconds = Double(text) { return seconds.isFinite && seconds >= 0 ? min(seconds, longest) : nil }
        guard let date = HTTPDate.seconds(text),
            let now = headers.first(named: "Date").flatMap({ HTTPDate.seconds($0) }) ?? now()
        else { return nil }
        return min(Double(max(date - now, 0)), longest)
    }
}
