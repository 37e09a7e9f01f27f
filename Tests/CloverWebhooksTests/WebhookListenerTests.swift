import CloverDatabase
import CloverHTTP
import CloverSystem
import CloverTestSupport
import CloverWebhooks
import Synchronization
import Testing

@Suite("webhook listener")
struct WebhookListenerTests {
    /// What a listener did with requests.
    private final class Log: Sendable {
        let stored = Mutex<[WebhookArrival]>([])
        let codes = Mutex<[String]>([])
        let refusals = Mutex<[WebhookRefusal]>([])
    }

    private static let event = #"{"merchants":{"M":[{"objectId":"O:1","type":"UPDATE","ts":1}]}}"#
    private static let code = "X-Clover-Auth: the-code"

    private func listener(
        _ log: Log, gate: WebhookGate = WebhookGate(authCode: Secret("the-code")), requestTimeout: Double = 20,
        store: (@Sendable (WebhookArrival) async throws -> Void)? = nil,
        onVerification: (@Sendable (String) async throws -> Void)? = nil
    ) async throws -> WebhookListener {
        var options = WebhookListener.Options(
            port: 0, bindAddress: "127.0.0.1", gate: gate, now: { 1_700_000_000_123 },
            store: store ?? { arrival in log.stored.withLock { $0.append(arrival) } },
            onVerification: onVerification ?? { code in log.codes.withLock { $0.append(code) } },
            onRefusal: { refusal in log.refusals.withLock { $0.append(refusal) } })
        options.requestTimeout = requestTimeout
        return try await WebhookListener.open(options)
    }

    @Test("an event with the right code is stored unchanged, and several can follow on one connection")
    func accepted() async throws {
        let log = Log()
        let listener = try await listener(log)
        let client = try await SocketClient(port: listener.port)
        for _ in 0..<3 {
            try await client.send(SocketClient.request(Self.event, headers: [Self.code]))
            #expect(try await client.status() == 200)
        }
        await listener.close()
        let arrival = WebhookArrival(received: 1_700_000_000_123, body: Array(Self.event.utf8), signature: nil)
        #expect(log.stored.withLock { $0 } == [arrival, arrival, arrival])
    }

    @Test("an event of an unknown kind is stored")
    func unknownKind() async throws {
        let log = Log()
        let listener = try await listener(log)
        let event = #"{"merchants":{"M":[{"objectId":"ZZ:1","type":"ARCHIVE"}]}}"#
        #expect(try await SocketClient.post(event, port: listener.port, headers: [Self.code]) == 200)
        await listener.close()
        #expect(log.stored.withLock { $0.map(\.body) } == [Array(event.utf8)])
    }

