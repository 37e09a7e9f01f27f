import CloverCompression
import CloverHTTP
import Synchronization

/// Undoes the compression of a body while it is read (RFC 9110, section 8.4), a piece at a time: what waits in memory is
/// as it came, so that a few bytes which unpack to gigabytes fill no memory.
final class ContentCoding: HTTPBody {
    /// The value of `Accept-Encoding`.
    static let accepted = "gzip"

    private let body: any HTTPBody
    /// Fails for a coding that was not asked for.
    private let decoder: Result<GzipDecoder, HTTPTransportError>
    private let host: String
    private let isCancelled = Atomic(false)

    private init(_ body: any HTTPBody, isGzip: Bool, host: String) {
        self.body = body
        self.host = host
        guard isGzip else {
            decoder = .failure(.cutOff(host: host, detail: "a Content-Encoding that was not asked for"))
            return
        }
        do throws(GzipDecoder.Failure) {
            decoder = .success(try GzipDecoder())
        } catch {
            decoder = .failure(.other(code: error.code, detail: "zlib cannot start"))
        }
    }

    /// The body as it was before the coding that the head names was applied.
    static func decoded(_ body: any HTTPBody, _ headers: [HTTPHeader], url: String) -> any HTTPBody {
        let values = headers.filter { $0.name.lowercased() == "content-encoding" }.map { $0.value.lowercased() }
        let codings = values.flatMap { $0.split(separator: ",") }.map { $0.filter { $0 != " " && $0 != "\t" } }
            .filter { $0 != "identity" && !$0.isEmpty }
        if codings.isEmpty { return body }
        return ContentCoding(
            body, isGzip: codings == ["gzip"] || codings == ["x-gzip"], host: CurlTransfer.host(of: url))
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
        // What is here already could be unpacked for long.
        isCancelled.store(true, ordering: .relaxed)
        body.cancel()
    }
}
