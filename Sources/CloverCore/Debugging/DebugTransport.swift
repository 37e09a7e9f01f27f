import CloverAPI
import CloverHTTP
import Synchronization

/// A transport that shows requests and responses on standard error and sends through another transport.
struct DebugTransport: HTTPTransport {
    private let transport: any HTTPTransport
    private let diagnostics: Diagnostics
    private let counter: Counter

    /// Numbers the requests of a run across transports.
    final class Counter: Sendable {
        private let last = Atomic(0)

        /// The next number, from 1.
        func next() -> Int { last.add(1, ordering: .relaxed).newValue }
    }

    init(_ transport: any HTTPTransport, _ diagnostics: Diagnostics, counter: Counter) {
        self.transport = transport
        self.diagnostics = diagnostics
        self.counter = counter
    }

    func send(
        _ request: HTTPRequest, departure: SendGate, onEnd: @escaping @Sendable () -> Void
    ) async throws(HTTPTransportError) -> HTTPResponse {
        let transcript = TransferTranscript(request, number: counter.next(), diagnostics)
        transcript.show(request)
        var request = request
        request.observer = transcript
        var response = try await transport.send(request, departure: departure, onEnd: onEnd)
        if diagnostics.debugParts.contains(.body) {
            response.body = RecordedBody(response.body) { transcript.showBody($0, of: $1) }
        }
        return response
    }
}

/// Shows one transfer on standard error, without secrets.
final class TransferTranscript: TransferObserver {
    private let number: Int
    private let diagnostics: Diagnostics
    private let redaction: BodyRedaction
    private let values: SensitiveValues
    /// Clover's own id of the request, once its headers have arrived.
    private let requestID = Mutex<String?>(nil)

    init(_ request: HTTPRequest, number: Int, _ diagnostics: Diagnostics) {
        self.number = number
        self.diagnostics = diagnostics
        // In OAuth requests `code` is a secret; elsewhere it is the code of an item or an error.
        let isAboutTokens = request.url.prefix { $0 != "?" }.contains("/oauth/")
        // A response may repeat what was sent, under any name.
        let mayRepeat = !diagnostics.debugParts.isDisjoint(with: [.body, .headers])
        values = mayRepeat ? SensitiveValues(of: request) : SensitiveValues()
        redaction = BodyRedaction(codesAreSecret: isAboutTokens, hiding: values)
    }

    var wantsSentHead: Bool { diagnostics.debugParts.contains(.headers) }

    func show(_ request: HTTPRequest) {
        let url = Redaction.url(request.url)
        diagnostics.debug(
            line(.request, "\(request.method.rawValue) \(url)").with("method", request.method.rawValue)
                .with("url", url))
        if let body = request.body, diagnostics.debugParts.contains(.body) {
            show(body.bytes, of: body.bytes.count, direction: .sent)
        }
    }

    func didSend(_ headers: [HTTPHeader]) { show(headers, direction: .sent) }

    func didReceive(status: Int, _ headers: [HTTPHeader]) {
        requestID.withLock { $0 = RunLog.requestID(in: headers) }
        show(headers, direction: .received)
    }

    /// Shows the response's body, as far as it was read.
    func showBody(_ beginning: [UInt8], of size: Int) { show(beginning, of: size, direction: .received) }

    func didEnd(_ facts: TransferFacts) {
        let status = facts.status
        let requestID = requestID.withLock(\.self)
        let version = facts.httpVersion ?? "no answer"
        let connection = facts.isConnectionReused ? "connection reused" : "new connection"
        let ending = facts.failure.map { ", \(Self.words(for: $0))" } ?? ""
        diagnostics.debug(
            line(
                .response,
                "\(status.map(String.init) ?? "none"), \(version), \(facts.bytesReceived) bytes, \(connection)\(ending)"
                    + (requestID.map { ", request id \($0)" } ?? "")
            )
            .with("status", status).with("protocol", facts.httpVersion).with("bytes", facts.bytesReceived)
            .with("reused", facts.isConnectionReused).with("failure", facts.failure.map(Self.words))
            .with("requestId", requestID))
        let timing = facts.timing
        diagnostics.debug(
            line(
                .timing,
                "name lookup \(Self.text(timing.nameLookup)), connect \(Self.text(timing.connect)), "
                    + "TLS \(Self.text(timing.tls)), first byte \(Self.text(timing.firstByte)), "
                    + "total \(Self.text(timing.total))"
            )
            .with("nameLookup", seconds: timing.nameLookup).with("connect", seconds: timing.connect)
            .with("tls", seconds: timing.tls).with("firstByte", seconds: timing.firstByte)
            .with("total", seconds: timing.total))
        let place = facts.remoteAddress.map { " to \($0)" } ?? ""
        diagnostics.debug(
            line(.cache, connection + place).with("reused", facts.isConnectionReused)
                .with("address", facts.remoteAddress))
    }

