import CloverHTTP
import CloverThreads
import Synchronization

/// A transport that releases memory of code that is no longer needed: before the first request is sent, after the first
/// response, and once a run of many pages is in its steady state. It does so on a thread of its own, so that no request
/// waits for it. Requests for single records skip this: they need too little memory to justify the cost.
final class FrugalTransport: HTTPTransport {
    private let transport: any HTTPTransport
    private let requests = Atomic(0)
    private let answers = Atomic(0)

    /// The number of responses after which the run is in its steady state: the first page, and all concurrent pages.
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

    /// Whether the URL requests a page of a list.
    private static func isPage(_ url: String) -> Bool {
        url.utf8.split(separator: UInt8(ascii: "?"), maxSplits: 1).dropFirst().contains { query in
            query.split(separator: UInt8(ascii: "&")).contains { $0.starts(with: "limit=".utf8) }
        }
    }

    private static func release() {
        do throws(DedicatedThread.StartError) {
            try DedicatedThread.start(name: "clover-code") { ProgramCode.release() }
        } catch {
            // No thread available: the memory stays in use.
        }
    }
}
