/// Watches one transfer for whoever debugs it. Called on the transport's thread, in the order of what happens.
package protocol TransferObserver: Sendable {
    /// Whether `didSend` is wanted, which costs the transport something.
    var wantsSentHead: Bool { get }

    /// The header fields of the request as they left, those of the transport's own among them. Not redacted.
    func didSend(_ headers: [HTTPHeader])

    /// The head of the answer has come. Not redacted.
    func didReceive(status: Int, _ headers: [HTTPHeader])

    /// The transfer is over, however it ended. Called once.
    func didEnd(_ facts: TransferFacts)
}

/// What a transport measured of one transfer.
package struct TransferFacts: Sendable, Equatable {
    /// Nil when there was no answer.
    package var status: Int?
    /// Such as `HTTP/1.1` or `HTTP/2`; nil when there was no answer.
    package var httpVersion: String?
    /// No new connection was made for it.
    package var isConnectionReused = false
    /// Address and port of the service or proxy that was spoken to; nil when there was no connection.
    package var remoteAddress: String?
    /// Bytes of the body as they were received, before any compression was undone.
    package var bytesReceived = 0
    package var timing = Timing()
    /// Nil when the answer came whole.
    package var failure: HTTPTransportError?

    package init() {}

    /// Seconds from the start of the transfer until something was done; zero for what was not needed.
    package struct Timing: Sendable, Equatable {
        /// The name had been looked up.
        package var nameLookup = 0.0
        /// The connection stood.
        package var connect = 0.0
        /// TLS was agreed on.
        package var tls = 0.0
        /// The first byte of the answer had come.
        package var firstByte = 0.0
        /// All had come.
        package var total = 0.0

        package init() {}
    }
}
