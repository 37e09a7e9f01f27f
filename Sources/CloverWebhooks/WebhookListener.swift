import CloverDatabase
import CloverSystem
import Glibc
import HTTPTypes
import HummingbirdCore
import Logging
import NIOCore
import NIOPosix
import Synchronization

/// Receives webhooks over HTTP, and acknowledges each only when it is stored.
///
/// Opening it makes the whole process ignore SIGPIPE permanently: SwiftNIO requires that and sets it.
package final class WebhookListener: Sendable {
    /// Where to listen, and what to do with requests.
    package struct Options: Sendable {
        /// 0 chooses a free port.
        package var port: Int
        /// A numeric address.
        package var bindAddress: String
        /// Nil for plain HTTP.
        package var tls: WebhookTLS?
        package var gate: WebhookGate
        /// Maximum time for a request to arrive completely, in seconds.
        package var requestTimeout = 20.0
        /// Now, in milliseconds since 1970.
        package var now: @Sendable () -> Int64
        /// Stores a body; when it returns, the body is on the device.
        package var store: @Sendable (WebhookArrival) async throws -> Void
        /// Shows the code that Clover's dashboard asks for; when it returns, the code was shown.
        package var onVerification: @Sendable (String) async throws -> Void
        /// Called for each refused request.
        package var onRefusal: @Sendable (WebhookRefusal) -> Void

        package init(
            port: Int, bindAddress: String, gate: WebhookGate, now: @escaping @Sendable () -> Int64,
            store: @escaping @Sendable (WebhookArrival) async throws -> Void,
            onVerification: @escaping @Sendable (String) async throws -> Void,
            onRefusal: @escaping @Sendable (WebhookRefusal) -> Void
        ) {
            self.port = port
            self.bindAddress = bindAddress
            self.gate = gate
            self.now = now
            self.store = store
            self.onVerification = onVerification
            self.onRefusal = onRefusal
        }
    }

    /// They live as long as the process: after an address could not be bound, SwiftNIO still uses them.
    private static let eventLoops = MultiThreadedEventLoopGroup(numberOfThreads: 2)

    /// The bound port.
    package let port: Int
    private let server: Server<WebhookChannel>
    private let connections: WebhookConnections
    private let running: Task<Void, Never>

    /// Binds the port before it returns. The caller must close the listener.
    ///
    /// - Throws: `WebhookListenerError`.
    package static func open(_ options: Options) async throws(WebhookListenerError) -> WebhookListener {
        guard (0...65_535).contains(options.port) else { throw .cannotListen(errno: EINVAL) }
        let connections = WebhookConnections()
        let started = Promise<Int, WebhookListenerError>()
        let responder = WebhookResponder(options)
        let timeout = TimeAmount.milliseconds(Int64(options.requestTimeout * 1000))
        let channel = HTTP1Channel(
            responder: { request, writer, _ in try await responder.respond(to: request, writer) },
            configuration: .init(
                additionalChannelHandlers: [WebhookConnectionHandler(connections, requestTimeout: timeout)],
                httpDecoderConfiguration: .init(
                    maxHeaderFieldSize: 16 * 1024, maxHeaderListSize: 32 * 1024, maxHeaderFieldCount: 100)))
        let server = Server(
            childChannelSetup: WebhookChannel(http: channel, tls: options.tls),
            configuration: .init(address: .hostname(options.bindAddress, port: options.port), backlog: 1024),
            onServerRunning: { channel in started.settle(.success(channel.localAddress?.port ?? options.port)) },
            eventLoopGroup: Self.eventLoops, logger: Logger(label: "clover-webhook") { _ in SwiftLogNoOpLogHandler() })
        // Awaited by `close`, or below if it does not start.
        let running = Task {
            do {
                try await server.run()
            } catch let error as IOError {
                started.settle(
                    .failure(error.errnoCode == EADDRINUSE ? .portInUse : .cannotListen(errno: error.errnoCode)))
            } catch {
                // Not a numeric address.
                started.settle(.failure(.cannotListen(errno: EADDRNOTAVAIL)))
            }
        }
        do throws(WebhookListenerError) {
            let port = try await started.result().get()
            return WebhookListener(port, server, connections, running)
        } catch {
            await running.value
            throw error
        }
    }

    private init(
        _ port: Int, _ server: Server<WebhookChannel>, _ connections: WebhookConnections, _ running: Task<Void, Never>
    ) {
        self.port = port
        self.server = server
        self.connections = connections
        self.running = running
    }

    /// Closes the port, finishes the responses to complete requests, and closes all connections.
    package func close() async {
        connections.closeIncomplete()
        do {
            try await server.shutdownGracefully()
        } catch {
            // The server's socket was already closed, which is the goal.
        }
        await running.value
    }
}

