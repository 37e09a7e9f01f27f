package import CloverHTTP
import Synchronization

/// A response body that is there from the beginning.
package final class CannedBody: HTTPBody {
    private let pieces: Mutex<[[UInt8]]>
    private let failure: HTTPTransportError?

    /// - Parameter failure: ends the body in place of its end.
    package init(_ text: String, failure: HTTPTransportError? = nil) {
        pieces = Mutex(text.isEmpty ? [] : [Array(text.utf8)])
        self.failure = failure
    }

    package func next() async throws(HTTPTransportError) -> [UInt8]? {
        let piece = pieces.withLock { $0.isEmpty ? nil : $0.removeFirst() }
        if let piece { return piece }
        if let failure { throw failure }
        return nil
    }

    package func cancel() {
        pieces.withLock { $0 = [] }
    }
}
