import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Keeps one connection to one request, one answer and a bounded time.
///
/// A request goes on only when all of it is there. What follows it is dropped, so a second request hidden behind the
/// first has no effect. After the answer, our side is closed and the browser's end awaited: closing at once with
/// something unread in the socket would make the kernel send a reset, which can overtake the page (RFC 9112 section
/// 9.6).
///
/// All its methods run on the connection's event loop.
final class ConnectionHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    /// How long a request may take to arrive.
    private static let requestLimit = TimeAmount.seconds(10)
    /// How long an answer may take to leave, and the browser to close its end.
    private static let answerLimit = TimeAmount.seconds(1)

    private enum Progress {
        case waiting
        /// The head is there, the rest is not.
        case reading(HTTPRequest)
        /// The request was passed on.
        case answering
        /// The answer is written.
        case ending
    }

    private let registry: ConnectionRegistry
    private var progress = Progress.waiting
    private var limit: Scheduled<Void>?

    init(registry: ConnectionRegistry) {
        self.registry = registry
    }

    func handlerAdded(context: ChannelHandlerContext) {
        registry.opened(context.channel)
        startLimit(Self.requestLimit, context)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        limit?.cancel()
        registry.closed(context.channel)
    }

    func channelInactive(context: ChannelHandlerContext) {
        limit?.cancel()
        registry.closed(context.channel)
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch (unwrapInboundIn(data), progress) {
        case (.head(let head), .waiting): progress = .reading(head)
        case (.end, .reading(let head)):
            progress = .answering
            limit?.cancel()
            registry.isBusy(context.channel)
            context.fireChannelRead(wrapInboundOut(.head(head)))
            context.fireChannelRead(wrapInboundOut(.end(nil)))
        default: break
        }
    }

    /// A request that cannot be read is the server's to answer; nonsense after a good one is not looked at.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        switch progress {
        case .waiting, .reading: context.fireErrorCaught(error)
        case .answering, .ending: break
        }
    }

    /// The browser sends nothing more. It still reads, unless there is nothing to answer.
    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .inputClosed? = event as? ChannelEvent {
            switch progress {
            case .waiting, .reading: context.close(promise: nil)
            case .answering, .ending: break
            }
        }
        context.fireUserInboundEventTriggered(event)
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        guard case .end = unwrapOutboundIn(data) else {
            context.write(data, promise: promise)
            return
        }
        progress = .ending
        limit?.cancel()
        startLimit(Self.answerLimit, context)
        let channel = context.channel
        let written = promise ?? context.eventLoop.makePromise()
        written.futureResult.whenComplete { _ in channel.close(mode: .output, promise: nil) }
        context.write(data, promise: written)
    }

    private func startLimit(_ amount: TimeAmount, _ context: ChannelHandlerContext) {
        let channel = context.channel
        limit = context.eventLoop.scheduleTask(in: amount) { channel.close(promise: nil) }
    }
}
