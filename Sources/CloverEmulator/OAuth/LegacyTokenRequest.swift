/// What `/oauth/token` takes, as a query or as a JSON body.
package struct LegacyTokenRequest: Decodable, Sendable {
    private enum CodingKeys: String, CodingKey {
        case clientID = "client_id"
        case clientSecret = "client_secret"
        case code
    }

    package var clientID: String
    package var clientSecret: String
    package var code: String

    package init(clientID: String, clientSecret: String, code: String) {
        self.clientID = clientID
        self.clientSecret = clientSecret
        self.code = code
    }
}
