/// The body of `POST /oauth/token/migrate_v2`: a legacy token, to be exchanged for a code.
package struct MigrationRequest: Decodable, Sendable {
    private enum CodingKeys: String, CodingKey {
        case merchantID = "merchant_uuid"
        case appID = "app_uuid"
        case legacyToken = "auth_token"
        case challenge = "code_challenge"
    }

    package var merchantID: String
    package var appID: String
    package var legacyToken: String
    package var challenge: String?

    package init(merchantID: String, appID: String, legacyToken: String, challenge: String? = nil) {
        self.merchantID = merchantID
        self.appID = appID
        self.legacyToken = legacyToken
        self.challenge = challenge
    }
}
