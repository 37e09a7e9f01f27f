/// A request as the transport sends it.
package struct HTTPRequest: Sendable {
    package var method: HTTPMethod
    /// The absolute URL, percent-encoded (RFC 3986). It never contains a secret.
    package var url: String
    /// Sent as `Authorization: Bearer ...` (RFC 6750, section 2.1); nil sends none.
    package var bearer: Secret?
    /// Signs the request for Amazon S3 and services like it; nil signs nothing.
    package var signature: AWSSignature?
    /// Further header fields, in order.
    package var headers: [HTTPHeader]
    /// Nil sends no body.
    package var body: HTTPRequestBody?
    /// Observes the transfer; nil costs nothing.
    package var observer: (any TransferObserver)?

    package init(
        method: HTTPMethod = .get, url: String, bearer: Secret? = nil, headers: [HTTPHeader] = [],
        body: HTTPRequestBody? = nil
    ) {
        self.method = method
        self.url = url
        self.bearer = bearer
        self.headers = headers
        self.body = body
    }

    /// The authority of a URL and nothing else, for messages.
    package static func host(of url: String) -> String {
        guard let scheme = url.firstRange(of: "://") else { return url }
        return String(url[scheme.upperBound...].prefix { $0 != "/" && $0 != "?" })
    }
}

extension HTTPRequest {
    /// Whether the path contains `.` or `..`, which libcurl removes, together with the segment before: the request would be
    /// one for another resource. No path of Clover's does, only an ID that was not checked.
    var hasDotSegment: Bool {
        guard let scheme = url.firstRange(of: "://") else { return false }
        return url[scheme.upperBound...].prefix { $0 != "?" && $0 != "#" }.split(separator: "/")
            .contains { $0 == "." || $0 == ".." }
    }
}

/// What libcurl signs a request to an object store with: AWS Signature Version 4 (CURLOPT_AWS_SIGV4(3)).
///
/// The request needs the header `x-amz-content-sha256`, which libcurl 7.88 does not add, and a URL whose path and query are
/// encoded and sorted, because it signs both as they are.
package struct AWSSignature: Sendable, Equatable {
    package var accessKeyID: String
    package var secretAccessKey: Secret
    /// Of temporary credentials.
    package var sessionToken: Secret?
    package var region: String

    package init(accessKeyID: String, secretAccessKey: Secret, sessionToken: Secret? = nil, region: String) {
        self.accessKeyID = accessKeyID
        self.secretAccessKey = secretAccessKey
        self.sessionToken = sessionToken
        self.region = region
    }
}

/// The methods that Clover's interfaces use (RFC 9110, section 9.3).
package enum HTTPMethod: String, Sendable, CaseIterable {
    case get = "GET"
    case post = "POST"
    case put = "PUT"
    case delete = "DELETE"

    /// Whether sending a request twice has the effect of sending it once (RFC 9110, section 9.2.2).
    package var isIdempotent: Bool { self != .post }
}

/// The body of a request. It may contain secrets, so it prints as `(redacted)`.
package struct HTTPRequestBody: Sendable, Equatable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    package var bytes: [UInt8]
    package var contentType: String

    package init(bytes: [UInt8], contentType: String = "application/json") {
        self.bytes = bytes
        self.contentType = contentType
    }

    package var description: String { "(redacted)" }
    package var debugDescription: String { "(redacted)" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}

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

    /// Whether the body is a web page: the page of a proxy, a firewall or a network login says nothing about the
    /// request, whatever its status.
    ///
    /// - Parameter start: the beginning of the body, at least 512 bytes if there are that many.
    package func isWebPage(_ start: [UInt8]) -> Bool {
        let text = String(decoding: start.prefix(512), as: UTF8.self).lowercased()
        let first = text.unicodeScalars.first { !$0.properties.isWhitespace && $0 != "\u{FEFF}" }
        if headers.first(named: "Content-Type")?.lowercased().hasPrefix("text/html") == true { return first != "{" }
        return first == "<" && (text.contains("<html") || text.contains("<!doctype html"))
    }
}

/// A response body, pulled chunk by chunk. The transport stops reading from the network while more than a bounded
/// amount waits, so a slow consumer slows the service down instead of filling memory.
///
/// One consumer at a time. Dropping the last reference, or `cancel()`, ends the transfer.
package protocol HTTPBody: AnyObject, Sendable {
    /// The next bytes, never empty; nil after the last ones. Throws if the body was truncated or the connection was
    /// lost, and `HTTPTransportError.cancelled` if the task or the transfer was cancelled.
    func next() async throws(HTTPTransportError) -> [UInt8]?

    /// From now on reads the body from the network as fast as it arrives, however slow its reader is, so that the
    /// service can finish early. The whole body may then wait in memory: use only for bodies whose size is otherwise
    /// bounded.
    func readAhead()

    /// Ends the transfer immediately.
    func cancel()
}

