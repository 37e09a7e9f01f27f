package import CloverHTTP

/// What a client did on the way that its user may want to know.
package enum ServiceEvent: Sendable {
    /// A request is sent again after `seconds`.
    case retry(reason: Reason, url: String, seconds: Double)
    /// The service limits us; every process of this token waits. `limit` names the header that said so.
    case paused(limit: String, url: String, seconds: Double)
    /// A request may leave now, and what it waited for.
    case admitted(Admittance)
    /// A request waited for the shared budget.
    case waited(seconds: Double)

    /// The service refused a request, which is not sent again: its own words, without secrets, for whoever wants them.
    case refused(status: Int, url: String, body: String)

    package enum Reason: Sendable {
        case status(Int)
        case connection(HTTPTransportError)
        case unreadable(String)
    }

    /// How a request got its leave from the shared budget.
    package struct Admittance: Sendable, Equatable {
        /// Seconds it waited in all.
        package let waited: Double
        /// The part of them in which all in-flight slots were taken.
        package let waitedForSlot: Double
        /// The slot it has, from 0.
        package let slot: Int
        /// The cause of the pause that it waited for; nil when there was none.
        package let pause: String?
        /// Seconds since the moment that the ledger counts for it.
        package let age: Double
    }
}