    struct Refused: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let status: Int
        var body = event
        var headers = [code]
        var method = "POST"
    }

    @Test(
        "what is not acceptable is refused and not stored",
        arguments: [
            Refused(testDescription: "no code", status: 401, headers: []),
            Refused(testDescription: "wrong code", status: 401, headers: ["X-Clover-Auth: the-codE"]),
            Refused(testDescription: "a second code", status: 401, headers: [code, "X-Clover-Auth: other"]),
            Refused(testDescription: "not JSON, no code", status: 401, body: "{", headers: []),
            Refused(
                testDescription: "a signature where no secret is known", status: 401,
                headers: ["Clover-Signature: t=1,v1=00"]),
            Refused(testDescription: "not JSON", status: 400, body: "{"),
            Refused(testDescription: "no webhook", status: 400, body: "{}"),
            Refused(testDescription: "GET", status: 405, body: "", method: "GET"),
            Refused(
                testDescription: "larger than 1 MiB", status: 413,
                body: event + String(repeating: " ", count: 1 << 20)),
            Refused(
                testDescription: "large and without a code", status: 401,
                body: event + String(repeating: " ", count: 1 << 20), headers: []),
        ])
    func refused(_ request: Refused) async throws {
        let log = Log()
        let listener = try await listener(log)
        let status = try await SocketClient.post(
            request.body, port: listener.port, headers: request.headers, method: request.method)
        #expect(status == request.status)
        await listener.close()
        #expect(log.stored.withLock { $0.isEmpty } && log.codes.withLock { $0.isEmpty })
        #expect(log.refusals.withLock { $0.map(\.status) } == [request.status])
    }

    @Test("a body that is too large is refused before it has arrived")
    func announcedSize() async throws {
        let listener = try await listener(Log())
        let client = try await SocketClient(port: listener.port)
        try await client.send("POST / HTTP/1.1\r\nHost: hooks\r\n\(Self.code)\r\nContent-Length: 99999999\r\n\r\n{")
        #expect(try await client.status() == 413)
        await listener.close()
    }

    @Test(
        "the code of a set-up is passed on, with and without an auth code",
        arguments: [[], [code], ["X-Clover-Auth: no"]])
    func verification(_ headers: [String]) async throws {
        let log = Log()
        let listener = try await listener(log)
        let body = #"{"verificationCode":"5220ecf5"}"#
        #expect(try await SocketClient.post(body, port: listener.port, headers: headers) == 200)
        await listener.close()
        #expect(log.codes.withLock { $0 } == ["5220ecf5"] && log.stored.withLock { $0.isEmpty })
    }

    @Test("the code of a set-up that cannot be shown is not acknowledged")
    func unshownCode() async throws {
        struct Full: Error {}
        let log = Log()
        let listener = try await listener(log, onVerification: { _ in throw Full() })
        #expect(try await SocketClient.post(#"{"verificationCode":"1"}"#, port: listener.port) == 503)
        await listener.close()
        #expect(log.refusals.withLock { $0 } == [.notShown])
    }

    @Test("without an auth code no event is accepted")
    func withoutCode() async throws {
        let log = Log()
        let listener = try await listener(log, gate: WebhookGate(authCode: nil))
        for headers in [[], [Self.code], ["X-Clover-Auth: "]] {
            #expect(try await SocketClient.post(Self.event, port: listener.port, headers: headers) == 401)
        }
        await listener.close()
        #expect(log.stored.withLock { $0.isEmpty })
    }

    @Test("a body of Hosted Checkout is accepted with a valid signature only")
    func signature() async throws {
        let log = Log()
        let gate = WebhookGate(authCode: nil, signingSecret: Secret("s"))
        let listener = try await listener(log, gate: gate)
        let body = #"{"merchantId":"M","status":"APPROVED"}"#
        let valid = WebhookSignature.header(for: Array(body.utf8), secret: Secret("s"), at: 1_700_000_000)
        let old = WebhookSignature.header(for: Array(body.utf8), secret: Secret("s"), at: 1_600_000_000)
        for (header, status) in [(valid, 200), (old, 401), (valid.replacing("=1700000000", with: "=1700000001"), 401)] {
            #expect(
                try await SocketClient.post(body, port: listener.port, headers: ["Clover-Signature: \(header)"])
                    == status)
        }
        // A merchant's secret does not open the events of an app.
        let signed = WebhookSignature.header(for: Array(Self.event.utf8), secret: Secret("s"), at: 1_700_000_000)
        #expect(
            try await SocketClient.post(Self.event, port: listener.port, headers: ["Clover-Signature: \(signed)"])
                == 401)
        await listener.close()
        #expect(log.stored.withLock { $0.map(\.signature) } == [valid])
        #expect(log.refusals.withLock { $0 } == [.badSignature, .badSignature, .unauthorized])
    }

    @Test(
        "an app's code does not make a body of Hosted Checkout true; a signature does, beside it",
        arguments: [true, false])
    func checkoutWithCode(_ hasSecret: Bool) async throws {
        let log = Log()
        let gate = WebhookGate(authCode: Secret("the-code"), signingSecret: hasSecret ? Secret("s") : nil)
        let listener = try await listener(log, gate: gate)
        let body = #"{"merchantId":"M","status":"APPROVED","type":"PAYMENT","id":"P","data":"S"}"#
        let valid = WebhookSignature.header(for: Array(body.utf8), secret: Secret("s"), at: 1_700_000_000)
        for (headers, status) in [
            ([Self.code], 401), ([Self.code, "Clover-Signature: t=1,v1=00"], 401),
            ([Self.code, "Clover-Signature: \(valid)"], hasSecret ? 200 : 401),
        ] {
            #expect(try await SocketClient.post(body, port: listener.port, headers: headers) == status)
        }
        await listener.close()
        #expect(log.stored.withLock { $0.map(\.isVerified) } == (hasSecret ? [true] : []))
        let refusals = log.refusals.withLock { $0 }
        #expect(refusals.count == (hasSecret ? 2 : 3))
        #expect(refusals.allSatisfy { $0 == (hasSecret ? .badSignature : .noSigningSecret) })
        // The response does not show whether there is a secret.
        #expect(WebhookRefusal.badSignature.text == WebhookRefusal.noSigningSecret.text)
    }

    @Test("an event that cannot be stored is refused with 503")
    func notStored() async throws {
        let log = Log()
        let listener = try await listener(log) { _ in throw StateDatabaseError.full(path: "") }
        #expect(try await SocketClient.post(Self.event, port: listener.port, headers: [Self.code]) == 503)
        await listener.close()
        #expect(log.refusals.withLock { $0 } == [.notStored(isFull: true)])
    }

    @Test("500 connections at once are all served, while 500 others send nothing")
    func crowd() async throws {
        let log = Log()
        let listener = try await listener(log)
        var idle: [SocketClient] = []
        for _ in 0..<400 { idle.append(try await SocketClient(port: listener.port)) }
        try await withThrowingTaskGroup(of: Int?.self) { group in
            for _ in 0..<500 {
                group.addTask {
                    try await SocketClient.post(Self.event, port: listener.port, headers: [Self.code])
                }
            }
            for try await status in group { #expect(status == 200) }
        }
        #expect(log.stored.withLock { $0.count } == 500)
        #expect(idle.count == 400)
        await listener.close()
    }

    @Test("a sender that is too slow is cut off")
    func slow() async throws {
        let listener = try await listener(Log(), requestTimeout: 0.2)
        let client = try await SocketClient(port: listener.port)
        try await client.send("POST / HTTP/1.1\r\nHost: hooks\r\n\(Self.code)\r\nContent-Length: 100\r\n\r\n{")
        #expect(try await client.status() == nil)
        await listener.close()
    }

    @Test("closing does not wait for senders, and finishes responses to complete requests")
    func close() async throws {
        let log = Log()
        let (arrived, storing) = AsyncStream.makeStream(of: Void.self)
        let (released, release) = AsyncStream.makeStream(of: Void.self)
        let listener = try await listener(log) { arrival in
            storing.yield()
            for await _ in released { break }
            log.stored.withLock { $0.append(arrival) }
        }
        let slow = try await SocketClient(port: listener.port)
        try await slow.send("POST / HTTP/1.1\r\n")
        let client = try await SocketClient(port: listener.port)
        try await client.send(SocketClient.request(Self.event, headers: [Self.code]))
        for await _ in arrived { break }
        async let closed: Void = listener.close()
        #expect(try await slow.status() == nil)
        release.yield()
        #expect(try await client.status() == 200)
        await closed
        #expect(log.stored.withLock { $0.count } == 1)
    }

    @Test("a port in use and an address of another machine are reported")
    func cannotListen() async throws {
        let listener = try await listener(Log())
        func failure(port: Int, address: String) async -> WebhookListenerError? {
            do throws(WebhookListenerError) {
                let options = WebhookListener.Options(
                    port: port, bindAddress: address, gate: WebhookGate(authCode: nil), now: { 0 }, store: { _ in },
                    onVerification: { _ in }, onRefusal: { _ in })
                try await WebhookListener.open(options).close()
                return nil
            } catch {
                return error
            }
        }
        #expect(await failure(port: listener.port, address: "127.0.0.1") == .portInUse)
        #expect(await failure(port: 0, address: "192.0.2.1") != nil)
        #expect(await failure(port: 70_000, address: "127.0.0.1") != nil)
        await listener.close()
    }
}
