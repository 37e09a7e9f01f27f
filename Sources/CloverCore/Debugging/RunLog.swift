import CloverHTTP
import Synchronization

/// What the log has about a run: numbers and request ids, and nothing that a request or response holds otherwise.
package final class RunLog: Sendable {
    package struct Facts: Sendable, Equatable {
        /// Requests that were handed to the transport; one that is sent again counts again.
        package var requests = 0
        /// Responses by their class, such as 2 for 200 to 299.
        package var responses: [Int: Int] = [:]
        /// Requests without a response.
        package var failures = 0
        /// The service's ids of the newest responses, for its support.
        package var requestIDs: [String] = []
        /// Records that were read, by commands that read records of the service.
        package var records: Int?
        /// The error's code, such as `not_found`; nil without one.
        package var error: String?
    }

    /// Maximum number of request ids, and of their characters: a log line stays small enough to be written at once.
    private static let idLimit = 20
    private static let idLength = 64

    private let state = Mutex(Facts())
    /// The newest responses with an id, for the error that one of them causes.
    private let answers = Mutex<[Answer]>([])

    private struct Answer {
        let status: Int
        let isWrite: Bool
        /// Without the query.
        let url: String
        let id: String
    }

    package init() {}

    package var facts: Facts { state.withLock(\.self) }

    /// The service's id of the newest response with this status: to a write, if there was one, because what was read after it
    /// may have failed as well. Nil if the service sent none.
    ///
    /// - Parameter path: of the request; nil for any.
    package func requestID(ofStatus status: Int, path: String?) -> String? {
        answers.withLock { answers in
            let matching = answers.filter { $0.status == status && path.map($0.url.hasSuffix) ?? true }
            return (matching.last(where: \.isWrite) ?? matching.last)?.id
        }
    }

    package func note(error code: String) { state.withLock { $0.error = code } }

    package func note(records: Int) { state.withLock { $0.records = ($0.records ?? 0) + records } }

    func noteRequest() { state.withLock { $0.requests += 1 } }

    func noteFailure() { state.withLock { $0.failures += 1 } }

    func note(_ response: HTTPResponse, to request: HTTPRequest) {
        let id = Self.requestID(in: response.headers)
        state.withLock { facts in
            facts.responses[response.status / 100, default: 0] += 1
            guard let id else { return }
            facts.requestIDs.append(id)
            if facts.requestIDs.count > Self.idLimit { facts.requestIDs.removeFirst() }
        }
        guard let id else { return }
        answers.withLock { answers in
            answers.append(
                Answer(
                    status: response.status, isWrite: request.method != .get,
                    url: String(request.url.prefix { $0 != "?" }), id: id))
            if answers.count > Self.idLimit { answers.removeFirst() }
        }
    }

    /// The id in `X-Clover-Request-Id`, which Clover's support asks for; nil without one, and for text that is no
    /// id: a service that put more into the header would put it into logs and messages.
    static func requestID(in headers: [HTTPHeader]) -> String? {
        let value = headers.first { $0.name.lowercased().hasSuffix("request-id") }?.value
        // A part of a secret would not be recognized as one.
        guard let value, (1...idLength).contains(value.utf8.count),
            value.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || "-_.:".contains($0)) })
        else { return nil }
        return value
    }
}

/// A transport that counts for the log, and sends through another transport.
struct CountingTransport: HTTPTransport {
    let transport: any HTTPTransport
    let log: RunLog

    func send(
        _ request: HTTPRequest, departure: SendGate, onEnd: @escaping @Sendable () -> Void
    ) async throws(HTTPTransportError) -> HTTPResponse {
        log.noteRequest()
        do throws(HTTPTransportError) {
            let response = try await transport.send(request, departure: departure, onEnd: onEnd)
            log.note(response, to: request)
            return response
        } catch {
            log.noteFailure()
            throw error
        }
    }
}
