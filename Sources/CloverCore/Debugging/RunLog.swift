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

    package init() {}

    package var facts: Facts { state.withLock(\.self) }

    package func note(error code: String) { state.withLock { $0.error = code } }

    package func note(records: Int) { state.withLock { $0.records = ($0.records ?? 0) + records } }

    func noteRequest() { state.withLock { $0.requests += 1 } }

    func noteFailure() { state.withLock { $0.failures += 1 } }

    func note(_ response: HTTPResponse) {
        let id = response.headers.first { $0.name.lowercased().hasSuffix("request-id") }?.value
        state.withLock { facts in
            facts.responses[response.status / 100, default: 0] += 1
            guard let id else { return }
            // A service that put more than an id into the header would put it into the log.
            facts.requestIDs.append(
                String(
                    id.prefix(Self.idLength).filter {
                        $0.isASCII && ($0.isLetter || $0.isNumber || "-_.:".contains($0))
                    }))
            if facts.requestIDs.count > Self.idLimit { facts.requestIDs.removeFirst() }
        }
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
            log.note(response)
            return response
        } catch {
            log.noteFailure()
            throw error
        }
    }
}
