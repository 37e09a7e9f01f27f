/// Decides, without clock or socket, whether a failed request is retried and after what pause.
///
/// A read may always be retried. A write may be retried only if it cannot have been carried out, or if carrying it out
/// twice has the same effect as once (RFC 9110, section 9.2.2).
package struct RetryPolicy: Sendable, Equatable {
    package var maximumRetries: Int
    /// Pause before the first retry, in seconds; it doubles each time.
    package var firstPause: Double = 0.2
    /// Longest pause chosen by Clover, in seconds.
    package var longestPause: Double = 30
    /// Longest pause that a service may ask for, in seconds: one hour. A request is not repeated if the service asks for
    /// more, because no user waits that long for a command.
    package static let longestNamedPause: Double = 3600

    /// Retries of a request, unless the user chooses another number.
    package static let usualRetries = 5

    package init(maximumRetries: Int = RetryPolicy.usualRetries) {
        self.maximumRetries = maximumRetries
    }

    package enum Failure: Sendable, Equatable {
        /// A response with this status; `retryAfter` is the header's value in seconds, if present.
        case status(Int, retryAfter: Double?)
        /// No complete response. `answeredBefore`: the service has responded during this run; `hasLeft`: the connection
        /// was established, and the request may have arrived.
        case transport(HTTPTransportError, answeredBefore: Bool, hasLeft: Bool = true)
        /// The response arrived completely but is not the service's: truncated inside, not JSON, or a web page with any
        /// status.
        case unreadable

        /// Whether the service may have carried out the request. A 429 is sent before anything is done (Clover: API
        /// usage and rate limits), and so are the other permanent refusals (RFC 9110, sections 15.5 and 15.6).
        package var mayHaveActed: Bool {
            switch self {
            case .status(let status, _): RetryPolicy.mayPass(status)
            case .transport(_, _, let hasLeft): hasLeft
            case .unreadable: true
            }
        }
    }

    /// Whether a status is a failure that may be temporary, like a lost connection: the request took too long (408) or
    /// came too early (425), or the server or a proxy in front of it failed, except with the two permanent statuses: it
    /// cannot do this (501), or does not support this version of HTTP (505). Statuses not named in RFC 9110 count as
    /// temporary, such as Cloudflare's 520 to 524.
    package static func mayPass(_ status: Int) -> Bool {
        status == 408 || status == 425 || status >= 500 && status != 501 && status != 505
    }

    /// Whether a status says that the service failed, temporarily or permanently, instead of refusing the request.
    package static func isServiceFailure(_ status: Int) -> Bool { status >= 500 || mayPass(status) }

    package enum Decision: Sendable, Equatable {
        case giveUp
        /// Retry after `seconds`.
        case again(seconds: Double)
        /// The service limits the rate: no process may send for `seconds`; then retry.
        case pauseAll(seconds: Double)
    }

    /// - Parameters:
    ///   - isRepeatable: sending the request twice has the same effect as once.
    ///   - retries: retries already made, 0 after the first attempt.
    ///   - jitter: 0..<1, spreads the pauses of many processes.
    package func decide(_ failure: Failure, isRepeatable: Bool = true, retries: Int, jitter: Double) -> Decision {
        guard retries < maximumRetries else {
            // Other requests must still learn of the rate limit, even if this one gives up.
            return .giveUp
        }
        guard isRepeatable || !failure.mayHaveActed else { return .giveUp }
        if case .status(_, let retryAfter) = failure, Self.excessiveWait(retryAfter) != nil { return .giveUp }
        switch failure {
        case .status(429, let retryAfter):
            return .pauseAll(seconds: rateLimitPause(retryAfter: retryAfter, retries: retries, jitter: jitter))
        case .status(let status, let retryAfter):
            guard Self.mayPass(status) else { return .giveUp }
            return .again(seconds: max(pause(retries: retries, jitter: jitter), retryAfter ?? 0))
        case .transport(let error, let answeredBefore, _):
            return isTransient(error, answeredBefore: answeredBefore)
                ? .again(seconds: pause(retries: retries, jitter: jitter)) : .giveUp
        case .unreadable:
            return .again(seconds: pause(retries: retries, jitter: jitter))
        }
    }

    /// The pause that a 429 demands of all processes, in seconds. `Retry-After` is followed to the second, because an
    /// earlier call lengthens the wait; without it, at least a second, then exponential (Clover: API usage and rate
    /// limits), and for at most `longestNamedPause`. A `Retry-After` of zero is accepted once: from the second consecutive refusal on it counts as missing.
    package func rateLimitPause(retryAfter: Double?, retries: Int, jitter: Double) -> Double {
        if let retryAfter, retryAfter > 0 || retries == 0 { return min(max(retryAfter, 0), Self.longestNamedPause) }
        return min(exponential(base: 1, retries: retries), longestPause) + jitter * 0.25
    }

    /// The `Retry-After` if it is longer than clients wait; nil otherwise. In seconds.
    package static func excessiveWait(_ retryAfter: Double?) -> Double? {
        retryAfter.flatMap { $0 > longestNamedPause ? $0 : nil }
    }

    private func pause(retries: Int, jitter: Double) -> Double {
        min(exponential(base: firstPause, retries: retries), longestPause) * (0.75 + 0.5 * jitter)
    }

    private func exponential(base: Double, retries: Int) -> Double {
        base * Double(1 << min(retries, 20))
    }

    /// A refused connection or an unknown name usually means a wrong address, so it is retried only if the service has
    /// responded in this run.
    private func isTransient(_ error: HTTPTransportError, answeredBefore: Bool) -> Bool {
        switch error {
        case .timedOut, .connectionLost, .cutOff: true
        case .unknownHost, .notConnected: answeredBefore
        case .proxy, .tls, .certificateFile, .notHTTP, .headTooLarge, .libraryMissing, .cancelled, .heldBack, .other:
            false
        }
    }
}

