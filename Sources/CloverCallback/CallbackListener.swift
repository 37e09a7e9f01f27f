import Glibc

/// Receives the one redirect of a sign-in on the loopback interface (RFC 8252 section 7.3), or the one answer to a
/// request for a payment, and shows a page in the browser that brought it.
///
/// Opening it makes SIGPIPE ignored in the whole process, for good: SwiftNIO needs that and sets it itself.
package struct CallbackListener: Sendable {
    /// Port of the address that is bound, 127.0.0.1 unless another was chosen.
    package let port: Int
    private let address: CallbackAddress
    private let desk: CallbackDesk
    private let server: CallbackServer

    /// Binds 127.0.0.1:`port` at once, so that the browser can be opened when this returns.
    ///
    /// Whoever opens a listener closes it.
    /// - Parameters:
    ///   - port: 0 takes a free one.
    ///   - path: begins with a slash and has no query, such as `/callback`.
    ///   - onSecond: called for each further callback, while the first is worked on or after it.
    /// - Throws: `CallbackError.portInUse` or `.cannotListen`.
    package static func open(
        port: Int, path: String, onSecond: @escaping @Sendable () -> Void = {}
    ) async throws -> CallbackListener {
        var choice = CallbackChoice(port: port, path: path)
        choice.onSecond = onSecond
        return try await open(choice)
    }

    /// The same, with everything that can be chosen.
    package static func open(_ choice: CallbackChoice) async throws -> CallbackListener {
        let port = choice.port
        guard (0...65_535).contains(port) else { throw CallbackError.cannotListen(port: port, errno: EINVAL) }
        let desk = CallbackDesk()
        let server = CallbackServer(port: port, responder: CallbackResponder(choice: choice, desk: desk))
        let address = choice.address(port: try await server.start(port: port))
        return CallbackListener(port: address.port, address: address, desk: desk, server: server)
    }

    /// What the authorization request names, and the service matches: `http://127.0.0.1:PORT/callback`.
    package var redirectURI: String { address.redirectURI }

    /// The addresses by which it is called: the redirect URI, or on all interfaces one for each address of this machine.
    package var callableURIs: [String] { address.callableURIs }

    /// Waits for the one callback: a GET of the path with a query that is expected. Nothing else that arrives ends the
    /// wait.
    ///
    /// One that arrived before the call is not lost. May be called again after it was cancelled.
    /// - Throws: `CallbackError.closed` or `.alreadyTaken`; `CancellationError` when the task is cancelled.
    package func callback() async throws -> Callback {
        Callback(url: try await desk.callback(), desk: desk)
    }

    /// Ends the listener: a page that was given is first written whole, a browser still waiting for one is told that
    /// the sign-in was stopped, and connections on which nothing is going on are closed at once. Takes at most a second.
    /// Closing again does nothing.
    package func close() async {
        await server.stop()
    }
}
