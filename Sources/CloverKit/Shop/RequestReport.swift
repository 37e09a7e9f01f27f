import CloverAPI
import CloverHTTP
import CloverRateLimit
import FoundationEssentials
import Logging
import Synchronization

/// One request that was sent.
///
/// ```swift
/// var options = Shop.Options()
/// options.observer = { print($0.method, $0.url, $0.status ?? 0) }
/// let shop = try await Shop(options: options)
/// print(try await shop.merchant().name ?? "")
/// ```
public struct RequestReport: Sendable, Hashable {
    /// The method, such as `GET`.
    public let method: String
    /// The address, without secrets.
    public let url: String
    /// The status of the response; nil if none came.
    public let status: Int?

    func log(to logger: Logger) {
        logger.debug(
            "\(method) \(url)", metadata: ["status": status.map { .stringConvertible($0) } ?? "no response"])
    }
}

extension RecordPager.Summary {
    /// Logs how many records a filter by time left out because they lack the time, or have one that cannot be read.
    func logLeftOut(of path: ResourcePath, by filters: [FilterExpression], to logger: Logger) {
        guard recordsWithoutTime > 0 else { return }
        let fields = Set(filters.map(\.field)).sorted().joined(separator: " or ")
        logger.notice(
            "left out records of \(path.display) without a \(fields) that can be read",
            metadata: ["records": .stringConvertible(recordsWithoutTime)])
    }
}

extension ServiceEvent {
    func log(to logger: Logger) {
        switch self {
        case .retry(let reason, let url, let seconds):
            logger.info(
                "retry of \(Redaction.url(url))",
                metadata: ["reason": "\(reason)", "seconds": .stringConvertible(seconds)])
        case .paused(let limit, _, let seconds):
            logger.notice(
                "Clover limits requests", metadata: ["limit": "\(limit)", "seconds": .stringConvertible(seconds)])
        case .waited(let seconds):
            logger.info("waited for the rate limit", metadata: ["seconds": .stringConvertible(seconds)])
        case .admitted, .refused: break
        }
    }
}

extension LedgerNotice {
    func log(to logger: Logger) {
        guard case .waitingForPause(let seconds, let cause) = self else { return }
        let end = Timestamp(milliseconds: Shop.now + Int64((seconds * 1000).rounded(.up)))
        logger.info(
            "waiting for the end of a pause that Clover demanded",
            metadata: [
                "limit": "\(cause)", "seconds": .stringConvertible(seconds),
                "until": "\(end.date.formatted(.iso8601))",
            ])
    }
}

/// Reports each request, and notes its response for the errors of the call that sent it.
struct ObservedTransport: HTTPTransport {
    let transport: any HTTPTransport
    let report: @Sendable (RequestReport) -> Void

    func send(
        _ request: HTTPRequest, departure: SendGate, onEnd: @escaping @Sendable () -> Void
    ) async throws(HTTPTransportError) -> HTTPResponse {
        let (method, url) = (request.method.rawValue, Redaction.url(request.url))
        // What an earlier attempt got is not the response to this one.
        ResponseTrace.current?.forget(url)
        do throws(HTTPTransportError) {
            let response = try await transport.send(request, departure: departure, onEnd: onEnd)
            ResponseTrace.current?.note(
                ResponseTrace.Response(
                    url: url, status: response.status,
                    requestID: response.headers.first(named: "X-Clover-Request-Id")))
            report(RequestReport(method: method, url: url, status: response.status))
            return response
        } catch {
            report(RequestReport(method: method, url: url, status: nil))
            throw error
        }
    }
}

/// The latest response from each address, of the requests of one call of the library.
final class ResponseTrace: Sendable {
    struct Response: Sendable {
        let url: String
        let status: Int
        let requestID: String?
    }

    @TaskLocal static var current: ResponseTrace?

    private let responses = Mutex<[Response]>([])
    /// Addresses that are kept. Between the response to a page and an error in its body, there may be requests for the nested
    /// lists of its records.
    private static let limit = 256

    @inline(never)
    func note(_ response: Response) {
        responses.withLock { responses in
            responses.append(response)
            if responses.count > Self.limit { responses.removeFirst() }
        }
    }

    @inline(never)
    func forget(_ url: String) {
        responses.withLock { responses in responses.removeAll { $0.url == url } }
    }

    @inline(never)
    func latest(of url: String) -> Response? {
        responses.withLock { responses in responses.last { $0.url == url } }
    }
}
