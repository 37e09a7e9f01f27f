import CloverSystem
import Glibc
import HummingbirdCore
import Logging
import NIOCore
import NIOPosix
import Synchronization

/// The HTTP server of one listener, from binding the port to closing the last connection.
final class CallbackServer: Sendable {
    private let server: Server<HTTP1Channel>
    private let exchange: CallbackExchange
    /// One thread, which exists only while the listener is open.
    private let eventLoop: MultiThreadedEventLoopGroup
    /// The port, once the server listens.
    private let started: Promise<Int, CallbackError>
    /// Runs the server. Started by `start`, awaited by `stop`.
    private let running = Mutex<Task<Void, Never>?>(nil)

    init(port: Int, responder: CallbackResponder) {
        let registry = ConnectionRegistry()
        let started = Promise<Int, CallbackError>()
        let eventLoop = MultiThreadedEventLoopGroup(numberOfThreads: 1)
        let channel = HTTP1Channel(
            responder: { request, writer, channel in
                try await responder.respond(to: request.head, writer, on: channel)
            },
            configuration: .init(
                additionalChannelHandlers: [ConnectionHandler(registry: registry)],
                // A browser sends about 1 KiB of headers, and a callback's address is a few hundred bytes.
                httpDecoderConfiguration: .init(
                    maxHeaderFieldSize: 16 * 1024, maxHeaderListSize: 32 * 1024, maxHeaderFieldCount: 100)))
        server = Server(
            childChannelSetup: channel,
            configuration: .init(address: .hostname(responder.options.bindAddress, port: port), backlog: 128),
            onServerRunning: { channel in started.settle(.success(channel.localAddress?.port ?? port)) },
            eventLoopGroup: eventLoop, logger: Logger(label: "clover-callback") { _ in SwiftLogNoOpLogHandler() })
        exchange = responder.exchange
        self.eventLoop = eventLoop
        self.started = started
    }

    /// Binds the port and serves until `stop`.
    /// - Returns: the port.
    /// - Throws: `CallbackError.portInUse` or `.cannotListen`.
    func start(port: Int) async throws -> Int {
        let task = Task { [server, exchange, started] in
            do {
                try await server.run()
            } catch let error as IOError {
                let isInUse = error.errnoCode == EADDRINUSE
                started.settle(
                    .failure(isInUse ? .portInUse(port) : .cannotListen(port: port, errno: error.errnoCode)))
            } catch {
                // Resolving an address literal and opening a socket have no other failures; this covers those of a
                // later version.
                started.settle(.failure(.cannotListen(port: port, errno: EADDRNOTAVAIL)))
            }
            // Closed, or the socket failed.
            exchange.close()
        }
        running.withLock { $0 = task }
        do {
            return try await started.result().get()
        } catch {
            await task.value
            await endEventLoop()
            throw error
        }
    }

    /// Closes the port, finishes responses in progress and closes all connections. Returns when all is closed, which
    /// takes as long as a browser needs to read its page, at most a second.
    func stop() async {
        let task = running.withLock { $0.take() }
        guard let task else { return }
        exchange.close()
        do {
            // Immediately closes every connection without a complete request in progress; `ConnectionHandler` shows the
            // server no other requests.
            try await server.shutdownGracefully()
        } catch {
            // The server's socket was already closed, which is the goal.
        }
        await task.value
        await endEventLoop()
    }

    private func endEventLoop() async {
        do {
            try await eventLoop.shutdownGracefully()
        } catch {
            // It was already shut down, or its thread could not close a descriptor; neither leaves anything to do.
        }
    }
}

/// The open connections of a listener.
///
/// Browsers open connections that they may never use, and any program on this machine can open many. None of them may
/// block the callback.
final class ConnectionRegistry: Sendable {
    private struct Connection {
        let channel: any Channel
        /// Set once a complete request has arrived: its response is being prepared or sent.
        var isBusy = false
    }

    /// Maximum number of open connections; well below the lowest usual limit on descriptors (getrlimit(2)).
    private static let limit = 64

    /// In the order in which they were opened.
    private let connections = Mutex<[Connection]>([])

    /// Adds a connection. If there are too many, closes the oldest one without a request.
    func opened(_ channel: any Channel) {
        let surplus = connections.withLock { connections -> (any Channel)? in
            connections.append(Connection(channel: channel))
            guard connections.count > Self.limit else { return nil }
            return connections.first { !$0.isBusy }?.channel
        }
        surplus?.close(promise: nil)
    }

    /// Records that a complete request has arrived.
    func isBusy(_ channel: any Channel) {
        connections.withLock { connections in
            guard let place = connections.firstIndex(where: { $0.channel === channel }) else { return }
            connections[place].isBusy = true
        }
    }

    func closed(_ channel: any Channel) {
        connections.withLock { $0.removeAll { $0.channel === channel } }
    }
}
