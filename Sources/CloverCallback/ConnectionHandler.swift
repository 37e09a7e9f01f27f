import HTTPTypes
import HummingbirdCore
import NIOCore
import NIOHTTPTypes

/// Limits a connection to one request, one response and a bounded time.
///
/// A request is passed on only when it is complete. Anything after it is dropped, so a second request hidden behind the
/// first has no effect. After the response, the output side is closed and the browser's close awaited: closing the
/// socket with unread data in it would make the kernel send a reset, which can overtake the page (RFC 9112 section
/// 9.6).
///
/// All methods run on the connection's event loop.
final class ConnectionHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    /// Timeout for the arrival of a request.
    private static let requestTimeout = TimeAmount.seconds(10)
    /// Timeout for sending a response and for the browser to close its end.
    private static let responseTimeout = TimeAmount.seconds(1)

    private enum Progress {
        case waiting
        /// The head has arrived, the rest has not.
        case reading(HTTPRequest)
        /// The request was passed on.
        case responding
        /// The response has been written.
        case ending
    }

    private let registry: ConnectionRegistry
    private var progress = Progress.waiting
    private var timeout: Scheduled<Void>?

    init(registry: ConnectionRegistry) {
        self.registry = registry
    }

    func handlerAdded(context: ChannelHandlerContext) {
        registry.opened(context.channel)
        startTimeout(Self.requestTimeout, context)
    }

    func handlerRemoved(context: ChannelHandlerContext) {
        timeout?.cancel()
        registry.closed(context.channel)
    }

    func channelInactive(context: ChannelHandlerContext) {
        timeout?.cancel()
        registry.closed(context.channel)
        context.fireChannelInactive()
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        switch (unwrapInboundIn(data), progress) {
        case (.head(let head), .waiting): progress = .reading(head)
        case (.end, .reading(let head)):
            progress = .responding
            timeout?.cancel()
            registry.isBusy(context.channel)
            context.fireChannelRead(wrapInboundOut(.head(head)))
            context.fireChannelRead(wrapInboundOut(.end(nil)))
        default: break
        }
    }

    /// The server responds to an unreadable request; garbage after a valid one is ignored.
    func errorCaught(context: ChannelHandlerContext, error: any Error) {
        switch progress {
        case .waiting, .reading: context.fireErrorCaught(error)
        case .responding, .ending: break
        }
    }

    /// The browser sends nothing more. It still reads, unless there is no response to come.
    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .inputClosed? = event as? ChannelEvent {
            switch progress {
            case .waiting, .reading: context.close(promise: nil)
            case .responding, .ending: break
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
        timeout?.cancel()
        startTimeout(Self.responseTimeout, context)
        let channel = context.channel
        let written = promise ?? context.eventLoop.makePromise()
        written.futureResult.whenComplete { _ in channel.close(mode: .output, promise: nil) }
        context.write(data, promise: written)
    }

    private func startTimeout(_ amount: TimeAmount, _ context: ChannelHandlerContext) {
        let channel = context.channel
        timeout = context.eventLoop.scheduleTask(in: amount) { channel.close(promise: nil) }
    }
}

/// Classifies a request by its head alone.
enum RequestClassification: Equatable {
    /// The redirect of a sign-in, with the complete URL requested.
    case callback(url: String)
    /// The right path without a query. The legacy flow sends its token in the fragment, which browsers never send to
    /// servers.
    case withoutQuery
    /// Any other request, and the page for it.
    case refused(Page)

    /// - Parameter address: where the request arrived, and the accepted paths.
    static func classify(_ request: HTTPRequest, at address: CallbackAddress) -> RequestClassification {
        // The first Host header is the authority; one left in the fields is a second one.
        let host = request.authority.flatMap { $0.isEmpty ? nil : $0 }
        let purpose = address.options.purpose
        guard host != nil || address.takesRequestsWithoutHost, !request.headerFields.contains(.hostField) else {
            return .refused(.hostMissing(purpose))
        }
        if let host, !address.isNamed(by: host) { return .refused(.hostForeign(purpose)) }
        let target = request.path ?? ""
        let halves = target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        guard address.has(path: halves.first.map(String.init)) else { return .refused(.pathUnknown(purpose)) }
        guard request.method == .get else { return .refused(.methodNotAllowed(purpose)) }
        guard isNavigation(request.headerFields) else { return .refused(.notNavigation(purpose)) }
        guard halves.count == 2, !halves[1].isEmpty else { return .withoutQuery }
        return .callback(url: address.url(target: target, host: host))
    }

    /// Current browsers state what a request is for (W3C Fetch Metadata; `Sec-Purpose` of the Fetch standard). An
    /// image, a frame or a script of some other page that points here must not use up the one callback, nor may a
    /// prefetch. Requests of programs that send no such header are accepted.
    private static func isNavigation(_ fields: HTTPFields) -> Bool {
        func header(_ name: String, otherThan expected: String) -> Bool {
            HTTPField.Name(name).flatMap { fields[$0] }.map { $0.lowercased() != expected } ?? false
        }
        func isPrefetch(_ name: String) -> Bool {
            HTTPField.Name(name).flatMap { fields[$0] }.map { $0.lowercased().hasPrefix("prefetch") } ?? false
        }
        return !header("Sec-Fetch-Mode", otherThan: "navigate") && !header("Sec-Fetch-Dest", otherThan: "document")
            && !isPrefetch("Sec-Purpose") && !isPrefetch("Purpose")
    }
}

extension HTTPField.Name {
    /// `HTTPTypes` reserves this name and presents the header as the request's authority.
    fileprivate static let hostField: HTTPField.Name? = HTTPField.Name("Host")
}

extension HTTPFields {
    fileprivate func contains(_ name: HTTPField.Name?) -> Bool {
        name.map { contains($0) } ?? false
    }
}

/// Responds to every request of a listener.
struct CallbackResponder: Sendable {
    let options: CallbackOptions
    let exchange: CallbackExchange

    @concurrent func respond(to request: HTTPRequest, _ writer: consuming ResponseWriter, on channel: any Channel)
        async throws
    {
        let address = CallbackAddress(options: options, port: channel.localAddress?.port ?? 0)
        let purpose = options.purpose
        switch RequestClassification.classify(request, at: address) {
        case .callback(let url):
            guard await options.isExpected(url) else {
                try await writer.write(.unexpected(purpose), to: request)
                return
            }
            guard exchange.arrive(url) else {
                options.onSecond()
                try await writer.write(.alreadyAnswered(purpose), to: request)
                return
            }
            // Whatever happens to the connection, callers must not wait for it forever.
            defer { exchange.delivered() }
            let page = await exchange.page().map(Page.init) ?? .stopped(purpose)
            try await writer.write(page, to: request)
            // The browser closes its end when it has the whole page; `ConnectionHandler` enforces a timeout.
            try await channel.closeFuture.get()
        case .withoutQuery:
            options.onMissingQuery()
            try await writer.write(.withoutQuery(purpose), to: request)
        case .refused(let page): try await writer.write(page, to: request)
        }
    }
}

extension ResponseWriter {
    @concurrent fileprivate consuming func write(_ page: Page, to request: HTTPRequest) async throws {
        let bytes = ByteBuffer(string: request.method == .head ? "" : page.html)
        var head = HTTPResponse(status: .init(code: page.status), headerFields: page.headers)
        head.headerFields[.contentLength] = String(bytes.readableBytes)
        try await write(response: head, body: ResponseBody(byteBuffer: bytes))
    }
}