    private enum Direction: String {
        case sent, received

        var mark: String { self == .sent ? ">" : "<" }
    }

    private func show(_ headers: [HTTPHeader], direction: Direction) {
        guard diagnostics.debugParts.contains(.headers) else { return }
        for header in headers {
            let value = values.hidden(in: Redaction.header(header))
            diagnostics.debug(
                line(.headers, "\(direction.mark) \(header.name): \(value)").with("direction", direction.rawValue)
                    .with("name", header.name).with("value", value))
        }
    }

    private func show(_ beginning: [UInt8], of size: Int, direction: Direction) {
        let text = redaction.text(of: beginning)
        let more = size - beginning.count
        diagnostics.debug(
            line(.body, "\(direction.mark) \(text)" + (more > 0 ? " ... \(more) more bytes" : ""))
                .with("direction", direction.rawValue).with("text", text).with("bytes", size)
                .with("bytesLeftOut", more))
    }

    private func line(_ part: DebugParts, _ text: String) -> DebugLine {
        DebugLine(part, request: number, text)
    }

    /// Seconds, rounded to a tenth of a millisecond.
    private static func text(_ seconds: Double) -> String { "\((seconds * 1e4).rounded() / 1e4) s" }

    /// Text of a transport error, in libcurl's words where there are any.
    static func words(for failure: HTTPTransportError) -> String {
        switch failure {
        case .unknownHost(_, let detail), .notConnected(_, let detail), .proxy(let detail), .tls(_, let detail),
            .certificateFile(_, let detail), .timedOut(_, let detail), .connectionLost(_, let detail),
            .cutOff(_, let detail), .notHTTP(_, let detail), .libraryMissing(let detail), .other(_, let detail):
            detail
        case .headTooLarge: "the head of the response is larger than libcurl accepts"
        case .cancelled: "not read to its end"
        case .heldBack: "not sent: a pause began before it left"
        }
    }
}

/// A body whose beginning is copied while it is read; the rest is only counted.
final class RecordedBody: HTTPBody {
    /// Maximum number of bytes that are copied.
    private static let limit = 64 << 10

    private let body: any HTTPBody
    private let onEnd: @Sendable (_ beginning: [UInt8], _ size: Int) -> Void
    private let state = Mutex(State())

    private struct State {
        var beginning: [UInt8] = []
        var size = 0
        var isOver = false
    }

    /// - Parameter onEnd: called once, when the body ends or is no longer read.
    init(_ body: any HTTPBody, onEnd: @escaping @Sendable (_ beginning: [UInt8], _ size: Int) -> Void) {
        self.body = body
        self.onEnd = onEnd
    }

    deinit { finish() }

    func next() async throws(HTTPTransportError) -> [UInt8]? {
        do throws(HTTPTransportError) {
            guard let chunk = try await body.next() else {
                finish()
                return nil
            }
            state.withLock { state in
                state.beginning += chunk.prefix(Self.limit - state.beginning.count)
                state.size += chunk.count
            }
            return chunk
        } catch {
            finish()
            throw error
        }
    }

    func readAhead() { body.readAhead() }

    func cancel() {
        body.cancel()
        finish()
    }

    private func finish() {
        let ended: State? = state.withLock { state in
            guard !state.isOver else { return nil }
            defer {
                state.isOver = true
                state.beginning = []
            }
            return state
        }
        if let ended { onEnd(ended.beginning, ended.size) }
    }
}
