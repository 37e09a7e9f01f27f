import Crypto

/// The SHA-256 of a code verifier, as an authorize request carries it (RFC 7636 section 4.2, S256; the only method the
/// service knows).
package struct CodeChallenge: Sendable, Equatable {
    private let digest: [UInt8]

    /// Nil when the text is not the base64url form of 32 bytes.
    package init?(_ text: some StringProtocol) {
        guard let digest = Base64URL.decode(text), digest.count == SHA256.byteCount else { return nil }
        self.digest = digest
    }

    /// True for the verifier the challenge was made from. One outside the grammar of RFC 7636 section 4.1 (43 to 128
    /// unreserved characters) never is, whatever its hash.
    package func isMet(by verifier: String) -> Bool {
        let bytes = Array(verifier.utf8)
        guard (43...128).contains(bytes.count), bytes.allSatisfy(Self.isUnreserved) else { return false }
        return Array(SHA256.hash(data: bytes)) == digest
    }

    private static func isUnreserved(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }
}
