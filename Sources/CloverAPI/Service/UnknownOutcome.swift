package import CloverHTTP

/// A write that was sent without a response that settles its outcome: it may have been carried out.
package struct UnknownOutcome: Error, Sendable {
    /// The cause: `ServiceError.failed`, `.unreachable`, `.rateLimited`, or `.unreadable` for a 200 without JSON.
    package var cause: ServiceError
    package var method: HTTPMethod
    /// Already redacted.
    package var url: String
    package var movesMoney: Bool

    init(_ cause: ServiceError, of request: ServiceRequest) {
        self.cause = cause
        method = request.method
        url = Redaction.url(request.url)
        movesMoney = request.movesMoney
    }
}
