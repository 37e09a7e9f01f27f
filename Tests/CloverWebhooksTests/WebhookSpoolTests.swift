import CloverHTTP
import CloverSystem
import CloverTestSupport
import CloverWebhooks
import Synchronization
import Testing

@Suite("webhook spool")
struct WebhookSpoolTests {
    private static func arrival(_ number: Int, events: Int = 1) -> WebhookArrival {
        let event = #"{"objectId":"O:\#(number)","type":"UPDATE","ts":1}"#
        let list = Array(repeating: event, count: events).joined(separator: ",")
        return WebhookArrival(
            received: Int64(number), body: Array(#"{"merchants":{"M":[\#(list)]}}"#.utf8), signature: nil)
    }

    private static func printed(_ deliveries: [WebhookDelivery]) throws -> [String] {
        try deliveries.flatMap { delivery -> [String] in
            guard case .events(let events) = try delivery.body else { return [] }
            return events.compactMap(\.id)
        }
    }

    /// What deliveries reached.
    private final class Log: Sendable {
        let printed = Mutex<[String]>([])
        let executed = Mutex<[String]>([])
        let failed = Mutex<[WebhookDelivery]>([])
    }

    private static func retry(_ count: Int) -> WebhookRetry {
        WebhookRetry(RetryPolicy(maximumRetries: count), sleep: { _ in })
    }

    private static func targets(_ log: Log, retries: Int = 0) -> WebhookDeliverer.Targets {
        WebhookDeliverer.Targets(retry: retry(retries)) { deliveries in
            let ids = try Self.printed(deliveries)
            log.printed.withLock { $0 += ids }
        }
    }

    @Test("what is stored is there for the next process, in order, until it is removed")
    func order() throws {
        let folder = try TemporaryDirectory()
        let directory = StateDirectory(path: folder["state"])
        #expect(try WebhookSpool.existing(in: directory) == nil)
        try WebhookSpool(directory: directory).add([Self.arrival(1), Self.arrival(2)])
        try WebhookSpool(directory: directory).add([Self.arrival(3)])
        let spool = try #require(try WebhookSpool.existing(in: directory))
        let deliveries = try spool.deliveries(failed: false, limit: 10)
        #expect(deliveries.map(\.arrival) == [1, 2, 3].map { Self.arrival($0) })
        #expect(try spool.deliveries(after: deliveries[0].number, failed: nil, limit: 1).map(\.arrival.received) == [2])
        #expect(try spool.remove([deliveries[0].number, deliveries[1].number, 99]) == 2)
        #expect(try spool.deliveries(failed: nil, limit: 10).map(\.arrival.received) == [3])
        // Numbers are not used again, so that one that a user has noted never means another delivery.
        try spool.remove([deliveries[2].number])
        try spool.add([Self.arrival(4)])
        #expect(try spool.deliveries(failed: nil, limit: 10).map(\.number) == [4])
    }

    @Test("concurrent arrivals are all stored before they are acknowledged")
    func writer() async throws {
        let folder = try TemporaryDirectory()
        let spool = try WebhookSpool(directory: StateDirectory(path: folder["state"]))
        let writer = WebhookSpoolWriter(spool, onStored: {})
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<1000 {
                group.addTask {
                    try await writer.store(Self.arrival(number))
                }
            }
            try await group.waitForAll()
        }
        let stored = try spool.deliveries(failed: false, limit: 2000)
        #expect(Set(stored.map(\.arrival.received)).count == 1000)
    }

    @Test("one process at a time holds a lock")
    func lock() throws {
        let folder = try TemporaryDirectory()
        let directory = StateDirectory(path: folder["state"])
        let first = try WebhookSpoolLock(for: .listening, directory: directory)
        let error = #expect(throws: WebhookSpoolError.self) {
            _ = try WebhookSpoolLock(for: .listening, directory: directory)
        }
        if case .inUse(.listening, _)? = error {} else { Issue.record("\(String(describing: error))") }
        _ = try WebhookSpoolLock(for: .replaying, directory: directory)
        withExtendedLifetime(first) {}
    }

    @Test("without other targets, what was printed is removed")
    func printing() async throws {
        let folder = try TemporaryDirectory()
        let spool = try WebhookSpool(directory: StateDirectory(path: folder["state"]))
        try spool.add((1...250).map { Self.arrival($0) })
        let log = Log()
        try await WebhookDeliverer(spool, Self.targets(log), onFailure: { _ in }).deliverWaiting()
        #expect(log.printed.withLock { $0 } == (1...250).map(String.init))
        #expect(try spool.deliveries(failed: nil, limit: 1).isEmpty)
    }

