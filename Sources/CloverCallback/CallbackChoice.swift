/// What a listener listens for, and where.
package struct CallbackChoice: Sendable {
    /// Whom the pages are for.
    package enum Purpose: Sendable {
        /// Somebody who signs in, with a terminal beside the browser.
        case signIn
        /// Somebody who pays, and sees no terminal.
        case payment
    }

    /// 0 takes a free one.
    package var port: Int
    /// Begins with a slash and has no query, such as `/callback`.
    package var path: String
    package var purpose = Purpose.signIn
    /// Further paths that count like the first.
    package var otherPaths: [String] = []
    /// The address to bind, as a number.
    package var bindAddress = CallbackAddress.loopback
    /// Where the world outside reaches the listener, such as `https://cafe.example`, when something in between passes
    /// requests on. Requests for its host are taken too, and the callback's address begins with it.
    package var publicOrigin: String?
    /// Whether a callback is the one that is waited for. Any other is refused with a page, and waiting goes on.
    package var isExpected: @Sendable (_ url: String) async -> Bool = { _ in true }
    /// Called for each further callback, while the first is worked on or after it.
    package var onSecond: @Sendable () -> Void = {}

    /// Called when a browser opens the callback's address without a query. It gets a page, and waiting goes on.
    package var onBare: @Sendable () -> Void = {}

    package init(port: Int, path: String) {
        self.port = port
        self.path = path
    }
}

extension CallbackChoice {
    /// - Parameter port: the one that was bound.
    func address(port: Int) -> CallbackAddress {
        CallbackAddress(
            port: port, path: path, otherPaths: otherPaths, bindAddress: bindAddress, publicOrigin: publicOrigin,
            // Browsers always name a host, so that a page that makes its own name point here (DNS rebinding) does too. An
            // app or a proxy that speaks HTTP/1.0 need not.
            takesRequestsWithoutHost: purpose == .payment)
    }
}
