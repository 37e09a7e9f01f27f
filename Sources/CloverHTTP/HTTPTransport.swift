/// Sends requests. Implementations pace nothing, retry nothing and follow no redirects: that is the service client's.
package protocol HTTPTransport: Sendable {
    /// Sends `request` and returns when the head of the response has arrived.
    ///
    /// `onDeparture` is called when the connection stands and the request is about to leave, and again when it has left,
    /// for whoever must know that moment exactly; not at all when there was no connection. The first call may hold the
    /// request, and others that the transport has under way, back for some seconds. When it answers false, the request
    /// does not leave: the method throws `.heldBack`. What later calls answer means nothing.
    ///
    /// `onEnd` is called exactly once, when the service is no longer busy with this request: the body has arrived to
    /// its last byte, the transfer failed or was cancelled. Both may be called on any thread, before or after this
    /// method returns; `onEnd` must not block.
    func send(
        _ request: HTTPRequest, onDeparture: @escaping @Sendable () -> Bool, onEnd: @escaping @Sendable () -> Void
    ) async throws(HTTPTransportError) -> HTTPResponse
}
