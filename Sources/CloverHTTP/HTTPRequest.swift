/// A request as the transport sends it. Reading is all that exists so far: every request is a GET.
package struct HTTPRequest: Sendable {
    /// The absolute URL, percent-encoded (RFC 3986). It never holds a secret.
    package var url: String
    /// Sent as `Authorization: Bearer ...` (RFC 6750, section 2.1); nil sends none.
    package var bearer: Secret?
    /// Further header fields, in order.
    package var headers: [HTTPHeader]

    package init(url: String, bearer: Secret? = nil, headers: [HTTPHeader] = []) {
        self.url = url
        self.bearer = bearer
        self.headers = headers
    }
}
