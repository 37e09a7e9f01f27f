import FoundationEssentials
package import NIOCore

/// The body of `POST /oauth/v2/token`. The secret or the verifier authenticates the caller.
package struct TokenRequest: Decodable, Sendable {
    private enum CodingKeys: String, CodingKey {
        case clientID = "client_id"
        case code
        case clientSecret = "client_secret"
        case codeVerifier = "code_verifier"
        case redirectURI = "redirect_uri"
    }

    package var clientID: String
    package var code: String
    package var clientSecret: String?
    package var codeVerifier: String?
    package var redirectURI: String?

    package init(
        clientID: String, code: String, clientSecret: String? = nil, codeVerifier: String? = nil,
        redirectURI: String? = nil
    ) {
        self.clientID = clientID
        self.code = code
        self.clientSecret = clientSecret
        self.codeVerifier = codeVerifier
        self.redirectURI = redirectURI
    }
}

/// The body of `POST /oauth/v2/refresh`. It has no secret, even for apps that have one.
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

/// The parameters of `/oauth/token`, as a query or as a JSON body.
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

/// The body of `POST /oauth/token/migrate_v2`: exchanges a legacy token for a code.
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

/// Parses the bodies of token calls.
package enum TokenBody {
    /// - Throws: `OAuthRefusal.malformed` for anything but a JSON object, and for members that are missing or not
    ///   strings.
    package static func read<Request: Decodable>(_ body: ByteBuffer) throws(OAuthRefusal) -> Request {
        do {
            return try JSONDecoder().decode(Request.self, from: Data(body.readableBytesView))
        } catch DecodingError.keyNotFound(let key, _) {
            throw .malformed("\(key.stringValue) is missing")
        } catch DecodingError.typeMismatch(_, let context) {
            guard let key = context.codingPath.last else { throw .malformed("the body is no JSON object") }
            throw .malformed("\(key.stringValue) is not a string")
        } catch DecodingError.valueNotFound(_, let context) {
            guard let key = context.codingPath.last else { throw .malformed("the body is no JSON object") }
            throw .malformed("\(key.stringValue) is not a string")
        } catch {
            throw .malformed("the body is not JSON")
        }
    }

    /// The legacy call with its parameters in the query.
    package static func legacy(_ query: QueryString) throws(OAuthRefusal) -> LegacyTokenRequest {
        func value(_ name: String) throws(OAuthRefusal) -> String {
            guard let value = query.values(name).last else { throw .malformed("\(name) is missing") }
            return value
        }
        return LegacyTokenRequest(
            clientID: try value("client_id"), clientSecret: try value("client_secret"), code: try value("code"))
    }
}

/// An access token and usually a refresh token. Expirations are in seconds since 1970, unlike nearly all other times of
/// the service (Clover documentation, high-trust app auth flow).
package struct IssuedTokens: Sendable, Equatable {
    package let accessToken: String
    package let accessTokenExpiration: Int
    package var refreshToken: String?
    package var refreshTokenExpiration: Int?

    /// The body of the response.
    package var json: JSONValue {
        var json: JSONValue = [
            "access_token": .string(accessToken), "access_token_expiration": .integer(accessTokenExpiration),
        ]
        if let refreshToken, let refreshTokenExpiration {
            json.append("refresh_token", .string(refreshToken))
            json.append("refresh_token_expiration", .integer(refreshTokenExpiration))
        }
        return json
    }
}

/// Why a token call is refused. The service's documentation shows no error bodies; recorded texts are used where they
/// exist, the others are made up.
package enum OAuthRefusal: Error, Sendable, Equatable {
    /// The body is not a JSON object with the required members; the value says what is wrong.
    case malformed(String)
    case unknownClient
    /// A wrong app secret, or an unknown legacy token.
    case badCredentials
    /// A code that is unknown, used, expired, or does not match the rest of the request.
    case badCode
    /// A refresh token that is unknown, used, expired or over the limit.
    case badRefreshToken
    /// Legacy calls return 400 where the newer ones return 401.
    case legacyUnknownClient
    case legacyBadCredentials

    /// HTTP status.
    package var status: Int {
        switch self {
        case .malformed, .badCode, .legacyUnknownClient, .legacyBadCredentials: 400
        case .unknownClient, .badCredentials, .badRefreshToken: 401
        }
    }

    package var message: String {
        switch self {
        case .malformed(let reason): "Malformed request: \(reason)"
        case .unknownClient, .legacyUnknownClient: "Unknown Client ID"
        case .badCredentials, .legacyBadCredentials: "Invalid OAuth credentials"
        case .badCode: "Failed to validate authentication code"
        case .badRefreshToken: "Invalid refresh token"
        }
    }
}
