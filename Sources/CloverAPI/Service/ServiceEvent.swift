package import CloverHTTP

/// Something that a client did along the way and that its user may want to know.
package enum ServiceEvent: Sendable {
    /// A request will be retried after `seconds`.
    case retry(reason: Reason, url: String, seconds: Double)
    /// The service rate-limits us; every process with this token waits. `limit` is the header that said so.
    case paused(limit: String, url: String, seconds: Double)
    /// A request may be sent now, with details of its wait.
    case admitted(Admittance)
    /// A request waited for the shared budget.
    case waited(seconds: Double)

    /// The service refused a request, which is not retried; `body` is its own text, without secrets.
    case refused(status: Int, url: String, body: String)

    package enum Reason: Sendable {
        case status(Int)
        case connection(HTTPTransportError)
        case unreadable(String)
    }

    /// How a request was admitted by the shared budget.
    package struct Admittance: Sendable, Equatable {
        /// Total seconds waited.
        package let waited: Double
        /// Seconds during which all in-flight slots were taken.
        package let waitedForSlot: Double
        /// The request's slot, from 0.
        package let slot: Int
        /// The cause of the pause that it waited for; nil if there was none.
        package let pause: String?
        /// Seconds since the time that the ledger records for it.
        package let age: Double
    }
}
