import CloverAPI
import CloverHTTP
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

/// Reports each request, and remembers the ids of refused ones.
struct ObservedTransport: HTTPTransport {
    let transport: any HTTPTransport
    let refusals: RefusedRequests
    let report: @Sendable (RequestReport) -> Void

    func send(
        _ request: HTTPRequest, departure: SendGate, onEnd: @escaping @Sendable () -> Void
    ) async throws(HTTPTransportError) -> HTTPResponse {
        let (method, url) = (request.method.rawValue, Redaction.url(request.url))
        do throws(HTTPTransportError) {
            let response = try await transport.send(request, departure: departure, onEnd: onEnd)
            if response.status >= 300, let id = response.headers.first(named: "X-Clover-Request-Id") {
                refusals.note(id, of: url)
            }
            report(RequestReport(method: method, url: url, status: response.status))
            return response
        } catch {
            report(RequestReport(method: method, url: url, status: nil))
            throw error
        }
    }
}

/// The ids that Clover gave to the latest requests that it refused, by address.
final class RefusedRequests: Sendable {
    private let latest = Mutex<[(url: String, id: String)]>([])
    private static let limit = 32

    @inline(never)
    func note(_ id: String, of url: String) {
        latest.withLock { latest in
            latest.removeAll { $0.url == url }
            latest.append((url, id))
            if latest.count > Self.limit { latest.removeFirst() }
        }
    }

    /// The id of the latest refusal of the address that the message names: the longest, because one address may begin with
    /// another.
    @inline(never)
    func identifier(mentionedIn message: String) -> String? {
        latest.withLock { latest in
            latest.filter { message.contains($0.url) }.max { $0.url.utf8.count < $1.url.utf8.count }?.id
        }
    }
}
