package import CloverHTTP
package import CloverRecords

/// Why the service gave no records. `url` is already redacted.
package enum ServiceError: Error, Sendable {
    /// 401: a bad token and a missing permission look the same (Clover: 401 unauthorized).
    case unauthorized(url: String, message: String?)
    case forbidden(url: String, message: String?)
    case notFound(url: String, message: String?)
    /// Another answer that stays: the service understood and refused.
    case refused(status: Int, url: String, message: String?)
    /// 429 until the retries ended; `limit` names the header that said which limit it was.
    case rateLimited(url: String, retries: Int, limit: String?, message: String?)
    /// Not sent, because an earlier 429 keeps everybody from sending for so long, and this request does not wait.
    case paused(seconds: Double, url: String, limit: String)
    /// A status that may pass (`RetryPolicy.mayPass`) until the retries ended, 501 and 505 at once, or a web page with 401, 403 or
    /// 404 in place of an answer.
    case failed(status: Int, url: String, retries: Int, message: String?)
    /// No whole answer.
    case unreachable(HTTPTransportError, url: String, retries: Int)
    /// A redirect to another host, or in a circle: it is not followed, so that the token stays here.
    case redirected(status: Int, url: String, location: String)
    /// A 200 whose body is no page of records.
    case unreadable(PageError, url: String, retries: Int)
    /// The service does not filter this endpoint by these fields; it says so in a header and ignores them otherwise.
    case filterIgnored(fields: [String], url: String, allowed: [String])
}
