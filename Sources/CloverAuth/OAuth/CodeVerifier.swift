package import CloverHTTP

/// The secret of one sign-in with PKCE (RFC 7636): its hash goes out with the browser, and who later shows the secret
/// itself is the one who began.
package struct CodeVerifier: Sendable, Equatable {
    /// 43 to 128 letters, digits and `-._~` (RFC 7636, section 4.1).
    package let secret: Secret

    /// A new one: 32 random bytes, in base64url 43 characters.
    package init() {
        secret = Secret(RandomText.make(bytes: 32))
    }

    /// One that was made elsewhere; white space around it is not part of it.
    ///
    /// - Throws: `.malformedVerifier`.
    package init(parsing text: String) throws(SignInError) {
        let bare = Redirect.trimmed(text)
        guard (43...128).contains(bare.utf8.count), bare.utf8.allSatisfy(PercentCoding.isUnreserved) else {
            throw .malformedVerifier
        }
        secret = Secret(String(bare))
    }

    /// What the authorization request carries under the method S256: base64url of the SHA-256 of the verifier's
    /// characters, without padding (RFC 7636, section 4.2). It is no secret.
    package var challenge: String {
        Base64URL.encode(SecretHash.bytes(of: secret.exposed))
    }
}
