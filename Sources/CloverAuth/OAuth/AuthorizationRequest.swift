package import CloverHTTP
import CloverSystem
import FoundationEssentials

extension OAuthEndpoints {
    /// The address of the page on which the service asks the user whether the app may act for the merchant. It contains
    /// no secret; `state` and challenge may be seen.
    ///
    /// - Parameters:
    ///   - redirectURI: where the browser is sent afterwards; must begin like the app's site URL at the service.
    ///   - merchantID: skips the choice of a merchant.
    ///   - challenge: from a `CodeVerifier`; nil for an app that has a secret.
    ///   - state: returned unchanged, so that a response to another request is detected (RFC 6749, section 10.12).
    package func authorizationURL(
        appID: String, redirectURI: String, merchantID: String? = nil, challenge: String? = nil, state: String
    ) -> String {
        var parameters = [
            ("client_id", appID), ("redirect_uri", redirectURI), ("response_type", "code"), ("state", state),
        ]
        if let merchantID { parameters.append(("merchant_id", merchantID)) }
        if let challenge { parameters += [("code_challenge", challenge), ("code_challenge_method", "S256")] }
        return webBaseURL + "/oauth/v2/authorize?"
            + parameters.map { $0.0 + "=" + PercentCoding.encode($0.1) }.joined(separator: "&")
    }
}

/// Proves that the code is exchanged by the client it was issued for.
package enum Proof: Equatable, Sendable {
    /// The verifier whose challenge was sent with the browser: the default, which needs no secret on this machine.
    case verifier(CodeVerifier)
    /// The app's secret, for an app that can keep one.
    case appSecret(Secret)
    /// Neither, for a code requested without a challenge; the service decides whether that is enough.
    case none

    package init(appSecret: Secret?) {
        self = appSecret.map { .appSecret($0) } ?? .verifier(CodeVerifier())
    }

    /// The challenge for the authorization request.
    package var challenge: String? { if case .verifier(let verifier) = self { verifier.challenge } else { nil } }

    /// The secret, which must be hidden from all messages.
    package var secret: Secret? { field?.secret }

    /// The field of the request's body.
    var field: (name: String, secret: Secret)? {
        switch self {
        case .verifier(let verifier): ("code_verifier", verifier.secret)
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
    package var challenge: String { RandomText.base64URL(SecretHash.bytes(of: secret.exposed)) }
}

/// Unguessable text, from the system's random source (getrandom(2)).
package enum RandomText {
    /// A new `state` of an authorization request: 256 random bits in 43 characters.
    package static func state() -> String { make(bytes: 32) }

    /// This many random bytes in base64url.
    static func make(bytes: Int) -> String {
        var source = SystemRandomNumberGenerator()
        return base64URL((0..<bytes).map { _ in UInt8.random(in: .min ... .max, using: &source) })
    }

    /// Base64 for URLs, without padding (RFC 4648, section 5).
    static func base64URL(_ bytes: [UInt8]) -> String {
        Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}
