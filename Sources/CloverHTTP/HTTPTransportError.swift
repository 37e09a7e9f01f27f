/// Why a transfer gave no whole response.
package enum HTTPTransportError: Error, Equatable, Sendable {
    /// The host name has no address.
    case unknownHost(String, detail: String)
    /// Nobody accepted the connection, at the host or at a proxy on the way; `detail` is libcurl's explanation.
    case notConnected(host: String, detail: String)
    /// The proxy could not be found or refused.
    case proxy(detail: String)
    /// The TLS handshake failed or the certificate was not trusted; `detail` is libcurl's explanation.
    case tls(host: String, detail: String)
    /// The CA file named by the user cannot be used.
    case certificateFile(path: String, detail: String)
    /// No connection within the time allowed, or no byte for the time allowed.
    case timedOut(host: String, detail: String)
    /// The connection was lost before the response was complete: reset, closed, or a protocol fault.
    case connectionLost(host: String, detail: String)
    /// The body ended before its declared length, or its compression was damaged.
    case cutOff(host: String, detail: String)
    /// The peer does not speak HTTP.
    case notHTTP(host: String, detail: String)
    /// The head of the response, or one field of it, is larger than the transport takes.
    case headTooLarge(host: String)
    /// libcurl is not installed, or lacks a function; `detail` is the loader's explanation (dlerror(3)).
    case libraryMissing(detail: String)
    /// The task or the transfer was cancelled.
    case cancelled
    /// `Departure.leave()` held the request back: it was not sent.
    case heldBack
    /// Anything else; `code` is the transport library's own number.
    case other(code: Int, detail: String)
}
