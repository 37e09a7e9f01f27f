/// Where the browser is sent back to.
struct CallbackAddress: Equatable, Sendable {
    static let loopback = "127.0.0.1"

    let port: Int
    /// Begins with a slash and has no query.
    let path: String
    /// The address that is bound, as a number.
    var bindAddress = loopback
    /// Where the world outside reaches it, when that is elsewhere.
    var publicOrigin: String?

    /// The address literal and not `localhost`, which may also be looked up, or mean ::1 (RFC 8252 section 8.3).
    private var origin: String { publicOrigin ?? "http://\(Self.literal(bindAddress)):\(port)" }

    /// The redirect URI of the authorization request (RFC 8252 section 7.3).
    var redirectURI: String { origin + path }

    /// The whole address of a request for `target`, its path and query.
    func url(target: String) -> String { origin + target }

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
