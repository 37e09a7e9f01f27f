package import CloverHTTP

/// The page on which the service asks the user whether the app may act for the merchant.
package struct AuthorizationRequest: Sendable {
    /// The whole URL. It contains no secret; `state` and challenge may be seen.
    package let url: String

    /// Builds the URL.
    ///
    /// - Parameters:
    ///   - redirectURI: where the browser is sent afterwards; must begin like the app's site URL at the service.
    ///   - merchantID: skips the choice of a merchant.
    ///   - challenge: from a `CodeVerifier`; nil for an app that has a secret.
    ///   - state: returned unchanged, so that a response to another request is detected (RFC 6749, section 10.12).
    ///   - isLegacy: uses the older flow, whose tokens do not expire; it does not support a challenge.
    package init(
        endpoints: OAuthEndpoints, appID: String, redirectURI: String, merchantID: String? = nil,
        challenge: String? = nil, state: String, isLegacy: Bool = false
    ) {
        var parameters = [("client_id", appID), ("redirect_uri", redirectURI), ("response_type", "code")]
        if !state.isEmpty { parameters.append(("state", state)) }
        if let merchantID { parameters.append(("merchant_id", merchantID)) }
        if let challenge, !isLegacy {
            parameters += [("code_challenge", challenge), ("code_challenge_method", "S256")]
        }
        let query = parameters.map { $0.0 + "=" + PercentCoding.encode($0.1) }.joined(separator: "&")
        url = endpoints.webBaseURL + (isLegacy ? "/oauth/authorize?" : "/oauth/v2/authorize?") + query
    }

    /// A new `state`: 256 random bits in 43 characters of base64url.
    package static func makeState() -> String {
        RandomText.make(bytes: 32)
    }
}

/// Proves that the code is exchanged by the client it was issued for.
package enum Proof: Equatable, Sendable {
    /// The `CodeVerifier` whose challenge was sent with the browser.
    case verifier(Secret)
    /// The app's secret, for an app that can keep one.
    case appSecret(Secret)
    /// Neither; the service decides whether that is enough.
    case none

    /// The field of the request's body.
    var field: (name: String, secret: Secret)? {
        switch self {
        case .verifier(let secret): ("code_verifier", secret)
        case .appSecret(let secret): ("client_secret", secret)
        case .none: nil
        }
    }
}

/// The secret of one sign-in with PKCE (RFC 7636): its hash is sent with the browser, and presenting the secret later
/// proves that the same client began the sign-in.
package struct CodeVerifier: Sendable, Equatable {
    /// 43 to 128 letters, digits and `-._~` (RFC 7636, section 4.1).
    package let secret: Secret

    /// A new verifier: 32 random bytes, 43 characters in base64url.
    package init() {
        secret = Secret(RandomText.make(bytes: 32))
    }

    /// A verifier made elsewhere; surrounding white space is ignored.
    ///
    /// - Throws: `.malformedVerifier`.
    package init(parsing text: String) throws(SignInError) {
        let bare = Redirect.trimmed(text)
        guard (43...128).contains(bare.utf8.count), bare.utf8.allSatisfy(PercentCoding.isUnreserved) else {
            throw .malformedVerifier
        }
        secret = Secret(String(bare))
    }

    /// The value in the authorization request under the method S256: base64url of the SHA-256 of the verifier's
    /// characters, without padding (RFC 7636, section 4.2). It is not secret.
    package var challenge: String {
        Base64URL.encode(SecretHash.bytes(of: secret.exposed))
    }
}

/// A code and what it is for. Clover's response to the exchange does not name the merchant, so this does.
package struct AuthorizationCode: Equatable, Sendable {
    /// Valid for one exchange, for at most a minute.
    package let code: Secret
    /// Nil if the URL did not name one, or a bare code was given.
    package let merchantID: String?
    /// Who agreed; only guaranteed in the legacy flow.
    package let employeeID: String?
    /// The app that the code is for.
    package let clientID: String?

    /// A code that did not arrive in a URL.
    package init(code: Secret, merchantID: String? = nil, employeeID: String? = nil, clientID: String? = nil) {
        self.code = code
        self.merchantID = merchantID
        self.employeeID = employeeID
        self.clientID = clientID
    }
}

/// Unguessable text, from the system's random source (getrandom(2)).
enum RandomText {
    /// This many random bytes in base64url without padding: 32 bytes are 43 characters.
    static func make(bytes: Int) -> String {
        var source = SystemRandomNumberGenerator()
        return Base64URL.encode((0..<bytes).map { _ in UInt8.random(in: .min ... .max, using: &source) })
    }
}

/// Base64 for URLs, without padding (RFC 4648, section 5).
enum Base64URL {
    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    /// Encodes these bytes.
    static func encode(_ bytes: [UInt8]) -> String {
        var text: [UInt8] = []
        text.reserveCapacity((bytes.count * 4 + 2) / 3)
        for start in stride(from: 0, to: bytes.count, by: 3) {
            let group = bytes[start..<min(start + 3, bytes.count)]
            let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
            // A group of n bytes needs n + 1 characters of six bits each.
            for place in 0...group.count { text.append(alphabet[bits >> (18 - 6 * place) & 63]) }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
