package import CloverHTTP

/// What a client did on the way that its user may want to know.
package enum ServiceEvent: Sendable {
    /// A request is sent again after `seconds`.
    case retry(reason: Reason, url: String, seconds: Double)
    /// The service limits us; every process of this token waits. `limit` names the header that said so.
    case paused(limit: String, url: String, seconds: Double)
    /// A request waited for the shared budget.
    case waited(seconds: Double)

    package enum Reason: Sendable {
        case status(Int)
        case connection(HTTPTransportError)
        case unreadable(String)
    }
}
