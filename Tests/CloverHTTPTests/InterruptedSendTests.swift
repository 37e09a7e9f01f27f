import CloverHTTP
import CloverSystem
import CloverTestSupport
import Foundation
import Synchronization
import Testing

/// Random requests that are cancelled at random times, against a server that counts what arrived. It is a model of the
/// transport: a request that `SendGate` denies never arrives, and none arrives twice.
@Suite("interrupted requests", .serialized, .timeLimit(.minutes(10)))
struct InterruptedSendTests {
    /// Requests of one transport.
    private static let perWorld = 24
    /// Requests at a time.
    private static let width = 6

    /// When the task that sends is cancelled.
    private enum Cancellation: Sendable {
        case never
        case atOnce
        /// When the scheduler has had other things to do this many times.
        case afterYields(Int)
        /// When another thread has counted this far.
        case afterCounting(Int)
        /// While the transport asks whether the request may be sent.
        case inHold
        case withHead
    }

    private struct Plan: Sendable {
        var path: String
        var cancellation: Cancellation
        /// What the departure says.
        var holds = false
        var confirms = true
        var bodySize: Int
    }

    private struct Outcome: Sendable {
        var plan: Plan
        var error: HTTPTransportError?
        /// `SendGate.withdraw()` says that it was not sent.
        var isDenied: Bool
    }

    private final class Sent: Sendable {
        let task = Mutex<Task<Void, Never>?>(nil)
        let ends = Monitor(0)

        func cancel() { task.withLock(\.self)?.cancel() }
    }

    @Test("one that was denied never arrives, none arrives twice, and each ends once")
    func model() async throws {
        let worlds = Scale.pick(20, full: 850)
        var (denied, doubtful) = (0, 0)
        for seed in 0..<worlds {
            for outcome in try await Self.world(seed) where outcome.error != nil {
                if outcome.isDenied { denied += 1 } else { doubtful += 1 }
            }
        }
        #expect(denied > 0 && doubtful > 0)
        try Scale.report(
            "Requests that are cancelled, held back or refused at random times, against a server that counts",
            count: "\(worlds * Self.perWorld) requests, seeds 0 to \(worlds - 1)",
            result: "\(denied) denied, of which none arrived; \(doubtful) in doubt; none arrived twice")
    }

    /// One transport and its server, from the first request to the last.
    private static func world(_ seed: Int) async throws -> [Outcome] {
        var random = SplitMix(seed: UInt64(seed))
        let manners = (0..<97).map { _ -> RawServer.Manner in
            switch random.next() % 12 {
            case 0: .closeWithoutAnswer
            case 1: .reset
            case 2, 3: .answerAndClose
            case 4, 5: .answerInParts
            default: .answer
            }
        }
        let server = try RawServer { manners[$0 % manners.count] }
        let plans = (0..<perWorld).map { plan("/w/\($0)", &random) }
        let sent = plans.map { _ in Sent() }
        let outcomes = try await send(plans, sent, to: server.url)
        // The transport is gone, and its connections with it: what has not arrived by now never does.
        let arrived = await server.arrivals()
        #expect(outcomes.count == plans.count)
        for outcome in outcomes {
            let count = arrived[outcome.plan.path] ?? 0
            let facts = "seed \(seed), \(outcome), arrived \(count)"
            #expect(count <= 1, "\(facts)")
            if outcome.isDenied { #expect(count == 0, "\(facts)") }
            if outcome.error == nil { #expect(count == 1, "\(facts)") }
            if outcome.plan.holds || !outcome.plan.confirms { #expect(outcome.isDenied, "\(facts)") }
            if outcome.error == .heldBack { #expect(outcome.plan.holds, "\(facts)") }
        }
        // Another thread may report the end after the outcome.
        await DedicatedThread.run { for one in sent { one.ends.wait { $0 > 0 ? () : nil } } }
        #expect(sent.allSatisfy { $0.ends.withLock(\.self) == 1 }, "seed \(seed)")
        return outcomes
    }

    @Test("cancellation hits both sides of the decision: the model above sees both")
    func bothSides() async throws {
        let server = try RawServer { _ in .answer }
        var random = SplitMix(seed: 7)
        var (denied, doubtful) = (0, 0)
        while denied < 3 || doubtful < 3 {
            let plans = (0..<Self.width).map { number in
                Plan(
                    path: "/w/\(number)", cancellation: .afterCounting(Int(random.next() % 200_000)), bodySize: 10)
            }
            for outcome in try await Self.send(plans, plans.map { _ in Sent() }, to: server.url)
            where outcome.error == .cancelled {
                if outcome.isDenied { denied += 1 } else { doubtful += 1 }
            }
        }
    }

    private static func plan(_ path: String, _ random: inout SplitMix) -> Plan {
        let cancellation: Cancellation =
            switch random.next() % 10 {
            case 0: .never
            case 1: .atOnce
            case 2: .inHold
            case 3: .withHead
            case 4, 5: .afterYields(Int(random.next() % 40))
            default: .afterCounting(Int(random.next() % 200_000))
            }
        var plan = Plan(path: path, cancellation: cancellation, bodySize: random.next() % 8 == 0 ? 300_000 : 20)
        plan.holds = random.next() % 10 == 0
        plan.confirms = random.next() % 10 != 0
        return plan
    }

    /// Sends all through one transport, which is gone afterwards.
    private static func send(_ plans: [Plan], _ sent: [Sent], to url: String) async throws -> [Outcome] {
        let transport = CurlTransport(settings: CurlSettings(userAgent: "test"))
        return await withTaskGroup(of: Outcome.self) { group in
            var outcomes: [Outcome] = []
            for (number, plan) in plans.enumerated() {
                if number >= width, let outcome = await group.next() { outcomes.append(outcome) }
                group.addTask { await send(plan, sent[number], over: transport, to: url) }
            }
            for await outcome in group { outcomes.append(outcome) }
            return outcomes
        }
    }

    private static func send(
        _ plan: Plan, _ sent: Sent, over transport: CurlTransport, to url: String
    ) async -> Outcome {
        let departure = SendGate(
            hold: {
                if case .inHold = plan.cancellation { sent.cancel() }
                return !plan.holds
            }, confirm: { plan.confirms })
        let request = HTTPRequest(
            method: .post, url: url + plan.path,
            body: HTTPRequestBody(bytes: Array(repeating: 0x20, count: plan.bodySize)))
        let failure = Mutex<HTTPTransportError?>(nil)
        let task = Task {
            do throws(HTTPTransportError) {
                let response = try await transport.send(request, departure: departure) {
                    sent.ends.update { $0 += 1 }
                }
                if case .withHead = plan.cancellation { sent.cancel() }
                while try await response.body.next() != nil {}
            } catch {
                failure.withLock { $0 = error }
            }
        }
        sent.task.withLock { $0 = task }
        switch plan.cancellation {
        case .atOnce: task.cancel()
        case .afterYields(let count):
            for _ in 0..<count { await Task.yield() }
            task.cancel()
        case .afterCounting(let count):
            Thread.detachNewThread {
                let counter = Atomic(0)
                while counter.add(1, ordering: .sequentiallyConsistent).newValue < count {}
                task.cancel()
            }
        case .never, .inHold, .withHead: break
        }
        await task.value
        return Outcome(plan: plan, error: failure.withLock(\.self), isDenied: departure.withdraw())
    }
}

/// Random numbers that a seed repeats (Steele, Lea, Flood: Fast splittable pseudorandom number generators).
struct SplitMix: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