extension HTTPBody {
    /// Does nothing, for a body that is never paused.
    package func readAhead() {}

    /// Up to `limit` bytes of the body; the rest is not read.
    package func prefix(_ limit: Int) async throws(HTTPTransportError) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < limit, let chunk = try await next() {
            bytes.append(contentsOf: chunk.prefix(limit - bytes.count))
        }
        cancel()
        return bytes
    }
}

package struct HTTPHeader: Sendable, Equatable {
    package var name: String
    package var value: String

    package init(name: String, value: String) {
        self.name = name
        self.value = value
    }
}

extension [HTTPHeader] {
    /// The first value of a field; names are compared case-insensitively (RFC 9110, section 5.1).
    package func first(named name: String) -> String? {
        let wanted = name.lowercased()
        return first { $0.name.lowercased() == wanted }?.value
    }
}

/// Sends requests. Implementations do not rate-limit, retry or follow redirects: the service client does.
package protocol HTTPTransport: Sendable {
    /// Sends `request` and returns when the head of the response has arrived.
    ///
    /// Once the connection is established, before the first byte of the request, the transport calls
    /// `departure.leave()`, which may block this request, and others that the transport has in progress, for some
    /// seconds. It sends only after `.go`, and then calls `departure.markSent()`. If the method throws,
    /// `departure.withdraw()` returns whether the request was sent.
    ///
    /// `onEnd` is called exactly once, when the service is no longer busy with this request: the body has arrived
    /// completely, or the transfer failed or was cancelled. It may be called on any thread, before or after this method
    /// returns, and must not block.
    func send(
        _ request: HTTPRequest, departure: SendGate, onEnd: @escaping @Sendable () -> Void
    ) async throws(HTTPTransportError) -> HTTPResponse
}

/// Why a transfer produced no complete response.
package enum HTTPTransportError: Error, Equatable, Sendable {
    /// The host name has no address.
    case unknownHost(String, detail: String)
    /// The host, or a proxy on the way, did not accept the connection; `detail` is libcurl's explanation.
    case notConnected(host: String, detail: String)
    /// The proxy was not found, or refused.
    case proxy(detail: String)
    /// The TLS handshake failed or the certificate was not trusted; `detail` is libcurl's explanation.
    case tls(host: String, detail: String)
    /// The CA file named by the user cannot be used.
    case certificateFile(path: String, detail: String)
    /// A timeout for the connection, or for the next byte, expired.
    case timedOut(host: String, detail: String)
    /// The connection was lost before the response was complete: reset, closed, or a protocol error.
    case connectionLost(host: String, detail: String)
    /// The body ended before its declared length, or its compressed data is corrupt.
    case cutOff(host: String, detail: String)
    /// The peer does not speak HTTP.
    case notHTTP(host: String, detail: String)
    /// The head of the response, or one field of it, exceeds the transport's limit.
    case headTooLarge(host: String)
    /// libcurl is not installed, or lacks a function; `detail` is the loader's explanation (dlerror(3)).
    case libraryMissing(detail: String)
    case cancelled
    /// `SendGate.leave()` held the request back: it was not sent.
    case heldBack
    /// Any other error; `code` is the transport library's own number.
    case other(code: Int, detail: String)
}

extension HTTPTransportError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .unknownHost(let host, let detail): "there is no host \(host): \(detail)"
        case .notConnected(let host, let detail): "no connection to \(host): \(detail)"
        case .proxy(let detail): "the proxy does not work: \(detail)"
        case .tls(let host, let detail): "no trusted connection to \(host): \(detail)"
        case .certificateFile(let path, let detail): "the certificate file '\(path)' cannot be used: \(detail)"
        case .timedOut(let host, let detail): "no response from \(host) in time: \(detail)"
        case .connectionLost(let host, let detail): "the connection to \(host) was lost: \(detail)"
        case .cutOff(let host, let detail): "the response from \(host) was cut off: \(detail)"
        case .notHTTP(let host, let detail): "\(host) does not speak HTTP: \(detail)"
        case .headTooLarge(let host): "the head of the response from \(host) is too large"
        case .libraryMissing(let detail): "libcurl cannot be used: \(detail)"
        case .cancelled: "the request was cancelled"
        case .heldBack: "nothing was sent, because a pause began first"
        case .other(let code, let detail): "\(detail) (libcurl \(code))"
        }
    }
}

/// A token, key or password. It prints, interpolates, mirrors and encodes as `(redacted)`, so that no log line, error
/// text or debugger dump contains it by accident; only `exposed` gives access to the characters.
package struct Secret: Sendable, Hashable, CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The characters, for the request header or the private file that needs them.
    package let exposed: String

    package init(_ exposed: String) {
        self.exposed = exposed
    }

    package var description: String { "(redacted)" }
    package var debugDescription: String { "(redacted)" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
