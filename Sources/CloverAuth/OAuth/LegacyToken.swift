package import CloverHTTP

/// A token of the legacy flow, which neither expires nor can be renewed.
package struct LegacyToken: Equatable, Sendable {
    package let token: Secret
    /// Nil when the address did not name one.
    package let merchantID: String?
    /// Who agreed.
    package let employeeID: String?
    /// The app that the token is for.
    package let clientID: String?

    /// Puts the parts together.
    package init(token: Secret, merchantID: String? = nil, employeeID: String? = nil, clientID: String? = nil) {
        self.token = token
        self.merchantID = merchantID
        self.employeeID = employeeID
        self.clientID = clientID
    }
}
