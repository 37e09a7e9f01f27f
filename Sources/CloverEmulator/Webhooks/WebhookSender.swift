import NIOCore
import NIOHTTP1
import NIOPosix
import ServiceLifecycle
import Synchronization

/// Sends the shop's changes to a URL, as the service sends an app's webhooks: first the code of the set-up until the
/// URL accepts it, then events with a fixed code in the header.
///
/// The service documents no repetition of a webhook that was refused. The emulator repeats one a few times.
package final class WebhookSender: Service {
    /// What became of the changes so far.
    private struct State: Sendable {
        var waiting: [ShopChange] = []
        /// Bodies of Hosted Checkout.
        var checkouts: [[UInt8]] = []
        var isVerified = false
        /// Bodies.
        var sent = 0
        var lost = 0
        var doubled = 0
        var refused = 0
        var abandoned = 0
        /// Bodies that are planned and neither accepted nor abandoned.
        var pending = 0
        var recent: [Outcome] = []

        mutating func note(_ body: WebhookPlan.Body, _ kind: Outcome.Kind) {
            let events =
                body.checkout == nil
                ? body.changes.map { "\($0.type.rawValue) \($0.key):\($0.id)" } : ["Hosted Checkout"]
            recent =
                recent.suffix(WebhookSender.recentCount - 1) + [
                    Outcome(time: EmulatorClock().now(), events: events, kind: kind)
                ]
        }
    }

    /// Time for which changes are collected into common bodies.
    private static let window = Duration.milliseconds(10)
    private static let verificationPause = Duration.milliseconds(300)
    /// Pauses before the repetitions of a body.
    private static let pauses: [Duration] = [.milliseconds(200), .seconds(1), .seconds(3), .seconds(10)]

    private let settings: WebhookSettings
    private let authCode: String
    private let identity: ShopIdentity
    private let seed: UInt64
    private let client: WebhookClient
    private let state = Mutex(State())
    private let signals: AsyncStream<Void>
    private let signal: AsyncStream<Void>.Continuation

    init(_ settings: WebhookSettings, shop: Shop, eventLoop: MultiThreadedEventLoopGroup) {
        self.settings = settings
        authCode = Self.authCode(settings, shop: shop)
        identity = shop.identity
        seed = shop.settings.seed
        client = WebhookClient(address: settings.address, eventLoop: eventLoop)
        (signals, signal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// The code in the header `X-Clover-Auth`.
    static func authCode(_ settings: WebhookSettings, shop: Shop) -> String {
        if let code = settings.authCode { return code }
        var random = SeededRandom(seed: shop.settings.seed, stream: .webhook, index: 0)
        let digits = (0..<2).map { _ in random.next().digits(16, radix: 16) }.joined()
        let parts = [0..<8, 8..<12, 12..<16, 16..<20, 20..<32]
        return parts.map { part in String(Array(digits)[part]) }.joined(separator: "-")
    }

    /// Queues changes in the order in which they were made.
    func add(_ changes: [ShopChange]) {
        state.withLock { $0.waiting += changes }
        signal.yield()
    }

    /// Queues what became of a session of Hosted Checkout, which is signed instead of having a code.
    func add(checkout: JSONValue) {
        guard settings.signingSecret != nil else { return }
        state.withLock { $0.checkouts.append(checkout.encoded) }
        signal.yield()
    }

    /// `{"verified":...,"sent":N,"lost":N,"doubled":N,"refused":N,"abandoned":N,"pending":N}`. All but `pending`, which
    /// has the changes that are not planned yet too, count bodies.
    var report: JSONValue {
        state.withLock { state in
            [
                "verified": .boolean(state.isVerified), "sent": .integer(state.sent), "lost": .integer(state.lost),
                "doubled": .integer(state.doubled), "refused": .integer(state.refused),
                "abandoned": .integer(state.abandoned),
                "pending": .integer(state.pending + state.waiting.count + state.checkouts.count),
            ]
        }
    }

    /// The latest bodies whose outcome is known, oldest first.
    var recent: [Outcome] { state.withLock { $0.recent } }

    /// What became of a body.
    struct Outcome: Sendable {
        enum Kind: String, Sendable {
            case accepted, lost
            case doubled = "accepted twice"
            case refused = "refused, sent again"
            case abandoned = "refused, given up"
        }

        /// Milliseconds since 1970.
        let time: Int
        /// What it says, such as `UPDATE O:ID`.
        let events: [String]
        let kind: Kind
    }

    private static let recentCount = 20

    /// Sends until graceful shutdown.
    package func run() async {
        await cancelWhenGracefulShutdown {
            await self.verify()
            await self.send()
        }
    }

    private func verify() async {
        let body: JSONValue = ["verificationCode": .string(TokenGenerator.uuid())]
        while await !client.post(body.encoded, header: nil) {
            do {
                try await Task.sleep(for: Self.verificationPause)
            } catch {
                return
            }
        }
        state.withLock { $0.isVerified = true }
    }

    private func send() async {
        var plan = WebhookPlan(settings, seed: seed)
        await withDiscardingTaskGroup { group in
            for await _ in signals {
                do {
                    try await Task.sleep(for: Self.window)
                } catch {
                    break
                }
                let bodies = state.withLock { state in
                    let bodies = plan.bodies(of: state.waiting) + plan.bodies(ofCheckouts: state.checkouts)
                    state.waiting = []
                    state.checkouts = []
                    state.pending += bodies.count
                    return bodies
                }
                for body in bodies {
                    if body.delay == .zero {
                        if await attempt(body) { continue }
                    }
                    group.addTask { await self.deliver(body, isRepetition: body.delay == .zero) }
                }
            }
            group.cancelAll()
        }
    }

    /// Sends a body after its delay, and again after pauses until it is accepted.
    private func deliver(_ body: WebhookPlan.Body, isRepetition: Bool) async {
        do {
            if !isRepetition {
                try await Task.sleep(for: body.delay)
                if await attempt(body) { return }
            }
            for pause in Self.pauses {
                try await Task.sleep(for: pause)
                if await attempt(body) { return }
            }
        } catch {
            // The emulator stops.
        }
        state.withLock { state in
            state.pending -= 1
            state.abandoned += 1
            state.note(body, .abandoned)
        }
    }

    /// Sends a body once, or twice if it is to be doubled. True if it is done with.
    private func attempt(_ body: WebhookPlan.Body) async -> Bool {
        let merchant = identity.merchantID.description
        let json: JSONValue = [
            "appId": .string(identity.appID.description),
            "merchants": .object([(key: merchant, value: .array(body.changes.map(\.json)))]),
        ]
        let bytes = body.checkout ?? json.encoded
        var isAccepted = true
        for _ in 0..<body.copies {
            var header = (name: "X-Clover-Auth", value: authCode)
            if body.checkout != nil, let secret = settings.signingSecret {
                let seconds = "\(EmulatorClock().now() / 1000)"
                let code = SHA256.authenticationCode(of: Array("\(seconds).".utf8) + bytes, key: Array(secret.utf8))
                let digits = code.map { $0.digits(2, radix: 16) }.joined()
                header = ("Clover-Signature", "t=\(seconds),v1=\(digits)")
            }
            isAccepted = await client.post(bytes, header: header)
            if !isAccepted { break }
        }
        return note(body, isAccepted: isAccepted)
    }

    /// Counts an attempt. Not in the asynchronous function, where the address of the thread's number would be kept.
    @inline(never)
    private func note(_ body: WebhookPlan.Body, isAccepted: Bool) -> Bool {
        state.withLock { state in
            guard isAccepted else {
                state.refused += 1
                state.note(body, .refused)
                return false
            }
            state.pending -= 1
            switch body.copies {
            case 0:
                state.lost += 1
                state.note(body, .lost)
            case 1:
                state.sent += 1
                state.note(body, .accepted)
            default:
                state.sent += 1
                state.doubled += 1
                state.note(body, .doubled)
            }
            return true
        }
    }
}

/// Posts bodies, each on its own connection.
struct WebhookClient: Sendable {
    let address: WebhookAddress
    let eventLoop: MultiThreadedEventLoopGroup

    private static let timeout = TimeAmount.seconds(30)

    /// Whether the response has a status from 200 to 299.
    func post(_ body: [UInt8], header: (name: String, value: String)?) async -> Bool {
        do {
            let channel = try await ClientBootstrap(group: eventLoop).connectTimeout(Self.timeout)
                .connect(host: address.host, port: address.port) { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHTTPClientHandlers()
                        return try NIOAsyncChannel<HTTPClientResponsePart, HTTPClientRequestPart>(
                            wrappingChannelSynchronously: channel)
                    }
                }
            let limit = eventLoop.next().scheduleTask(in: Self.timeout) { channel.channel.close(promise: nil) }
            defer { limit.cancel() }
            return try await channel.executeThenClose { inbound, outbound in
                try await outbound.write(.head(head(length: body.count, header: header)))
                try await outbound.write(.body(.byteBuffer(ByteBuffer(bytes: body))))
                try await outbound.write(.end(nil))
                for try await part in inbound {
                    if case .head(let head) = part { return (200..<300).contains(head.status.code) }
                }
                return false
            }
        } catch {
            // Not reachable now.
            return false
        }
    }

    private func head(length: Int, header: (name: String, value: String)?) -> HTTPRequestHead {
        var headers = HTTPHeaders([
            ("Host", address.port == 80 ? address.host : "\(address.host):\(address.port)"),
            ("Content-Type", "application/json"), ("Content-Length", "\(length)"), ("Connection", "close"),
        ])
        if let header { headers.add(name: header.name, value: header.value) }
        return HTTPRequestHead(version: .http1_1, method: .POST, uri: address.target, headers: headers)
    }
}
