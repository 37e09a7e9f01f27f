/// An access token and, mostly, the refresh token beside it. Expirations are seconds since 1970, unlike nearly all other
/// times of the service (Clover documentation, high-trust app auth flow).
package struct IssuedTokens: Sendable, Equatable {
    package let accessToken: String
    package let accessTokenExpiration: Int
    package var refreshToken: String?
    package var refreshTokenExpiration: Int?

    /// The body of an answer.
    package var json: JSONValue {
        var json: JSONValue = .object([
            ("access_token", .string(accessToken)), ("access_token_expiration", .integer(accessTokenExpiration)),
        ])
        if let refreshToken, let refreshTokenExpiration {
            json.append("refresh_token", .string(refreshToken))
            json.append("refresh_token_expiration", .integer(refreshTokenExpiration))
        }
        return json
    }
}
