internal import CCurl
package import CloverHTTP
import CloverThreads

/// HTTP on libcurl's multi interface: one thread runs every transfer of the process, connections are reused, HTTP/2
/// and compression are used where offered, certificates are always verified.
///
/// The thread starts with the first request and ends when the transport is released.
package final class CurlTransport: HTTPTransport {
    private let engine: CurlEngine

    /// What libcurl says of itself and its libraries (curl_version(3)). Loads it, which reads files.
    package static func libraryVersion() throws(HTTPTransportError) -> String {
        // Static text, curl_version(3).
        try CurlLibrary.load().functions.pointee.curl_version().map { String(cString: $0) } ?? "libcurl"
    }

    package init(settings: CurlSettings, platform: CurlPlatform = CurlPlatform()) {
        engine = CurlEngine(settings: settings, platform: platform)
    }

    deinit {
        engine.stop()
    }

    /// Loads libcurl on a thread of its own, which takes several milliseconds, while the program gets ready to send
    /// something. What stands in the way of it is told by the first request.
    ///
    /// - Parameter onEnd: called on that thread.
    package static func prepare(then onEnd: @escaping @Sendable () -> Void = {}) {
        do throws(DedicatedThread.StartError) {
            try DedicatedThread.start(name: "clover-loader") {
                do throws(HTTPTransportError) {
                    _ = try CurlLibrary.load()
                } catch {
                    // Kept, and thrown again by the first request.
                }
                onEnd()
            }
        } catch {
            // The first request loads it.
        }
    }

    package func send(
        _ request: HTTPRequest, departure: Departure, onEnd: @escaping @Sendable () -> Void
    ) async throws(HTTPTransportError) -> HTTPResponse {
        let exchange = CurlExchange(request: request, engine: engine, departure: departure, onEnd: onEnd)
        let outcome = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                exchange.waitForHead(continuation)
                engine.start(exchange)
            }
        } onCancel: {
            exchange.cancel()
        }
        return try outcome.get()
    }
}

/// What the transport needs from the machine. Tests put failures in its place.
package struct CurlPlatform: Sendable {
    /// Called on the transport's thread, because it reads files.
    package var load: @Sendable () throws(HTTPTransportError) -> CurlLibrary = { () throws(HTTPTransportError) in
        try CurlLibrary.load()
    }
    /// Runs its argument on a thread of its own that has its signals blocked: a write to a closed connection must come
    /// back as an error, not end the program by SIGPIPE. Returns 0, or why there is no thread (pthread_create(3)).
    package var startThread: @Sendable (@escaping @Sendable () -> Void) -> Int32 = { body in
        do throws(DedicatedThread.StartError) {
            try DedicatedThread.start(name: "clover-curl", body)
            return 0
        } catch {
            return error.errno
        }
    }

    package init() {}
}

/// What the user may choose about connections.
package struct CurlSettings: Sendable {
    /// A PEM file of certificate authorities to trust instead of the system's.
    package var certificateFile: String?
    /// Sent as `User-Agent`.
    package var userAgent: String
    /// Seconds until a connection, TLS included, must stand.
    package var connectTimeout: Int = 15
    /// Seconds without a single byte after which a transfer is given up. Time in which we do not read does not count.
    package var stallTimeout: Int = 60

    package init(certificateFile: String? = nil, userAgent: String) {
        self.certificateFile = certificateFile
        self.userAgent = userAgent
    }
}
