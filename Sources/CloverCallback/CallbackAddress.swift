import Glibc

/// Where the browser is sent back to.
struct CallbackAddress: Equatable, Sendable {
    static let loopback = "127.0.0.1"

    let port: Int
    /// Begins with a slash and has no query.
    let path: String
    /// Further paths that count.
    var otherPaths: [String] = []
    /// The address that is bound, as a number.
    var bindAddress = loopback
    /// Where the world outside reaches it, when that is elsewhere.
    var publicOrigin: String?
    var takesRequestsWithoutHost = false

    /// The address literal and not `localhost`, which may also be looked up, or mean ::1 (RFC 8252 section 8.3).
    private var origin: String { publicOrigin ?? "http://\(Self.literal(bindAddress)):\(port)" }

    /// The redirect URI of the authorization request (RFC 8252 section 7.3).
    var redirectURI: String { origin + path }

    /// The addresses to call: of a listener on all interfaces those of this machine, because 0.0.0.0 and :: are none
    /// that can be called.
    var callableURIs: [String] {
        guard publicOrigin == nil, let family = wildcardFamily else { return [redirectURI] }
        let found = InterfaceAddresses.all(isIPv6: family == AF_INET6)
        let hosts = found.isEmpty ? [family == AF_INET6 ? "::1" : Self.loopback] : found
        return hosts.map { "http://\(Self.literal($0)):\(port)\(path)" }
    }

    /// `AF_INET` or `AF_INET6` for a listener on all interfaces.
    private var wildcardFamily: Int32? {
        var four = in_addr()
        if inet_pton(AF_INET, bindAddress, &four) == 1 { return four.s_addr == 0 ? AF_INET : nil }
        var six = in6_addr()
        guard inet_pton(AF_INET6, bindAddress, &six) == 1 else { return nil }
        return withUnsafeBytes(of: six) { $0.allSatisfy { $0 == 0 } } ? AF_INET6 : nil
    }

    /// The whole address of a request for `target`, its path and query.
    ///
    /// - Parameter host: what the request names; nil when it names none.
    func url(target: String, host: String?) -> String {
        if publicOrigin == nil, wildcardFamily != nil, let host { return "http://\(host)\(target)" }
        return origin + target
    }

    func has(path: String?) -> Bool { path.map { $0 == self.path || otherPaths.contains($0) } ?? false }

    /// Whether a request with this Host header is meant for this listener. A page of another site that makes its own
    /// name point to 127.0.0.1 (DNS rebinding) sends that name.
    ///
    /// A listener on other interfaces than the loopback one does not know all its names: it takes any, unless one is
    /// given.
    func isNamed(by host: String) -> Bool {
        let host = host.lowercased()
        if host == "\(Self.literal(bindAddress)):\(port)" || host == "localhost:\(port)" { return true }
        if let publicOrigin { return host == Self.host(of: publicOrigin) }
        return !bindAddress.hasPrefix("127.") && bindAddress != "::1"
    }

    /// Host and port of an origin, as a Host header has them.
    private static func host(of origin: String) -> String {
        let text = origin.lowercased()
        guard let mark = text.firstRange(of: "://") else { return text }
        return String(text[mark.upperBound...])
    }

    /// An address as a URL has it (RFC 3986 section 3.2.2).
    private static func literal(_ address: String) -> String {
        address.contains(":") ? "[\(address)]" : address
    }
}
