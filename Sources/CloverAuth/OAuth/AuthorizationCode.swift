package import CloverHTTP

/// A code and whom it is for. Clover's answer to the exchange does not name the merchant again, so this does.
package struct AuthorizationCode: Equatable, Sendable {
    /// Good for one exchange, for a minute at most.
    package let code: Secret
    /// Nil when the address did not name one, or a bare code was given.
    package let merchantID: String?
    /// Who agreed; only the legacy flow promises it.
    package let employeeID: String?
    /// The app that the code is for.
    package let clientID: String?

    /// Puts the parts together, for a code that did not come as an address.
    package init(code: Secret, merchantID: String? = nil, employeeID: String? = nil, clientID: String? = nil) {
        self.code = code
        self.merchantID = merchantID
        self.employeeID = employeeID
        self.clientID = clientID
    }
}
