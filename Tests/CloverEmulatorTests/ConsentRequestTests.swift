import CloverEmulator
import Testing

@Suite("Authorize requests")
struct ConsentRequestTests {
    private static let start = "client_id=APP&redirect_uri=http%3A%2F%2Flocalhost%2Fcb"

    private func read(_ query: String, isLegacy: Bool = false) throws(ConsentError) -> ConsentRequest {
        try ConsentRequest(FormFields(query), isLegacy: isLegacy, appIDs: ["APP"], merchantIDs: ["SHOP"])
    }

    @Test("Parses a full request and keeps its fields for the form")
    func full() throws {
        let query =
            Self.start + "&response_type=code&merchant_id=SHOP&code_challenge=\(PKCE.challenge)"
            + "&code_challenge_method=S256&state=a%2Bb+c&no_refresh_token=true&other=x"
        let request = try read(query)
        #expect(request.redirectURI.text == "http://localhost/cb")
        #expect(request.grant.challenge?.isMet(by: PKCE.verifier) == true)
        #expect(request.state == "a+b c")
        #expect(!request.grant.includesRefreshToken)
        #expect(
            request.fields.map(\.name) == [
                "client_id", "redirect_uri", "response_type", "merchant_id", "code_challenge", "code_challenge_method",
                "state", "no_refresh_token",
            ])
    }

    @Test("Accepts a request without challenge and state, and keeps an empty state")
    func short() throws {
        let request = try read(Self.start)
        #expect(request.grant.challenge == nil)
        #expect(request.state == nil)
        #expect(request.grant.includesRefreshToken)
        #expect(try read(Self.start + "&state=").state?.isEmpty == true)
    }

    /// A parameter added to a valid request, or replacing one, and the resulting error.
    struct Wrong: Sendable {
        let query: String
        let error: ConsentError

        init(_ query: String, _ error: ConsentError) {
            self.query = query
            self.error = error
        }

        init(adding query: String, _ error: ConsentError) {
            self.init(ConsentRequestTests.start + "&" + query, error)
        }
    }

    private static let challenged = "code_challenge=\(PKCE.challenge)&code_challenge_method="

    private static let wrongRequests: [Wrong] = [
        Wrong("", .missing("client_id")),
        Wrong("client_id=APP", .missing("redirect_uri")),
        Wrong("client_id=NO&redirect_uri=http%3A%2F%2Flocalhost", .unknownClient),
        Wrong("client_id=APP&redirect_uri=%2Fcb", .badRedirectURI),
        Wrong(adding: "client_id=APP", .repeated("client_id")),
        Wrong(adding: "state=1&state=1", .repeated("state")),
        Wrong(adding: "merchant_id=OTHER", .unknownMerchant),
        Wrong(adding: "response_type=token", .unsupportedResponseType),
        Wrong(adding: "response_type=id_token", .unsupportedResponseType),
        Wrong(adding: challenged + "plain", .unsupportedChallengeMethod),
        Wrong(adding: challenged + "s256", .unsupportedChallengeMethod),
        Wrong(adding: "code_challenge=short&code_challenge_method=S256", .malformedChallenge),
        Wrong(adding: "code_challenge=", .malformedChallenge),
        Wrong(adding: "code_challenge_method=S256", .missingChallenge),
    ]

    @Test("Refuses invalid requests with a reason", arguments: wrongRequests)
    func wrong(_ row: Wrong) {
        #expect(throws: row.error) { try read(row.query) }
    }

    @Test("Returns a token in the legacy flow, which has no challenge")
    func legacy() throws {
        let request = try read(Self.start + "&response_type=token&code_challenge=x", isLegacy: true)
        #expect(request.responseType == .token)
        #expect(request.grant.challenge == nil)
        #expect(throws: ConsentError.unsupportedResponseType) {
            try read(Self.start + "&response_type=x", isLegacy: true)
        }
    }

    @Test(
        "Accepts absolute http and https redirect addresses",
        arguments: [
            "http://127.0.0.1:41000/callback", "HTTPS://shop.example", "https://shop.example?app=1",
            "http://[::1]:80/x", "http://user@host/",
        ])
    func goodRedirects(text: String) {
        #expect(RedirectURI(text)?.text == text)
    }

    @Test(
        "Refuses other redirect addresses",
        arguments: [
            "", "http", "http:", "http://", "http:///path", "http://:80/", "http://?x", "//host/", "/callback",
            "ftp://host/", "javascript:alert(1)", "http:host", "http://host/#part", "http://host/#", "http://ho st/",
            "http://host/\r\nX: y", "http://host/\"", "http://höst/", "clover://host", "http://user@/x",
        ])
    func badRedirects(text: String) {
        #expect(RedirectURI(text) == nil)
    }

    @Test(
        "Appends parameters to the address's query",
        arguments: [
            ("http://h", "http://h?a=x%26y&b=z"), ("http://h/p?q=1", "http://h/p?q=1&a=x%26y&b=z"),
            ("http://h/?", "http://h/?a=x%26y&b=z"), ("http://h/?q=1&", "http://h/?q=1&a=x%26y&b=z"),
        ])
    func adding(address: String, result: String) throws {
        let redirect = try #require(RedirectURI(address))
        #expect(redirect.adding([("a", "x&y"), ("b", "z")]) == result)
        #expect(redirect.adding([("a", "x&y"), ("b", "z")], fragment: "t=1") == result + "#t=1")
    }
}
