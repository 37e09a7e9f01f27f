import NIOCore

/// The members of a call that issues codes or tokens: of its JSON body, or of the query of a legacy call.
package struct TokenRequest: Sendable {
    private var members: [String: String] = [:]

    package init(_ members: [String: String]) {
        self.members = members
    }

    /// Optional members may be null.
    ///
    /// - Throws: `OAuthRefusal.malformed` for anything but a JSON object, and for members that are missing or not
    ///   strings.
    init(_ body: ByteBuffer, required: [String], optional: [String]) throws(OAuthRefusal) {
        guard let value = JSONParser.value(of: Array(body.readableBytesView)) else {
            throw .malformed("the body is not JSON")
        }
        guard case .object = value else { throw .malformed("the body is no JSON object") }
        for name in required + optional {
            switch value[name] {
            case .string(let text)?: members[name] = text
            case nil where required.contains(name): throw .malformed("\(name) is missing")
            case nil: break
            case .null? where !required.contains(name): break
            default: throw .malformed("\(name) is not a string")
            }
        }
    }

    init(_ query: QueryString, required: [String]) throws(OAuthRefusal) {
        for name in required {
            guard let value = query.values(name).last else { throw .malformed("\(name) is missing") }
            members[name] = value
        }
    }

    subscript(name: String) -> String? { members[name] }

    var appID: String { members["client_id"] ?? members["app_uuid"] ?? "" }
    var code: String { members["code"] ?? "" }
    var clientSecret: String? { members["client_secret"] }
}

/// An access token and usually a refresh token. Expirations are in seconds since 1970, unlike nearly all other times of
/// the service (Clover documentation, high-trust app auth flow).
package struct IssuedTokens: Sendable {
    package let owner: TokenOwner
    package let accessToken: String
    package let accessTokenExpiration: Int
    package var refreshToken: String?
    package var refreshTokenExpiration: Int?

    var json: JSONValue {
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

    var answer: EmulatorResponse {
        switch self {
        case .malformed(let reason): .message(400, "Malformed request: \(reason)")
        case .unknownClient: .message(401, "Unknown Client ID")
        case .badCredentials: .message(401, "Invalid OAuth credentials")
        case .badCode: .message(400, "Failed to validate authentication code")
        case .badRefreshToken: .message(401, "Invalid refresh token")
        case .legacyUnknownClient: .message(400, "Unknown Client ID")
        case .legacyBadCredentials: .message(400, "Invalid OAuth credentials")
        }
    }
}