/// Why the listener cannot listen.
package enum WebhookListenerError: Error, Equatable, Sendable {
    case portInUse
    case cannotListen(errno: Int32)
}

/// Responds to the requests of a listener.
private struct WebhookResponder: Sendable {
    /// Maximum size of all bodies that are being read, in bytes.
    private static let memoryLimit = 64 << 20

    private let options: WebhookListener.Options
    private let memory = MemoryBudget()

    init(_ options: WebhookListener.Options) {
        self.options = options
    }

    @concurrent func respond(to request: Request, _ writer: consuming ResponseWriter) async throws {
        var refusal: WebhookRefusal?
        do throws(WebhookRefusal) {
            try await accept(request)
        } catch {
            options.onRefusal(error)
            refusal = error
        }
        try await writer.write(status: refusal?.status ?? 200, refusal?.text ?? "")
    }

    /// Returns when the event is stored, or the code of a set-up was shown.
    private func accept(_ request: Request) async throws(WebhookRefusal) {
        guard request.method == .post else { throw .method }
        let gate = options.gate
        let signature = request.headers.value("Clover-Signature")
        let proof = gate.proof(authCode: request.headers.value("X-Clover-Auth"), signature: signature)
        let body = try await read(request, limit: gate.limit(for: proof), gate.refusal(ofLargeBodyWith: proof))
        defer { memory.release(body.count) }
        let now = options.now()
        switch gate.outcome(of: body, proof, signature: signature, now: now / 1000) {
        case .verification(let code):
            do {
                try await options.onVerification(code)
            } catch {
                throw .notShown
            }
        case .refuse(let refusal): throw refusal
        case .store(let isSigned):
            var arrival = WebhookArrival(received: now, body: body, signature: signature)
            arrival.isVerified = isSigned
            do {
                try await options.store(arrival)
            } catch {
                if case .full = error as? StateDatabaseError { throw .notStored(isFull: true) }
                throw .notStored(isFull: false)
            }
        }
    }

    /// Reads the body. Its size is reserved in ``memory`` if it returns.
    private func read(
        _ request: Request, limit: Int, _ tooLarge: WebhookRefusal
    ) async throws(WebhookRefusal) -> [UInt8] {
        if let length = request.headers[.contentLength].flatMap({ Int($0) }), length > limit { throw tooLarge }
        var body: [UInt8] = []
        do {
            for try await chunk in request.body {
                guard body.count + chunk.readableBytes <= limit else { throw tooLarge }
                guard memory.reserve(chunk.readableBytes, of: Self.memoryLimit) else { throw WebhookRefusal.busy }
                body.append(contentsOf: chunk.readableBytesView)
            }
            return body
        } catch {
            memory.release(body.count)
            // Otherwise the connection is lost, and the response is not read.
            throw error as? WebhookRefusal ?? .badBody(.notWebhook("it is cut off"))
        }
    }
}

/// Counts the bytes of bodies that are being read.
private final class MemoryBudget: Sendable {
    private let used = Atomic(0)

    func reserve(_ count: Int, of limit: Int) -> Bool {
        guard used.add(count, ordering: .relaxed).newValue > limit else { return true }
        release(count)
        return false
    }

    func release(_ count: Int) { used.subtract(count, ordering: .relaxed) }
}

extension HTTPFields {
    /// The value of a field, or its values, separated by commas (RFC 9110, section 5.3); nil if there is none.
    fileprivate func value(_ name: String) -> String? {
        HTTPField.Name(name).flatMap { self[$0] }
    }
}

extension ResponseWriter {
    /// Writes a complete response with a line of text.
    @concurrent fileprivate consuming func write(status: Int, _ text: String) async throws {
        let bytes = ByteBuffer(string: text.isEmpty ? "" : text + "\n")
        var head = HTTPResponse(status: .init(code: status))
        head.headerFields[.contentLength] = String(bytes.readableBytes)
        head.headerFields[.contentType] = "text/plain; charset=utf-8"
        if status == 405 { head.headerFields[.allow] = "POST" }
        if status == 503 { head.headerFields[.retryAfter] = "30" }
        try await write(response: head, body: ResponseBody(byteBuffer: bytes))
    }
}
