/// Where the browser is sent back to.
struct CallbackAddress: Equatable, Sendable {
    /// Port on 127.0.0.1.
    let port: Int
    /// Begins with a slash and has no query.
    let path: String

    /// The address literal and not `localhost`, which may also be looked up, or mean ::1 (RFC 8252 section 8.3).
    private var origin: String { "http://127.0.0.1:\(port)" }

    /// The redirect URI of the authorization request (RFC 8252 section 7.3).
    var redirectURI: String { origin + path }

    /// The whole address of a request for `target`, its path and query.
    func url(target: String) -> String { origin + target }

    /// Whether a request with this Host header is meant for this listener. A page of another site that makes its own
    /// name point to 127.0.0.1 (DNS rebinding) sends that name.
    func isNamed(by host: String) -> Bool {
        let host = host.lowercased()
        return host == "127.0.0.1:\(port)" || host == "localhost:\(port)"
    }
}
