import CloverAPI
import CloverHTTP
import Synchronization

/// Sends through another transport, and shows on standard error what goes out and comes back.
struct DebugTransport: HTTPTransport {
    private let transport: any HTTPTransport
    private let diagnostics: Diagnostics
    private let counter: Counter

    /// Numbers the requests of a run, whichever transport sends them.
    final class Counter: Sendable {
        private let last = Atomic(0)

        /// From 1.
        func next() -> Int { last.add(1, ordering: .relaxed).newValue }
    }

    init(_ transport: any HTTPTransport, _ diagnostics: Diagnostics, counter: Counter) {
        self.transport = transport
        self.diagnostics = diagnostics
        self.counter = counter
    }

    func send(
        _ request: HTTPRequest, departure: Departure, onEnd: @escaping @Sendable () -> Void
    ) async throws(HTTPTransportError) -> HTTPResponse {
        let transcript = TransferTranscript(request, number: counter.next(), diagnostics)
        transcript.show(request)
        var request = request
        request.observer = transcript
        var response = try await transport.send(request, departure: departure, onEnd: onEnd)
        if diagnostics.debugParts.contains(.body) {
            response.body = CopiedBody(response.body) { transcript.showBody($0, of: $1) }
        }
        return response
    }
}
