import CCurl
import CloverSystem
import Synchronization

/// HTTP on libcurl's multi interface: one thread runs every transfer of the process. Connections are reused, HTTP/2 and
/// compression are used where offered, and certificates are always verified.
///
/// The thread starts with the first request and ends when the transport is released.
package final class CurlTransport: HTTPTransport {
    private let engine: CurlEngine

    /// The versions of libcurl and its libraries (curl_version(3)). Loads libcurl, which reads files.
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

    /// Loads libcurl on a separate thread, which takes several milliseconds, while the program prepares its request. A
    /// failure is reported by the first request.
    ///
    /// - Parameter onEnd: called on that thread.
    package static func prepare(then onEnd: @escaping @Sendable () -> Void = {}) {
        // Without a thread, the first request loads it.
        _ = DedicatedThread.tryStart(name: "clover-loader") {
            do throws(HTTPTransportError) {
                _ = try CurlLibrary.load()
            } catch {
                // Stored, and thrown again by the first request.
            }
            onEnd()
        }
    }

    package func send(
        _ request: HTTPRequest, departure: SendGate, onEnd: @escaping @Sendable () -> Void
    ) async throws(HTTPTransportError) -> HTTPResponse {
        let exchange = CurlExchange(request: request, engine: engine, departure: departure, onEnd: onEnd)
        let outcome = await withTaskCancellationHandler {
            engine.start(exchange)
            return await exchange.head.result()
        } onCancel: {
            exchange.cancel()
        }
        return try outcome.get()
    }
}

/// What the transport needs from the machine. Tests inject failures here.
package struct CurlPlatform: Sendable {
    /// Called on the transport's thread, because it reads files.
    package var load: @Sendable () throws(HTTPTransportError) -> CurlLibrary = { () throws(HTTPTransportError) in
        try CurlLibrary.load()
    }
    /// Runs its argument on a separate thread with signals blocked: a write to a closed connection must return an
    /// error, not end the program by SIGPIPE. Returns 0, or why there is no thread (pthread_create(3)).
    package var startThread: @Sendable (@escaping @Sendable () -> Void) -> Int32 = {
        DedicatedThread.tryStart(name: "clover-curl", $0)
    }

    package init() {}
}

/// The user's connection settings.
package struct CurlSettings: Sendable {
    /// A PEM file of certificate authorities to trust instead of the system's.
    package var certificateFile: String?
    package var userAgent: String
    /// Timeout in seconds for a connection, including TLS.
    package var connectTimeout: Int = 15
    /// Timeout in seconds without receiving `slowestSpeed`. Time in which the body is not read does not count.
    package var stallTimeout: Int = 60
    /// Bytes of a body per second. Otherwise a service that sends white space from time to time would hold a run for ever.
    static let slowestSpeed = 500

    package init(certificateFile: String? = nil, userAgent: String) {
        self.certificateFile = certificateFile
        self.userAgent = userAgent
    }
}

/// Decompresses a body while it is read (RFC 9110, section 8.4), one piece at a time: data waits in memory in
/// compressed form, so that a few bytes that unpack to gigabytes cannot fill it.
final class ContentCoding: HTTPBody {
    /// The value of `Accept-Encoding`.
    static let accepted = "gzip"

    private let body: any HTTPBody
    /// Fails for a coding that was not requested.
    private let decoder: Result<GzipDecoder, HTTPTransportError>
    private let host: String
    private let isCancelled = Atomic(false)

    private init(_ body: any HTTPBody, isGzip: Bool, host: String) {
        self.body = body
        self.host = host
        guard isGzip else {
            decoder = .failure(.cutOff(host: host, detail: "a Content-Encoding that was not requested"))
            return
        }
        do throws(GzipDecoder.Failure) {
            decoder = .success(try GzipDecoder())
        } catch {
            decoder = .failure(.other(code: error.code, detail: "zlib cannot start"))
        }
    }

    /// The body without the coding that the head names.
    static func decoded(_ body: any HTTPBody, _ headers: [HTTPHeader], url: String) -> any HTTPBody {
        let values = headers.filter { $0.name.lowercased() == "content-encoding" }.map { $0.value.lowercased() }
        let codings = values.flatMap { $0.split(separator: ",") }.map { $0.filter { $0 != " " && $0 != "\t" } }
            .filter { $0 != "identity" && !$0.isEmpty }
        if codings.isEmpty { return body }
        return ContentCoding(
            body, isGzip: codings == ["gzip"] || codings == ["x-gzip"], host: HTTPRequest.host(of: url))
    }

    func next() async throws(HTTPTransportError) -> [UInt8]? {
        if Task.isCancelled { cancel() }
        if isCancelled.load(ordering: .relaxed) { throw .cancelled }
        let decoder = try decoder.get()
        while true {
            if let piece = try unpacked({ () throws(GzipDecoder.Failure) in try decoder.next() }) { return piece }
            guard let bytes = try await body.next() else {
                try unpacked { () throws(GzipDecoder.Failure) in try decoder.finish() }
                return nil
            }
            decoder.feed(bytes)
        }
    }

    private func unpacked<Value>(
        _ work: () throws(GzipDecoder.Failure) -> Value
    ) throws(HTTPTransportError) -> Value {
        do throws(GzipDecoder.Failure) {
            return try work()
        } catch {
            body.cancel()
            throw .cutOff(host: host, detail: "its compression is damaged")
        }
    }

    func readAhead() { body.readAhead() }

    func cancel() {
        // Decompressing the data already received could take long.
        isCancelled.store(true, ordering: .relaxed)
        body.cancel()
    }
}