/// How long a service asks clients to wait (RFC 9110, section 10.2.3).
package enum RetryAfter {
    /// Longest value that a service can mean, in seconds: a year.
    package static let longest: Double = 366 * 86400

    /// Seconds from now, 0 to `longest`; nil if the header is missing, malformed or longer than any service can mean: only
    /// digits and HTTP dates are valid. Of several values, which a proxy may have added, the longest counts.
    ///
    /// - Parameter now: the caller's clock in seconds since 1970, used for a date if there is no `Date` header. With
    ///   one, the service's own clock counts, so that a wrong local clock neither shortens nor lengthens the wait.
    package static func seconds(in headers: [HTTPHeader], now: () -> Int64?) -> Double? {
        let values = headers.filter { $0.name.lowercased() == "retry-after" }.map(\.value)
        guard !values.isEmpty else { return nil }
        let date = headers.first(named: "Date").flatMap { HTTPDate.seconds($0) } ?? now()
        return values.compactMap { seconds($0, date) }.max()
    }

    private static func seconds(_ text: String, _ now: Int64?) -> Double? {
        if let date = HTTPDate.seconds(text) { return now.flatMap { meant(Double(max(date - $0, 0))) } }
        // Fields of the same name may have been joined.
        return text.split(separator: ",").compactMap { digits($0).flatMap(meant) }.max()
    }

    private static func meant(_ seconds: Double) -> Double? { seconds <= longest ? seconds : nil }

    private static func digits(_ text: Substring) -> Double? {
        let words = text.split { $0 == " " || $0 == "\t" }
        guard words.count == 1, words[0].utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
        return Double(words[0])
    }
}

/// Parses dates in header fields, in the three required forms (RFC 9110, section 5.6.7): `Sun, 06 Nov 1994 08:49:37
/// GMT`, `Sunday, 06-Nov-94 08:49:37 GMT` and `Sun Nov  6 08:49:37 1994`. The name of the day is not checked.
package enum HTTPDate {
    private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
    /// Spellings of the only zone.
    private static let zones = ["GMT", "UTC", "Z", "+0000", "-0000", "+00:00"]

    /// Seconds since 1970 UTC; nil for any other form.
    package static func seconds(_ text: String) -> Int64? {
        let words = text.split(whereSeparator: { $0 == " " || $0 == "\t" })
        switch words.count {
        case 6:
            guard words[0].hasSuffix(","), zones.contains(String(words[5])), words[3].utf8.count == 4 else {
                return nil
            }
            return seconds(day: words[1], month: words[2], year: words[3], clock: words[4])
        case 4:
            let date = words[1].split(separator: "-", omittingEmptySubsequences: false)
            guard words[0].hasSuffix(","), zones.contains(String(words[3])), date.count == 3 else { return nil }
            return seconds(day: date[0], month: date[1], year: date[2], clock: words[2])
        case 5:
            guard words[4].utf8.count == 4 else { return nil }
            return seconds(day: words[2], month: words[1], year: words[4], clock: words[3])
        default: return nil
        }
    }

    private static func seconds(day: Substring, month: Substring, year: Substring, clock: Substring) -> Int64? {
        guard let day = number(day), let month = months.firstIndex(of: String(month)), let year = self.year(year)
        else { return nil }
        let clock = clock.split(separator: ":", omittingEmptySubsequences: false)
        guard clock.count == 3, let hour = number(clock[0]), let minute = number(clock[1]),
            let second = number(clock[2]), (1...31).contains(day), hour < 24, minute < 60, second <= 60
        else { return nil }
        return days(year: year, month: Int64(month) + 1, day: day) * 86_400 + hour * 3600 + minute * 60 + second
    }

    /// One or two digits.
    private static func number(_ text: Substring) -> Int64? {
        guard (1...2).contains(text.utf8.count), isDigits(text) else { return nil }
        return Int64(text)
    }

    /// Two digits mean this century; from 70 on, the last one.
    private static func year(_ text: Substring) -> Int64? {
        guard isDigits(text), let year = Int64(text) else { return nil }
        switch text.utf8.count {
        case 4: return year
        case 2: return year < 70 ? 2000 + year : 1900 + year
        default: return nil
        }
    }

    private static func isDigits(_ text: Substring) -> Bool { text.utf8.allSatisfy { (0x30...0x39).contains($0) } }

    /// Days from 1970-01-01 in the Gregorian calendar. Years are counted from March, so that the leap day comes last.
    private static func days(year: Int64, month: Int64, day: Int64) -> Int64 {
        let year = month <= 2 ? year - 1 : year
        let monthFromMarch = (month + 9) % 12
        let dayOfYear = (153 * monthFromMarch + 2) / 5 + day - 1
        let leapDays = year / 4 - year / 100 + year / 400
        // 719,468 days lie between 0000-03-01 and 1970-01-01.
        return 365 * year + leapDays + dayOfYear - 719_468
    }
}
