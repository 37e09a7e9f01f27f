import CloverCallback
import Testing

@Suite("What is not the callback")
struct RequestTests {
    struct Refused: CustomTestStringConvertible, Sendable {
        let what: String
        /// PORT stands for the listener's.
        let request: String
        let status: Int

        var testDescription: String { what }

        init(_ what: String, _ request: String, _ status: Int) {
            self.what = what
            self.request = request
            self.status = status
        }
    }

    static let refused = [
        Refused("the icon", "GET /favicon.ico HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\n\r\n", 404),
        Refused("the root", "GET /?code=c HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\n\r\n", 404),
        Refused("a longer path", "GET /callback/?code=c HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\n\r\n", 404),
        Refused("an escaped path", "GET /c%61llback?code=c HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\n\r\n", 404),
        Refused("the path in capitals", "GET /CALLBACK?code=c HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\n\r\n", 404),
        Refused("HEAD", "HEAD /callback?code=c HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\n\r\n", 405),
        Refused(
            "POST", "POST /callback?code=c HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nContent-Length: 3\r\n\r\na=b", 405),
        Refused("OPTIONS", "OPTIONS /callback?code=c HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\n\r\n", 405),
        Refused("no host", "GET /callback?code=c HTTP/1.0\r\n\r\n", 400),
        Refused(
            "two hosts", "GET /callback?code=c HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nHost: evil.example\r\n\r\n", 400),
        Refused("another host", "GET /callback?code=c HTTP/1.1\r\nHost: evil.example:PORT\r\n\r\n", 421),
        Refused("another port", "GET /callback?code=c HTTP/1.1\r\nHost: 127.0.0.1:1\r\n\r\n", 421),
        Refused("no port", "GET /callback?code=c HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n", 421),
        Refused(
            "an image of another page",
            "GET /callback?code=c HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nSec-Fetch-Mode: no-cors\r\n\r\n", 403),
        Refused(
            "a frame of another page",
            "GET /callback?code=c HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nSec-Fetch-Mode: navigate\r\n"
                + "Sec-Fetch-Dest: iframe\r\n\r\n", 403),
        Refused(
            "a prefetch",
            "GET /callback?code=c HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nSec-Purpose: prefetch;prerender\r\n\r\n", 403),
        Refused(
            "two lengths of one body",
            "GET /callback?code=c HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nContent-Length: 0\r\n"
                + "Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 400),
        Refused("no HTTP", "hello\r\n\r\n", 400),
        Refused(
            "a header without end",
            "GET /callback?code=c HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nX: " + String(repeating: "x", count: 40_000), 400),
        Refused(
            "headers without number",
            "GET /callback?code=c HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\n"
                + String(repeating: "X: x\r\n", count: 101) + "\r\n", 400),
        Refused(
            "an address of more than 16 KB",
            "GET /callback?code=" + String(repeating: "c", count: 16_500) + " HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\n\r\n",
            400),
        Refused("an address without end", "GET /callback?" + String(repeating: "c", count: 70_000), 400),
    ]

    @Test("Is refused and does not count", arguments: refused)
    func refuses(_ row: Refused) async throws {
        try await withListener(onSecond: { Issue.record("it counted") }) { listener in
            let request = row.request.replacing("PORT", with: String(listener.port))
            let answer = try await LoopbackClient.ask(request, port: listener.port)
            #expect(answer.status == row.status)
            #expect(answer.isWhole)
            try await expectCallback(listener)
        }
    }

    @Test("The path without a query is sent to 'clover auth receive' and does not count", arguments: ["", "?"])
    func explainsFragment(end: String) async throws {
        try await withListener(onSecond: { Issue.record("it counted") }) { listener in
            let answer = try await LoopbackClient.get("/callback\(end)", port: listener.port)
            #expect(answer.status == 200)
            #expect(answer.text.contains("copy the whole address and pass it to &#39;clover auth receive&#39;"))
            try await expectCallback(listener)
        }
    }

    @Test("A method that is not allowed says which one is")
    func namesMethod() async throws {
        try await withListener { listener in
            let head = "HEAD /callback?code=c HTTP/1.1\r\nHost: 127.0.0.1:\(listener.port)\r\n\r\n"
            let answer = try await LoopbackClient.ask(head, port: listener.port)
            #expect(answer.headers["allow"] == "GET")
            #expect(answer.text.isEmpty)
        }
    }

    @Test(
        "localhost is as good as the address, and a whole address as good as its path (RFC 9112 section 3.2.2)",
        arguments: [("LocalHost", "/callback?code=c"), ("127.0.0.1", "http://127.0.0.1:PORT/callback?code=c")])
    func acceptsOtherForms(host: String, target: String) async throws {
        try await withListener { listener in
            let target = target.replacing("PORT", with: String(listener.port))
            let request = "GET \(target) HTTP/1.1\r\nHost: \(host):\(listener.port)\r\n\r\n"
            async let shown = LoopbackClient.ask(request, port: listener.port)
            let callback = try await listener.callback()
            #expect(callback.url == "\(listener.redirectURI)?code=c")
            await callback.answer(.success(headline: "Signed in", detail: "Merchant"))
            #expect(try await shown.isWhole)
        }
    }

    /// The real callback still comes through.
    private func expectCallback(_ listener: CallbackListener) async throws {
        async let shown = LoopbackClient.get(
            "/callback?code=real", port: listener.port,
            headers: "Sec-Fetch-Mode: navigate\r\nSec-Fetch-Dest: document\r\n")
        let callback = try await listener.callback()
        #expect(callback.url == "\(listener.redirectURI)?code=real")
        await callback.answer(.success(headline: "Signed in", detail: "Merchant"))
        #expect(try await shown.status == 200)
    }
}
