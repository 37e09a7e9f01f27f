import Glibc
import HummingbirdCore
import Logging
import NIOCore
import NIOPosix
import Synchronization

/// The HTTP server of one listener: from the bound port to the last closed connection.
final class CallbackServer: Sendable {
    private let server: Server<HTTP1Channel>
    private let desk: CallbackDesk
    /// One thread. It exists only while the listener is open.
    private let eventLoop: MultiThreadedEventLoopGroup
    private let started: StartSignal
    /// Runs the server. Started by `start`, awaited by `stop`.
    private let running = Mutex<Task<Void, Never>?>(nil)

    init(port: Int, responder: CallbackResponder) {
        let registry = ConnectionRegistry()
        let started = StartSignal()
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
            configuration: .init(address: .hostname(responder.choice.bindAddress, port: port), backlog: 128),
            onServerRunning: { channel in started.succeed(port: channel.localAddress?.port ?? port) },
            eventLoopGroup: eventLoop, logger: Logger(label: "clover-callback") { _ in SwiftLogNoOpLogHandler() })
        desk = responder.desk
        self.eventLoop = eventLoop
        self.started = started
    }

    /// Binds the port and serves until `stop`.
    /// - Returns: the port.
    /// - Throws: `CallbackError.portInUse` or `.cannotListen`.
    func start(port: Int) async throws -> Int {
        let task = Task { [server, desk, started] in
            do {
                try await server.run()
            } catch let error as IOError {
                started.fail(
                    error.errnoCode == EADDRINUSE
                        ? .portInUse(port) : .cannotListen(port: port, errno: error.errnoCode))
            } catch {
                // Resolving an address literal and opening a socket have no other failures; this is for those of a
                // later version.
                started.fail(.cannotListen(port: port, errno: EADDRNOTAVAIL))
            }
            // Closed, or the socket failed.
            desk.close()
        }
        running.withLock { $0 = task }
        do {
            return try await started.port()
        } catch {
            await task.value
            await endEventLoop()
            throw error
        }
    }

    /// Closes the port, ends answers under way, closes all connections. Returns when nothing is left; that takes no
    /// longer than a browser takes to read its page, and at most a second.
    func stop() async {
        let task = running.withLock { $0.take() }
        guard let task else { return }
        desk.close()
        do {
            // Closes at once every connection on which no whole request is being answered: `ConnectionHandler` lets the
            // server see no other.
            try await server.shutdownGracefully()
        } catch {
            // The server's socket was gone already, which is what is wanted.
        }
        await task.value
        await endEventLoop()
    }

    private func endEventLoop() async {
        do {
            try await eventLoop.shutdownGracefully()
        } catch {
            // It was shut down before, or its thread could not close a descriptor; both leave nothing to do.
        }
    }
}
