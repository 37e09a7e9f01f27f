import Foundation
import Testing

@Suite("Server: consent")
@BlockingActor
struct ConsentServerTests {
    @Test("The page names shop, app and permissions, and its form carries the request back", arguments: ["", "v2/"])
    func page(version: String) throws {
        let emulator = try EmulatorProcess("--orders", "10")
        let path = "/oauth/\(version)authorize"
        let fields = emulator.authorizeFields(["state": "\"><script>&amp;'", "merchant_id": emulator.merchant])
        let answer = try emulator.request("GET", path + "?" + EmulatorProcess.form(fields))
        #expect(answer.status == 200)
        #expect(answer.headers["content-type"] == "text/html; charset=utf-8")
        #expect(answer.headers["cache-control"] == "no-store")
        #expect(answer.headers["content-security-policy"]?.hasPrefix("default-src 'none'") == true)
        let shop = try #require(try Node(emulator.get("").body)["name"]?.text)
        #expect(answer.text.contains("would like to connect to \(shop.replacingOccurrences(of: "'", with: "&#39;"))"))
        for text in [
            "Register Tools", emulator.merchant, "Orders", "Payments", "Customers",
            "<button id=\"approve\" type=\"submit\" name=\"decision\" value=\"approve\">",
            "<button id=\"deny\" type=\"submit\" name=\"decision\" value=\"deny\">",
            "<form method=\"post\" action=\"\(path)\">",
            "name=\"state\" value=\"&quot;&gt;&lt;script&gt;&amp;amp;&#39;\"",
            "name=\"redirect_uri\" value=\"\(EmulatorProcess.redirectURI)\"", "name=\"client_id\"",
            "name=\"merchant_id\"",
            "name=\"viewport\"",
        ] { #expect(answer.text.contains(text), "\(text)") }
        #expect(!answer.text.contains("<script"))
        #expect(!answer.text.contains("src="))
    }

    @Test("Approve redirects with code, merchant, client, employee and state")
    func approve() throws {
        let emulator = try EmulatorProcess("--orders", "10")
        let answer = try emulator.decide("approve", ["state": "a b+&=ü", "merchant_id": emulator.merchant])
        #expect(answer.status == 302)
        let redirect = Redirect(answer)
        #expect(redirect.base == EmulatorProcess.redirectURI)
        #expect(Set(redirect.query.keys) == ["code", "merchant_id", "client_id", "employee_id", "state"])
        #expect(redirect.query["merchant_id"] == emulator.merchant)
        #expect(redirect.query["client_id"] == emulator.appID)
        #expect(redirect.query["state"] == "a b+&=ü")
        #expect(redirect.fragment == nil)
        let employee = try #require(redirect.query["employee_id"])
        #expect(try emulator.get("employees/\(employee)").status == 200)
        #expect(try emulator.statistics()["codesIssued"]?.integer == 1)
    }

    @Test("The redirect keeps the query of its address and adds no state if none was sent")
    func ownQuery() throws {
        let emulator = try EmulatorProcess("--orders", "10")
        let answer = try emulator.decide("approve", ["redirect_uri": "https://app.example/cb?tab=2", "state": ""])
        #expect(answer.headers["location"]?.hasPrefix("https://app.example/cb?tab=2&code=") == true)
        #expect(Redirect(answer).query["state"] == nil)
    }

    @Test("Deny redirects with access_denied and the state, and issues no code", arguments: ["", "v2/"])
    func deny(version: String) throws {
        let emulator = try EmulatorProcess("--orders", "10")
        let answer = try emulator.decide("deny", path: "/oauth/\(version)authorize")
        #expect(answer.status == 302)
        #expect(Redirect(answer).base == EmulatorProcess.redirectURI)
        #expect(Redirect(answer).query == ["error": "access_denied", "state": "s1"])
        #expect(try emulator.statistics()["codesIssued"]?.integer == 0)
    }

    @Test("Redirects only below --site-url")
    func siteURL() throws {
        let emulator = try EmulatorProcess(
            "--orders", "10", "--auto-approve", "--site-url", "http://127.0.0.1:41000", "--site-url",
            "https://App.example/in")
        for address in [
            EmulatorProcess.redirectURI, "HTTP://127.0.0.1:41000", "http://127.0.0.1:41000/", "https://app.example/in",
            "https://app.example:443/in/callback?tab=2", "https://app.example/in/..a/b..?x=../y",
        ] { #expect(try emulator.decide("approve", ["redirect_uri": address]).status == 302, "\(address)") }
        for address in [
            "http://127.0.0.1:41001/callback", "https://127.0.0.1:41000/callback", "http://localhost:41000/callback",
            "http://127.0.0.1:410001/callback", "https://app.example/", "https://app.example/inside",
            "https://app.example.org/in", "https://user@app.example/in", "https://app.example/in/../other",
            "https://app.example/in/./x", "https://app.example/in/%2E%2e/other", "https://app.example/in/..%2fother",
            "https://app.example/in/..", "http://127.0.0.1:41000/..?tab=2",
        ] {
            let answer = try emulator.decide("approve", ["redirect_uri": address])
            #expect(answer.status == 400, "\(address)")
            #expect(answer.headers["location"] == nil)
            #expect(answer.text.contains("does not begin with the app&#39;s Site URL"), "\(answer.text)")
        }
        #expect(
            try EmulatorProcess("--orders", "10").decide("approve", ["redirect_uri": "https://any.example"]).status
                == 302)
    }

    @Test("Shows an invalid request's reason on a page, for GET and POST")
    func wrongRequests() throws {
        let emulator = try EmulatorProcess("--orders", "10", "--auto-approve")
        for (changes, reason) in [
            (["client_id": "OTHER"], "client_id"), (["client_id": ""], "client_id"),
            (["redirect_uri": "/callback"], "redirect_uri"), (["redirect_uri": "ftp://127.0.0.1/"], "redirect_uri"),
            (["merchant_id": "AAAAAAAAAAAAA"], "merchant_id"), (["response_type": "token"], "response_type"),
            (["code_challenge": PKCE.challenge, "code_challenge_method": "plain"], "code_challenge_method"),
            (["code_challenge": "abc", "code_challenge_method": "S256"], "code_challenge"),
        ] {
            let query = EmulatorProcess.form(emulator.authorizeFields(changes))
            for answer in [
                try emulator.request("GET", "/oauth/v2/authorize?" + query), try emulator.decide("approve", changes),
            ] {
                #expect(answer.status == 400, "\(changes)")
                #expect(answer.headers["content-type"] == "text/html; charset=utf-8")
                #expect(answer.headers["location"] == nil)
                #expect(answer.text.contains("<p id=\"reason\">") && answer.text.contains(reason), "\(changes)")
            }
        }
        #expect(try emulator.decide("maybe").status == 400)
        #expect(try emulator.statistics()["codesIssued"]?.integer == 0)
    }

    @Test("Redirects at once with --auto-approve")
    func autoApprove() throws {
        let emulator = try EmulatorProcess("--orders", "10", "--auto-approve")
        let fields = emulator.authorizeFields(["code_challenge": PKCE.challenge])
        let answer = try emulator.request("GET", "/oauth/v2/authorize?" + EmulatorProcess.form(fields))
        #expect(answer.status == 302)
        let code = try #require(Redirect(answer).query["code"])
        #expect(try emulator.exchange(code).status == 200)
    }

    @Test("The legacy flow returns a code, or a token in the fragment")
    func legacy() throws {
        let emulator = try EmulatorProcess("--orders", "10")
        let code = Redirect(try emulator.decide("approve", path: "/oauth/authorize"))
        #expect(Set(code.query.keys) == ["code", "merchant_id", "client_id", "employee_id", "state"])
        let token = Redirect(
            try emulator.decide("approve", ["response_type": "token"], path: "/oauth/authorize"))
        #expect(Set(token.query.keys) == ["merchant_id", "client_id", "employee_id", "state"])
        let fragment = try #require(token.fragment)
        #expect(fragment.hasPrefix("access_token="))
        #expect(try emulator.get("", token: String(fragment.dropFirst("access_token=".count))).status == 200)
    }
}
