import CloverAPI
import CloverAuth
import CloverCore
import CloverHTTP
import CloverSystem
import Synchronization

/// One request to the service without a token, shared by all network checks.
final class ServiceProbe: Sendable {
    /// The result of the request.
    struct Probe: Sendable {
        let service: ServiceEnvironment
        /// The proxy from the variables, without user name and password; nil if there is none.
        let proxy: String?
        let result: Result<Response, HTTPTransportError>
        let facts: TransferFacts?

        /// Host and port of the service, for messages.
        var host: String { service.apiBaseURL.split(separator: "/").dropFirst().first.map(String.init) ?? "" }
        /// The service's host as `no_proxy` lists it (libcurl-env(3)): without a port.
        var bareHost: String { ProxyVariables.host(of: service.apiBaseURL) }
        var isEncrypted: Bool { service.apiBaseURL.hasPrefix("https://") }

        /// The error that a command would fail with.
        var error: ServiceError {
            let url = service.apiBaseURL + ServiceProbe.path
            return switch result {
            case .failure(let error): .unreachable(error, url: url, retries: 0)
            case .success(let response) where RetryPolicy.isServiceFailure(response.status):
                .failed(status: response.status, url: url, retries: 0, message: nil)
            case .success(let response): .refused(status: response.status, url: url, message: nil)
            }
        }
    }

    struct Response: Sendable {
        let status: Int
        let isWebPage: Bool
        /// How far this machine's clock is ahead of the service's, in seconds; nil if the response has no date.
        let clockLead: Double?
    }

    /// For the whole request, in seconds.
    private static let timeout = 5.0
    /// A path that needs a token, so that the response is only a refusal.
    private static let path = "/v3/merchants/current"

    private let seen = Mutex<Probe?>(nil)

    /// Sends the request on the first call, and returns the same result afterwards. Throws if the service is unknown.
    func probe(_ context: DoctorContext) async throws -> Probe {
        if let probe = seen.withLock({ $0 }) { return probe }
        let probe = try await send(context)
        seen.withLock { $0 = probe }
        return probe
    }

    /// The requested address; nil before the request.
    var address: String? { seen.withLock { $0.map { $0.service.apiBaseURL + Self.path } } }

    private func send(_ context: DoctorContext) async throws -> Probe {
        let environment = context.environment
        let choice = try await context.choice.completed(in: environment)
        let service = try await Self.service(choice, hasState: context.hasState(), in: environment)
        let proxy = ProxyVariables(environment.variables).proxy(for: service.apiBaseURL)
        let transport = environment.makeTransport(
            TransportChoice(certificateFile: choice.certificateFile, stallTimeout: Int(Self.timeout)))
        let observer = FactsObserver()
        let clock = environment.clock
        var request = HTTPRequest(url: service.apiBaseURL + Self.path)
        request.observer = observer
        let sent = request
        let limit = HTTPTransportError.timedOut(
            host: service.apiBaseURL, detail: "no response within \(Int(Self.timeout)) s")
        let result: Result<Response, HTTPTransportError>
        do {
            let received = try await TimeLimit.run(
                seconds: Self.timeout, sleep: environment.sleep, timeRanOut: { limit }
            ) {
                let before = clock.wall()
                let response = try await transport.send(sent, departure: SendGate(), onEnd: {})
                let middle = Double(before + clock.wall()) / 2000
                // Read the whole body, so that the transport measures the full transfer.
                let body = try await response.body.prefix(1 << 16)
                let date = response.headers.first { $0.name.lowercased() == "date" }.flatMap {
                    HTTPDate.seconds($0.value)
                }
                // The header truncates to whole seconds; half a second is the mean error.
                return Response(
                    status: response.status, isWebPage: response.isWebPage(body),
                    clockLead: date.map { middle - Double($0) - 0.5 })
            }
            result = .success(received)
        } catch let error as HTTPTransportError {
            if error == .cancelled { try Task.checkCancellation() }
            result = .failure(error == .cancelled ? limit : error)
        }
        return Probe(service: service, proxy: proxy, result: result, facts: observer.facts)
    }

    /// The service that commands would use: the sign-in's, or the default for a new sign-in.
    private static func service(
        _ choice: ConnectionChoice, hasState: Bool, in environment: CommandEnvironment
    ) async throws -> ServiceEnvironment {
        if let named = try choice.service() { return named }
        guard hasState, let key = try await choice.key(in: environment) else { return .us }
        return try ServiceEnvironment(parsing: key.environment)
    }
}

/// Stores the transport's measurements.
private final class FactsObserver: TransferObserver {
    private let kept = Mutex<TransferFacts?>(nil)

    var wantsSentHead: Bool { false }
    var facts: TransferFacts? { kept.withLock { $0 } }

    func didSend(_ headers: [HTTPHeader]) {}
    func didReceive(status: Int, _ headers: [HTTPHeader]) {}
    func didEnd(_ facts: TransferFacts) { kept.withLock { $0 = facts } }
}

/// Finds the proxy that libcurl takes from the environment (libcurl-env(3)).
struct ProxyVariables: Sendable {
    private let variables: [String: String]

    init(_ variables: [String: String]) {
        self.variables = variables
    }

    /// The proxy for a URL, without user name and password; nil for a direct connection, which plain http always uses.
    func proxy(for url: String) -> String? {
        guard url.hasPrefix("https://") else { return nil }
        guard let text = ChildVariables.proxies.lazy.compactMap({ variables.nonEmpty($0) }).first,
            !isExempt(Self.host(of: url))
        else { return nil }
        let bare = text.lastIndex(of: "@").map { text[text.index(after: $0)...] } ?? text[...]
        let scheme =
            bare.startIndex == text.startIndex ? "" : text.firstRange(of: "://").map { text[..<$0.upperBound] } ?? ""
        return String(scheme + bare)
    }

    /// Whether `no_proxy` lists the host. A name matches itself and its subdomains; `*` matches everything.
    private func isExempt(_ host: String) -> Bool {
        let list = variables.nonEmpty("no_proxy") ?? variables.nonEmpty("NO_PROXY") ?? ""
        return list.split { $0 == "," || $0 == " " }.contains { entry in
            let name = entry.drop { $0 == "." }.lowercased()
            return entry == "*" || host == name || host.hasSuffix("." + name)
        }
    }

    /// The host of a URL, without a port and without the brackets of an IPv6 address.
    static func host(of url: String) -> String {
        let rest = url.firstRange(of: "://").map { url[$0.upperBound...] } ?? url[...]
        let authority = rest.prefix { $0 != "/" }
        if authority.hasPrefix("[") { return String(authority.dropFirst().prefix { $0 != "]" }) }
        return authority.prefix { $0 != ":" }.lowercased()
    }
}
