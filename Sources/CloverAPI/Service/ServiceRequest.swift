package import CloverHTTP

/// One request to the service, all but its token.
package struct ServiceRequest: Sendable {
    package var method: HTTPMethod
    /// The absolute URL, percent-encoded.
    package var url: String
    /// Nil sends no body.
    package var body: HTTPRequestBody?
    /// It takes, gives back or voids money, or records that somebody did: it is never sent a second time while nobody
    /// knows what became of the first.
    package var movesMoney: Bool
    /// The caller judges refusals by their bodies: any answer but a redirect, a 429, and a 401 that a new token may
    /// mend is given back as it is. A read is sent again before, where its failure may pass.
    package var takesRefusals = false
    /// Whether a refusal counts only in Clover's own form.
    var isJudgedByForm: Bool { takesRefusals && movesMoney }
    /// The answer comes when a person has done something, which may take minutes: it gives its place among the requests in
    /// flight back as soon as it has left. The limit is documented for requests for data, and five tills that wait for
    /// cards would keep out everything else, the request that cancels one of them included.
    package var waitsForPerson = false
    /// Whether the access token goes along; a service with a key of its own gets that in a header.
    package var isAuthorized = true

    /// What is sent beside the token and what belongs to the body.
    package var headers: [HTTPHeader]

    /// - Parameter additions: header fields beside the usual ones.
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

    /// Whether sending it twice has the effect of sending it once (RFC 9110, section 9.2.2).
    package var isRepeatable: Bool { method.isIdempotent && !movesMoney }
}
