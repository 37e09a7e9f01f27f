import CloverAPI
import CloverHTTP
import CloverPayments
import CloverSystem
import FoundationEssentials

/// Where a raw request goes: one of Clover's services in an environment, and the path and query there.
struct APIAddress: Sendable {
    enum Service: Sendable, Equatable {
        /// `/v3/...` and other paths of the REST API's host.
        case rest
        /// Devices, through the REST API's host: `/connect/...`.
        case devices
        /// `/v1/...`: charges, refunds, customers, orders of the Ecommerce API.
        case ecommerce
        /// `/v1/tokens`, which takes the merchant's public key instead of an access token.
        case cardTokens
        /// `/oauth/...`, which takes no access token.
        case oauth
    }

    let service: Service
    /// URL of the service, without a trailing slash.
    let base: String
    let path: ResourcePath
    /// The path as typed, without a host and a query.
    let typedPath: String
    var parameters: [RecordQuery.Parameter]

    /// Resolves a path with an optional query, or a complete URL of one of the environment's hosts.
    ///
    /// - Parameters:
    ///   - text: `orders?limit=5`, `/v1/charges`, `https://api.clover.com/v3/merchants/{mId}`.
    ///   - merchantID: replaces `{mId}`.
    /// - Throws: `APIAddressError`, and `QueryError` for a malformed path.
    init(
        parsing text: String, method: HTTPMethod, _ environment: ServiceEnvironment, merchantID: String
    ) throws {
        let hosts = PaymentHosts(environment)
        var (origin, rest) = (nil as String?, text[...])
        if text.contains("://") { (origin, rest) = try Self.split(text, environment, hosts) }
        let parts = rest.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        guard let typedPath = PercentCoding.decode(parts[0]) else { throw APIAddressError.malformed(text) }
        self.typedPath = typedPath
        parameters = try (parts.count > 1 ? parts[1].split(separator: "&") : []).map { pair in
            let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
                .map { PercentCoding.decode($0, isQuery: true) }
            guard let name = sides[0], let value = sides.count > 1 ? sides[1] : "" else {
                throw APIAddressError.malformed(text)
            }
            return try RecordQuery.Parameter(name: name, text: value)
        }
        path = try ResourcePath(
            parsing: typedPath, identifier: nil, merchantID: merchantID, isChecked: false, method: method)
        if let name = path.placeholders.first { throw QueryError.unfilledName(name, path: path.display) }
        service = Self.service(of: path.segments)
        if let origin {
            base = origin
        } else {
            switch service {
            case .rest, .devices: base = hosts.api
            case .oauth: base = path.segments.last == "authorize" ? environment.webBaseURL : hosts.api
            case .ecommerce, .cardTokens:
                guard let host = service == .ecommerce ? hosts.ecommerce : hosts.tokens else {
                    throw APIAddressError.noEcommerce(environment: environment.name)
                }
                base = host
            }
        }
    }

    private static func service(of segments: [String]) -> Service {
        switch segments.first {
        case "v1": segments.dropFirst().first == "tokens" ? .cardTokens : .ecommerce
        case "connect": .devices
        case "oauth": .oauth
        default: .rest
        }
    }

    /// The origin of a URL, and its path with the query. Every other host is refused, because the request holds the
    /// access token.
    private static func split(
        _ text: String, _ environment: ServiceEnvironment, _ hosts: PaymentHosts
    ) throws -> (origin: String, rest: Substring) {
        // Braces, as in {mId}, are not valid in a URL.
        let end = text.firstIndex { $0 == "?" } ?? text.endIndex
        let plain = String(text[..<end].filter { !"{}".contains($0) })
        guard let scheme = text.firstRange(of: "://"), let url = URLComponents(string: plain),
            let host = url.encodedHost?.lowercased(), !host.isEmpty, url.user == nil, url.password == nil,
            url.fragment == nil, !text.contains("#")
        else { throw APIAddressError.malformed(text) }
        let known = [hosts.api, environment.webBaseURL, hosts.ecommerce, hosts.tokens].compactMap(\.self)
        let port = url.port.map { ":\($0)" } ?? ""
        let origin = "\(url.scheme?.lowercased() ?? "")://\(host)\(port)"
        guard known.contains(where: { Self.origin(of: $0) == origin }) else {
            guard url.scheme?.lowercased() == "https" else { throw APIAddressError.notHTTPS(text) }
            var names: [String] = []
            for name in known.map({ Self.origin(of: $0) }) where !names.contains(name) { names.append(name) }
            throw APIAddressError.foreignHost(host + port, environment: environment.name, hosts: names)
        }
        let rest = text[scheme.upperBound...]
        return (origin, rest[(rest.firstIndex { $0 == "/" || $0 == "?" } ?? rest.endIndex)...])
    }

    private static func origin(of base: String) -> String {
        guard let scheme = base.firstRange(of: "://") else { return base }
        return String(base[..<scheme.upperBound] + base[scheme.upperBound...].prefix { $0 != "/" })
    }

    /// Response timeout in seconds; nil for the default. A device responds once a customer has acted.
    var stallTimeout: Int? { service == .devices ? ChargePlan.maximumTimeout + 60 : nil }

    /// Sets what the service requires of a request.
    func apply(to request: inout ServiceRequest) {
        request.isAuthorized = service != .oauth && service != .cardTokens
        request.awaitsPerson = service == .devices && request.method != .get
        request.keepsEnvelope = true
    }
}

/// An address that `clover api` does not send to.
enum APIAddressError: Error, Equatable {
    case malformed(String)
    /// Another scheme than https.
    case notHTTPS(String)
    /// A host that is not one of Clover's in the environment; `hosts` are those that are, as origins.
    case foreignHost(String, environment: String, hosts: [String])
    /// The region has no Ecommerce API.
    case noEcommerce(environment: String)
}

extension ErrorReport {
    init(_ error: APIAddressError) {
        self.init("bad_address", .usage, "")
        switch error {
        case .malformed(let text):
            message = "malformed address '\(Redaction.url(text))'"
            hints = ["write a path, such as orders?limit=5 or /v3/merchants/{mId}/orders"]
        case .notHTTPS(let text):
            message = "clover sends its token over https only, not to '\(Redaction.url(text))'"
            hints = ["write a path without a host, such as /v3/merchants/{mId}/orders"]
        case .foreignHost(let host, let environment, let hosts):
            message = "\(host) is not a host of \(environment): nothing was sent, and clover never sends it your token"
            hints = ["the hosts: " + hosts.joined(separator: ", "), "for another region: --environment NAME"]
        case .noEcommerce(let environment):
            message = "Clover has no Ecommerce API for \(environment)"
            hints = ["for another region: --environment NAME"]
        }
    }
}
