import CloverCallback
import Testing

@Suite("The callback of a payment")
struct PaymentCallbackTests {
    private func withListener(
        _ change: (inout CallbackOptions) -> Void = { _ in }, _ body: (CallbackListener) async throws -> Void
    ) async throws {
        var choice = CallbackOptions(port: 0, path: "/paid")
        choice.purpose = .payment
        change(&choice)
        let listener = try await CallbackListener.open(choice)
        do {
            try await body(listener)
        } catch {
            await listener.close()
            throw error
        }
        await listener.close()
    }

    @Test("What is not expected is refused, and the wait goes on")
    func expected() async throws {
        try await withListener { choice in
            choice.isExpected = { $0.hasSuffix("?right") }
        } _: { listener in
            let wrong = try await LoopbackClient.get("/paid?wrong", port: listener.port)
            #expect(wrong.status == 409)
            #expect(wrong.text.contains("Not this payment"))
            async let shown = LoopbackClient.get("/paid?right", port: listener.port)
            let callback = try await listener.callback()
            #expect(callback.url == "http://127.0.0.1:\(listener.port)/paid?right")
            await callback.answer(.payment(isDone: true, headline: "Paid", detail: "Thank you."))
            let page = try await shown
            #expect(page.text.contains("Paid"))
        }
    }

    @Test("No page speaks of a terminal or of signing in", arguments: ["/paid?x", "/paid", "/", "/paid?second"])
    func pages(target: String) async throws {
        try await withListener { listener in
            if target.hasSuffix("second") {
                async let first = LoopbackClient.get("/paid?first", port: listener.port)
                let callback = try await listener.callback()
                await callback.answer(.payment(isDone: false, headline: "Not paid", detail: "No."))
                _ = try await first
            }
            async let shown = LoopbackClient.get(target, port: listener.port)
            if target == "/paid?x" {
                let callback = try await listener.callback()
                await callback.answer(.payment(isDone: false, headline: "Not paid", detail: "No."))
            }
            let text = try await shown.text.lowercased()
            #expect(text.contains("you can close this window."))
            #expect(!text.contains("terminal") && !text.contains("sign"))
        }
    }

    @Test("A public origin names the host that is served besides the own one")
    func publicOrigin() async throws {
        try await withListener { choice in
            choice.publicOrigin = "https://Cafe.example"
        } _: { listener in
            func status(_ host: String) async throws -> Int {
                let request = "GET /else HTTP/1.1\r\nHost: \(host)\r\n\r\n"
                return try await LoopbackClient.ask(request, port: listener.port).status
            }
            #expect(listener.redirectURI == "https://Cafe.example/paid")
            let rows = [
                ("cafe.example", 404), ("127.0.0.1:\(listener.port)", 404), ("other.example", 421),
                ("cafe.example:8080", 421),
            ]
            for (host, expected) in rows {
                let found = try await status(host)
                #expect(found == expected, "\(host)")
            }
        }
    }

    @Test("On other interfaces than the loopback one every host is taken")
    func allInterfaces() async throws {
        try await withListener { choice in
            choice.bindAddress = "0.0.0.0"
        } _: { listener in
            let request = "GET /else HTTP/1.1\r\nHost: whatever\r\n\r\n"
            let answer = try await LoopbackClient.ask(request, port: listener.port)
            #expect(answer.status == 404)
        }
    }

    @Test("On all interfaces, a callable address is reported, and the callback's URL has the requested host")
    func callable() async throws {
        for bind in ["0.0.0.0", "::"] {
            try await withListener { choice in
                choice.bindAddress = bind
            } _: { listener in
                #expect(!listener.callableURIs.isEmpty)
                for uri in listener.callableURIs {
                    #expect(!uri.contains("//0.0.0.0") && !uri.contains("//[::]"), "\(uri)")
                    #expect(uri.hasSuffix(":\(listener.port)/paid"))
                }
                async let shown = LoopbackClient.ask(
                    "GET /paid?x HTTP/1.1\r\nHost: shop.example:1\r\n\r\n", port: listener.port)
                let callback = try await listener.callback()
                #expect(callback.url == "http://shop.example:1/paid?x")
                await callback.answer(.payment(isDone: true, headline: "Paid", detail: "Thank you."))
                _ = try await shown
            }
        }
        try await withListener { listener in
            #expect(listener.callableURIs == ["http://127.0.0.1:\(listener.port)/paid"])
        }
    }

    @Test("Further paths count like the first")
    func otherPaths() async throws {
        try await withListener { choice in
            choice.otherPaths = ["/paid/mark"]
        } _: { listener in
            let wrong = try await LoopbackClient.get("/mark?x", port: listener.port)
            #expect(wrong.status == 404)
            async let shown = LoopbackClient.get("/paid/mark?x", port: listener.port)
            let callback = try await listener.callback()
            #expect(callback.url.hasSuffix("/paid/mark?x"))
            await callback.answer(.payment(isDone: true, headline: "Paid", detail: "Thank you."))
            let page = try await shown
            #expect(page.status == 200)
        }
    }

    @Test("A request that names no host, as HTTP/1.0 permits, is taken; one with two is not")
    func noHost() async throws {
        try await withListener { listener in
            let two = "GET /paid?x HTTP/1.1\r\nHost: 127.0.0.1:\(listener.port)\r\nHost: evil.example\r\n\r\n"
            let refused = try await LoopbackClient.ask(two, port: listener.port)
            #expect(refused.status == 400)
            async let shown = LoopbackClient.ask("GET /paid?x HTTP/1.0\r\n\r\n", port: listener.port)
            let callback = try await listener.callback()
            #expect(callback.url == "http://127.0.0.1:\(listener.port)/paid?x")
            await callback.answer(.payment(isDone: true, headline: "Paid", detail: "Thank you."))
            let page = try await shown
            #expect(page.status == 200)
        }
    }

    @Test("An address that this machine does not have cannot be listened on")
    func foreignAddress() async throws {
        // An address of documentation (RFC 5737).
        var choice = CallbackOptions(port: 0, path: "/paid")
        choice.bindAddress = "192.0.2.1"
        await #expect(throws: CallbackError.self) { _ = try await CallbackListener.open(choice) }
    }

    @Test("An app's address goes to xdg-open and not to $BROWSER")
    func app() async throws {
        let folder = try TemporaryFolder()
        for name in ["xdg-open", "browser"] {
            _ = try await folder.addProgram(
                name, "#!/bin/sh\nprintf '%s' \"$1\" >\"${0%/*}/\(name).part\"\nmv \"$0.part\" \"$0.done\"\n")
        }
        let variables = ["PATH": "\(folder.path):/usr/bin:/bin", "DISPLAY": ":0", "BROWSER": "browser"]
        for url in ["square-commerce-v1://payment/create?data=%7B%7D", "intent:#Intent;end"] {
            try BrowserLauncher(variables: variables).open(url)
            #expect(await eventually { folder.text("xdg-open.done") == url })
            #expect(folder.text("browser.done") == nil)
        }
        #expect(throws: BrowserError.notWebAddress) {
            try BrowserLauncher(variables: variables).open("square-commerce-v2://x")
        }
    }
}
