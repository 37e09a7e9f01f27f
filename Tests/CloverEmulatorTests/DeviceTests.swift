import CloverEmulator
import Testing

/// Device operations. Customers and issuers are slow enough here for everything else in a test to happen first.
@Suite("Pay Display: devices")
struct DeviceTests {
    /// A fixture whose card is presented, and whose issuer decides, after a delay.
    private static func till(card: Duration = .zero, issuer: Duration = .zero) -> PaymentFixture {
        var settings = PaymentSettings()
        settings.cardTime = card
        settings.authorizationTime = issuer
        return PaymentFixture(settings: settings)
    }

    /// Polls the device's state until it is as expected; fails after five minutes.
    private func wait(_ till: PaymentFixture, for state: String) async throws {
        let end = ContinuousClock.now.advanced(by: .seconds(300))
        while try await till.device("device/status", method: "GET").json["state"]?.text != state {
            if ContinuousClock.now >= end {
                Issue.record("the device did not become \(state)")
                return
            }
            await Task.yield()
        }
    }

    /// Makes a payment of 1000 with a slow issuer and performs an action meanwhile; repeats with a slower issuer each
    /// time until the action finished before the issuer's response.
    private func pay(
        meanwhile action: (PaymentFixture) async throws -> PaymentFixture.Reply
    ) async throws -> (till: PaymentFixture, reply: PaymentFixture.Reply, meanwhile: PaymentFixture.Reply) {
        var seconds = 2
        while true {
            let till = Self.till(issuer: .seconds(seconds))
            let start = ContinuousClock.now
            async let paying = till.pay(#"{"amount":1000,"externalPaymentId":"E"}"#)
            while ContinuousClock.now - start < .seconds(seconds),
                try await till.device("device/status", method: "GET").json["state"]?.text != "BUSY"
            {
                await Task.yield()
            }
            let meanwhile = try await action(till)
            let wasMeanwhile = ContinuousClock.now - start < .seconds(seconds)
            let reply = try await paying
            if wasMeanwhile || seconds > 100 { return (till, reply, meanwhile) }
            seconds *= 4
        }
    }

    @Test("A device is idle, then waits for a card; a cancel returns 209")
    func cancel() async throws {
        let till = Self.till(card: .seconds(60))
        #expect(try await till.device("device/status", method: "GET").text == #"{"state":"IDLE"}"#)
        async let paying = till.pay(#"{"amount":1000,"externalPaymentId":"E"}"#)
        try await wait(till, for: "WAITING_FOR_CUSTOMER")
        let status = try await till.device("device/status")
        #expect(status.json["data"]?["externalPaymentId"]?.text == "E")
        // Not found while it is in progress; that proves nothing.
        #expect(try await till.device("payments/external/E", method: "GET").status == 404)
        #expect(try await till.device("device/cancel").text == "{}")
        #expect(try await paying.status == 209)
        #expect(try await till.device("device/status").text == #"{"state":"IDLE"}"#)
        #expect(try till.moved == [0])
    }

    @Test("A device runs one operation: other calls get busy, the same call joins")
    func busy() async throws {
        let till = Self.till(card: .seconds(60))
        async let paying = till.pay(#"{"amount":1000}"#)
        try await wait(till, for: "WAITING_FOR_CUSTOMER")
        async let joining = till.pay(#"{"amount":1000}"#)
        let other = try await till.pay(#"{"amount":1000}"#, key: "other")
        #expect(other.status == 503)
        #expect(other.type == "RESOURCE_CONFLICT")
        #expect(other.json["message"]?.text?.contains("another PAY request, from Till 1, is in the foreground") == true)
        #expect(try await till.pay(#"{"amount":1001}"#).status == 503)
        for path in ["device/welcome", "device/thank-you", "credits"] {
            #expect(try await till.device(path, #"{"amount":1}"#, key: "k").status == 503)
        }
        #expect(try await till.device("device/display", #"{"text":"hello"}"#).status == 503)
        // Another device is free.
        let second = try #require(try till.records("devices").last?["serial"]?.text)
        #expect(
            try await till.device("device/display", #"{"text":"hello"}"#, headers: ["x-clover-device-id": second])
                .status
                == 200)
        _ = try await till.device("device/cancel")
        #expect(try await paying.status == 209)
        #expect(try await joining.status == 209)
        #expect(try till.moved == [0])
    }

    @Test("Ignores a cancel after the card was presented")
    func lateCancel() async throws {
        let (till, paid, cancel) = try await pay { try await $0.device("device/cancel") }
        #expect(cancel.status == 200)
        #expect(paid.payment?["result"]?.text == "SUCCESS")
        #expect(try till.moved == [1000])
    }

    @Test("Voids a completed payment on reset")
    func reset() async throws {
        let (till, paid, reset) = try await pay { try await $0.device("device/reset", method: "PUT") }
        #expect(reset.status == 200)
        #expect(paid.status == 209)
        #expect(try await till.device("payments/external/E", method: "GET").payment?["result"]?.text == "VOIDED")
        #expect(try till.moved == [1000, -1000])
    }

    @Test("Returns 504 on timeout; the payment continues and the same call joins it")
    func timeout() async throws {
        let till = Self.till(card: .seconds(60))
        let body = #"{"amount":1000}"#
        let late = try await till.device("payments", body, key: "k", headers: ["x-clover-timeout": "1"])
        #expect(late.status == 504)
        #expect(try await till.device("device/status").json["state"]?.text == "WAITING_FOR_CUSTOMER")
        #expect(try await till.device("payments", body, key: "other").status == 503)
        async let joining = till.device("payments", body, key: "k", headers: ["x-clover-timeout": "0"])
        _ = try await till.device("device/cancel")
        #expect(try await joining.status == 209)
        #expect(try till.moved == [0])
    }

    @Test("Many callers with one key move money once")
    func manyCallers() async throws {
        let till = Self.till(card: .milliseconds(100), issuer: .milliseconds(50))
        let texts = try await withThrowingTaskGroup(of: String.self) { group in
            for _ in 0..<10 { group.addTask { try await till.pay(#"{"amount":1000}"#).text } }
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(texts.count == 10)
        #expect(Set(texts).count == 1)
        #expect(try till.moved == [1000])
    }

    @Test("Shows the result after a payment until another screen is requested")
    func screens() async throws {
        let till = Self.till()
        _ = try await till.pay(#"{"amount":1000}"#)
        #expect(try await till.device("device/status", method: "GET").json["state"]?.text == "WAITING_FOR_POS")
        #expect(try await till.device("device/thank-you").text == "{}")
        #expect(try await till.device("device/status", method: "GET").json["state"]?.text == "IDLE")
    }

    @Test("Devices respond to a ping and a tip request, and refuse unsupported calls")
    func others() async throws {
        let till = Self.till()
        for method in ["GET", "POST"] {
            #expect(try await till.device("device/ping", method: method).text == #"{"connected":true}"#)
        }
        let tip = try await till.device(
            "device/read-tip", #"{"baseAmount":1000,"tipSuggestions":[{"name":"Good","percentage":20}]}"#)
        #expect(tip.text == #"{"response":200}"#)
        #expect(try await till.device("device/display", "{}").status == 400)
        #expect(try await till.device("device/read-input", "{}").status == 501)
    }
}
