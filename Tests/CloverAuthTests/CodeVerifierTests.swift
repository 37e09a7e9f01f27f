import CloverAuth
import CloverHTTP
import Testing

@Suite("Code verifiers and authorization requests")
struct CodeVerifierTests {
    private let endpoints = OAuthEndpoints(webBaseURL: "https://web.example/", apiBaseURL: "https://api.example//")

    @Test("The challenge is the one of RFC 7636, appendix B")
    func challenge() throws {
        let verifier = try CodeVerifier(parsing: " dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk\n")
        #expect(verifier.challenge == "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM")
    }

    @Test("New verifiers and states have 43 characters of base64url, and no two are the same")
    func fresh() throws {
        let verifiers = Set((0..<100).map { _ in CodeVerifier().secret.exposed })
        let states = Set((0..<100).map { _ in RandomText.state() })
        #expect(verifiers.count == 100)
        #expect(states.count == 100)
        for text in verifiers.union(states) {
            #expect(text.utf8.count == 43)
            #expect(text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") })
            #expect(try CodeVerifier(parsing: text).secret == Secret(text))
        }
    }

    @Test(
        "A verifier of the wrong length or with other characters is refused",
        arguments: [
            "", String(repeating: "a", count: 42), String(repeating: "a", count: 129),
            String(repeating: "a", count: 50) + "+",
            String(repeating: "a", count: 25) + " "
                + String(repeating: "a", count: 25), String(repeating: "é", count: 50),
        ])
    func malformed(text: String) {
        #expect(throws: SignInError.malformedVerifier) { try CodeVerifier(parsing: text) }
    }

    @Test("Verifiers of 43 and of 128 characters are taken", arguments: [43, 128])
    func limits(length: Int) throws {
        let text = String(repeating: "~", count: length)
        #expect(try CodeVerifier(parsing: text).secret.exposed == text)
    }

    @Test("An authorization request names everything, encoded")
    func request() {
        let url = endpoints.authorizationURL(
            appID: "APP", redirectURI: "http://127.0.0.1:5/callback?a=b&c", merchantID: "M1", challenge: "C-_",
            state: "S T&é")
        #expect(
            url == "https://web.example/oauth/v2/authorize?client_id=APP"
                + "&redirect_uri=http%3A%2F%2F127.0.0.1%3A5%2Fcallback%3Fa%3Db%26c&response_type=code"
                + "&state=S%20T%26%C3%A9&merchant_id=M1&code_challenge=C-_&code_challenge_method=S256")
    }

    @Test("A request for an app with a secret has no challenge")
    func withoutChallenge() {
        let url = endpoints.authorizationURL(appID: "APP", redirectURI: "http://localhost/", state: "S")
        #expect(
            url == "https://web.example/oauth/v2/authorize?client_id=APP&redirect_uri=http%3A%2F%2Flocalhost%2F"
                + "&response_type=code&state=S")
    }
}
