import HTTPTypes
import NIOCore
import NIOHTTPTypes
import Synchronization

/// The open connections of a listener. None of them may keep others out, however slow its sender is.
final class WebhookConnections: Sendable {
    /// Maximum number of open connections; below the usual limit on descriptors of 1,024 (getrlimit(2)).
    private static let limit = 900

    private struct State {
        var isClosing = false
        /// Connections without a complete request, in the order in which they began to wait for one.
        var waiting: [any Channel] = []
        var count = 0
    }

    private let state = Mutex(State())

    /// Adds a connection. If there are too many, closes the one that has waited longest for its request.
    func opened(_ channel: any Channel) {
        let surplus = state.withLock { state -> (any Channel)? in
            state.count += 1
            state.waiting.append(channel)
            if state.isClosing { return channel }
            return state.count > Self.limit ? state.waiting.first : nil
        }
        surplus?.close(promise: nil)
    }

    /// Records that a complete request has arrived.
    func completed(_ channel: any Channel) {
        state.withLock { $0.waiting.removeAll { $0 === channel } }
    }

    /// Records that the response was written, and another request may follow.
    func responded(_ channel: any Channel) {
        state.withLock { state in
            if !state.isClosing { state.waiting.append(channel) }
        }
    }

    func closed(_ channel: any Channel) {
        state.withLock { state in
            state.count -= 1
            state.waiting.removeAll { $0 === channel }
        }
    }

    /// Closes all connections without a complete request, now and from now on.
    func closeIncomplete() {
        let waiting = state.withLock { state in
            state.isClosing = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for channel in waiting { channel.close(promise: nil) }
    }
}

/// Gives each request of a connection a limited time to arrive.
///
/// If the response is written before the whole request has arrived, what follows is dropped and the connection closed:
/// first this end only, because a socket that is closed with unread data sends a reset, which can overtake the response
/// (RFC 9112, section 9.6).
///
/// All methods run on the connection's event loop.
final class WebhookConnectionHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    /// Timeout for the sender to close its end after a response that ends the connection.
    private static let closeTimeout = TimeAmount.seconds(1)

    private enum Progress {
        /// The request has not arrived, or only a part of it.
        case incomplete
        case complete
        /// A response was written that ends the connection.
        case ending
    }

    private let connections: WebhookConnections
    private let requestTimeout: TimeAmount
    private var progress = Progress.incomplete
    private var timeout: Scheduled<Void>?
    private var isOpen = false

    init(_ connections: WebhookConnections, requestTimeout: TimeAmount) {
        self.connections = connections
        self.requestTimeout = requestTimeout
    }

    func handlerAdded(context: ChannelHandlerContext) {
        isOpen = true
        connections.opened(context.channel)
        start(requestTimeout, context)
    }

    func handlerRemoved(context: ChannelHandlerContext) { end(context) }

    func channelInactive(context: ChannelHandlerContext) {
        end(context)
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        if case .ending = progress { return }
        if case .end = unwrapInboundIn(data) {
            progress = .complete
            timeout?.cancel()
            connections.completed(context.channel)
        }
        context.fireChannelRead(data)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard case .end = unwrapOutboundIn(data) else {
            context.write(data, promise: promise)
            return
        }
        timeout?.cancel()
        switch progress {
        case .complete:
            progress = .incomplete
            start(requestTimeout, context)
            context.write(data, promise: promise)
            connections.responded(context.channel)
        case .incomplete, .ending:
            progress = .ending
            start(Self.closeTimeout, context)
            let channel = context.channel
            let written = promise ?? context.eventLoop.makePromise()
            written.futureResult.whenComplete { _ in channel.close(mode: .output, promise: nil) }
            context.write(data, promise: written)
        }
    }

    private func start(_ amount: TimeAmount, _ context: ChannelHandlerContext) {
        let channel = context.channel
        timeout = context.eventLoop.scheduleTask(in: amount) { channel.close(promise: nil) }
    }

    private func end(_ context: ChannelHandlerContext) {
        timeout?.cancel()
        if isOpen { connections.closed(context.channel) }
        isOpen = false
    }
}
