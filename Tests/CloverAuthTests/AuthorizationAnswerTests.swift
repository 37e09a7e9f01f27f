import CloverAuth
import CloverHTTP
import Testing

@Suite("What the browser brings back")
struct AuthorizationAnswerTests {
    struct Row: CustomTestStringConvertible, Sendable {
        let testDescription: String
        let url: String
        var state = AuthorizationResponse.StateRule.expect("S")
        var result: Result<AuthorizationResponse, SignInError>
    }

    private static let base = "http://127.0.0.1:1/callback"

    private static func code(_ code: String, merchant: String? = nil, employee: String? = nil, app: String? = nil)
        -> AuthorizationResponse
    {
        AuthorizationResponse(.code, Secret(code), merchantID: merchant, employeeID: employee, clientID: app)
    }

    private static func token(_ token: String, merchant: String? = nil) -> AuthorizationResponse {
        AuthorizationResponse(.legacyToken, Secret(token), merchantID: merchant)
    }

    @Test(
        "An address is read, or refused for its own reason",
        arguments: [
            Row(
                testDescription: "everything", url: "?code=c0de&merchant_id=M1&client_id=APP&employee_id=E1&state=S",
                result: .success(code("c0de", merchant: "M1", employee: "E1", app: "APP"))),
            Row(
                testDescription: "the other spelling of the merchant", url: "?merchantId=M1&state=S&code=c",
                result: .success(code("c", merchant: "M1"))),
            Row(testDescription: "code alone", url: "?state=S&code=c", result: .success(code("c"))),
            Row(
                testDescription: "encoded values", url: "?state=%53&code=a%2Fb%3D",
                result: .success(code("a/b="))),
            Row(
                testDescription: "unknown parameters, and empty ones, even twice",
                url: "?x=1&x=2&&y&employee_id=&state=S&code=c&z=%", result: .success(code("c"))),
            Row(
                testDescription: "token in the fragment", url: "?merchant_id=M1#access_token=t0ken", state: .ignore,
                result: .success(token("t0ken", merchant: "M1"))),
            Row(
                testDescription: "everything in the fragment", url: "#access_token=t&merchantId=M1&state=S",
                result: .success(token("t", merchant: "M1"))),
            Row(
                testDescription: "a code goes before a token", url: "?code=c&state=S#access_token=t",
                result: .success(code("c"))),
            Row(
                testDescription: "state unasked for", url: "?code=c&state=whatever", state: .ignore,
                result: .success(code("c"))),
            Row(testDescription: "no state", url: "?code=c", result: .failure(.missingState)),
            Row(testDescription: "empty state", url: "?code=c&state=", result: .failure(.missingState)),
            Row(testDescription: "another state", url: "?code=c&state=s", result: .failure(.wrongState)),
            Row(
                testDescription: "state is judged before an error", url: "?error=access_denied&state=x",
                result: .failure(.wrongState)),
            Row(
                testDescription: "denied", url: "?error=access_denied&state=S",
                result: .failure(.denied(description: nil))),
            Row(
                testDescription: "denied with words",
                url: "?error=access_denied&error_description=no%1b%5B1m+thanks&state=S",
                result: .failure(.denied(description: "no thanks"))),
            Row(
                testDescription: "another error", url: "?error=server%0Aerror&code=c&state=S",
                result: .failure(.serviceError(code: "server error", description: nil))),
            Row(
                testDescription: "another app", url: "?client_id=EVIL&code=c&state=S",
                result: .failure(.otherApp(found: "EVIL", expected: "APP"))),
            Row(
                testDescription: "another merchant", url: "?merchant_id=M2&code=c&state=S",
                result: .failure(.otherMerchant(found: "M2", expected: "M1"))),
            Row(
                testDescription: "another merchant under the other spelling", url: "?merchantId=M2&code=c&state=S",
                result: .failure(.otherMerchant(found: "M2", expected: "M1"))),
            Row(
                testDescription: "two merchants", url: "?merchantId=M1&merchant_id=M2&code=c&state=S",
                result: .failure(.malformedMerchant)),
            Row(
                testDescription: "a merchant that is no id", url: "?merchant_id=..%2F&code=c&state=S",
                result: .failure(.malformedMerchant)),
            Row(
                testDescription: "two codes", url: "?code=a&code=b&state=S",
                result: .failure(.repeatedParameter("code"))),
            Row(
                testDescription: "two states", url: "?code=a&state=S&state=x",
                result: .failure(.repeatedParameter("state"))),
            Row(
                testDescription: "damaged code", url: "?code=%zz&state=S", result: .failure(.malformedParameter("code"))
            ),
            Row(
                testDescription: "a code that breaks a line", url: "?code=a%0Ab&state=S",
                result: .failure(.unusableCode)),
            Row(
                testDescription: "a token that breaks a line", url: "?state=S#access_token=a%0Ab",
                result: .failure(.unusableCode)),
            Row(testDescription: "no code", url: "?merchant_id=M1&state=S", result: .failure(.noCode)),
            Row(testDescription: "empty code", url: "?code=&state=S", result: .failure(.noCode)),
            Row(testDescription: "no query", url: "", result: .failure(.notARedirect)),
        ])
    func parse(row: Row) throws {
        let url = "\n " + Self.base + row.url + " \r\n"
        let found = Result { () throws(SignInError) in
            try AuthorizationResponse.parse(redirectedURL: url, state: row.state, appID: "APP", merchantID: "M1")
        }
        #expect(found == row.result)
    }

    @Test(
        "Text that is no address is refused",
        arguments: ["", "c0de", "hello ?code=c", String(repeating: "?", count: 20_000)])
    func noAddress(text: String) {
        #expect(throws: SignInError.notARedirect) {
            try AuthorizationResponse.parse(redirectedURL: text, state: .ignore, appID: nil, merchantID: nil)
        }
    }

    @Test("Without an expectation, any app and merchant is accepted and returned")
    func anyone() throws {
        let answer = try AuthorizationResponse.parse(
            redirectedURL: "x?code=c&merchant_id=M9&client_id=A9", state: .ignore, appID: nil, merchantID: nil)
        #expect(answer == Self.code("c", merchant: "M9", app: "A9"))
    }

    @Test("Neither responses nor errors print a code or token")
    func noSecrets() throws {
        let urls = ["?code=canary&state=S", "?state=S#access_token=canary", "?code=canary", "?code=canary%00&state=S"]
        for url in urls {
            let found = Result { () throws(SignInError) in
                try AuthorizationResponse.parse(
                    redirectedURL: "http://x/" + url, state: .expect("S"), appID: nil, merchantID: nil)
            }
            #expect(!"\(found)".contains("canary"))
            #expect(!String(reflecting: found).contains("canary"))
        }
    }
}
