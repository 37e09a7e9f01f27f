import CloverCallback
import Testing

@Suite("The one callback")
struct CallbackTests {
    private let page = ResultPage.success(headline: "Signed in", detail: "Merchant 7ZK9")

    @Test("A redirect is handed over whole, and its browser gets the page")
    func handsOver() async throws {
        try await withListener { listener in
            #expect(listener.redirectURI == "http://127.0.0.1:\(listener.port)/callback")
            async let shown = LoopbackClient.get("/callback?code=a%2Fb&state=s%20t&x", port: listener.port)
            let callback = try await listener.callback()
            #expect(callback.url == "http://127.0.0.1:\(listener.port)/callback?code=a%2Fb&state=s%20t&x")
            await callback.answer(page)
            let answer = try await shown
            #expect(answer.status == 200)
            #expect(answer.isWhole)
            #expect(answer.text.contains("Signed in"))
            #expect(answer.text.contains("Merchant 7ZK9"))
            #expect(answer.text.contains("You can close this window and go back to the terminal."))
        }
    }

    @Test("A failure is shown as one")
    func showsFailure() async throws {
        try await withListener { listener in
            async let shown = LoopbackClient.get("/callback?error=access_denied", port: listener.port)
            let callback = try await listener.callback()
            await callback.answer(.failure(headline: "Not signed in", detail: "Access denied. Run it again to allow."))
            let answer = try await shown
            #expect(answer.status == 200)
            #expect(answer.isWhole)
            #expect(answer.text.contains("Access denied. Run it again to allow."))
        }
    }

    @Test("A redirect that arrives before anybody waits is not lost")
    func arrivesEarly() async throws {
        try await withListener { listener in
            let client = try await LoopbackClient.connect(port: listener.port)
            try await client.send("GET /callback?code=early HTTP/1.1\r\nHost: 127.0.0.1:\(listener.port)\r\n\r\n")
            // By the time this one gets a response, the first has been read: one thread reads both, in order.
            _ = try await LoopbackClient.get("/favicon.ico", port: listener.port)
            let callback = try await listener.callback()
            #expect(callback.url.hasSuffix("?code=early"))
            await callback.answer(page)
        }
    }

    @Test("A second redirect is refused and reported, while the first is worked on and after it")
    func refusesSecond() async throws {
        let seconds = Counter()
        try await withListener(onSecond: { seconds.add() }) { listener in
            async let shown = LoopbackClient.get("/callback?code=first", port: listener.port)
            let callback = try await listener.callback()
            let during = try await LoopbackClient.get("/callback?code=second", port: listener.port)
            #expect(during.status == 409)
            #expect(during.text.contains("The result of this sign-in has already been received."))
            #expect(seconds.value == 1)
            await callback.answer(page)
            #expect(try await shown.status == 200)
            #expect(try await LoopbackClient.get("/callback?code=first", port: listener.port).status == 409)
            #expect(seconds.value == 2)
            #expect(callback.url.hasSuffix("?code=first"))
        }
    }

    @Test("Only the first page given is shown")
    func keepsFirstPage() async throws {
        try await withListener { listener in
            async let shown = LoopbackClient.get("/callback?code=c", port: listener.port)
            let callback = try await listener.callback()
            await callback.answer(page)
            await callback.answer(.failure(headline: "Changed", detail: "mind"))
            #expect(try await shown.text.contains("Signed in"))
        }
    }

    @Test(
        "A browser that goes away while it waits holds neither the answer nor the closing up", arguments: [false, true])
    func survivesGoneBrowser(byReset: Bool) async throws {
        try await withListener { listener in
            var client: LoopbackClient? = try await LoopbackClient.connect(port: listener.port)
            try await client?.send("GET /callback?code=c HTTP/1.1\r\nHost: 127.0.0.1:\(listener.port)\r\n\r\n")
            let callback = try await listener.callback()
            if byReset { try client?.closeByReset() }
            client = nil
            // What was sent before it is seen before it: the end of the first connection comes first.
            #expect(try await LoopbackClient.get("/callback?code=c", port: listener.port).status == 409)
            await callback.answer(page)
            #expect(try await LoopbackClient.get("/callback?code=c", port: listener.port).status == 409)
        }
    }

    @Test("Waiting can be cancelled, and taken up again")
    func isCancellable() async throws {
        try await withListener { listener in
            let waiting = Task { try await listener.callback() }
            waiting.cancel()
            await #expect(throws: CancellationError.self) { _ = try await waiting.value }
            async let shown = LoopbackClient.get("/callback?code=c", port: listener.port)
            let callback = try await listener.callback()
            await callback.answer(page)
            #expect(try await shown.isWhole)
        }
    }

    @Test("The callback is handed out once")
    func handsOutOnce() async throws {
        try await withListener { listener in
            async let shown = LoopbackClient.get("/callback?code=c", port: listener.port)
            let callback = try await listener.callback()
            await #expect(throws: CallbackError.alreadyTaken) { _ = try await listener.callback() }
            await callback.answer(page)
            #expect(try await shown.isWhole)
        }
    }
}
