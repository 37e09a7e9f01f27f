/// What a credential's file says when the tokens themselves are in the desktop keyring.
struct CredentialPointer: Equatable, Sendable {
    /// The random name of the item, so that two state directories never share one.
    let item: String
    let kind: Credential.Kind
    let employeeID: String?
    let accessTokenExpires: Int64?
    let refreshTokenExpires: Int64?
    let createdAt: Int64
    let refreshedAt: Int64?
    let origin: Credential.Origin
    let generation: Int
    /// `SecretHash` of the refresh token, by which a journal is known to be about it.
    let refreshTokenHash: String?

    /// A new name for an item.
    static func makeItemName() -> String {
        RandomText.make(bytes: 16)
    }

    /// Whether this could be a name of ours.
    static func isItemName(_ text: String) -> Bool {
        (1...64).contains(text.utf8.count) && text.utf8.allSatisfy(PercentCoding.isUnreserved)
    }

    /// By what the item is found (Secret Service: attributes are not secret).
    static func attributes(of key: CredentialKey, item: String) -> [String: String] {
        [
            "application": "clover", "environment": key.environment, "merchant": key.merchantID,
            "app": key.appID ?? CredentialFileName.noApp, "item": item,
        ]
    }
}
