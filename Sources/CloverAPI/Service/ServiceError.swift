package import CloverHTTP
package import CloverRecords

/// Why a request failed. `url` is already redacted.
package enum ServiceError: Error, Sendable {
    /// 401: a bad token and a missing permission look the same (Clover: 401 unauthorized).
    case unauthorized(url: String, message: String?)
    case forbidden(url: String, message: String?)
    case notFound(url: String, message: String?)
    /// Another permanent error: the service understood the request and refused it.
    case refused(status: Int, url: String, message: String?)
    /// 429 until the retries ran out; `limit` is the header that named the limit.
    case rateLimited(url: String, retries: Int, limit: String?, message: String?)
    /// Not sent, because an earlier 429 has paused all requests for this long, and this request does not wait.
    case paused(seconds: Double, url: String, limit: String)
    /// A temporary status (`RetryPolicy.mayPass`) until the retries ran out; 501 or 505 at once; or a web page with
    /// 401, 403 or 404 instead of a response of the service.
    case failed(status: Int, url: String, retries: Int, message: String?)
    /// No complete response.
    case unreachable(HTTPTransportError, url: String, retries: Int)
    /// A redirect to another host, or a redirect loop. Not followed, so that the token is not sent elsewhere.
    case redirected(status: Int, url: String, location: String)
    /// A 200 whose body is not a page of records.
    case unreadable(PageError, url: String, retries: Int)
    /// The service does not filter this endpoint by these fields; it says so in a header and otherwise ignores them.
    case filterIgnored(fields: [String], url: String, allowed: [String])
}
