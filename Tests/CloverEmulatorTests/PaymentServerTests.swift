import Foundation
import Testing

@Suite("Server: payments")
@BlockingActor
struct PaymentServerTests {
    private func token(_ emulator: EmulatorProcess) throws -> String {
        let key = try Node(emulator.request("GET", "/pakms/apikey", token: emulator.token).body)
        let answer = try emulator.request(
            "POST", "/v1/tokens",
            body: #"{"card":{"number":"4242424242424242","exp_month":"12","exp_year":"2090","cvv":"123"}}"#,
            headers: ["apikey": try #require(key["apiAccessKey"]?.text)])
        return try Node(answer.body).id
    }

    private func charge(_ emulator: EmulatorProcess, _ source: String, key: String = "k") throws -> HTTPAnswer {
        try emulator.request(
            "POST", "/v1/charges", body: "{\"amount\":1000,\"currency\":\"usd\",\"source\":\"\(source)\"}",
            token: emulator.token, headers: ["x-forwarded-for": "203.0.113.7", "idempotency-key": key])
    }

    private func pay(_ emulator: EmulatorProcess, key: String = "k") throws -> HTTPAnswer {
        let serial = try Node(emulator.get("devices").body).elements.first?["serial"]?.text
        return try emulator.request(
            "POST", "/connect/v1/payments", body: #"{"amount":1000}"#, token: emulator.token,
            headers: ["X-Clover-Device-Id": try #require(serial), "X-POS-Id": "Till", "Idempotency-Key": key])
    }

    private func charges(_ emulator: EmulatorProcess) throws -> Int? {
        try emulator.statistics()["charges"]?.integer
    }

    @Test(
        "Finds a charge with a lost response or a 500 by its key",
        arguments: ["lose-answer", "500-after"])
    func afterTheWork(fault: String) throws {
        let emulator = try EmulatorProcess("--orders", "10", "--fault", "\(fault)@1:/v1/charges")
        let source = try token(emulator)
        if fault == "lose-answer" {
            #expect(throws: LoopbackConnection.Failure.reset) { try charge(emulator, source) }
        } else {
            #expect(try charge(emulator, source).status == 500)
        }
        #expect(try charges(emulator) == 1)
        #expect(try charge(emulator, source).status == 200)
        #expect(try charges(emulator) == 1)
        #expect(try emulator.statistics()["duplicateCharges"]?.integer == 0)
        #expect(try emulator.statistics()["faults"]?.integer == 1)
    }

    @Test("Moves nothing for a charge that never arrived", arguments: ["reset", "500", "503-html", "not-json"])
    func beforeTheWork(fault: String) throws {
        let emulator = try EmulatorProcess("--orders", "10", "--fault", "\(fault)@1:/v1/charges")
        let source = try token(emulator)
        if fault == "reset" {
            #expect(throws: LoopbackConnection.Failure.reset) { try charge(emulator, source) }
        } else {
            _ = try charge(emulator, source)
        }
        #expect(try charges(emulator) == 0)
        #expect(try charge(emulator, source).status == 200)
        #expect(try charges(emulator) == 1)
    }

    @Test("Payment faults count only payments, each separately")
    func counting() throws {
        let emulator = try EmulatorProcess("--orders", "10", "--fault", "decline@2", "--fault", "busy@1")
        #expect(try charge(emulator, try token(emulator), key: "1").status == 200)
        #expect(try charge(emulator, try token(emulator), key: "2").status == 402)
        #expect(try pay(emulator, key: "3").status == 503)
        #expect(try pay(emulator, key: "4").status == 200)
        #expect(try charges(emulator) == 2)
    }

    @Test("Charges a slow card even if the client has disconnected")
    func abandoned() throws {
        let emulator = try EmulatorProcess("--orders", "10", "--fault", "slow-card", "--slow-card-time", "1s")
        let source = try token(emulator)
        do {
            let connection = try LoopbackConnection(port: emulator.port)
            try connection.send(
                "/v1/charges", token: emulator.token, method: "POST",
                body: "{\"amount\":1000,\"currency\":\"usd\",\"source\":\"\(source)\"}",
                headers: ["x-forwarded-for": "203.0.113.7", "idempotency-key": "k"])
            // A client that disconnects before its call is read has not made a call.
            try emulator.wait { $0["faults"]?.integer == 1 }
        }
        try emulator.wait { $0["charges"]?.integer == 1 }
        #expect(try charge(emulator, source).status == 200)
        #expect(try charges(emulator) == 1)
    }

    @Test("Device payments count against limits and need the permission")
    func limitsAndPermission() throws {
        let emulator = try EmulatorProcess("--orders", "10", "--without-permission", "payments")
        #expect(try pay(emulator).status == 401)
        #expect(try charge(emulator, try token(emulator)).status == 401)
        let limited = try EmulatorProcess("--orders", "10", "--fault", "429-rate@3")
        _ = try token(limited)
        // The first request was for the token of the card, the second for the devices.
        let answer = try pay(limited)
        #expect(answer.status == 429)
        #expect(answer.headers["x-ratelimit-tokenlimit"] == "16")
        #expect(try charges(limited) == 0)
    }

    @Test("Pending charges count against the limits")
    func inFlight() throws {
        let emulator = try EmulatorProcess("--orders", "10", "--fault", "slow-card@1-5", "--slow-card-time", "60s")
        let sources = try (0..<6).map { _ in try token(emulator) }
        let connections = try sources.prefix(5).map { source in
            let connection = try LoopbackConnection(port: emulator.port)
            try connection.send(
                "/v1/charges", token: emulator.token, method: "POST",
                body: "{\"amount\":1000,\"currency\":\"usd\",\"source\":\"\(source)\"}",
                headers: ["x-forwarded-for": "203.0.113.7", "idempotency-key": source])
            return connection
        }
        try emulator.wait { $0["inFlight"]?.integer == 5 }
        let answer = try charge(emulator, sources[5])
        #expect(answer.status == 429)
        #expect(answer.headers["x-ratelimit-tokenconcurrentlimit"] == "5")
        #expect(try charges(emulator) == 0)
        withExtendedLifetime(connections) {}
    }

    @Test("Reports every movement; closeout ends the day")
    func judge() throws {
        let emulator = try EmulatorProcess("--orders", "10", "--card", "partial")
        _ = try charge(emulator, try token(emulator), key: "a")
        _ = try pay(emulator, key: "b")
        let list = try Node(emulator.request("GET", "/emulator/charges").body).elements
        #expect(list.map { $0["key"]?.text } == ["a", "b"])
        #expect(list.map { $0["rail"]?.text } == ["ecommerce", "payDisplay"])
        #expect(list.map { $0["moved"]?.integer } == [1000, 500])
        #expect(
            list[0].keys == ["key", "kind", "rail", "amount", "currency", "externalId", "id", "at", "result", "moved"])
        #expect(try emulator.request("POST", "/emulator/closeout").text == #"{"closed":1}"#)
        #expect(try emulator.request("GET", "/emulator/closeout").status == 405)
    }

    @Test("Keeps acknowledged payments after a kill")
    func restart() throws {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("clover-\(UUID().uuidString)").path
        defer { unlink(path) }
        let first = try EmulatorProcess("--orders", "10", "--state", path)
        let source = try token(first)
        let answer = try charge(first, source)
        _ = try pay(first, key: "p")
        _ = first.stop(SIGKILL)
        let second = try EmulatorProcess("--orders", "10", "--state", path)
        #expect(try charges(second) == 2)
        #expect(try charge(second, source).body == answer.body)
        #expect(try pay(second, key: "p").status == 200)
        #expect(try charges(second) == 2)
    }

    @Test(
        "Exits with 64 and names an invalid payment option",
        arguments: [["--card", "gold"], ["--card-time", "5"], ["--void-window", "long"], ["--slow-card-time", ""]])
    func badOptions(arguments: [String]) throws {
        let (status, message) = try EmulatorProcess.failing(["serve"] + arguments)
        #expect(status == 64)
        #expect(message.contains(arguments[0]))
    }
}
