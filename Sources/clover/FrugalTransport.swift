import CloverHTTP
import CloverThreads
import Synchronization

/// Sends through another transport, and lets go of the code that is not needed any more: before the first request leaves, when the first
/// answer is there, and when a run of many pages is in its stride. On a thread of its own, because nothing waits for it.
/// A single record needs so little memory that it is not held up for that.
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
        _ request: HTTPRequest, departure: Departure, onEnd: @escaping @Sendable () -> Void
    ) async throws(HTTPTransportError) -> HTTPResponse {
        guard Self.isPage(request.url) else {
            return try await transport.send(request, departure: departure, onEnd: onEnd)
        }
        if requests.add(1, ordering: .relaxed).newValue == 1 { Self.release() }
        let response = try await transport.send(request, departure: departure, onEnd: onEnd)
        let number = answers.add(1, ordering: .relaxed).newValue
        if number == 1 || number == Self.stride { Self.release() }
        return response
    }

    /// Whether an address asks for a page of a list.
    private static func isPage(_ url: String) -> Bool {
        url.utf8.split(separator: UInt8(ascii: "?"), maxSplits: 1).dropFirst().contains { query in
            query.split(separator: UInt8(ascii: "&")).contains { $0.starts(with: "limit=".utf8) }
        }
    }

    private static func release() {
        do throws(DedicatedThread.StartError) {
            try DedicatedThread.start(name: "clover-code") { ProgramCode.release() }
        } catch {
            // Then it stays.
        }
    }
}
