import CloverHTTP
import CloverSystem
import CloverTestSupport
import CloverWebhooks
import Foundation
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

    @Test("another spool in the place of one that a feed has read is noticed, whatever its numbers")
    func anotherSpool() throws {
        let folder = try TemporaryDirectory()
        let spools = try ["a", "b", "b"].map { try WebhookSpool(directory: StateDirectory(path: folder[$0])) }
        let begin = try spools[0].end()
        #expect(begin.number == 0 && begin.spool != nil)
        for spool in spools.prefix(2) { try spool.add((1...3).map { Self.arrival($0) }) }
        let (notices, end, isGapped) = try spools[0].notices(after: begin, limit: 2)
        #expect(notices.map(\.number) == [1, 2] && end == WebhookPosition(number: 2, spool: begin.spool) && !isGapped)
        for position in [begin, end, try spools[0].end()] {
            let (notices, end, isGapped) = try spools[1].notices(after: position, limit: 9)
            #expect(notices.map(\.number) == [1, 2, 3] && isGapped)
            #expect(try end == spools[1].end() && end == spools[2].end())
        }
        // Before there was any, and as a former version stored it.
        #expect(try !spools[1].notices(after: WebhookPosition(number: 0, spool: nil), limit: 9).isGapped)
        #expect(try spools[1].notices(after: WebhookPosition(number: 3, spool: nil), limit: 9).notices == [])

        #expect(spools[0].isInPlace)
        try FileManager.default.removeItem(atPath: folder["a/webhooks.sqlite"])
        #expect(!spools[0].isInPlace)
        _ = try WebhookSpool(directory: StateDirectory(path: folder["a"]))
        #expect(!spools[0].isInPlace)
    }

    @Test(
        "an older copy that was put back has another identity, also if a feed has read no further than it",
        arguments: [true, false])
    func olderCopy(_ isListening: Bool) throws {
        let folder = try TemporaryDirectory()
        let directory = StateDirectory(path: folder["state"])
        let (path, copy) = (folder["state/webhooks.sqlite"], folder["copy"])
        // This one begins before there is a file.
        var early = WebhookNoticeReader(directory, after: nil)
        try early.start()
        let spool = try WebhookSpool(directory: directory)
        try spool.add([Self.arrival(1), Self.arrival(2)])
        var other = early
        #expect(try other.next().isGapped == false)
        try FileManager.default.copyItem(atPath: path, toPath: copy)
        var reader = WebhookNoticeReader(directory, after: nil)
        try reader.start()
        #expect(try reader.next() == ([], false))
        try spool.add([Self.arrival(3)])
        try FileManager.default.removeItem(atPath: path)
        try FileManager.default.copyItem(atPath: copy, toPath: path)
        // The listener that has the earlier file open acknowledges nothing any more; the next one goes on.
        #expect(throws: WebhookSpoolError.replaced(path: path)) { try spool.add([Self.arrival(4)]) }
        if isListening { try WebhookSpool(directory: directory).add([Self.arrival(4), Self.arrival(5)]) }
        let (notices, isGapped) = try reader.next()
        #expect(notices.map(\.number) == (isListening ? [1, 2, 3, 4] : [1, 2]) && isGapped)
        #expect(try reader.next() == ([], false))
        #expect(try early.next().isGapped)
        #expect(try early.next() == ([], false))
    }

    @Test("a spool of a version that noted no number is no older copy, and its next event notes one")
    func withoutNumber() throws {
        let folder = try TemporaryDirectory()
        let directory = StateDirectory(path: folder["state"])
        let lock = folder["state/webhooks-listening.lock"]
        let spool = try WebhookSpool(directory: directory)
        try spool.add([Self.arrival(1)])
        let begin = try spool.end()
        try spool.add([Self.arrival(2)])
        try FileManager.default.removeItem(atPath: lock)
        do { _ = try WebhookSpoolLock(for: .listening, directory: directory) }
        var reader = WebhookNoticeReader(directory, after: begin)
        let (notices, isGapped) = try reader.next()
        #expect(notices.map(\.number) == [2] && !isGapped)
        #expect(try FileLock.number(at: lock) == 0)
        try spool.add([Self.arrival(3)])
        #expect(try FileLock.number(at: lock) == 3)
        #expect(try spool.end().spool == begin.spool)
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
        try await WebhookDeliverer(spool, Self.targets(log), onFailure: { _ in }).printWaiting()
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
            try await WebhookDeliverer(spool, closed, onFailure: { _ in }).printWaiting()
        }
        let log = Log()
        try await WebhookDeliverer(spool, Self.targets(log), onFailure: { _ in }).printWaiting()
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
        try await deliverer.printWaiting()
        try await deliverer.deliverPrinted()
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

    @Test(
        "what was received for a target is kept when the next listener has none, and printed once",
        arguments: [true, false])
    func targetGone(_ wasPrinted: Bool) async throws {
        let folder = try TemporaryDirectory()
        let spool = try WebhookSpool(directory: StateDirectory(path: folder["state"]))
        var wanted = Self.arrival(1)
        wanted.goals = [.command, .handler]
        try spool.add([wanted, Self.arrival(2)])
        let log = Log()
        var targets = Self.targets(log)
        if wasPrinted {
            targets.execute = { _, _ in 0 }
            try await WebhookDeliverer(spool, targets, onFailure: { _ in }).printWaiting()
            targets.execute = nil
        }
        let deliverer = WebhookDeliverer(spool, targets) { failed in log.failed.withLock { $0.append(failed) } }
        try await deliverer.printWaiting()
        try await deliverer.deliverPrinted()
        #expect(log.printed.withLock { $0 } == ["1", "2"])
        let kept = try spool.deliveries(failed: nil, limit: 10)
        #expect(kept.map(\.arrival.received) == [1] && kept == log.failed.withLock { $0 })
        #expect(kept.first?.failure?.contains("--exec and --forward-to") == true, "\(kept)")
        // The command that replays it decides where to.
        #expect(try await deliverer.replay(try #require(kept.first)))
        #expect(try spool.deliveries(failed: nil, limit: 10).isEmpty)
    }

    @Test("a target that does not respond holds up its own deliveries only: what follows is printed")
    func hangingTarget() async throws {
        let folder = try TemporaryDirectory()
        let spool = try WebhookSpool(directory: StateDirectory(path: folder["state"]))
        try spool.add([Self.arrival(1)])
        let log = Log()
        var targets = Self.targets(log)
        let (begun, hasBegun) = AsyncStream<Void>.makeStream()
        targets.execute = { _, _ in
            hasBegun.yield()
            // Ends when it is cancelled.
            while true { try await Task.sleep(for: .seconds(3600)) }
        }
        let deliverer = WebhookDeliverer(spool, targets, onFailure: { _ in })
        try await deliverer.printWaiting()
        let hanging = Task { try await deliverer.deliverPrinted() }
        for await _ in begun { break }
        try spool.add([Self.arrival(2)])
        try await deliverer.printWaiting()
        #expect(log.printed.withLock { $0 } == ["1", "2"])
        hanging.cancel()
        await #expect(throws: CancellationError.self) { try await hanging.value }
        #expect(try spool.deliveries(failed: false, printed: true, limit: 10).count == 2)
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
