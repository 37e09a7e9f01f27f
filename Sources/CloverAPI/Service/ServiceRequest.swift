package import CloverHTTP

/// One request to the service, without its token.
package struct ServiceRequest: Sendable {
    package var method: HTTPMethod
    /// The absolute URL, percent-encoded.
    package var url: String
    /// Nil sends no body.
    package var body: HTTPRequestBody?
    /// True if it takes, refunds or voids money, or records that it happened. Such a request is never sent again while
    /// the outcome of the first transmission is unknown.
    package var movesMoney: Bool
    /// The caller judges refusals by their bodies: any response is returned as it is, except a redirect, a 429, and a
    /// 401 that a new token may fix. A read is retried first if its failure may be temporary.
    package var takesRefusals = false
    /// Whether a refusal only counts in Clover's own form.
    var isJudgedByForm: Bool { takesRefusals && movesMoney }
    /// The response arrives only once a person has acted, which may take minutes: the request releases its in-flight
    /// slot as soon as it is sent. The limit is documented for data requests, and five tills waiting for cards would
    /// block everything else, including the request that cancels one of them.
    package var waitsForPerson = false
    /// Whether the access token is sent; a service with its own key gets that in a header.
    package var isAuthorized = true

    /// Header fields in addition to the token and those that belong to the body.
    package var headers: [HTTPHeader]

    /// - Parameter additions: header fields in addition to the usual ones.
    package init(
        _ method: HTTPMethod = .get, _ url: String, body: HTTPRequestBody? = nil, additions: [HTTPHeader] = [],
        movesMoney: Bool = false
    ) {
        self.method = method
        self.url = url
        self.body = body
        self.movesMoney = movesMoney
        headers = [HTTPHeader(name: "Accept", value: "application/json")] + additions
    }

    /// Whether sending it twice has the same effect as sending it once (RFC 9110, section 9.2.2).
    package var isRepeatable: Bool { method.isIdempotent && !movesMoney }
}
