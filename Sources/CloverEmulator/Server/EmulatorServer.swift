import Glibc
import HummingbirdCore
import Logging
import NIOCore
import NIOPosix
import ServiceLifecycle
import UnixSignals

/// The emulator's server on the loopback interface.
package struct EmulatorServer: Sendable {
    /// How long pending responses may take after a stop signal.
    private static let shutdownTimeout = Duration.seconds(2)
    /// How long a connection may send nothing, without a request or in the middle of one.
    private static let idleTimeout = TimeAmount.seconds(60)

    /// A single event loop, so that the starts and ends of requests are seen in their true order; see `TrafficHandler`.
    /// It lives as long as the process: responses cut off at the end may still use it after `run` has returned.
    private static let eventLoop = MultiThreadedEventLoopGroup(numberOfThreads: 1)

    private let options: EmulatorOptions
    private let shop: Shop

    private let ledger: ShopStore
    /// Sends webhooks; nil without an address for them.
    private let webhooks: WebhookSender?

    /// - Throws: `JournalError` if the state file cannot be used.
    package init(_ options: EmulatorOptions) throws(JournalError) {
        self.options = options
        var settings = options.shop
        var journal: Journal?
        if let path = options.statePath {
            let opened = try Journal(path: path, settings: settings, keepsNow: options.isLive)
            settings.now = opened.now
            journal = opened
        }
        let shop = Shop(settings)
        self.shop = shop
        let webhooks = options.webhooks.map { WebhookSender($0, shop: shop, eventLoop: Self.eventLoop) }
        self.webhooks = webhooks
        ledger = try ShopStore(
            shop: shop, clock: options.isLive ? .live : .counted, driftPeriod: options.quirks.drift, journal: journal,
            onChange: { changes in webhooks?.add(changes) })
    }

    /// Serves until SIGINT or SIGTERM, then finishes pending responses and returns.
    ///
    /// - Parameter onReady: called once, when the server accepts connections.
    /// - Throws: `EmulatorError` if it cannot listen.
    package func run(onReady: @escaping @Sendable (EmulatorFacts) -> Void) async throws {
        let tenants = Tenants(of: shop, merchants: options.merchantCount, apps: options.appCount)
        let log = options.log.map { RequestLog(isColored: $0.isColored, write: $0.write) }
        let meter = makeMeter(tenants, log)
        let oauth = OAuthServer(
            shop: shop, tenants: tenants, settings: options.oauth, withheldFamilies: options.withheldFamilies,
            meter: meter)
        let churn = ChurnGenerator(ledger: ledger, seed: options.shop.seed, rate: options.quirks.churn)
        let responder = EmulatorResponder(
            options, ledger: ledger, meter: meter, tenants: tenants, oauth: oauth, churn: churn,
            webhooks: webhooks)
        let logger = Logger(label: "clover-emulator") { _ in SwiftLogNoOpLogHandler() }
        let connection = HTTP1Channel(
            responder: { request, writer, channel in
                let response = await responder.response(to: request, on: channel)
                try await writer.write(response: response.head, body: response.body)
            },
            configuration: .init(
                additionalChannelHandlers: [TrafficHandler(meter: meter, oauth: oauth)],
                idleTimeout: Self.idleTimeout))
        let server = Server(
            childChannelSetup: connection,
            configuration: .init(address: .hostname("127.0.0.1", port: options.port), backlog: 1024),
            onServerRunning: { channel in
                let port = channel.localAddress?.port ?? options.port
                let authCode = options.webhooks.map { WebhookSender.authCode($0, shop: shop) }
                onReady(
                    EmulatorFacts(port: port, shop, tenants, isLive: options.isLive, webhookAuthCode: authCode))
            },
            eventLoopGroup: Self.eventLoop, logger: logger)
        var configuration = ServiceGroupConfiguration(
            services: (log.map { [$0] } ?? []) + [server, churn] + (webhooks.map { [$0] } ?? []),
            gracefulShutdownSignals: [.sigterm, .sigint], logger: logger)
        configuration.maximumGracefulShutdownDuration = Self.shutdownTimeout
        do {
            try await ServiceGroup(configuration: configuration).run()
        } catch let error as IOError {
            throw error.errnoCode == EADDRINUSE
                ? EmulatorError.portInUse(options.port)
                : EmulatorError.cannotListen(port: options.port, errno: error.errnoCode)
        }
    }

    /// The meter with the initially valid tokens: one of each merchant, and those of the app.
    private func makeMeter(_ tenants: Tenants, _ log: RequestLog?) -> TrafficMeter {
        let meter = TrafficMeter(
            apps: tenants.apps.map(\.id), limits: options.limits, isEnforced: options.enforcesLimits,
            onEnd: { log?.add($0) })
        for (id, token) in zip(tenants.merchantIDs, tenants.merchantTokens) {
            meter.admit(token: token, of: TokenOwner(merchantID: id))
        }
        for token in shop.identity.accessTokens.dropFirst() {
            meter.admit(token: token, of: TokenOwner(merchantID: tenants.merchantIDs[0], appID: tenants.apps[0].id))
        }
        return meter
    }
}

package struct EmulatorOptions: Sendable {
    /// Port on 127.0.0.1; 0 selects a free port.
    package var port = 0
    package var shop = ShopSettings()
    /// Delay before each response to a record request.
    package var latency = Duration.zero
    /// Faults of requests for records, of `FaultTarget.records`.
    package var faults: [FaultSpec] = []
    /// False counts requests without refusing any.
    package var enforcesLimits = true
    package var limits = TrafficLimits()
    /// Number of merchants and of apps; see `Tenants`.
    package var merchantCount = 1
    package var appCount = 1
    package var oauth = OAuthSettings()
    package var payments = PaymentSettings()
    package var exports = ExportSettings()
    /// Record families, such as `orders`, that no token may read.
    package var withheldFamilies: Set<String> = []
    /// Where and how to send webhooks; nil sends none.
    package var webhooks: WebhookSettings?
    package var quirks = ListQuirks()
    /// The file that stores writes; nil for none.
    package var statePath: String?
    /// Where a line for each request goes; nil for no log.
    package var log: (isColored: Bool, write: @Sendable (String) -> Void)?
    package var isLive = false

    package init() {}
}

/// Why the emulator cannot listen.
package enum EmulatorError: Error, Equatable, CustomStringConvertible {
    case portInUse(Int)
    /// Another failure to listen, with the error number of bind(2) or listen(2).
    case cannotListen(port: Int, errno: Int32)

    package var description: String {
        switch self {
        case .portInUse(let port): "cannot listen on 127.0.0.1:\(port): the port is in use"
        case .cannotListen(let port, let errno): "cannot listen on 127.0.0.1:\(port): error \(errno)"
        }
    }
}
