import CloverCallback
import Testing

@Suite("The page")
struct PageTests {
    @Test("Text given to it is shown as text, whatever it holds")
    func escapesText() async throws {
        let page = try await shown(
            .success(
                headline: "<b>Signed</b> in",
                detail: "\"Ben & Zoë's\" <script>alert(1)</script>\u{0}\u{1B}[31m\u{202E}end"))
        #expect(page.text.contains("<h1 id=\"headline\">&lt;b&gt;Signed&lt;/b&gt; in</h1>"))
        #expect(page.text.contains("<title>&lt;b&gt;Signed&lt;/b&gt; in - clover</title>"))
        #expect(
            page.text.contains(
                "<p id=\"detail\">&quot;Ben &amp; Zoë&#39;s&quot; &lt;script&gt;alert(1)&lt;/script&gt;[31mend</p>"))
        #expect(!page.text.contains("<script"))
    }

    @Test("Text without measure is cut")
    func cutsText() async throws {
        let page = try await shown(.failure(headline: "No", detail: String(repeating: "<", count: 1_000_000)))
        #expect(page.isWhole)
        #expect(page.text.contains(">" + String(repeating: "&lt;", count: 2000) + "</p>"))
    }

    @Test("Nothing keeps it, sends its address on, runs in it or is loaded by it")
    func isSealed() async throws {
        for result in [
            ResultPage.success(headline: "Signed in", detail: "Merchant"), .failure(headline: "No", detail: "Why"),
        ] {
            let page = try await shown(result)
            #expect(page.headers["cache-control"] == "no-store")
            #expect(page.headers["referrer-policy"] == "no-referrer")
            #expect(page.headers["x-content-type-options"] == "nosniff")
            #expect(page.headers["connection"] == "close")
            #expect(page.headers["content-type"] == "text/html; charset=utf-8")
            let policy = try #require(page.headers["content-security-policy"])
            #expect(policy.hasPrefix("default-src 'none'; "))
            #expect(!policy.contains("script-src"))
            for word in ["<script", "http:", "https:", "//", "@import", "url(", "onload"] {
                #expect(!page.text.contains(word), "\(word)")
            }
            #expect(!page.text.contains("code=secret"))
        }
    }

    @Test("Either page tells its reader what to do with the window")
    func closesWindow() async throws {
        let good = try await shown(.success(headline: "Signed in", detail: "Merchant"))
        #expect(good.text.contains("You can close this window and go back to the terminal."))
        let bad = try await shown(.failure(headline: "No", detail: "Why"))
        #expect(bad.text.contains("You can close this window. See the terminal for details."))
    }

    private func shown(_ result: ResultPage) async throws -> LoopbackAnswer {
        let listener = try await CallbackListener.open(port: 0, path: "/callback")
        async let answer = LoopbackClient.get("/callback?code=secret", port: listener.port)
        let callback = try await listener.callback()
        await callback.answer(result)
        await listener.close()
        return try await answer
    }
}
