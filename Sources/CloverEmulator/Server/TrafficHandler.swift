import Glibc
import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Observes one connection: reports each record or payment request to the meter when its head arrives and when the last
/// byte of its response is written, truncates responses, and sets the `Date` header.
///
/// All methods run on the connection's event loop. All connections share one loop: with two, a response could reach its
/// client, and the client's next request be counted, before the first request was seen to end.
final class TrafficHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    /// Calls whose response waits for a card on a device.
    private static let waitingPaths: Set = ["/connect/v1/payments", "/connect/v1/credits"]

    /// Two clock readings within this many nanoseconds count as simultaneous, and the maximum number of attempts to get
    /// them.
    private static let simultaneous = 1_000_000
    private static let mostReadings = 10

    private let meter: TrafficMeter
    private let oauth: OAuthServer
    /// RequestTicket numbers of the requests on this connection, in order; nil for requests that are not counted.
    private var waiting: [Int?] = []
    /// A request has arrived in part.
    private var isReading = false
    /// The client has closed its sending side.
    private var isInputClosed = false
    private var bytesBeforeCut: Int?
    /// Unwritten body bytes of the current response; nil if its length is not announced.
    private var bytesToWrite: Int?

    init(meter: TrafficMeter, oauth: OAuthServer) {
        self.meter = meter
        self.oauth = oauth
    }

    func handlerAdded(context: ChannelHandlerContext) {
        meter.count(\.connections)
    }

    func channelRead(context: ChannelHandlerContext, data: NIOAny) {
        let part = unwrapInboundIn(data)
        guard case .head(var head) = part else {
            if case .end = part { isReading = false }
            context.fireChannelRead(data)
            return
        }
        isReading = true
        let path = head.path ?? ""
        var number: Int?
        if path.hasPrefix("/v3/") || PaymentAPI.serves(path: String(path.prefix { $0 != "?" })) {
            var token = AccessToken.read(authorization: head.headerFields[.authorization], target: path)
            // For the limits an expired token is like any invalid one.
            if let text = token, oauth.isExpired(accessToken: text) { token = nil }
            number = meter.arrive(
                token: token, request: "\(head.method.rawValue) \(path.prefix { $0 != "?" })",
                isWaiting: head.method == .post && Self.waitingPaths.contains(path),
                at: arrival(on: context.channel))
        }
        waiting.append(number)
        if let name = InternalHeader.ticket { head.headerFields[name] = number.map(String.init) }
        context.fireChannelRead(wrapInboundOut(.head(head)))
    }

    /// Nanoseconds of a monotonic clock.
    private static var now: Int { Int(NIODeadline.now().uptimeNanoseconds) }

    /// The time when the request's bytes reached the socket, in nanoseconds; not the time when this thread was
    /// scheduled to read them, which on a busy machine is later by a varying amount. The kernel's resolution is a few
    /// milliseconds (tcp(7), TCP_INFO, tcpi_last_data_recv).
    private func arrival(on channel: any Channel) -> Int {
        var before = Self.now
        guard let socket = channel as? any SocketOptionProvider else { return before }
        var milliseconds = 0
        // The kernel reports how long ago it was, so the clock must be read at the same time; this thread may be
        // preempted between the two.
        for _ in 0..<Self.mostReadings {
            // On the connection's own loop the future completes immediately.
            socket.getTCPInfo().assumeIsolated().whenSuccess { milliseconds = Int($0.tcpi_last_data_recv) }
            let after = Self.now
            if after - before < Self.simultaneous { break }
            before = after
        }
        return before - milliseconds * 1_000_000
    }

    func write(context: ChannelHandlerContext, data: NIOAny, promise: EventLoopPromise<Void>?) {
        switch unwrapOutboundIn(data) {
        case .head(var head):
            if let name = InternalHeader.cut, let value = head.headerFields[name] {
                bytesBeforeCut = Int(value)
                head.headerFields[name] = nil
            }
            if let number = waiting.first ?? nil { meter.respond(number, status: head.status.code) }
            head.headerFields[.date] = HTTPDate.text(oauth.clock.now())
            bytesToWrite = head.headerFields[.contentLength].flatMap { Int($0) }
            context.write(wrapOutboundOut(.head(head)), promise: promise)
        case .body(let body):
            if let bytes = bytesBeforeCut {
                cut(body, after: bytes, context: context, promise: promise)
                return
            }
            bytesToWrite = bytesToWrite.map { $0 - body.readableBytes }
            // The client knows the length and does not wait for the end marker.
            let number = bytesToWrite == 0 ? waiting.first ?? nil : nil
            context.write(data, promise: reportingEnd(number, context, promise))
        case .end:
            let number = waiting.isEmpty ? nil : waiting.removeFirst()
            let reported = reportingEnd(number, context, promise)
            guard isInputClosed, waiting.isEmpty else {
                context.write(data, promise: reported)
                return
            }
            let written = reported ?? context.eventLoop.makePromise()
            let channel = context.channel
            written.futureResult.whenComplete { _ in channel.close(promise: nil) }
            context.write(data, promise: written)
        }
    }

    /// A promise that reports the end of the request once its data is written. Reporting twice is harmless.
    private func reportingEnd(
        _ number: Int?, _ context: ChannelHandlerContext, _ promise: EventLoopPromise<Void>?
    ) -> EventLoopPromise<Void>? {
        guard let number else { return promise }
        let written = promise ?? context.eventLoop.makePromise()
        let meter = meter
        written.futureResult.whenComplete { _ in meter.leave(number, at: Self.now) }
        return written
    }

    /// A client that hangs up or dies ends its stream. Its requests are over then, even if their responses are still
    /// being prepared: the client is gone, and its successor must not be counted alongside it. The connection closes
    /// after the last response, or at once if there is none.
    func userInboundEventTriggered(context: ChannelHandlerContext, event: Any) {
        if case .inputClosed? = event as? ChannelEvent {
            for case let number? in waiting { meter.leave(number, at: Self.now, isAnswered: false) }
            isInputClosed = true
            if waiting.isEmpty || isReading { context.close(promise: nil) }
        }
        context.fireUserInboundEventTriggered(event)
    }

    func channelInactive(context: ChannelHandlerContext) {
        leaveAll()
        context.fireChannelInactive()
    }

    /// Reports every request as over; the entries stay, because their responses may still be written.
    private func leaveAll() {
        for place in waiting.indices {
            if let number = waiting[place] { meter.leave(number, at: Self.now) }
            waiting[place] = nil
        }
    }

    /// Sends part of the body and closes once it is written; the end of the response then finds the connection closed.
    private func cut(
        _ body: ByteBuffer, after bytes: Int, context: ChannelHandlerContext, promise: EventLoopPromise<Void>?
    ) {
        let sent = context.eventLoop.makePromise(of: Void.self)
        let channel = context.channel
        sent.futureResult.whenComplete { _ in channel.close(promise: nil) }
        let part = body.getSlice(at: body.readerIndex, length: min(bytes, body.readableBytes)) ?? ByteBuffer()
        context.writeAndFlush(wrapOutboundOut(.body(part)), promise: sent)
        promise?.succeed()
    }
}

/// Headers between the connection handler and the responder. They never reach the network: the handler overwrites the
/// first on every request and removes the second from every response.
enum InternalHeader {
    /// On a request: the number of its ticket.
    static let ticket = HTTPField.Name("Clover-Emulator-RequestTicket")
    /// On a response: the number of body bytes to send before the connection closes.
    static let cut = HTTPField.Name("Clover-Emulator-Cut")
}

package enum AccessToken {
    /// The token of `Authorization: Bearer TOKEN` (RFC 6750 section 2.1), or of the query parameter `access_token`,
    /// which an official sample of the Export API still uses.
    package static func read(authorization: String?, target: String) -> String? {
        if let authorization {
            let words = authorization.split(separator: " ")
            guard words.count == 2, words[0].lowercased() == "bearer" else { return nil }
            return String(words[1])
        }
        guard target.contains("access_token="), let mark = target.firstIndex(of: "?") else { return nil }
        return QueryString(target[target.index(after: mark)...]).values("access_token").last
    }
}
