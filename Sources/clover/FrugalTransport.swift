import CloverHTTP
import CloverThreads
import Synchronization

/// Sends through another transport, and lets go of the code that is not needed any more: before the first request leaves, when the first
/// answer is there, and when a run of many pages is in its stride. On a thread of its own, because nothing waits for it.
final class FrugalTransport: HTTPTransport {
    private let transport: any HTTPTransport
    private let requests = Atomic(0)
    private let answers = Atomic(0)

    /// Pages that are under way at once, and the first.
    private static let stride = 6

    init(_ transport: any HTTPTransport) {
        self.transport = transport
    }

    func send(
        _ request: HTTPRequest, onDeparture: @escaping @Sendable () -> Bool, onEnd: @escaping @Sendable () -> Void
    ) async throws(HTTPTransportError) -> HTTPResponse {
        if requests.add(1, ordering: .relaxed).newValue == 1 { Self.release() }
        let response = try await transport.send(request, onDeparture: onDeparture, onEnd: onEnd)
        let number = answers.add(1, ordering: .relaxed).newValue
        if number == 1 || number == Self.stride { Self.release() }
        return response
    }

    private static func release() {
        do throws(DedicatedThread.StartError) {
            try DedicatedThread.start(name: "clover-code") { ProgramCode.release() }
        } catch {
            // Then it stays.
        }
    }
}
