import Foundation
import Glibc
import Testing

@Suite("Server")
@BlockingActor
struct ServerTests {
    // MARK: Start and stop

    @Test("Prints a complete ready line and listens on loopback only")
    func readyLine() throws {
        let emulator = try EmulatorProcess("--orders", "10")
        #expect(
            emulator.ready.keys == [
                "event", "url", "merchantId", "accessToken", "appId", "appSecret", "otherAccessTokens",
                "otherMerchantIds", "otherMerchants", "otherApps",
            ])
        #expect(emulator.ready["event"]?.text == "ready")
        #expect(emulator.ready["url"]?.text == "http://127.0.0.1:\(emulator.port)")
        #expect(try emulator.get("").status == 200)
        // A server on all addresses would accept each of these.
        #expect(Self.canConnect(to: "127.0.0.1", emulator.port))
        for address in ["127.0.0.2", "127.255.255.254"] { #expect(!Self.canConnect(to: address, emulator.port)) }
    }

    /// Whether a connection to an IPv4 address of this machine is accepted.
    private static func canConnect(to address: String, _ port: UInt16) -> Bool {
        let connection = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        defer { close(connection) }
        var place = sockaddr_in()
        place.sin_family = sa_family_t(AF_INET)
        place.sin_port = port.bigEndian
        inet_pton(AF_INET, address, &place.sin_addr)
        return withUnsafeBytes(of: &place) {
            connect(connection, $0.assumingMemoryBound(to: sockaddr.self).baseAddress, UInt32($0.count)) == 0
        }
    }

    @Test(
        "Refuses a request for another host, or without a host",
        arguments: [
            ("evil.example", 421), ("evil.example:80", 421), ("127.0.0.1.evil.example", 421), ("[::2]:80", 421),
            (nil, 400),
            ("127.0.0.1", 200), ("127.0.0.1:9", 200), ("LOCALHOST:80", 200), ("[::1]:80", 200),
        ] as [(String?, Int)])
    func foreignHost(host: String?, status: Int) throws {
        let emulator = try EmulatorProcess("--orders", "10")
        for target in [emulator.path("orders"), "/emulator/stats"] {
            let connection = try LoopbackConnection(port: emulator.port)
            try connection.send(target, token: emulator.token, host: host)
            #expect(try connection.receive().status == status)
        }
    }

    @Test("Closes a half-closed connection at once, or after the response")
    func halfOpen() throws {
        let emulator = try EmulatorProcess("--orders", "10", "--latency", "20ms")
        let silent = try LoopbackConnection(port: emulator.port)
        silent.finishSending()
        #expect(try silent.isAtEnd())
        let partial = try LoopbackConnection(port: emulator.port)
        try partial.send("POST \(emulator.path("items")) HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10\r\n\r\n{")
        partial.finishSending()
        #expect(try partial.isAtEnd())
        let asking = try LoopbackConnection(port: emulator.port)
        try asking.send(emulator.path("orders"), token: emulator.token)
        asking.finishSending()
        #expect(try asking.receive().status == 200)
        #expect(try asking.isAtEnd())
    }

    @Test("Two processes with the same arguments return the same bytes")
    func sameBytes() throws {
        let first = try EmulatorProcess("--orders", "300", "--seed", "77")
        let second = try EmulatorProcess("--orders", "300", "--seed", "77")
        #expect(first.token == second.token)
        for list in ["orders?expand=lineItems,payments&limit=300", "customers", "items?expand=categories", "employees"]
        {
            #expect(try first.get(list).body == second.get(list).body)
        }
    }

    @Test("Exits with status 0 on a signal, even with an open connection", arguments: [SIGINT, SIGTERM])
    func signals(signal: Int32) throws {
        let emulator = try EmulatorProcess("--orders", "10")
        let idle = try LoopbackConnection(port: emulator.port)
        try idle.send(emulator.path("orders"), token: emulator.token)
        #expect(try idle.receive().status == 200)
        #expect(emulator.stop(signal) == 0)
    }

    @Test("Exits with 69 and names the port if it is in use")
    func portInUse() throws {
        let emulator = try EmulatorProcess("--orders", "10")
        let (status, message) = try EmulatorProcess.failing(["serve", "--port", "\(emulator.port)"])
        #expect(status == 69)
        #expect(message == "clover-emulator: cannot listen on 127.0.0.1:\(emulator.port): the port is in use\n")
    }

    @Test(
        "Exits with 64 and names an invalid option",
        arguments: [
            ["--port", "70000"], ["--orders", "20000000"], ["--latency", "5"], ["--fault", "boom"], ["--now", "today"],
            ["--seed", "x"],
        ])
    func badOptions(arguments: [String]) throws {
        let (status, message) = try EmulatorProcess.failing(["serve"] + arguments)
        #expect(status == 64)
        #expect(message.contains(arguments[0]))
    }

