/// For whom an access token stands.
package struct TokenOwner: Sendable, Hashable {
    package let merchantID: String
    /// The app that it was issued to; nil for a token that the merchant made by hand, which no app's limits hold for.
    package let appID: String?

    package init(merchantID: String, appID: String? = nil) {
        self.merchantID = merchantID
        self.appID = appID
    }
}
