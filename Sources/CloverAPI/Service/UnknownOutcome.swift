package import CloverHTTP

/// A write that left, and no answer says what became of it: it may have been carried out.
package struct UnknownOutcome: Error, Sendable {
    /// Why nobody knows: `ServiceError.failed`, `.unreachable`, `.rateLimited`, or `.unreadable` for a 200 without JSON.
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
