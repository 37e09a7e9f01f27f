import FoundationEssentials
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

/// Generates codes and tokens. They come from the system's random source and not from the shop's seed: a token must
/// differ between runs.
enum TokenGenerator {
    /// A JSON Web Token (RFC 7519) of about 300 bytes with the claims seen in the service's tokens. Clients must not
    /// parse it. Times are in seconds since 1970.
    static func accessToken(for owner: TokenOwner, issued: Int, expires: Int) -> String {
        let header: JSONValue = ["alg": "HS256", "typ": "JWT"]
        let claims: JSONValue = [
            "merchant_uuid": .string(owner.merchantID), "app_uuid": .string(owner.appID ?? ""),
            "permission_bitmap": .integer(Permission.bitmap), "iat": .integer(issued), "exp": .integer(expires),
            "jti": .string(hexadecimal(16)),
        ]
        // The signature is never verified; it only has to look like one and differ.
        return [header.encoded, claims.encoded, random(32)].map { Base64URL.encode($0) }.joined(separator: ".")
    }

    static func refreshToken() -> String { "clvroar-" + hexadecimal(32) }

    /// A random UUID (RFC 9562 version 4): a code, or a legacy token.
    static func uuid() -> String { UUID().uuidString.lowercased() }

    private static func random(_ count: Int) -> [UInt8] {
        (0..<count).map { _ in UInt8.random(in: .min ... .max) }
    }

    private static func hexadecimal(_ count: Int) -> String {
        random(count).map { $0.digits(2, radix: 16) }.joined()
    }
}

/// The permissions of the emulated app, as chosen in the developer dashboard. Requests have no scope: a merchant
/// accepts all permissions (Clover documentation, OAuth and tokens FAQ).
enum Permission: Int, CaseIterable {
    case merchant, employees, orders, inventory, payments, customers

    /// The bitmap of all permissions in an access token.
    static var bitmap: Int {
        allCases.reduce(0) { $0 | 1 << ($1.rawValue * 2) }
    }

    /// The name and explanation on the consent page.
    var text: (name: String, meaning: String) {
        switch self {
        case .merchant: ("Merchant", "See the shop's address, hours, devices, tenders and settings")
        case .employees: ("Employees", "See who works here, and their roles")
        case .orders: ("Orders", "See orders and their line items")
        case .inventory: ("Inventory", "See items, categories, modifiers, taxes and stock")
        case .payments: ("Payments", "See payments, refunds and credits")
        case .customers: ("Customers", "See customers and how to reach them")
        }
    }
}

/// The SHA-256 of a code verifier, from an authorize request (RFC 7636 section 4.2, S256; the only method that the
/// service supports).
package struct CodeChallenge: Sendable, Equatable {
    private static let unreserved = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~".utf8)

    private let digest: [UInt8]

    /// Fails if the text is not the base64url form of 32 bytes.
    package init?(_ text: String) {
        guard let digest = Base64URL.decode(text), digest.count == 32 else { return nil }
        self.digest = digest
    }

    /// Whether the challenge was made from this verifier. A verifier outside the grammar of RFC 7636 section 4.1 (43 to
    /// 128 unreserved characters) never matches, whatever its hash.
    package func isMet(by verifier: String) -> Bool {
        let bytes = Array(verifier.utf8)
        guard (43...128).contains(bytes.count), bytes.allSatisfy(Self.unreserved.contains) else { return false }
        return SHA256.hash(bytes) == digest
    }
}

/// Base64 for URLs, without padding (RFC 4648 section 5).
package enum Base64URL {
    package static func encode(_ bytes: [UInt8]) -> String {
        Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    /// Nil for other characters, for an impossible length, and for non-zero bits after the last byte.
    package static func decode(_ text: some StringProtocol) -> [UInt8]? {
        let text = String(text)
        let padding = String(repeating: "=", count: (4 - text.utf8.count % 4) % 4)
        guard let data = Data(base64Encoded: text.replacing("-", with: "+").replacing("_", with: "/") + padding)
        else { return nil }
        // Only the one text that these bytes are written as.
        return encode([UInt8](data)) == text ? [UInt8](data) : nil
    }
}
