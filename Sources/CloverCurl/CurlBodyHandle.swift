import CloverHTTP

/// What the reading task holds: when it lets go, the transfer ends. The engine itself keeps the exchange alive, so the
/// exchange's own deinit could not tell.
final class CurlBodyHandle: HTTPBody {
    private let exchange: CurlExchange

    init(exchange: CurlExchange) {
        self.exchange = exchange
    }

    deinit {
        exchange.cancel()
    }

    func next() async throws(HTTPTransportError) -> [UInt8]? {
        try await exchange.next()
    }

    func readAhead() {
        exchange.readAhead()
    }

    func cancel() {
        exchange.cancel()
    }
}
