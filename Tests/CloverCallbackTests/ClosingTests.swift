import CloverCallback
import Testing

@Suite("Opening and closing")
struct ClosingTests {
    @Test("A port in use is reported as such, and is free again after closing")
    func tellsPortInUse() async throws {
        var isFreed = false
        // Another program may take the port in between, though hardly each time.
        for _ in 0..<10 where !isFreed {
            let listener = try await CallbackListener.open(port: 0, path: "/callback")
            let port = listener.port
            await #expect(throws: CallbackError.portInUse(port)) {
                _ = try await CallbackListener.open(port: port, path: "/callback")
            }
            // The listener closed this connection first, so that its end of it lingers in the kernel.
            _ = try await LoopbackClient.get("/favicon.ico", port: port)
            await listener.close()
            do {
                let again = try await CallbackListener.open(port: port, path: "/callback")
                isFreed = again.port == port
                await again.close()
            } catch CallbackError.portInUse(port) {}
        }
        #expect(isFreed)
    }

    @Test("A number that is no port cannot be listened on", arguments: [-1, 65_536, 1 << 40])
    func refusesNumber(port: Int) async throws {
        await #expect(throws: CallbackError.cannotListen(port: port, errno: 22)) {
            _ = try await CallbackListener.open(port: port, path: "/callback")
        }
    }

    @Test("Only 127.0.0.1 is listened on")
    func listensOnLoopback() async throws {
        try await withListener { listener in
            // The whole of 127/8 belongs to the loopback interface, and would respond if all addresses were listened on.
            await #expect(throws: LoopbackClient.Failure.system("connect", errno: 111)) {
                _ = try await LoopbackClient.connect(port: listener.port, address: 0x7F00_0002)
            }
            let answer = try await LoopbackClient.get("/", port: listener.port)
            #expect(answer.status == 404)
        }
    }

    @Test("Closing ends the wait for a callback")
    func endsWaiting() async throws {
        let listener = try await CallbackListener.open(port: 0, path: "/callback")
        let waiting = Task { try await listener.callback() }
        await listener.close()
        await #expect(throws: CallbackError.closed) { _ = try await waiting.value }
        await #expect(throws: CallbackError.closed) { _ = try await listener.callback() }
        await listener.close()
    }

    @Test("Closing does not wait for connections on which nothing goes on")
    func closesIdleConnections() async throws {
        let listener = try await CallbackListener.open(port: 0, path: "/callback")
        let silent = try await LoopbackClient.crowd(of: 20, port: listener.port)
        let halfway = try await LoopbackClient.crowd(of: 20, port: listener.port)
        for client in halfway { try await client.send("GET /callback?code=c HTTP/1.1\r\nHost: 127.") }
        await listener.close()
        for client in silent + halfway { #expect(try await client.rest().isEmpty) }
    }

    @Test("A page under way is written whole before the listener is closed", arguments: 0..<20)
    func finishesPage(round: Int) async throws {
        let listener = try await CallbackListener.open(port: 0, path: "/callback")
        let client = try await LoopbackClient.connect(port: listener.port)
        try await client.send("GET /callback?code=c HTTP/1.1\r\nHost: 127.0.0.1:\(listener.port)\r\n\r\n")
        let callback = try await listener.callback()
        let detail = String(repeating: "long ", count: 300)
        async let shown = client.answer()
        async let answered: Void = callback.answer(.success(headline: "Signed in", detail: detail))
        await answered
        await listener.close()
        let answer = try await shown
        #expect(answer.isWhole)
        #expect(answer.text.contains(detail))
    }

    @Test("A browser that still waits sees that the sign-in was stopped")
    func tellsWaitingBrowser() async throws {
        let listener = try await CallbackListener.open(port: 0, path: "/callback")
        async let shown = LoopbackClient.get("/callback?code=c", port: listener.port)
        let callback = try await listener.callback()
        await listener.close()
        let answer = try await shown
        #expect(answer.status == 503)
        #expect(answer.isWhole)
        #expect(answer.text.contains("Sign-in stopped"))
        // No browser is left to show it to.
        await callback.answer(.success(headline: "Signed in", detail: "too late"))
    }

    @Test("Many listeners in a row leave nothing open")
    func leavesNothingOpen() async throws {
        func use() async throws {
            let listener = try await CallbackListener.open(port: 0, path: "/callback")
            let idle = try await LoopbackClient.connect(port: listener.port)
            async let shown = LoopbackClient.get("/callback?code=c", port: listener.port)
            let callback = try await listener.callback()
            await callback.answer(.success(headline: "Signed in", detail: "Merchant"))
            #expect(try await shown.isWhole)
            await listener.close()
            // A program that another test starts at this time has all our descriptors until it closes them or becomes
            // the new program: the connection lives as long as the last one of them.
            for _ in 0..<6000 where !idle.isClosed { try await Task.sleep(for: .milliseconds(10)) }
            #expect(idle.isClosed)
        }
        for _ in 0..<50 { try await use() }
    }

    @Test("Connections that arrive while it closes do no harm", arguments: 0..<40)
    func closesUnderLoad(round: Int) async throws {
        let listener = try await CallbackListener.open(port: 0, path: "/callback")
        let port = listener.port
        await withTaskGroup(of: Void.self) { group in
            for number in 0..<4 {
                group.addTask {
                    // Ends with the first connection that is refused or cut off, as all are sooner or later.
                    do {
                        for _ in 0..<1000 {
                            let client = try await LoopbackClient.connect(port: port)
                            if number > 0 { try await client.send("GET / HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n") }
                            if number > 1 {
                                try await client.send("\r\n")
                                _ = try await client.answer()
                            }
                        }
                    } catch {}
                }
            }
            for _ in 0..<(round * 2) { _ = try? await LoopbackClient.get("/", port: port) }
            await listener.close()
        }
    }
}
