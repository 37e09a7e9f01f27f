/// A request as the transport sends it.
package struct HTTPRequest: Sendable {
    /// What is asked for.
    package var method: HTTPMethod
    /// The absolute URL, percent-encoded (RFC 3986). It never holds a secret.
    package var url: String
    /// Sent as `Authorization: Bearer ...` (RFC 6750, section 2.1); nil sends none.
    package var bearer: Secret?
    /// Further header fields, in order.
    package var headers: [HTTPHeader]
    /// Nil sends no body.
    package var body: HTTPRequestBody?
    /// Whoever watches the transfer; nil costs nothing.
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

/// What a request carries. It may hold secrets, so it prints as `(redacted)`.
package struct HTTPRequestBody: Sendable, Equatable, CustomStringConvertible, CustomDebugStringConvertible,
    CustomReflectable
{
    package var bytes: [UInt8]
    /// The value of `Content-Type`.
    package var contentType: String

    package init(bytes: [UInt8], contentType: String = "application/json") {
        self.bytes = bytes
        self.contentType = contentType
    }

    package var description: String { "(redacted)" }
    package var debugDescription: String { "(redacted)" }
    package var customMirror: Mirror { Mirror(self, children: []) }
}
