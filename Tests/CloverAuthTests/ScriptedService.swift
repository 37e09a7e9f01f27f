import CloverAuth
import CloverHTTP
import ProbeSupport
import Synchronization

/// A transport that responds from a script and records what was sent.
final class ScriptedService: HTTPTransport {
    enum Reply: Sendable {
        case answer(Int, String, headers: [HTTPHeader] = [])
        /// No connection stands.
        case unsent(HTTPTransportError)
        /// The request is sent, and no head arrives.
        case lost(HTTPTransportError)
        /// The body ends with this.
        case broken(Int, String, HTTPTransportError)
    }

    private let script: @Sendable (_ number: Int) -> Reply
    private let log = Mutex<[HTTPRequest]>([])

    /// - Parameter script: gives the reply to each request; they are numbered from 1 on.
    init(_ script: @escaping @Sendable (_ number: Int) -> Reply) {
        self.script = script
    }

    convenience init(_ reply: Reply) {
        self.init { _ in reply }
    }

    var requests: [HTTPRequest] { log.withLock(\.self) }
    /// The bodies that were sent.
    var bodies: [String] {
        requests.map { String(decoding: $0.body?.bytes ?? [], as: UTF8.self) }
    }

    func send(
        _ request: HTTPRequest, departure: SendGate, onEnd: @escaping @Sendable () -> Void
    ) async throws(HTTPTransportError) -> HTTPResponse {
        let number = log.withLock { log in
            log.append(request)
            return log.count
        }
        defer { onEnd() }
        switch script(number) {
        case .unsent(let error): throw error
        case .lost(let error):
            _ = departure.leave()
            throw error
        case .answer(let status, let text, let headers):
            _ = departure.leave()
            return HTTPResponse(status: status, headers: headers, body: CannedBody(text))
        case .broken(let status, let text, let error):
            _ = departure.leave()
            return HTTPResponse(status: status, headers: [], body: CannedBody(text, failure: error))
        }
    }
}