    @Test("what cannot be printed stays, and is printed by the next run")
    func printingFails() async throws {
        struct Closed: Error {}
        let folder = try TemporaryDirectory()
        let spool = try WebhookSpool(directory: StateDirectory(path: folder["state"]))
        try spool.add([Self.arrival(1), Self.arrival(2)])
        let closed = WebhookDeliverer.Targets(retry: Self.retry(0)) { _ in throw Closed() }
        await #expect(throws: Closed.self) {
            try await WebhookDeliverer(spool, closed, onFailure: { _ in }).deliverWaiting()
        }
        let log = Log()
        try await WebhookDeliverer(spool, Self.targets(log), onFailure: { _ in }).deliverWaiting()
        #expect(log.printed.withLock { $0 } == ["1", "2"])
    }

    @Test("a command that fails is repeated; then the delivery is kept, and replayed from the event that failed")
    func executing() async throws {
        let folder = try TemporaryDirectory()
        let spool = try WebhookSpool(directory: StateDirectory(path: folder["state"]))
        try spool.add([Self.arrival(1, events: 3), Self.arrival(2)])
        let log = Log()
        var targets = Self.targets(log, retries: 2)
        let isBroken = Atomic(true)
        targets.execute = { event, _ in
            let count = log.executed.withLock { executed in
                executed.append(event.id ?? "")
                return executed.count
            }
            // The second event of the first delivery.
            return event.id == "1" && count > 1 && isBroken.load(ordering: .relaxed) ? 7 : 0
        }
        let deliverer = WebhookDeliverer(spool, targets) { failed in log.failed.withLock { $0.append(failed) } }
        try await deliverer.deliverWaiting()
        #expect(log.executed.withLock { $0 } == ["1", "1", "1", "1", "2"])
        let failed = try #require(log.failed.withLock { $0 }.first)
        #expect(failed.failure == "the command ended with status 7" && failed.executed == 1)
        #expect(try spool.deliveries(failed: nil, limit: 10) == [failed])
        isBroken.store(false, ordering: .relaxed)
        log.executed.withLock { $0 = [] }
        #expect(try await deliverer.replay(failed))
        #expect(log.executed.withLock { $0 } == ["1", "1"])
        #expect(try spool.deliveries(failed: nil, limit: 1).isEmpty)
    }

    @Test("a body is forwarded byte for byte with Clover's headers, and repeated until the handler accepts it")
    func forwarding() async throws {
        let server = try LoopbackServer { _, number in
            LoopbackResponse(status: number == 1 ? "503 Service Unavailable" : "204 No Content", "")
        }
        let forwarder = WebhookForwarder(
            to: server.url + "/hooks", authCode: Secret("the-code"),
            transport: CurlTransport(settings: CurlSettings(userAgent: "test")), retry: Self.retry(1))
        var arrival = Self.arrival(1)
        arrival.signature = "t=1,v1=00"
        try await forwarder.forward(arrival)
        let requests = server.requests
        #expect(requests.count == 2)
        for request in requests {
            #expect(request.method == "POST" && request.target == "/hooks" && request.body == arrival.body)
            #expect(request.header("X-Clover-Auth") == "the-code" && request.header("Clover-Signature") == "t=1,v1=00")
            #expect(request.header("Content-Type") == "application/json")
        }
    }

    @Test(
        "a handler that refuses, or that is not there, is given up, and the delivery kept",
        arguments: [
            ("404 Not Found", 1, "the handler responded with status 404"),
            ("500 Internal Server Error", 3, "the handler responded with status 500"),
            ("302 Found", 1, "the handler responded with status 302"),
        ])
    func refused(_ status: String, _ attempts: Int, _ text: String) async throws {
        let server = try LoopbackServer { _, _ in LoopbackResponse(status: status, "") }
        let forwarder = WebhookForwarder(
            to: server.url, authCode: nil, transport: CurlTransport(settings: CurlSettings(userAgent: "test")),
            retry: Self.retry(2))
        await #expect(throws: WebhookDeliveryFailure(text: text, attempts: attempts)) {
            try await forwarder.forward(Self.arrival(1))
        }
        #expect(server.requests.count == attempts)
    }

    @Test("a refused connection is repeated: the handler may be about to start")
    func notConnected() async throws {
        let forwarder = WebhookForwarder(
            to: "http://127.0.0.1:1/", authCode: nil,
            transport: CurlTransport(settings: CurlSettings(userAgent: "test")), retry: Self.retry(2))
        let error = await #expect(throws: WebhookDeliveryFailure.self) { try await forwarder.forward(Self.arrival(1)) }
        #expect(
            error?.attempts == 3 && error?.text.contains("cannot connect to 127.0.0.1") == true, "\(error?.text ?? "")")
    }
}
