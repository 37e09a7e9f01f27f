import CloverCallback
import Testing

@Suite("Clients that mean no good")
struct HostileTests {
    private let page = ResultPage.success(headline: "Signed in", detail: "Merchant")

    @Test("Three hundred connections that ask for nothing, or half of something, do not keep the callback out")
    func survivesCrowd() async throws {
        try await withListener { listener in
            var crowd: [LoopbackClient] = []
            for number in 0..<300 {
                let client = try await LoopbackClient.connect(port: listener.port)
                crowd.append(client)
                // One that was closed to make room may say so here.
                if number % 3 == 1 { try? await client.send("GET /callback?co") }
                if number % 3 == 2 {
                    try? await client.send("GET /callback?code=x HTTP/1.1\r\nContent-Length: 9\r\n\r\n1")
                }
            }
            async let shown = LoopbackClient.get("/callback?code=real", port: listener.port)
            let callback = try await listener.callback()
            #expect(callback.url.hasSuffix("?code=real"))
            await callback.answer(page)
            #expect(try await shown.status == 200)
            // Those that came first had to make room.
            let first = crowd[0]
            #expect(await eventually { first.isClosed })
        }
    }

    @Test("A crowd that arrives while the callback is worked on does not push it out")
    func keepsBusyConnection() async throws {
        try await withListener { listener in
            async let shown = LoopbackClient.get("/callback?code=real", port: listener.port)
            let callback = try await listener.callback()
            let crowd = try await LoopbackClient.crowd(of: 200, port: listener.port)
            let first = crowd[0]
            #expect(await eventually { first.isClosed })
            await callback.answer(page)
            #expect(try await shown.isWhole)
        }
    }

    @Test("A request behind the first on one connection has no effect")
    func dropsPipelinedRequest() async throws {
        let seconds = Counter()
        try await withListener(onSecond: { seconds.add() }) { listener in
            let host = "Host: 127.0.0.1:\(listener.port)\r\n\r\n"
            let client = try await LoopbackClient.connect(port: listener.port)
            try await client.send("GET / HTTP/1.1\r\n\(host)GET /callback?code=hidden HTTP/1.1\r\n\(host)")
            let answer = try await client.answer()
            #expect(answer.status == 404)
            #expect(answer.isWhole)
            async let shown = LoopbackClient.get("/callback?code=real", port: listener.port)
            let callback = try await listener.callback()
            #expect(callback.url.hasSuffix("?code=real"))
            await callback.answer(page)
            #expect(try await shown.isWhole)
        }
        #expect(seconds.value == 0)
    }

    @Test("Nonsense behind the callback does not spoil its page")
    func ignoresNonsenseAfterCallback() async throws {
        try await withListener { listener in
            let client = try await LoopbackClient.connect(port: listener.port)
            try await client.send(
                "GET /callback?code=c HTTP/1.1\r\nHost: 127.0.0.1:\(listener.port)\r\n\r\n\u{0}\u{1}nonsense\r\n\r\n")
            let callback = try await listener.callback()
            async let shown = client.answer()
            await callback.answer(page)
            let answer = try await shown
            #expect(answer.status == 200)
            #expect(answer.isWhole)
        }
    }

    @Test("A client that sends nothing more still gets its page")
    func answersHalfClosed() async throws {
        try await withListener { listener in
            let client = try await LoopbackClient.connect(port: listener.port)
            try await client.send("GET /callback?code=c HTTP/1.1\r\nHost: 127.0.0.1:\(listener.port)\r\n\r\n")
            try client.finishSending()
            let callback = try await listener.callback()
            async let shown = client.answer()
            await callback.answer(page)
            #expect(try await shown.isWhole)
        }
    }

    @Test("A request that never gets on is cut off", arguments: ["", "GET /callback?code=c HTTP/1.1\r\nHo"])
    func cutsOff(start: String) async throws {
        try await withListener { listener in
            let client = try await LoopbackClient.connect(port: listener.port)
            try await client.send(start)
            #expect(try await client.rest().isEmpty)
        }
    }

    @Test("A browser that does not close its end is not waited for")
    func leavesStubbornBrowser() async throws {
        try await withListener { listener in
            let client = try await LoopbackClient.connect(port: listener.port)
            try await client.send("GET /callback?code=c HTTP/1.1\r\nHost: 127.0.0.1:\(listener.port)\r\n\r\n")
            let callback = try await listener.callback()
            await callback.answer(page)
            #expect(try await client.answer().isWhole)
        }
    }
}
