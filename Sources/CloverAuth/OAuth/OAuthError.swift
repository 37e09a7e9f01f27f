package import CloverHTTP

/// How an OAuth call failed. What matters most is whether the service may have acted: a refresh token is spent by the
/// first call that arrives. Messages are the service's words without any secret that was sent.
package enum OAuthError: Error, Equatable, Sendable {
    /// The service said no (400 or 401), and nothing was issued.
    case refused(status: Int, message: String?)
    /// The service said no (400 or 401) to a renewal, without a word on the token: it may be about the app, the request, or
    /// the service itself. Nothing was issued.
    case refusedOtherwise(status: Int, message: String?)
    /// Nothing left this machine (`Departure.withdraw()`).
    case notSent(HTTPTransportError)
    /// The request left, and no usable answer came: the service may have issued tokens that nobody has.
    case outcomeUnknown(Unknown)
    /// Too many requests (429), also after waiting; nothing was issued. `retryAfter` is in seconds.
    case rateLimited(retryAfter: Double?)
    /// The address is another one now. A redirect is never followed, because the body holds secrets.
    case redirected(status: Int, location: String?)
    /// Another answer that issued nothing: 403, 404, a page of a proxy, ...
    case otherStatus(Int, message: String?)

    /// Why the outcome is not known.
    package enum Unknown: Equatable, Sendable {
        /// The connection was lost, or no answer came in time.
        case transport(HTTPTransportError)
        /// The service failed, in a way that may pass (`RetryPolicy.mayPass`).
        case status(Int, message: String?)
        /// Success (2xx), but the body is too long, not JSON, or without a token that a request can carry.
        case unreadable(status: Int)
    }
}

extension OAuthError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .refused(let status, let message), .refusedOtherwise(let status, let message):
            "the service refused (\(status))" + Self.appendix(message)
        case .notSent: "the service cannot be reached"
        case .outcomeUnknown(.transport): "the answer of the service was lost"
        case .outcomeUnknown(.status(let status, let message)):
            "the service failed (\(status))" + Self.appendix(message)
        case .outcomeUnknown(.unreadable(let status)): "the service's answer (\(status)) is not understood"
        case .rateLimited: "the service limits the number of requests (429)"
        case .redirected(let status, let location):
            "the service redirects (\(status))" + (location.map { " to \($0)" } ?? "")
        case .otherStatus(let status, let message):
            "the service answered \(status)" + Self.appendix(message)
        }
    }

    private static func appendix(_ message: String?) -> String {
        message.map { ": " + $0 } ?? ""
    }
}