    // MARK: Requests

    @Test("Reuses a connection")
    func keepAlive() throws {
        let emulator = try EmulatorProcess("--orders", "50", "--no-limits")
        let connection = try LoopbackConnection(port: emulator.port)
        for offset in 0..<40 {
            try connection.send(emulator.path("orders?limit=1&offset=\(offset)"), token: emulator.token)
            #expect(try Node(connection.receive().body).elements.count == 1)
        }
        // One more for this request.
        #expect(try emulator.statistics()["connections"]?.integer == 2)
    }

    @Test("Keeps concurrent large pages separate")
    func pagesSideBySide() throws {
        let emulator = try EmulatorProcess("--orders", "3000", "--no-limits")
        let lists = (0..<12).map { "orders?limit=400&offset=\($0 * 200)&expand=lineItems" }
        let alone = try lists.map { try emulator.get($0).body }
        let connections = try lists.map { list in
            let connection = try LoopbackConnection(port: emulator.port)
            try connection.send(emulator.path(list), token: emulator.token)
            return connection
        }
        for (connection, expected) in zip(connections, alone) {
            let answer = try connection.receive()
            #expect(answer.isWhole)
            #expect(answer.body == expected)
        }
    }

    @Test("Lists announce their filter fields and their length")
    func headers() throws {
        let emulator = try EmulatorProcess("--orders", "50")
        let answer = try emulator.get("employees")
        #expect(answer.headers["x-clover-allowed-filter-fields"]?.contains("role.id, customId") == true)
        #expect(answer.headers["content-type"] == "application/json; charset=utf-8")
        #expect(answer.isWhole)
        let order = try Node(emulator.get("orders?limit=1").body).elements.first?.id ?? ""
        #expect(try emulator.get("orders/\(order)/line_items").headers["x-clover-allowed-filter-fields"] == nil)
    }

    @Test("Refuses requests like the service")
    func errors() throws {
        let emulator = try EmulatorProcess("--orders", "50")
        let unauthorized = try emulator.get("orders", token: "wrong")
        #expect(unauthorized.status == 401)
        #expect(unauthorized.text == #"{"message":"401 Unauthorized"}"#)
        let missing = try emulator.get("orders/AAAAAAAAAAAAA")
        #expect(missing.status == 404)
        #expect(missing.text == #"{"message":"Not Found","details":"Order not found"}"#)
        #expect(try emulator.get("orders?filter=nope%3D1").status == 400)
        for method in ["PUT", "DELETE", "HEAD", "PATCH"] {
            let answer = try emulator.get("orders", method: method)
            #expect(answer.status == 405)
            #expect(answer.headers["allow"] == "GET, POST, OPTIONS")
        }
        #expect(try emulator.get("orders", method: "POST").status == 415)
        let connection = try LoopbackConnection(port: emulator.port)
        try connection.send("/v3/merchants/AAAAAAAAAAAAA/orders", token: emulator.token)
        #expect(try connection.receive().status == 401)
        try connection.send(emulator.path("orders?limit=1&access_token=\(emulator.token)"), token: nil)
        #expect(try connection.receive().status == 200)
        try connection.send("/nothing", token: nil)
        #expect(try connection.receive().status == 404)
    }

    // MARK: Limits

    @Test("Refuses the seventeenth request in a second and counts it")
    func tokenRate() throws {
        let emulator = try EmulatorProcess("--orders", "10")
        let connection = try LoopbackConnection(port: emulator.port)
        var statuses: [Int] = []
        for _ in 0..<20 {
            try connection.send(emulator.path(""), token: emulator.token)
            let answer = try connection.receive()
            statuses.append(answer.status)
            if answer.status == 429 {
                #expect(answer.headers["x-ratelimit-tokenlimit"] == "16")
                #expect(answer.headers["retry-after"] == nil)
            }
        }
        let statistics = try emulator.statistics()
        let refused = statuses.filter { $0 == 429 }.count
        let peak = try #require(statistics["peakPerSecond"]?.integer)
        #expect(statistics["requests"]?.integer == 20)
        #expect(statistics["rejected"]?["tokenRate"]?.integer == refused)
        // Requests beyond 16 within a second are the refused ones.
        #expect(peak <= 16 ? refused == 0 : refused > 0)
        #expect(try emulator.get("", token: emulator.otherTokens[0]).status == 200)
    }

    /// Requests that stay in flight until their connections are dropped: the latency is longer than any test.
    private func hold(_ count: Int, _ emulator: EmulatorProcess, token: (Int) -> String) throws -> [LoopbackConnection]
    {
        let held = try (0..<count).map { place in
            let connection = try LoopbackConnection(port: emulator.port)
            try connection.send(emulator.path("orders"), token: token(place))
            return connection
        }
        try emulator.wait { $0["inFlight"]?.integer == count }
        return held
    }

