/// The body of `POST /oauth/v2/refresh`. It has no secret, also for apps that have one.
package struct RefreshRequest: Decodable, Sendable {
    private enum CodingKeys: String, CodingKey {
        case clientID = "client_id"
        case refreshToken = "refresh_token"
    }

    package var clientID: String
    package var refreshToken: String

    package init(clientID: String, refreshToken: String) {
        self.clientID = clientID
        self.refreshToken = refreshToken
    }
}
