import Glibc

/// Receives the one redirect of a sign-in on the loopback interface (RFC 8252 section 7.3), or the one response to a
/// payment request, and shows a page in the browser that sent it.
///
/// Opening it makes the whole process ignore SIGPIPE permanently: SwiftNIO requires that and sets it.
package struct CallbackListener: Sendable {
    private let address: CallbackAddress
    private let exchange: CallbackExchange
    private let server: CallbackServer

    /// Binds the port before it returns, so that the browser can be opened next. The caller must close the listener.
    ///
    /// - Throws: `CallbackError.portInUse` or `.cannotListen`.
    package static func open(_ options: CallbackOptions) async throws -> CallbackListener {
        let port = options.port
        guard (0...65_535).contains(port) else { throw CallbackError.cannotListen(port: port, errno: EINVAL) }
        let exchange = CallbackExchange()
        let server = CallbackServer(port: port, responder: CallbackResponder(options: options, exchange: exchange))
        let address = CallbackAddress(options: options, port: try await server.start(port: port))
        return CallbackListener(address: address, exchange: exchange, server: server)
    }

    /// The bound port, of 127.0.0.1 unless another address was chosen.
    package var port: Int { address.port }

    /// The redirect URI of the authorization request, which the service checks: `http://127.0.0.1:PORT/callback`.
    package var redirectURI: String { address.redirectURI }

    /// URLs that reach the listener: the redirect URI or, on all interfaces, one for each address of this machine.
    package var callableURIs: [String] { address.callableURIs }

    /// Waits for the one callback: a GET of the path with an expected query. No other request ends the wait.
    ///
    /// A callback that arrived before the call is not lost. May be called again after cancellation.
    /// - Throws: `CallbackError.closed` or `.alreadyTaken`; `CancellationError` if the task is cancelled.
    package func callback() async throws -> Callback {
        Callback(url: try await exchange.callback(), exchange: exchange)
    }

    /// Closes the listener: finishes writing the page, shows a waiting browser that the sign-in was stopped, and closes
    /// idle connections immediately. Takes at most a second. Repeated calls do nothing.
    package func close() async {
        await server.stop()
    }
}

/// Where the service redirects the browser to.
struct CallbackAddress: Sendable {
    static let loopback = "127.0.0.1"

    let options: CallbackOptions
    /// The bound port.
    let port: Int

    private var bindAddress: String { options.bindAddress }
    private var publicOrigin: String? { options.publicOrigin }

    /// Browsers always send a host, also for a page that makes its own name point here (DNS rebinding). An app or a
    /// proxy that speaks HTTP/1.0 need not.
    var takesRequestsWithoutHost: Bool { options.purpose == .payment }

    /// The address literal rather than `localhost`, which needs a lookup and may mean ::1 (RFC 8252 section 8.3).
    private var origin: String { publicOrigin ?? "http://\(Self.literal(bindAddress)):\(port)" }

    /// The redirect URI of the authorization request (RFC 8252 section 7.3).
    var redirectURI: String { origin + options.path }

    /// URLs that reach the listener; for one on all interfaces, those of this machine, because 0.0.0.0 and :: cannot be
    /// called.
    var callableURIs: [String] {
        guard publicOrigin == nil, let family = wildcardFamily else { return [redirectURI] }
        let found = InterfaceAddresses.all(isIPv6: family == AF_INET6)
        let hosts = found.isEmpty ? [family == AF_INET6 ? "::1" : Self.loopback] : found
        return hosts.map { "http://\(Self.literal($0)):\(port)\(options.path)" }
    }

    /// `AF_INET` or `AF_INET6` for a listener on all interfaces.
    private var wildcardFamily: Int32? {
        var four = in_addr()
        if inet_pton(AF_INET, bindAddress, &four) == 1 { return four.s_addr == 0 ? AF_INET : nil }
        var six = in6_addr()
        guard inet_pton(AF_INET6, bindAddress, &six) == 1 else { return nil }
        return withUnsafeBytes(of: six) { $0.allSatisfy { $0 == 0 } } ? AF_INET6 : nil
    }

    /// The complete URL of a request for `target`, its path and query.
    ///
    /// - Parameter host: the request's Host header; nil if there is none.
    func url(target: String, host: String?) -> String {
        if publicOrigin == nil, wildcardFamily != nil, let host { return "http://\(host)\(target)" }
        return origin + target
    }

    func has(path: String?) -> Bool { path.map { $0 == options.path || options.otherPaths.contains($0) } ?? false }

    /// Whether a request with this Host header is meant for this listener. A page of another site that makes its own
    /// name point to 127.0.0.1 (DNS rebinding) sends that name.
    ///
    /// A listener on an interface other than loopback does not know all its names, so it accepts any unless one is
    /// given.
    func isNamed(by host: String) -> Bool {
        let host = host.lowercased()
        if host == "\(Self.literal(bindAddress)):\(port)" || host == "localhost:\(port)" { return true }
        if let publicOrigin { return host == Self.host(of: publicOrigin) }
        return !bindAddress.hasPrefix("127.") && bindAddress != "::1"
    }

    /// Host and port of an origin, as in a Host header.
    private static func host(of origin: String) -> String {
        let text = origin.lowercased()
        guard let mark = text.firstRange(of: "://") else { return text }
        return String(text[mark.upperBound...])
    }

    /// An address in the form used in URLs (RFC 3986 section 3.2.2).
    private static func literal(_ address: String) -> String {
        address.contains(":") ? "[\(address)]" : address
    }
}

/// The numeric addresses by which other machines reach this one.
package enum InterfaceAddresses {
    /// Addresses of interfaces that are up (getifaddrs(3)), in the system's order, without the loopback interface and
    /// without link-local IPv6 addresses, which are meaningless in a URL. Empty if the system does not report them.
    ///
    /// - Parameter isIPv6: whether to include IPv6 addresses.
    static func all(isIPv6: Bool) -> [String] {
        var first: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&first) == 0 else { return [] }
        defer { freeifaddrs(first) }
        var texts: [String] = []
        for entry in sequence(first: first, next: { $0?.pointee.ifa_next }) {
            guard let entry, let address = entry.pointee.ifa_addr else { continue }
            let flags = Int32(bitPattern: entry.pointee.ifa_flags)
            guard flags & Int32(IFF_UP) != 0, flags & Int32(IFF_LOOPBACK) == 0 else { continue }
            let family = Int32(address.pointee.sa_family)
            guard family == AF_INET || isIPv6 && family == AF_INET6 else { continue }
            if let text = text(address, family), !text.hasPrefix("fe80:") { texts.append(text) }
        }
        return texts
    }

    private static func text(_ address: UnsafePointer<sockaddr>, _ family: Int32) -> String? {
        var name = [CChar](repeating: 0, count: Int(NI_MAXHOST))
        let length = family == AF_INET ? MemoryLayout<sockaddr_in>.size : MemoryLayout<sockaddr_in6>.size
        guard getnameinfo(address, socklen_t(length), &name, socklen_t(name.count), nil, 0, NI_NUMERICHOST) == 0
        else { return nil }
        return String(decoding: name.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}

/// Why there is no callback.
package enum CallbackError: Error, Equatable, Sendable {
    /// Another program listens on this port.
    case portInUse(Int)
    /// Another failure to listen, with the error number of socket(2), bind(2) or listen(2).
    case cannotListen(port: Int, errno: Int32)
    /// The one callback has already been returned, or another caller waits for it.
    case alreadyTaken
    /// The listener was closed, or its socket failed.
    case closed
}
