import CloverAPI
import CloverHTTP

/// What is shown of one transfer. No secret is.
final class TransferTranscript: TransferObserver {
    private let number: Int
    private let diagnostics: Diagnostics
    private let redaction: BodyRedaction
    private let values: SensitiveValues

    init(_ request: HTTPRequest, number: Int, _ diagnostics: Diagnostics) {
        self.number = number
        self.diagnostics = diagnostics
        // There `code` is a secret; elsewhere it is the code of an item or an error.
        let isAboutTokens = request.url.prefix { $0 != "?" }.contains("/oauth/")
        // An answer may repeat what was sent, whatever it calls it.
        let mayRepeat = !diagnostics.debugParts.isDisjoint(with: [.body, .headers])
        values = mayRepeat ? SensitiveValues(of: request) : SensitiveValues()
        redaction = BodyRedaction(codesAreSecret: isAboutTokens, hiding: values)
    }

    var wantsSentHead: Bool { diagnostics.debugParts.contains(.headers) }

    /// The request is about to be sent.
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

    func didReceive(status: Int, _ headers: [HTTPHeader]) { show(headers, direction: .received) }

    /// The body of the answer has come to its end, or as far as it was read.
    func showBody(_ beginning: [UInt8], of size: Int) { show(beginning, of: size, direction: .received) }

    func didEnd(_ facts: TransferFacts) {
        let status = facts.status
        let version = facts.httpVersion ?? "no answer"
        let connection = facts.isConnectionReused ? "connection reused" : "new connection"
        let ending = facts.failure.map { ", \(Self.words(for: $0))" } ?? ""
        diagnostics.debug(
            line(
                .response,
                "\(status.map(String.init) ?? "none"), \(version), \(facts.bytesReceived) bytes, \(connection)\(ending)"
            )
            .with("status", status).with("protocol", facts.httpVersion).with("bytes", facts.bytesReceived)
            .with("reused", facts.isConnectionReused).with("failure", facts.failure.map(Self.words)))
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

    /// Seconds to the tenth of a millisecond.
    private static func text(_ seconds: Double) -> String { "\((seconds * 1e4).rounded() / 1e4) s" }

    /// What has happened to a connection, in libcurl's words where it has some.
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
