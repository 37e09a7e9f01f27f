/// A 401, and what is known of why.
package struct TokenRefusal: Error, Sendable, Equatable {
    package enum Cause: Sendable, Equatable {
        /// The token itself is good, but lacks a permission: its name where the catalogue knows it.
        case permissionMissing(String?, isWriting: Bool)
        /// The token is of this merchant.
        case otherMerchant(String)
        /// The token is good, but the path names a merchant that it is not of.
        case otherMerchantInPath(String)
        /// The token ended so many seconds ago.
        case ended(seconds: Int)
        /// The service accepts the token for nothing.
        case notAccepted
    }

    package var cause: Cause
    /// Already redacted.
    package var url: String
    /// The service's own words.
    package var message: String?
    /// What was asked for, as messages name it: `orders/ID`.
    package var path: String
    package var merchantID: String
    /// The environment that was asked.
    package var environment: String
    /// Nobody said which environment is meant, so it is the usual one.
    package var isEnvironmentAssumed: Bool
    package var source: SignInStatus.Source
    /// The token can be renewed, and was not due.
    package var isRenewable: Bool
    /// Other environments in which there is a sign-in to the merchant.
    package var elsewhere: [String]

    /// Whether another token of the same app would be refused too.
    var isAboutPermission: Bool { if case .permissionMissing = cause { true } else { false } }
}
