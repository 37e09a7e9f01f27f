import FoundationEssentials
package import NIOCore

/// The body of `POST /oauth/v2/token`. The secret or the verifier proves that the caller may have the tokens.
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

/// Reads what token calls bring.
package enum TokenBody {
    /// - Throws: `OAuthRefusal.malformed` for what is no JSON object, and for members that are missing or no strings.
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

    /// The legacy call with its values in the query.
    package static func legacy(_ query: QueryString) throws(OAuthRefusal) -> LegacyTokenRequest {
        func value(_ name: String) throws(OAuthRefusal) -> String {
            guard let value = query.values(name).last else { throw .malformed("\(name) is missing") }
            return value
        }
        return LegacyTokenRequest(
            clientID: try value("client_id"), clientSecret: try value("client_secret"), code: try value("code"))
    }
}

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

/// Why a token call is refused. The service's documentation shows no error body; the texts that were recorded are used
/// where there are any, the others are our own.
package enum OAuthRefusal: Error, Sendable, Equatable {
    /// The body is no JSON object with the members the call needs; which, in words.
    case malformed(String)
    case unknownClient
    /// A wrong app secret, or a legacy token nobody issued.
    case badCredentials
    /// A code that is unknown, spent, too old, or does not go with the rest of the request.
    case badCode
    /// A refresh token that is unknown, spent, too old or over the cap.
    case badRefreshToken
    /// The legacy calls say 400 to what the newer ones say 401 to.
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
