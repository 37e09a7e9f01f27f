/// How long a service asks to be left alone (RFC 9110, section 10.2.3).
package enum RetryAfter {
    /// Seconds from now, 0 or more; nil when the header is missing or says nothing that can be understood.
    ///
    /// - Parameter now: the caller's clock in seconds since 1970, for a date without a `Date` header beside it. With
    ///   one the service's own clock counts, so that a wrong clock here neither shortens nor lengthens the wait.
    package static func seconds(in headers: [HTTPHeader], now: () -> Int64?) -> Double? {
        guard let text = headers.first(named: "Retry-After") else { return nil }
        if let seconds = Double(text) { return seconds.isFinite && seconds >= 0 ? seconds : nil }
        guard let date = HTTPDate.seconds(text),
            let now = headers.first(named: "Date").flatMap({ HTTPDate.seconds($0) }) ?? now()
        else { return nil }
        return Double(max(date - now, 0))
    }
}
