/// A response whose head has arrived; the body is pulled from `body` while it arrives.
package struct HTTPResponse: Sendable {
    /// The status code, 200...599.
    package var status: Int
    package var headers: [HTTPHeader]
    package var body: any HTTPBody

    package init(status: Int, headers: [HTTPHeader], body: any HTTPBody) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// Whether the body is a web page: the page of a proxy, a firewall or a network's login says nothing of what was asked,
    /// whatever its status is.
    ///
    /// - Parameter start: the beginning of the body, 512 bytes or more where there are so many.
    package func isWebPage(_ start: [UInt8]) -> Bool {
        let text = String(decoding: start.prefix(512), as: UTF8.self).lowercased()
        let first = text.unicodeScalars.first { !$0.properties.isWhitespace && $0 != "\u{FEFF}" }
        if headers.first(named: "Content-Type")?.lowercased().hasPrefix("text/html") == true { return first != "{" }
        return first == "<" && (text.contains("<html") || text.contains("<!doctype html"))
    }
}

/// A response body, pulled chunk by chunk. The transport stops reading from the network while more than a bounded
/// amount waits here, so a slow consumer slows the service down instead of filling memory.
///
/// One consumer at a time. Dropping the last reference, or `cancel()`, ends the transfer.
package protocol HTTPBody: AnyObject, Sendable {
    /// The next bytes, never empty; nil after the last ones. Throws when the body was cut off or the connection was
    /// lost, and `HTTPTransportError.cancelled` when the task or the transfer was cancelled.
    func next() async throws(HTTPTransportError) -> [UInt8]?

    /// From now on the body is taken off the network as it comes, however slow its reader is, so that the service is done
    /// with it soon. All of it may then wait here: only for bodies whose size is bounded otherwise.
    func readAhead()

    /// Ends the transfer at once.
    func cancel()
}

extension HTTPBody {
    /// A body that is never held up has nothing to do.
    package func readAhead() {}

    /// Up to `limit` bytes of the body; what comes after them is not read.
    package func prefix(_ limit: Int) async throws(HTTPTransportError) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < limit, let chunk = try await next() {
            bytes.append(contentsOf: chunk.prefix(limit - bytes.count))
        }
        cancel()
        return bytes
    }
}
