import CloverAuth
import CloverHTTP
import Synchronization
import Testing

@Suite("token renewal that is given up while the transport is about to send it")
struct LateDepartureTests {
    /// Fails at once, and comes back to the request later, as the thread of a transport does that was about to send it.
    private final class LateTransport: HTTPTransport {
        private let departure = Mutex<SendGate?>(nil)
        let leavesFirst: Bool

        init(leavesFirst: Bool) { self.leavesFirst = leavesFirst }

        func send(
            _ request: HTTPRequest, departure: SendGate, onEnd: @escaping @Sendable () -> Void
        ) async throws(HTTPTransportError) -> HTTPResponse {
            if leavesFirst { #expect(departure.leave() == .go) }
            self.departure.withLock { $0 = departure }
            onEnd()
            throw .cancelled
        }

        /// Whether the request would be sent now.
        func sends() -> Bool { departure.withLock(\.self)?.leave() == .go }
    }

    @Test("it is not sent any more once it was reported as not sent, and the journal of the token goes")
    func notSent() async throws {
        let bench = try RefreshBench()
        try await bench.signInExpired()
        let transport = LateTransport(leavesFirst: false)
        await #expect(throws: RefreshError.self) { _ = try await bench.refresher(transport).current(bench.key) }
        #expect(try await bench.journal() == nil)
        #expect(!transport.sends())
    }

    @Test("its outcome is unknown, and the journal stays, where it had left")
    func sent() async throws {
        let bench = try RefreshBench()
        try await bench.signInExpired()
        let transport = LateTransport(leavesFirst: true)
        await #expect(throws: RefreshError.self) { _ = try await bench.refresher(transport).current(bench.key) }
        #expect(try await bench.journal()?.state == .sent)
    }
}
