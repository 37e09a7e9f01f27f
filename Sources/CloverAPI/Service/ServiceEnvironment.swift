import CloverHTTP
import FoundationEssentials

/// One of Clover's separate environments, or a service at a given URL, such as the emulator (Clover: making REST API
/// calls).
package struct ServiceEnvironment: Sendable, Hashable {
    /// `sandbox`, `us`, `eu`, `la`, or the URL itself. Identifies credentials and appears in messages.
    package let name: String
    /// The base URL of `/v3/...`, without a trailing slash.
    package let apiBaseURL: String
    /// The base URL of the browser sign-in, which has a different host (Clover: high-trust app auth flow).
    package let webBaseURL: String
    /// The base URL of the ecommerce paths (`/v1/charges`); nil where the region has no Ecommerce API (Clover: ecommerce
    /// API tutorials).
    package let ecommerceBaseURL: String?

    package static let us = ServiceEnvironment(
        name: "us", apiBaseURL: "https://api.clover.com", webBaseURL: "https://www.clover.com",
        ecommerceBaseURL: "https://scl.clover.com")
    package static let named: [ServiceEnvironment] = [
        ServiceEnvironment(
            name: "sandbox", apiBaseURL: "https://apisandbox.dev.clover.com",
            webBaseURL: "https://sandbox.dev.clover.com", ecommerceBaseURL: "https://scl-sandbox.dev.clover.com"),
        us,
        ServiceEnvironment(
            name: "eu", apiBaseURL: "https://api.eu.clover.com", webBaseURL: "https://www.eu.clover.com",
            ecommerceBaseURL: nil),
        ServiceEnvironment(
            name: "la", apiBaseURL: "https://api.la.clover.com", webBaseURL: "https://www.la.clover.com",
            ecommerceBaseURL: nil),
    ]
}

extension ServiceEnvironment {
    /// Parses a name (`na` and `ca` mean `us`) or a URL. A URL must use https; http is allowed for this computer only.
    package init(parsing text: String) throws(QueryError) {
        let lowered = text.lowercased()
        let name = ["na": "us", "ca": "us"][lowered] ?? lowered
        if let known = Self.named.first(where: { $0.name == name }) {
            self = known
            return
        }
        guard text.contains("://") else { throw .unknownEnvironment(text) }
        guard let parts = URLComponents(string: text), let scheme = parts.scheme?.lowercased(),
            let host = parts.encodedHost, !host.isEmpty, ["http", "https"].contains(scheme),
            parts.query == nil, parts.fragment == nil, parts.user == nil, parts.password == nil
        else { throw .malformedAddress(Redaction.url(text)) }
        guard scheme == "https" || Self.isLoopback(host) else { throw .insecureAddress(Redaction.url(text)) }
        var path = parts.path
        while path.hasSuffix("/") { path.removeLast() }
        let port = parts.port.map { ":\($0)" } ?? ""
        let address = "\(scheme)://\(host.lowercased())\(port)\(path)"
        // All services are at a custom address.
        self.init(name: address, apiBaseURL: address, webBaseURL: address, ecommerceBaseURL: address)
    }

    /// Whether a host always is this computer (RFC 6761 section 6.3, RFC 1122 section 3.2.1.3).
    static func isLoopback(_ host: String) -> Bool {
        let bare = host.lowercased().trimmingPrefix("[").replacing("]", with: "")
        if bare == "localhost" || bare == "::1" { return true }
        let numbers = bare.split(separator: ".", omittingEmptySubsequences: false).map { UInt8($0) }
        return numbers.count == 4 && numbers[0] == 127 && numbers.allSatisfy { $0 != nil }
    }
}