    @Test("Refuses the eleventh concurrent request of an app")
    func appConcurrency() throws {
        let emulator = try EmulatorProcess("--orders", "10", "--latency", "60s")
        let tokens = emulator.otherTokens
        let held = try hold(10, emulator) { tokens[$0 / 4] }
        let refused = try emulator.get("orders", token: tokens[3])
        #expect(refused.status == 429)
        #expect(refused.text == #"{"message":"429 Too Many Requests"}"#)
        #expect(refused.headers["x-ratelimit-crosstokenconcurrentlimit"] == "10")
        #expect(refused.headers["retry-after"] == "1")
        let statistics = try emulator.statistics()
        #expect(statistics["appPeakInFlight"]?.integer == 11)
        #expect(statistics["peakInFlight"]?.integer == 4)
        #expect(statistics["rejected"]?["appConcurrency"]?.integer == 1)
        withExtendedLifetime(held) {}
    }

    @Test("Refuses the sixth concurrent request of a token; a closed connection frees its slot")
    func tokenConcurrency() throws {
        let emulator = try EmulatorProcess("--orders", "10", "--latency", "60s")
        do {
            let held = try hold(5, emulator) { _ in emulator.token }
            let refused = try emulator.get("orders")
            #expect(refused.status == 429)
            #expect(refused.headers["x-ratelimit-tokenconcurrentlimit"] == "5")
            #expect(refused.headers["retry-after"] == "1")
            #expect(try emulator.get("orders").status == 429)
            #expect(try emulator.statistics()["peakInFlight"]?.integer == 6)
            withExtendedLifetime(held) {}
        }
        try emulator.wait { $0["inFlight"]?.integer == 0 }
        #expect(try emulator.statistics()["rejected"]?["tokenConcurrency"]?.integer == 2)
    }

    @Test("Counts requests without refusing any with --no-limits")
    func noLimits() throws {
        let emulator = try EmulatorProcess("--orders", "10", "--no-limits")
        let connection = try LoopbackConnection(port: emulator.port)
        for _ in 0..<60 {
            try connection.send(emulator.path(""), token: emulator.token)
            #expect(try connection.receive().status == 200)
        }
        #expect(try emulator.statistics()["requests"]?.integer == 60)
    }

    // MARK: Faults

    @Test("Each fault alters the response")
    func faults() throws {
        let emulator = try EmulatorProcess(
            "--orders", "200", "--no-limits", "--fault", "reset@1", "--fault", "500@2", "--fault", "503-html@3",
            "--fault", "truncate@4", "--fault", "429-rate@5", "--fault", "429-concurrent@6", "--fault", "not-json@7",
            "--fault", "no-elements@8")
        #expect(throws: LoopbackConnection.Failure.reset) { try emulator.get("orders") }
        let broken = try emulator.get("orders")
        #expect(broken.status == 500)
        #expect(broken.text == #"{"message":"500 Internal Server Error"}"#)
        let unavailable = try emulator.get("orders")
        #expect(unavailable.status == 503)
        #expect(unavailable.headers["content-type"] == "text/html")
        let cut = try emulator.get("orders")
        #expect(cut.status == 200)
        #expect(!cut.isWhole)
        let rate = try emulator.get("orders")
        #expect(rate.status == 429)
        #expect(rate.headers["x-ratelimit-tokenlimit"] == "16")
        let concurrent = try emulator.get("orders")
        #expect(concurrent.status == 429)
        #expect(concurrent.headers["retry-after"] == "1")
        let page = try emulator.get("orders")
        #expect(page.status == 200)
        #expect(page.text.hasPrefix("<html>"))
        let empty = try emulator.get("orders")
        #expect(empty.status == 200)
        #expect(try Node(empty.body).keys == ["href"])
        let good = try emulator.get("orders")
        #expect(good.isWhole)
        #expect(Int(cut.headers["content-length"] ?? "") == good.body.count)
        #expect(cut.body == Array(good.body.prefix(cut.body.count)))
        #expect(try emulator.statistics()["faults"]?.integer == 8)
    }

    @Test("Truncates a large body in the middle")
    func cutLargeBody() throws {
        let emulator = try EmulatorProcess("--orders", "1000", "--no-limits", "--fault", "truncate@1-5")
        for _ in 0..<5 {
            let answer = try emulator.get("orders?limit=1000&expand=lineItems")
            let announced = try #require(Int(answer.headers["content-length"] ?? ""))
            #expect(!answer.isWhole)
            #expect(answer.body.count >= announced / 10)
            #expect(answer.body.count < announced)
        }
    }

    @Test("Sends a slow response in parts and complete")
    func slow() throws {
        let emulator = try EmulatorProcess("--orders", "10", "--fault", "slow@1")
        let slow = try emulator.get("orders")
        #expect(slow.isWhole)
        #expect(slow.body == (try emulator.get("orders").body))
    }
}
