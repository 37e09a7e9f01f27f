/// A credential whose tokens are in the keyring, as far as its file tells.
package struct CredentialOutline: Equatable, Sendable {
    package let key: CredentialKey
    package let kind: Credential.Kind
    /// Who signed in, where the service said so.
    package let employeeID: String?
    /// Seconds since 1970 by the service's clock; nil when it does not say.
    package let accessTokenExpires: Int64?
    package let refreshTokenExpires: Int64?
}
