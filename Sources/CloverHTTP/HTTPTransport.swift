/// Sends requests. Implementations pace nothing, retry nothing and follow no redirects: that is the service client's.
package protocol HTTPTransport: Sendable {
    /// Sends `request` and returns when the head of the response has arrived.
    ///
    /// Before the first byte of the request, when the connection stands, the transport calls `departure.leave()`, which
    /// may hold this request, and others that the transport has under way, back for some seconds. It sends after `.go`
    /// only, and calls `departure.noteLeft()` when it has. When the method throws, `departure.withdraw()` tells whether
    /// the request was sent.
    ///
    /// `onEnd` is called exactly once, when the service is no longer busy with this request: the body has arrived to
    /// its last byte, the transfer failed or was cancelled. It may be called on any thread, before or after this
    /// method returns, and must not block.
    func send(
        _ request: HTTPRequest, departure: Departure, onEnd: @escaping @Sendable () -> Void
    ) async throws(HTTPTransportError) -> HTTPResponse
}
