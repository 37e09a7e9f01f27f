import Glibc
import HTTPTypes
import NIOCore
import NIOHTTPTypes

/// Watches one connection: reports each request for records or money to the meter when its head arrives and when the last byte of its
/// answer is written, cuts answers that are to be cut, and puts the emulator's time on all of them.
///
/// All its methods run on the connection's event loop. There is one loop for all connections: with two, an answer could
/// reach its client, and the client's next request be counted, before the first request was seen to be over.
final class TrafficHandler: ChannelDuplexHandler, RemovableChannelHandler {
    typealias InboundIn = HTTPRequestPart
    typealias InboundOut = HTTPRequestPart
    typealias OutboundIn = HTTPResponsePart
    typealias OutboundOut = HTTPResponsePart

    /// Calls that are answered when somebody has shown a card to a device.
    private static let waitingPaths: Set = ["/connect/v1/payments", "/connect/v1/credits"]

    /// Two readings of the clock that are fewer nanoseconds apart are of one moment; so often they are tried.
    private static let sameMoment = 1_000_000
    private static let mostReadings = 10

    private let meter: TrafficMeter
    private let office: OAuthOffice
    /// Tickets of the requests on this connection in order; nil for requests that are not counted.
    private var waiting: [Int?] = []
    /// A request has begun to arrive, and its end is not there.
    private var isReading = false
    /// The client sends nothing more.
    private var isInputClosed = false
    private var bytesBeforeCut: Int?
    /// Bytes of the current answer's body that are not written yet; nil when its length is not announced.
    private var bytesToWrite: Int?

    init(meter: TrafficMeter, office: OAuthOffice) {
        self.meter = meter
        self.office = office
    }

    func handlerAdded(context: ChannelHandlerContext) {
        meter.connected()
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
        if path.hasPrefix("/v3/") || path.hasPrefix("/v1/") || path.hasPrefix("/connect/") {
            var token = AccessToken.read(authorization: head.headerFields[.authorization], target: path)
            // To the limits a token that has ended is like any wrong one.
            if let text = token, office.isExpired(accessToken: text) { token = nil }
            number = meter.arrive(
                token: token, request: "\(head.method.rawValue) \(path.prefix { $0 != "?" })",
                isWaiting: head.method == .post && Self.waitingPaths.contains(path),
                at: arrival(on: context.channel))
        }
        waiting.append(number)
        if let name = InternalHeader.ticket { head.headerFields[name] = number.map(String.init) }
        context.fireChannelRead(wrapInboundOut(.head(head)))
    }

    /// Nanoseconds of a clock that never goes back.
    private static var now: Int { Int(NIODeadline.now().uptimeNanoseconds) }

    /// When the request's bytes came to the socket, in nanoseconds; not when this thread got the processor to read them,
    /// which on a busy machine is later by an amount that changes from request to request. The kernel knows it to a few
    /// milliseconds (tcp(7), TCP_INFO, tcpi_last_data_recv).
    private func arrival(on channel: any Channel) -> Int {
        var before = Self.now
        guard let socket = channel as? any SocketOptionProvider else { return before }
        var milliseconds = 0
        // The kernel tells how long ago it was: the clock must be read at the same moment, and this thread may lose the
        // processor between the two.
        for _ in 0..<Self.mostReadings {
            // On the connection's own loop the answer is there at once.
            socket.getTCPInfo().assumeIsolated().whenSuccess { milliseconds = Int($0.tcpi_last_data_recv) }
            let after = Self.now
            if after - before < Self.sameMoment { break }
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
            head.headerFields[.date] = HTTPDate.text(office.clock.now())
            bytesToWrite = head.headerFields[.contentLength].flatMap { Int($0) }
            context.write(wrapOutboundOut(.head(head)), promise: promise)
        case .body(let body):
            if let bytes = bytesBeforeCut {
                cut(body, after: bytes, context: context, promise: promise)
                return
            }
            bytesToWrite = bytesToWrite.map { $0 - body.readableBytes }
            // The client knows the length and does not wait for the end to be marked.
            let number = bytesToWrite == 0 ? waiting.first ?? nil : nil
            context.write(data, promise: leaving(number, context, promise))
        case .end:
            let number = waiting.isEmpty ? nil : waiting.removeFirst()
            let left = leaving(number, context, promise)
            guard isInputClosed, waiting.isEmpty else {
                context.write(data, promise: left)
                return
            }
            let written = left ?? context.eventLoop.makePromise()
            let channel = context.channel
            written.futureResult.whenComplete { _ in channel.close(promise: nil) }
            context.write(data, promise: written)
        }
    }

    /// A promise that reports the request as over when what it stands for is written. Reporting twice does no harm.
    private func leaving(
        _ number: Int?, _ context: ChannelHandlerContext, _ promise: EventLoopPromise<Void>?
    ) -> EventLoopPromise<Void>? {
        guard let number else { return promise }
        let written = promise ?? context.eventLoop.makePromise()
        let meter = meter
        written.futureResult.whenComplete { _ in meter.leave(number, at: Self.now) }
        return written
    }

    /// A client that hangs up, or dies, sends the end of its stream. What it asked for is over then, although the answer
    /// is still being made: nobody waits for it, and the client's successor must not be counted beside it. The connection
    /// ends with the last answer, or at once where there is none to give.
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

    /// Reports every request as over; the places stay, because their answers may still be written.
    private func leaveAll() {
        for place in waiting.indices {
            if let number = waiting[place] { meter.leave(number, at: Self.now) }
            waiting[place] = nil
        }
    }

    /// Sends a part of the body and closes when it is out; the end of the answer then finds the connection closed.
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
/// first on every request and strips the second from every answer.
enum InternalHeader {
    /// On a request: the number of its ticket.
    static let ticket = HTTPField.Name("Clover-Emulator-Ticket")
    /// On an answer: how many bytes of the body to send before the connection closes.
    static let cut = HTTPField.Name("Clover-Emulator-Cut")
}

/// Finds the access token of a request.
package enum AccessToken {
    /// The token of `Authorization: Bearer TOKEN` (RFC 6750 section 2.1), or of the query parameter `access_token`, which
    /// an official sample of the export interface still sends.
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
